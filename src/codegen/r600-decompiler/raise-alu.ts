/**
 * ALU clauses as IL. All instructions of a bundle read before any of them writes; so each computes into a register of its slot first,
 * where the next bundle finds it as PV or PS, and moves bring it to its target then. Millrace's passes take such moves away.
 */
import { bitsOfFloat } from '../r600/bits.ts';
import type { SlotName } from '../r600/bundles.ts';
import type { AluBundle, AluInstruction, Operand, Place } from '../r600/program.ts';
import { type IlWriter, registers, source, target } from './il-writer.ts';

/** Instructions that IL has with the same operands. */
const sameOperands: Readonly<Record<string, string>> = {
  MOV: 'mov',
  ADD: 'add',
  MUL_e: 'mul_ieee',
  MUL: 'mul',
  MULADD: 'mad',
  MULADD_e: 'mad_ieee',
  MAX_DX10: 'max_ieee',
  MIN_DX10: 'min_ieee',
  FLOOR: 'round_neginf',
  CEIL: 'round_plusinf',
  TRUNC: 'round_z',
  RNDNE: 'round_nearest',
  FRACT: 'frc',
  ADD_INT: 'iadd',
  SUB_INT: 'isub',
  AND_INT: 'iand',
  OR_INT: 'ior',
  XOR_INT: 'ixor',
  NOT_INT: 'inot',
  MAX_INT: 'imax',
  MIN_INT: 'imin',
  MAX_UINT: 'umax',
  MIN_UINT: 'umin',
  LSHL_INT: 'ishl',
  LSHR_INT: 'ushr',
  ASHR_INT: 'ishr',
  RCP_e: 'rcp_zeroop(infinity)',
  RSQ_e: 'rsq_zeroop(infinity)',
  SQRT_e: 'sqrt',
  EXP_e: 'exp',
  LOG_e: 'log',
  SIN_RADIANS: 'sin',
  COS_RADIANS: 'cos',
  FLT_TO_INT: 'ftoi',
  FLT_TO_UINT: 'ftou',
  INT_TO_FLT: 'itof',
  UINT_TO_FLT: 'utof',
  MULLO_INT: 'imul',
  MULHI_INT: 'imul_high',
  MULHI_UINT: 'umul_high',
};

/** Comparisons, and whether IL wants the operands the other way round. */
const comparisons: Readonly<Record<string, readonly [name: string, isTurned: boolean]>> = {
  E: ['eq', false],
  NE: ['ne', false],
  GE: ['ge', false],
  GT: ['lt', true],
};

/** `SETGT_UINT`, `PREDE`: what is compared and how. */
const comparison = /^(?:SET|PRED)(E|NE|GE|GT)(_DX10|_INT|_UINT|_64)?$/;
const prefixes: Readonly<Record<string, string>> = { _INT: 'i', _UINT: 'u', _64: 'd' };

const slots = 'xyzw';

export class AluRaiser {
  readonly #il: IlWriter;
  #parity = 0;
  /** Of places whose integers are multiples of a power of two: its exponent. Kept up to the next mark of control flow. */
  readonly #aligned = new Map<string, number>();

  constructor(il: IlWriter) {
    this.#il = il;
  }

  /** Control may come from elsewhere. */
  forget(): void {
    this.#aligned.clear();
  }

