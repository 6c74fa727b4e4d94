/**
 * Which computations on integers may be done with fewer bits than C's promotions give them, and whether that is worth its conversions:
 *
 *     %a = zext (load %p : i8) : i32               16 bits hold 0 ... 511
 *     %s = iadd (iadd %a, %b), 1                   16
 *     %h = ushr %s, 1                              16, for its operand is exact there
 *     %r = trunc %h : i8
 *
 * Sums, products and bitwise operations are right in so many bits as are demanded of them (demanded-bits.ts), or as hold the result
 * (constant-ranges.ts). Quotients, shifts to the right, comparisons, minima and maxima need operands that are exact. Computations that
 * feed each other get one width. Registers then hold two to four times as many lanes of them.
 */
import type * as ir from '../../ir/ir.ts';
import { elementOf, type Type } from '../../ir/types.ts';
import { walkRegion } from '../../ir/walk.ts';
import { type ConstantRange, findConstantRanges, fits, rangeOfType } from './constant-ranges.ts';
import { bitsOf as bitsOfElement } from './cost/registers.ts';
import { constantOf, findDemandedBits } from './demanded-bits.ts';

export interface NarrowIntegers {
  /** The bits of each computation that is worth doing in fewer, by its instruction. */
  readonly widths: ReadonlyMap<ir.Instruction, number>;
  /** The bits in which a value is computed, or widened to for those that use it; those of its type if they are not fewer. */
  bitsOf(value: ir.Value): number;
  /** Whether the operands of an exact operation are to be read with a sign; others do not ask. */
  isSigned(instruction: ir.Instruction): boolean;
  /** How a value of fewer bits becomes what it was: what is above them is its sign, zeros, or not asked for. */
  extensionOf(value: ir.Value, bits: number): 'sext' | 'zext';
}

type Definitions = ReadonlyMap<ir.Value, ir.Instruction>;
type Narrow = ir.Binary | ir.Unary | ir.Select | ir.Compare;

const widths = [8, 16] as const;

/** @param mayNarrow whether a value is of those to be computed in fewer bits at all, for example because it differs from lane to lane */
export function findNarrowIntegers(
  region: ir.Region,
  definitions: Definitions,
  mayNarrow: (value: ir.Value) => boolean,
): NarrowIntegers {
  let hasNarrow = false;
  walkRegion(region, ({ op, operands, results }) => {
    if (op === 'convert') hasNarrow ||= isNarrow(operands[0]!) || isNarrow(results[0]!);
  });
  // Pages load the rest when a program needs it (scripts/split-rest.mjs).
  return hasNarrow ? narrowed(region, definitions, mayNarrow) : none;
}

const isNarrow = ({ type }: ir.Value): boolean => {
  const element = elementOf(type);
  return element.kind === 'int' && element.bits < 32;
};

const none: NarrowIntegers = {
  widths: new Map(),
  bitsOf: ({ type }) => bitsOfElement(type),
  isSigned: () => true,
  extensionOf: () => 'zext',
};

function narrowed(
  region: ir.Region,
  definitions: Definitions,
  mayNarrow: (value: ir.Value) => boolean,
): NarrowIntegers {
  return new Narrowing(region, definitions, mayNarrow);
}

/** The integer that an operation computes with. */
function subjectOf(instruction: ir.Instruction): ir.Value | undefined {
  switch (instruction.op) {
    case 'compare':
      return instruction.operands[0];
    case 'binary':
    case 'select':
      return instruction.results[0];
    case 'unary':
      return instruction.fn === 'not' ? instruction.results[0] : undefined;
    default:
      return undefined;
  }
}

/** The bits of an integer, or of each in a vector of them; 0 for other types. */
export function integerBits(type: Type): number {
  const element = elementOf(type);
  return element.kind === 'int' ? element.bits : 0;
}

const bitsOf = ({ type }: ir.Value): number => integerBits(type);

/** What wraps around as it would in more bits. */
const modular: ReadonlySet<string> = new Set(['iadd', 'isub', 'imul', 'and', 'or', 'xor', 'shl']);
/** What asks for the exact operands, and gives a result between them. */
const exact: ReadonlySet<string> = new Set([
  'sshr',
  'ushr',
  'sdiv',
  'udiv',
  'srem',
  'urem',
  'smin',
  'smax',
  'umin',
  'umax',
]);
/** What registers of bytes have no instruction for. */
const notOfBytes: ReadonlySet<string> = new Set([
  'imul',
  'shl',
  'sshr',
  'ushr',
  'sdiv',
  'udiv',
  'srem',
  'urem',
]);
/** What of them goes by a constant, or not at all. */
const byConstant: ReadonlySet<string> = new Set(['shl', 'sshr', 'ushr', 'sdiv', 'udiv', 'srem', 'urem']);
/** Registers' worth of products and shifts that a quotient is. */
const quotient = 5;

