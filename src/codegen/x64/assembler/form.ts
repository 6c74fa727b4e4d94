/**
 * Forms of instructions, and the notation in which the tables write them.
 *
 * A line of a table is
 *
 *     mnemonic  prefix  opcode  encoding  operand operand ...  flag flag ...
 *
 * near to what Intel's manual has in its opcode column:
 *
 * - **mnemonic**: `name`, or `name|name=printed` where a form goes by other names than the one it has in a disassembly:
 *   `vpandd` of registers that VEX reaches is a `vpand`.
 * - **prefix**: `L` for those of old, `V` for VEX, `E` for EVEX, `VE` for a form of each; then after dots, where they apply, the mandatory prefix (`NP`, `66`, `F2`,
 *   `F3`), the map (`0F`, `0F38`, `0F3A`), W (`W0`, `W1`, `WIG`; `Wg` by the size of the general register; `WIG/W1` the one for VEX and
 *   the one for EVEX) and L, if it does not follow from the vector registers (`L1`).
 * - **opcode**: a byte, `/n` for what is in ModRM.reg, `!xx` for a ModRM byte that is part of the opcode.
 * - **encoding**: a letter for each operand: R ModRM.reg, M ModRM.rm, V VEX.vvvv, O the opcode's low bits, I immediate, S the upper
 *   four bits of an immediate; `.` an operand that the opcode implies.
 * - **operands**: see {@link operandType}. `v` is each length of vectors, `u` each but 128 bits, `g` each of 16, 32 and 64 bits, `e` the last
 *   two: such a line is several forms.
 * - **flags**: `b32` or `b64`: an element of so many bits may be broadcast; `er`: a rounding mode; `sae`: no exceptions; `nk`: no mask; `mk`: must have a
 *   mask; `lock`: may be locked; `d64`: 64 bits without REX.W; `n8` to `n64`: the bits that the 8-bit displacement counts in, where these
 *   are not those of the operand in memory. (They are everywhere else: Intel's tuple types say the same in other words.)
 */
import type { GeneralBits, VectorBits } from './instruction.ts';

/** What an operand may be. */
export interface OperandType {
  /** A register of this class and size; `number` if it must be that one. */
  readonly register?: {
    readonly kind: 'general' | 'vector' | 'mask';
    readonly bits: number;
    readonly number?: number;
  };
  /** Memory of so many bits; 0 for any. */
  readonly memory?: number;
  /** Memory at as many addresses as a vector register of so many bits has. */
  readonly indexBits?: VectorBits;
  /** A number: so many bytes are written. `extended`: it is extended with its sign to the size of the first operand. */
  readonly immediate?: {
    readonly bytes: 1 | 2 | 4 | 8;
    readonly extended: boolean;
    readonly exactly?: number;
  };
}

export type FormKind = 'legacy' | 'vex' | 'evex';

/** One way to encode an instruction. */
export interface Form {
  /** The name in a disassembly. */
  readonly printed: string;
  readonly kind: FormKind;
  /** 0 none, 1 66, 2 F3, 3 F2, as VEX writes it. */
  readonly prefix: 0 | 1 | 2 | 3;
  /** 0 none, 1 0F, 2 0F38, 3 0F3A, as VEX writes it. */
  readonly map: 0 | 1 | 2 | 3;
  readonly w: 0 | 1;
  /** 0, 1, 2: 128, 256, 512 bits. */
  readonly length: 0 | 1 | 2;
  readonly opcode: number;
  /** What is in ModRM.reg, or -1. */
  readonly extension: number;
  /** The whole ModRM byte, or -1. */
  readonly modrm: number;
  /** A letter for each operand. */
  readonly encoding: string;
  readonly operands: readonly OperandType[];
  /** 16-bit operand size: prefix 66. */
  readonly isWord: boolean;
  /** Bits of the first operand; what immediates are extended to. */
  readonly bits: number;
  /** Bits of an element that may be broadcast; 0 none. */
  readonly broadcast: number;
  readonly rounding: 'none' | 'sae' | 'er';
  readonly mask: 'none' | 'allowed' | 'needed';
  readonly lockable: boolean;
  /** Bytes that an 8-bit displacement counts in (EVEX); 1 otherwise. */
  readonly displacementUnit: number;
}

const maps: Readonly<Record<string, 1 | 2 | 3>> = { '0F': 1, '0F38': 2, '0F3A': 3 };
const prefixes: Readonly<Record<string, 0 | 1 | 2 | 3>> = { NP: 0, '66': 1, F3: 2, F2: 3 };
const vectorLetters: Readonly<Record<string, VectorBits>> = { x: 128, y: 256, z: 512 };
const generalLetters: Readonly<Record<string, GeneralBits>> = { b: 8, w: 16, d: 32, q: 64 };
const accumulators: Readonly<Record<string, GeneralBits>> = { al: 8, aw: 16, ad: 32, aq: 64 };
const fractions: Readonly<Record<string, number>> = { h: 2, q: 4, o: 8 };

