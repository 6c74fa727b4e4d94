/**
 * One instruction as bytes. The form is the first in the tables that the operands fit: old encodings and VEX before EVEX, which is longer, and
 * short numbers before long ones. Only where VEX needs a displacement of 32 bits is EVEX, whose short displacement counts in units of
 * the operand, tried as well.
 *
 * Jumps to labels are not encoded here, since their length depends on where the label is (`assemble.ts`).
 */
import { addressFault, isShort, writeAddress } from './address.ts';
import type { CodeBuffer } from './code-buffer.ts';
import type { Form } from './form.ts';
import type { EncodingOptions, Instruction, MemoryOperand, Operand, Rounding } from './instruction.ts';
import { matches } from './match.ts';
import { printInstruction } from './print.ts';
import { formsOfMnemonic } from './tables/index.ts';

/** Bytes of prefixes and maps as they are without VEX. */
const prefixBytes = [0, 0x66, 0xf3, 0xf2] as const;
const mapBytes = [[], [0x0f], [0x0f, 0x38], [0x0f, 0x3a]] as const;
const roundingBits: Readonly<Record<Rounding, number>> = {
  'rn-sae': 0,
  'rd-sae': 1,
  'ru-sae': 2,
  'rz-sae': 3,
  sae: 0,
};

/**
 * The form in which an instruction will be encoded.
 * @throws Error if there is none: a bug of whoever made the instruction
 */
export function chooseForm(instruction: Instruction, options: EncodingOptions): Form {
  const forms = formsOfMnemonic(instruction.mnemonic);
  const found = forms.find((form) => (options.avx512 || form.kind !== 'evex') && matches(form, instruction));
  if (!found)
    throw impossible(instruction, forms.length === 0 ? 'no such mnemonic' : 'no form has these operands');
  const memory = memoryOf(instruction);
  if (!memory) return found;
  if (memory.index?.kind === 'vector' && !isDistinct(instruction, memory.index.number)) {
    throw impossible(instruction, 'a gather whose result, index and mask are not different registers');
  }
  const fault = addressFault(memory);
  if (fault) throw impossible(instruction, fault);
  const { base, offset = 0 } = memory;
  if (found.kind !== 'vex' || !options.avx512 || !base || isShort(offset, 1)) return found;
  const other = forms.find((form) => form.kind === 'evex' && matches(form, instruction));
  // Under the same name only: AVX-512 has others for logic and moves, and the listing shows what was asked for.
  return other && other.printed === found.printed && isShort(offset, unitOf(other, memory)) ? other : found;
}

function impossible(instruction: Instruction, why: string): Error {
  return new Error(`x64: cannot encode '${printInstruction(instruction)}': ${why}`);
}

/** The processor refuses gathers into their own index or mask; scatters may store it. */
function isDistinct({ operands }: Instruction, index: number): boolean {
  if (operands[0]!.kind === 'memory') return true;
  const numbers = operands.flatMap((operand) => (operand.kind === 'vector' ? [operand.number] : []));
  return new Set([...numbers, index]).size === numbers.length + 1;
}

/** The operand in memory. */
function memoryOf({ operands }: Instruction): MemoryOperand | undefined {
  return operands.find((operand) => operand.kind === 'memory');
}

function unitOf(form: Form, { bits, broadcast }: MemoryOperand): number {
  return form.kind === 'evex' && broadcast ? bits >> 3 : form.displacementUnit;
}

/** Writes an instruction's bytes. */
export function encode(buffer: CodeBuffer, instruction: Instruction, options: EncodingOptions): void {
  const form = chooseForm(instruction, options);
  const fixups = buffer.fixups.length;
  new Writer(buffer, instruction, form).write();
  // Distances are counted from the instruction's end.
  for (let index = fixups; index < buffer.fixups.length; index += 1)
    buffer.fixups[index]!.end = buffer.length;
}

class Writer {
  readonly #buffer: CodeBuffer;
  readonly #instruction: Instruction;
  readonly #form: Form;

  constructor(buffer: CodeBuffer, instruction: Instruction, form: Form) {
    this.#buffer = buffer;
    this.#instruction = instruction;
    this.#form = form;
  }