/** The operands that are computed with: not the condition of a choice, nor the count of a shift. */
function narrowedOperands(instruction: ir.Instruction): ir.Value[] {
  const { operands } = instruction;
  return instruction.op === 'select' ? operands.slice(1) : [...operands];
}

class Narrowing implements NarrowIntegers {
  readonly widths = new Map<ir.Instruction, number>();
  readonly #definitions: Definitions;
  readonly #mayNarrow: (value: ir.Value) => boolean;
  readonly #ranges: ReadonlyMap<ir.Value, ConstantRange>;
  readonly #demanded: ReadonlyMap<ir.Value, number>;
  readonly #users = new Map<ir.Value, ir.Instruction[]>();

  constructor(region: ir.Region, definitions: Definitions, mayNarrow: (value: ir.Value) => boolean) {
    this.#definitions = definitions;
    this.#mayNarrow = mayNarrow;
    const candidates: Narrow[] = [];
    walkRegion(region, (instruction) => {
      const subject = subjectOf(instruction);
      if (subject && bitsOf(subject) > 8 && bitsOf(subject) <= 32 && mayNarrow(subject))
        candidates.push(instruction as Narrow);
    });
    this.#ranges = candidates.length > 0 ? findConstantRanges(region, definitions) : new Map();
    this.#demanded = candidates.length > 0 ? findDemandedBits(region, definitions) : new Map();
    if (candidates.length === 0) return;
    walkRegion(region, (instruction) => {
      for (const operand of new Set(instruction.operands)) {
        const users = this.#users.get(operand);
        if (users) users.push(instruction);
        else this.#users.set(operand, [instruction]);
      }
    });
    for (const group of this.#groups(candidates)) {
      const width = Math.max(...group.map((one) => this.#leastWidth(one)!));
      const together = new Set<ir.Instruction>(group);
      if (group.some((one) => bitsOf(subjectOf(one)!) <= width)) continue;
      if (this.#saving(together, width) <= 0) continue;
      for (const one of group) this.widths.set(one, width);
    }
  }

  bitsOf(value: ir.Value): number {
    const definition = this.#definitions.get(value);
    const own = definition && this.widths.get(definition);
    if (own !== undefined) return own;
    const bits = bitsOfElement(value.type);
    if (definition?.op !== 'convert' || (definition.fn !== 'zext' && definition.fn !== 'sext')) return bits;
    const asked = (this.#users.get(value) ?? []).map((user) => this.widths.get(user) ?? bits);
    return Math.max(...asked, 0) || bits;
  }

  isSigned(instruction: ir.Instruction): boolean {
    const width = this.widths.get(instruction)!;
    // Without a sign where that is possible: what is not negative has half of its numbers above those with one.
    return !this.#areExact(instruction, width, false);
  }

  extensionOf(value: ir.Value, bits: number): 'sext' | 'zext' {
    const range = this.#rangeOf(value);
    return range && !fits(range, bits, false) && fits(range, bits, true) ? 'sext' : 'zext';
  }

  #rangeOf(value: ir.Value): ConstantRange | undefined {
    return this.#ranges.get(value) ?? rangeOfType(value.type);
  }

  /** The least width in which an operation gives what is asked of it. */
  #leastWidth(instruction: Narrow): number | undefined {
    const bits = bitsOf(subjectOf(instruction)!);
    return widths.find((width) => width < bits && this.#isRight(instruction, width));
  }

  #isRight(instruction: Narrow, width: number): boolean {
    if (instruction.op === 'compare') return this.#isExact(instruction, width);
    const [result] = instruction.results as [ir.Value];
    const range = this.#rangeOf(result)!;
    const isEnough =
      (this.#demanded.get(result) ?? 0) <= width || fits(range, width, false) || fits(range, width, true);
    if (instruction.op !== 'binary') return isEnough;
    const { fn } = instruction;
    if (width === 8 && notOfBytes.has(fn)) return false;
    if (byConstant.has(fn) && !this.#hasGoodConstant(instruction, width)) return false;
    if (modular.has(fn)) return isEnough;
    return exact.has(fn) && this.#isExact(instruction, width);
  }

  /** Counts below the width, and divisors above zero, which keep the quotient within it. */
  #hasGoodConstant({ fn, operands }: ir.Binary, width: number): boolean {
    const constant = constantOf(operands[1]!, this.#definitions);
    if (constant === undefined) return false;
    const isShift = fn === 'shl' || fn === 'sshr' || fn === 'ushr';
    return isShift ? constant >= 0 && constant < width : constant > 0;
  }

  #isExact(instruction: ir.Instruction, width: number): boolean {
    return this.#areExact(instruction, width, true) || this.#areExact(instruction, width, false);
  }

  /** Whether the operands are the same numbers in fewer bits, read with a sign or without one, and the operation then means the same. */
  #areExact(instruction: ir.Instruction, width: number, isSigned: boolean): boolean {
    const ranges = narrowedOperands(instruction).map((operand) => this.#rangeOf(operand));
    if (!ranges.every((range) => range && fits(range, width, isSigned))) return false;
    const { fn } = instruction as ir.Binary | ir.Compare;
    // Read without a sign, negative numbers are large: such an operation is the same only where there are none.
    const isUnsigned = fn.startsWith('u');
    return !isUnsigned || ranges.every((range) => range!.low >= 0);
  }

  /** Those that feed each other. */
  #groups(candidates: readonly Narrow[]): Narrow[][] {
    const fitting = new Set<ir.Instruction>(candidates.filter((one) => this.#leastWidth(one) !== undefined));
    const parents = new Map<ir.Instruction, ir.Instruction>();
    const rootOf = (one: ir.Instruction): ir.Instruction => {
      let root = one;
      for (let next = parents.get(root); next; next = parents.get(root)) root = next;
      return root;
    };
    for (const one of fitting) {
      for (const operand of narrowedOperands(one)) {
        const definition = this.#definitions.get(operand);
        if (!definition || !fitting.has(definition) || definition.op === 'compare') continue;
        const [a, b] = [rootOf(one), rootOf(definition)];
        if (a !== b) parents.set(a, b);
      }
    }
    const groups = new Map<ir.Instruction, Narrow[]>();
    for (const one of candidates) {
      if (!fitting.has(one)) continue;
      const root = rootOf(one);
      groups.set(root, [...(groups.get(root) ?? []), one]);
    }
    return [...groups.values()];
  }

  /** What is saved by doing a group in fewer bits, in operations on registers. Sixteen lanes of bytes are a register. */
  #saving(group: ReadonlySet<ir.Instruction>, width: number): number {
    let saved = 0;
    const seen = new Set<ir.Value>();
    for (const one of group) {
      const bits = bitsOf(subjectOf(one)!);
      const isQuotient = one.op === 'binary' && /^[su](div|rem)$/.test(one.fn);
      saved += ((bits - width) / 8) * (isQuotient ? quotient : 1);
      for (const operand of narrowedOperands(one)) {
        if (seen.has(operand)) continue;
        seen.add(operand);
        saved += this.#savedOnOperand(operand, group, width);
      }
      saved +=
        one.op === 'compare' ? this.#savedOnAnswer(one, width) : this.#savedOnResult(one, group, width);
    }
    return saved;
  }

  #savedOnOperand(operand: ir.Value, group: ReadonlySet<ir.Instruction>, width: number): number {
    const definition = this.#definitions.get(operand);
    if (definition && (group.has(definition) || definition.op === 'constant' || definition.op === 'splat'))
      return 0;
    if (!this.#mayNarrow(operand)) return 0;
    const bits = bitsOf(operand);
    if (definition?.op !== 'convert' || (definition.fn !== 'zext' && definition.fn !== 'sext'))
      return -conversion(bits, width);
    const from = Math.max(8, bitsOf(definition.operands[0]!));
    const isOwn = this.#users.get(operand)!.every((user) => group.has(user));
    return (isOwn ? conversion(from, bits) : 0) - conversion(from, width);
  }

  #savedOnResult(one: ir.Instruction, group: ReadonlySet<ir.Instruction>, width: number): number {
    const [result] = one.results as [ir.Value];
    const bits = bitsOf(result);
    let saved = 0;
    let isWidened = false;
    for (const user of this.#users.get(result) ?? []) {
      if (group.has(user)) continue;
      const to = user.op === 'convert' && user.fn === 'trunc' ? bitsOf(user.results[0]!) : 0;
      if (to > 0 && to <= width) saved += conversion(bits, to) - conversion(width, to);
      else isWidened = true;
    }
    return isWidened ? saved - conversion(width, bits) : saved;
  }

  /** Masks are as wide as what was compared, and made as wide as what they choose. */
  #savedOnAnswer({ results }: ir.Instruction, width: number): number {
    const chosen = (this.#users.get(results[0]!) ?? []).flatMap((user) =>
      user.op === 'select' ? [this.widths.get(user) ?? bitsOf(user.results[0]!)] : [],
    );
    const widest = Math.max(0, ...chosen);
    return widest > width ? -conversion(width, widest) : 0;
  }
}

/** Operations that widen or cut sixteen lanes, step by step. */
function conversion(from: number, to: number): number {
  let count = 0;
  for (let bits = from; bits < to; bits *= 2) count += (2 * bits) / 8;
  for (let bits = from; bits > to; bits /= 2) count += bits / 16;
  return count;
}