/**
 * The type that a word of the notation says:
 *
 * - `b w d q`: a general register of 8 to 64 bits; `al aw ad aq`: only rax of that size; `cl`.
 * - `x y z`: a vector register; `vh vq vo`: one with a half, a quarter, an eighth of v's lanes. `k`: a mask register.
 * - each of them followed by `/m`: or memory of that size; by `/32`: or memory of so many bits.
 * - `m32`: memory of so many bits, `m` of any, `mv` of v's size. `s32v`: elements of 32 bits at the addresses in a vector of v's size.
 * - `ib iw id iq`: a number of 1 to 8 bytes; `is`: a byte, `iz`: up to 4 bytes, extended with the sign; `1`: that number.
 *
 * @param v the length that v is
 * @param size the size of the first operand that is a general register, for `iz`
 */
export function operandType(word: string, v: VectorBits | undefined, size: number): OperandType {
  const [name, place] = word.split('/') as [string, string | undefined];
  const sized = (letter: string): number =>
    vectorLetters[letter] ?? (letter === 'v' || letter === 'u' ? v! : Number.NaN);
  const gathered = /^s(\d+)([vxyz])(h?)$/.exec(name);
  if (gathered) {
    const bits = sized(gathered[2]!) / (gathered[3] ? 2 : 1);
    return { memory: Number(gathered[1]), indexBits: Math.max(bits, 128) as VectorBits };
  }
  if (name === 'mv') return { memory: v! };
  if (/^m\d*$/.test(name)) return { memory: Number(name.slice(1)) };
  if (name === '1') return { immediate: { bytes: 1, extended: false, exactly: 1 } };
  if (name === 'is') return { immediate: { bytes: 1, extended: true } };
  if (name === 'iz') return { immediate: { bytes: size === 16 ? 2 : 4, extended: size !== 16 } };
  if (/^i[bwdq]$/.test(name)) {
    const bytes = (generalLetters[name[1]!]! >> 3) as 1 | 2 | 4 | 8;
    return { immediate: { bytes, extended: false } };
  }
  let register: OperandType['register'];
  let whole: number;
  if (name === 'k') {
    register = { kind: 'mask', bits: 64 };
    whole = Number.NaN;
  } else if (name === 'cl') {
    register = { kind: 'general', bits: 8, number: 1 };
    whole = 8;
  } else if (accumulators[name]) {
    whole = accumulators[name];
    register = { kind: 'general', bits: whole, number: 0 };
  } else if (generalLetters[name]) {
    whole = generalLetters[name];
    register = { kind: 'general', bits: whole };
  } else if (/^v[hqo]$/.test(name)) {
    whole = v! / fractions[name[1]!]!;
    register = { kind: 'vector', bits: Math.max(128, whole) };
  } else {
    whole = sized(name);
    register = { kind: 'vector', bits: whole };
  }
  if (Number.isNaN(register.bits)) throw new Error(`x64 tables: no operand is written ${word}`);
  if (place === undefined) return { register };
  return { register, memory: place === 'm' ? whole : Number(place) };
}

/** The forms that a line of a table says. */
export function formsOf(line: string): Form[] {
  const [names, prefix, opcode, encoding, ...rest] = line.trim().split(/\s+/) as [
    string,
    string,
    string,
    string,
  ];
  const words: readonly string[] = encoding === '-' ? [] : rest.slice(0, encoding.length);
  const flags: readonly string[] = encoding === '-' ? rest : rest.slice(encoding.length);
  const [space, ...facts] = prefix.split('.') as [string];
  const forms: Form[] = [];
  for (const letter of space) {
    const kind: FormKind = letter === 'V' ? 'vex' : letter === 'E' ? 'evex' : 'legacy';
    for (const { v, g } of expansions(words, kind)) {
      forms.push(
        formOf(line, {
          kind,
          printed: printedName(names),
          facts,
          opcode,
          encoding,
          words: expanded(words, g),
          flags,
          v,
        }),
      );
    }
  }
  return forms;
}

/** The mnemonics that the line is found under. */
export function namesOf(line: string): string[] {
  return line.trim().split(/\s+/, 1)[0]!.split('=')[0]!.split('|');
}

function printedName(names: string): string {
  const [accepted, printed] = names.split('=') as [string, string | undefined];
  return printed ?? accepted.split('|')[0]!;
}

/** What the letters v, u, g and e are, one after another. */
function expansions(
  words: readonly string[],
  kind: FormKind,
): { readonly v: VectorBits | undefined; readonly g: string | undefined }[] {
  const names = words.map((word) => word.split('/')[0]!);
  const hasU = names.some((name) => name === 'u');
  const hasV = hasU || names.some((name) => /^v[hqo]?$|^mv$|^s\d+vh?$/.test(name));
  const lengths: (VectorBits | undefined)[] = hasV
    ? [...(hasU ? [] : [128 as const]), 256 as const, ...(kind === 'evex' ? [512 as const] : [])]
    : [undefined];
  const letters: (string | undefined)[] = names.some((name) => name === 'g' || name === 'ag')
    ? ['d', 'q', 'w']
    : names.some((name) => name === 'e')
      ? ['d', 'q']
      : [undefined];
  return lengths.flatMap((v) => letters.map((g) => ({ v, g })));
}