  #operand(letter: string): Operand | undefined {
    const at = this.#form.encoding.indexOf(letter);
    return at < 0 ? undefined : this.#instruction.operands[at];
  }

  write(): void {
    const form = this.#form;
    const reg = numberOf(this.#operand('R')) ?? Math.max(form.extension, 0);
    const rm = this.#operand('M');
    const lowBits = this.#operand('O');
    this.#prefixes(reg, rm, lowBits);
    this.#buffer.byte(form.opcode | ((numberOf(lowBits) ?? 0) & 7));
    if (form.modrm >= 0) this.#buffer.byte(form.modrm);
    if (rm?.kind === 'memory') writeAddress(this.#buffer, rm, reg, unitOf(form, rm));
    else if (rm?.kind === 'label') {
      this.#buffer.byte(((reg & 7) << 3) | 5);
      this.#buffer.distance('label', rm.label, 0);
    } else if (rm) this.#buffer.byte(0xc0 | ((reg & 7) << 3) | (numberOf(rm)! & 7));
    const upper = this.#operand('S');
    if (upper) this.#buffer.byte(numberOf(upper)! << 4);
    const number = this.#operand('I');
    if (number?.kind === 'immediate') {
      const type = form.operands[form.encoding.indexOf('I')]!;
      this.#buffer.number(BigInt(number.value), type.immediate!.bytes);
    }
  }

  /** What is before the opcode. */
  #prefixes(reg: number, rm: Operand | undefined, lowBits: Operand | undefined): void {
    const { kind } = this.#form;
    const memory = rm?.kind === 'memory' ? rm : undefined;
    const base = memory ? (memory.base?.number ?? 0) : (numberOf(rm ?? lowBits) ?? 0);
    const index = memory?.index?.number ?? 0;
    if (kind === 'legacy') this.#legacy(reg >> 3, index >> 3, base >> 3);
    else if (kind === 'vex') this.#vex(reg >> 3, index >> 3, base >> 3);
    else this.#evex(reg, index, base, memory);
  }

  /** R, X and B are the upper bits of the registers in ModRM and SIB. */
  #legacy(r: number, x: number, b: number): void {
    const { prefix, map, w, isWord } = this.#form;
    const buffer = this.#buffer;
    if (this.#instruction.lock) buffer.byte(0xf0);
    if (isWord) buffer.byte(0x66);
    if (prefix) buffer.byte(prefixBytes[prefix]);
    const rex = (w << 3) | (r << 2) | (x << 1) | b;
    // sil and its like have the numbers of ah and its like without it.
    const isNewByte = this.#instruction.operands.some(
      (operand) =>
        operand.kind === 'general' && operand.bits === 8 && operand.number >= 4 && operand.number < 8,
    );
    if (rex || isNewByte) buffer.byte(0x40 | rex);
    for (const byte of mapBytes[map]) buffer.byte(byte);
  }

  #vex(r: number, x: number, b: number): void {
    const { prefix, map, w, length } = this.#form;
    const buffer = this.#buffer;
    const v = numberOf(this.#operand('V')) ?? 0;
    const last = ((~v & 15) << 3) | (length << 2) | prefix;
    if (map === 1 && !w && !x && !b) {
      buffer.byte(0xc5);
      buffer.byte(((r ^ 1) << 7) | last);
      return;
    }
    buffer.byte(0xc4);
    buffer.byte(((r ^ 1) << 7) | ((x ^ 1) << 6) | ((b ^ 1) << 5) | map);
    buffer.byte((w << 7) | last);
  }

  #evex(reg: number, index: number, base: number, memory: MemoryOperand | undefined): void {
    const { prefix, map, w, length } = this.#form;
    const { mask, zeroing, rounding } = this.#instruction;
    const buffer = this.#buffer;
    const v = numberOf(this.#operand('V')) ?? 0;
    const bit = (number: number, at: number): number => ((number >> at) & 1) ^ 1;
    // A register in ModRM.rm has its fifth bit where the index has its fourth; an index has its fifth where VEX.vvvv has.
    const x = memory ? bit(index, 3) : bit(base, 4);
    const v4 = memory?.index?.kind === 'vector' ? bit(index, 4) : bit(v, 4);
    const b = rounding !== undefined || memory?.broadcast !== undefined ? 1 : 0;
    const l = rounding === undefined ? length : roundingBits[rounding];
    buffer.byte(0x62);
    buffer.byte((bit(reg, 3) << 7) | (x << 6) | (bit(base, 3) << 5) | (bit(reg, 4) << 4) | map);
    buffer.byte((w << 7) | ((~v & 15) << 3) | 4 | prefix);
    buffer.byte(((zeroing ? 1 : 0) << 7) | (l << 5) | (b << 4) | (v4 << 3) | (mask?.number ?? 0));
  }
}

function numberOf(operand: Operand | undefined): number | undefined {
  return operand && 'number' in operand ? operand.number : undefined;
}