  /** Whether the integer at a place is known to be a multiple of 2 to the power of so much. */
  isMultiple(index: number, channel: number, exponent: number): boolean {
    return (this.#aligned.get(`${index}.${channel}`) ?? 0) >= exponent;
  }

  /** Something else than an ALU instruction writes there. */
  overwrite(index: number, channel: number): void {
    this.#aligned.delete(`${index}.${channel}`);
  }

  bundle({ instructions, literals }: AluBundle): void {
    const now = this.#parity;
    for (let index = 0; index < instructions.length; ) {
      const instruction = instructions[index]!;
      const { units } = instruction.opcode;
      const width = units === 'quad' ? 4 : units === 'pair' ? 2 : 1;
      const parts = instructions.slice(index, index + width);
      index += width;
      if (width > 1) this.#wide(parts, literals, now);
      else this.#one(instruction, literals, now);
    }
    const exponents = instructions.map((instruction) => this.#exponent(instruction, literals));
    for (const [index, { slot, target: to }] of instructions.entries()) {
      if (!to) continue;
      this.#il.line(`mov ${target(registerOf(to), to.channel)}, ${this.#result(slot, now)}`);
      const key = `${to.index}.${to.channel}`;
      if (to.file === 'general') {
        if (exponents[index]! > 0) this.#aligned.set(key, exponents[index]!);
        else this.#aligned.delete(key);
      }
    }
    this.#parity = 1 - now;
  }

  /** What a thread must find true to go on, of the last predicate. */
  readonly predicate = source(registers.predicate, 0);

  #result(slot: SlotName, parity: number): string {
    return slot === 't'
      ? source(registers.scalars + parity, 0)
      : source(registers.vectors + parity, slots.indexOf(slot));
  }

  #resultTarget(slot: SlotName, parity: number): string {
    return slot === 't'
      ? target(registers.scalars + parity, 0)
      : target(registers.vectors + parity, slots.indexOf(slot));
  }

  #one(instruction: AluInstruction, literals: readonly number[], parity: number): void {
    const il = this.#il;
    const { opcode, slot } = instruction;
    const { name } = opcode;
    const to = this.#resultTarget(slot, parity);
    const read = instruction.sources.map((operand) => this.#read(operand, literals));
    const [a = '', b = '', c = ''] = read;
    const test = (into: string): void => {
      const [, how = '', kind = ''] = comparison.exec(name)!;
      const [comparing, isTurned] = comparisons[how]!;
      il.line(`${prefixes[kind] ?? ''}${comparing} ${into}, ${isTurned ? `${b}, ${a}` : `${a}, ${b}`}`);
    };
    const same = sameOperands[name];
    if (same !== undefined) {
      il.line(`${same} ${to}, ${read.join(', ')}`);
    } else if (opcode.isPredicate) {
      const truth = target(registers.part, 0);
      test(truth);
      this.#predicate(instruction, to);
    } else if (comparison.test(name)) {
      test(to);
    } else {
      switch (name) {
        case 'CNDE_INT':
          il.line(`cmov_logical ${to}, ${a}, ${c}, ${b}`);
          break;
        case 'SIN':
        case 'COS': {
          const angle = target(registers.part, 0);
          il.line(`mul_ieee ${angle}, ${a}, ${il.literal(bitsOfFloat(2 * Math.PI))}`);
          il.line(`${name.toLowerCase()} ${to}, ${source(registers.part, 0)}`);
          break;
        }
        case 'RCP_UINT':
          this.#integerReciprocal(to, a);
          break;
        case 'KILLE':
          il.line(`eq ${target(registers.part, 0)}, ${a}, ${b}`);
          il.line(`discard_logicalnz ${source(registers.part, 0)}`);
          break;
        case 'GROUP_BARRIER':
          il.line('fence_threads_lds_memory');
          break;
        default:
          throw new Error(`${name} has no IL`);
      }
    }
  }