/** The words with g and e written out. */
function expanded(words: readonly string[], g: string | undefined): readonly string[] {
  return g === undefined ? words : words.map((word) => word.replace(/^(a?)[ge](?=$|\/)/, `$1${g}`));
}

/** The parts of a line, for one of its forms. */
interface FormParts {
  readonly kind: FormKind;
  /** The mnemonic as it is printed. */
  readonly printed: string;
  /** Prefix, map, length and W: what stands behind the letter of the encoding. */
  readonly facts: readonly string[];
  readonly opcode: string;
  /** A letter for each operand, or `-` if there is none. */
  readonly encoding: string;
  /** The operands, with g and e written out. */
  readonly words: readonly string[];
  readonly flags: readonly string[];
  /** The length that the letter v is. */
  readonly v: VectorBits | undefined;
}

/** @param line for errors */
function formOf(line: string, { kind, printed, facts, opcode, encoding, words, flags, v }: FormParts): Form {
  // Of several general registers, the first tells the operand size: `movzx eax, cl`.
  const first = words[0]?.split('/')[0] ?? '';
  const size =
    generalLetters[first] ?? accumulators[first] ?? (/^m\d+$/.test(first) ? Number(first.slice(1)) : 64);
  const operands = words.map((word) => operandType(word, v, size));
  const generalSize = sizeOfGeneral(operands);
  let w: 0 | 1 = 0;
  let length = lengthOf(operands);
  let prefix: 0 | 1 | 2 | 3 = 0;
  let map: 0 | 1 | 2 | 3 = 0;
  for (const fact of facts) {
    if (fact in maps) map = maps[fact]!;
    else if (fact in prefixes) prefix = prefixes[fact]!;
    else if (/^L[01]$/.test(fact)) length = Number(fact[1]) as 0 | 1;
    else if (fact === 'Wg') w = generalSize === 64 ? 1 : 0;
    else if (fact.startsWith('W'))
      w = (kind === 'evex' ? fact.split('/').at(-1) : fact.split('/')[0]) === 'W1' ? 1 : 0;
    else throw new Error(`x64 tables: ${fact} in: ${line}`);
  }
  const isLegacy = kind === 'legacy';
  if (isLegacy && size === 64 && operands.length > 0 && !flags.includes('d64')) w = 1;
  const parsed = /^([0-9A-F]{2})(?:\/(\d))?(?:!([0-9A-F]{2}))?$/.exec(opcode);
  if (!parsed) throw new Error(`x64 tables: opcode ${opcode} in: ${line}`);
  const memoryBits = operands.find(({ memory }) => memory !== undefined)?.memory ?? 0;
  const unit = flags.find((flag) => /^n\d+$/.test(flag));
  const broadcast = flags.find((flag) => /^b\d+$/.test(flag));
  const isEvex = kind === 'evex';
  return {
    printed,
    kind,
    prefix,
    map,
    w,
    length,
    opcode: Number.parseInt(parsed[1]!, 16),
    extension: parsed[2] === undefined ? -1 : Number(parsed[2]),
    modrm: parsed[3] === undefined ? -1 : Number.parseInt(parsed[3], 16),
    encoding: encoding === '-' ? '' : encoding,
    operands,
    isWord: isLegacy && size === 16,
    bits: size,
    broadcast: isEvex && broadcast ? Number(broadcast.slice(1)) : 0,
    rounding: roundingOf(flags, isEvex && (v === undefined || v === 512)),
    mask: !isEvex || flags.includes('nk') ? 'none' : flags.includes('mk') ? 'needed' : 'allowed',
    lockable: flags.includes('lock'),
    displacementUnit: isEvex ? Math.max(1, (unit ? Number(unit.slice(1)) : memoryBits) >> 3) : 1,
  };
}

/** Only for registers of 512 bits and scalars. */
function roundingOf(flags: readonly string[], mayRound: boolean): Form['rounding'] {
  if (!mayRound) return 'none';
  return flags.includes('er') ? 'er' : flags.includes('sae') ? 'sae' : 'none';
}

/** The length of vectors is that of the longest register. */
function lengthOf(operands: readonly OperandType[]): 0 | 1 | 2 {
  let most = 0;
  for (const { register, memory = 0, indexBits = 0 } of operands) {
    if (register?.kind === 'vector') most = Math.max(most, register.bits);
    // Where no register says it: a class test of memory against a mask register.
    if (indexBits || register?.kind === 'vector') most = Math.max(most, indexBits, memory);
  }
  return most >= 512 ? 2 : most >= 256 ? 1 : 0;
}

function sizeOfGeneral(operands: readonly OperandType[]): number {
  return operands.find(({ register }) => register?.kind === 'general')?.register?.bits ?? 0;
}