  /** A predicate's value is 0 where it holds, and 1.0 otherwise. */
  #predicate({ setsMask }: AluInstruction, to: string): void {
    const il = this.#il;
    const truth = source(registers.part, 0);
    if (setsMask) il.line(`mov ${target(registers.predicate, 0)}, ${truth}`);
    il.line(`cmov_logical ${to}, ${truth}, ${il.literal(0)}, ${il.literal(bitsOfFloat(1))}`);
  }

  /** 2^32 / a, rounded down, at most 2^32 - 1: the quotient of 2^32 - 1, and one more if the division leaves a - 1. */
  #integerReciprocal(to: string, a: string): void {
    const il = this.#il;
    const part = (component: number): string => source(registers.part, component);
    const into = (component: number): string => target(registers.part, component);
    il.line(`udiv ${into(0)}, ${il.literal(-1)}, ${a}`);
    il.line(`umod ${into(1)}, ${il.literal(-1)}, ${a}`);
    il.line(`isub ${into(2)}, ${a}, ${il.literal(1)}`);
    il.line(`ieq ${into(1)}, ${part(1)}, ${part(2)}`);
    il.line(`ine ${into(2)}, ${part(0)}, ${il.literal(-1)}`);
    il.line(`iand ${into(1)}, ${part(1)}, ${part(2)}`);
    // A condition that holds is -1.
    il.line(`isub ${to}, ${part(0)}, ${part(1)}`);
  }

  /** Doubles: the last slot has the low words of the sources, the others the high ones. */
  #wide(parts: readonly AluInstruction[], literals: readonly number[], parity: number): void {
    const il = this.#il;
    const [first, last] = [parts[0]!, parts.at(-1)!];
    const { opcode, slot } = first;
    const pair = (register: number): string => `r${register}.xy`;
    const sources = first.sources.map((high, index) => {
      const register = registers.doubles + index;
      if (opcode.name === 'FLT32_TO_FLT64') return this.#read(high, literals);
      il.line(`mov ${target(register, 0)}, ${this.#read(last.sources[index]!, literals)}`);
      il.line(`mov ${target(register, 1)}, ${this.#read(high, literals)}`);
      return pair(register);
    });
    const names: Readonly<Record<string, string>> = {
      ADD_64: 'dadd',
      MUL_64: 'dmul',
      MULADD_64: 'dmad',
      FLT32_TO_FLT64: 'f2d',
      FLT64_TO_FLT32: 'd2f',
    };
    if (opcode.isPredicate) {
      const [, how = ''] = comparison.exec(opcode.name)!;
      const [comparing, isTurned] = comparisons[how]!;
      const [a, b] = isTurned ? [...sources].reverse() : sources;
      il.line(`d${comparing} ${target(registers.part, 0)}, ${a}, ${b}`);
      this.#predicate(first, this.#resultTarget(slot, parity));
      return;
    }
    const isFloat = opcode.name === 'FLT64_TO_FLT32';
    const into = isFloat ? target(registers.wide, 0) : `r${registers.wide}.xy__`;
    il.line(`${names[opcode.name]} ${into}, ${sources.join(', ')}`);
    for (const [index, part] of parts.entries()) {
      const hasWord = index < (isFloat ? 1 : 2);
      const word = hasWord ? source(registers.wide, index) : il.literal(0);
      il.line(`mov ${this.#resultTarget(part.slot, parity)}, ${word}`);
    }
  }

  #read(operand: Operand, literals: readonly number[]): string {
    const modifiers = `${operand.absolute ? '_abs' : ''}${operand.negate ? '_neg(xyzw)' : ''}`;
    return `${this.#plain(operand, literals)}${modifiers}`;
  }

  #plain(operand: Operand, literals: readonly number[]): string {
    switch (operand.kind) {
      case 'place':
        return source(registerOf(operand), operand.channel);
      case 'previous':
        return this.#result(operand.slot, 1 - this.#parity);
      case 'constant':
        return `cb${operand.buffer}[${operand.index}].${slots[operand.channel]}`;
      case 'number':
        return this.#il.literal(operand.literal === undefined ? operand.bits : literals[operand.literal]!);
    }
  }

  /** The power of two that a result is a multiple of, as far as one instruction tells. */
  #exponent({ opcode, sources }: AluInstruction, literals: readonly number[]): number {
    const [first, second] = sources;
    const known = (operand: Operand | undefined): number => {
      if (operand?.kind === 'number') {
        const bits = operand.literal === undefined ? operand.bits : literals[operand.literal]!;
        return bits === 0 ? 31 : 31 - Math.clz32(bits & -bits);
      }
      const isGeneral = operand?.kind === 'place' && operand.file === 'general';
      return isGeneral ? (this.#aligned.get(`${operand.index}.${operand.channel}`) ?? 0) : 0;
    };
    switch (opcode.name) {
      case 'LSHL_INT':
        if (second?.kind !== 'number') return 0;
        return (second.literal === undefined ? second.bits : literals[second.literal]!) & 31;
      case 'ADD_INT':
      case 'MIN_UINT':
        return Math.min(known(first), known(second));
      case 'MOV':
        return first?.negate || first?.absolute ? 0 : known(first);
      default:
        return 0;
    }
  }
}

function registerOf({ file, index }: Place): number {
  return file === 'general' ? index : registers.temporaries + index;
}
