/**
 * Between which numbers the integers of a function lie, as far as constants and the widths of what they are converted from say:
 *
 *     %x = load %p : i8
 *     %a = zext %x : i32           0 ... 255
 *     %s = iadd %a, %b             0 ... 510
 *     %h = ushr %s, 1              0 ... 255
 *
 * Numbers are in the signed reading of their type; of at most 32 bits, so that doubles hold what is computed with them. What loops carry may be
 * anything. `ranges.ts` knows more of ids and counters, in sums of what is only known at run time.
 */
import type * as ir from '../../ir/ir.ts';
import { elementOf, type Type } from '../../ir/types.ts';
import { walkRegion } from '../../ir/walk.ts';

export interface ConstantRange {
  readonly low: number;
  readonly high: number;
}

/** The integers that a type of at most 32 bits holds; undefined for other types. */
export function rangeOfType(type: Type): ConstantRange | undefined {
  const element = elementOf(type);
  if (element.kind !== 'int' || element.bits > 32) return undefined;
  const half = 2 ** (element.bits - 1);
  return { low: -half, high: half - 1 };
}

/** Whether all numbers of a range are those of so many bits, in one reading or the other. */
export function fits({ low, high }: ConstantRange, bits: number, isSigned: boolean): boolean {
  const half = 2 ** (bits - 1);
  return isSigned ? low >= -half && high < half : low >= 0 && high < 2 * half;
}

/** The ranges of those integers of a region, and of the constants from outside, of which more is known than their type. */
export function findConstantRanges(
  region: ir.Region,
  definitions: ReadonlyMap<ir.Value, ir.Instruction>,
): ReadonlyMap<ir.Value, ConstantRange> {
  const ranges = new Map<ir.Value, ConstantRange>();
  const of = (value: ir.Value): ConstantRange | undefined => {
    const known = ranges.get(value);
    if (known) return known;
    const definition = definitions.get(value);
    const range = rangeOfType(value.type);
    if (!range || definition?.op !== 'constant') return range;
    const constant = rangeOf(definition, of)!;
    ranges.set(value, constant);
    return constant;
  };
  // Values are defined before they are used, but for what loops carry, of which nothing is known.
  walkRegion(region, (instruction) => {
    for (const operand of instruction.operands) of(operand);
    const [result] = instruction.results;
    const whole = result && rangeOfType(result.type);
    if (!whole) return;
    const range = rangeOf(instruction, of);
    if (range && range.low >= whole.low && range.high <= whole.high) ranges.set(result, range);
  });
  return ranges;
}

type RangeOf = (value: ir.Value) => ConstantRange | undefined;

function rangeOf(instruction: ir.Instruction, of: RangeOf): ConstantRange | undefined {
  const { operands } = instruction;
  switch (instruction.op) {
    case 'constant': {
      const lanes = [instruction.value].flat().map(Number);
      return { low: Math.min(...lanes), high: Math.max(...lanes) };
    }
    case 'convert':
      return rangeOfConversion(instruction, of);
    case 'splat':
      return of(operands[0]!);
    case 'select':
      return union(of(operands[1]!), of(operands[2]!));
    case 'unary': {
      if (!['clz', 'ctz', 'popcount'].includes(instruction.fn)) return undefined;
      return { low: 0, high: (elementOf(operands[0]!.type) as { bits: number }).bits };
    }
    case 'binary': {
      const [a, b] = operands.map(of);
      return a && b && rangeOfBinary(instruction.fn, a, b, instruction.results[0]!.type);
    }
    default:
      return undefined;
  }
}

function union(a: ConstantRange | undefined, b: ConstantRange | undefined): ConstantRange | undefined {
  return a && b && { low: Math.min(a.low, b.low), high: Math.max(a.high, b.high) };
}

function rangeOfConversion({ fn, operands }: ir.Convert, of: RangeOf): ConstantRange | undefined {
  const [{ type }] = operands as [ir.Value];
  const element = elementOf(type);
  if (fn !== 'zext' && fn !== 'sext' && fn !== 'trunc') return undefined;
  if (element.kind === 'bool') return fn === 'zext' ? { low: 0, high: 1 } : { low: -1, high: 0 };
  const range = of(operands[0]!);
  if (element.kind !== 'int' || !range) return undefined;
  // What a narrower type cannot hold is no range of the result: `findConstantRanges` leaves it out.
  if (fn !== 'zext' || range.low >= 0) return range;
  return { low: 0, high: 2 ** element.bits - 1 };
}

/** The least power of two above a number that is not negative. */
const above = (number: number): number => 2 ** Math.ceil(Math.log2(number + 1));

/** What comes out; a range that the type does not hold wraps around, and says nothing. */
function rangeOfBinary(
  fn: ir.BinaryFunction,
  a: ConstantRange,
  b: ConstantRange,
  type: Type,
): ConstantRange | undefined {
  // Shifts take their counts modulo the width.
  const { bits } = elementOf(type) as { bits: number };
  const count = b.low === b.high && bits <= 32 ? b.low & (bits - 1) : undefined;
  const arePositive = a.low >= 0 && b.low >= 0;
  switch (fn) {
    case 'iadd':
      return { low: a.low + b.low, high: a.high + b.high };
    case 'isub':
      return { low: a.low - b.high, high: a.high - b.low };
    case 'imul': {
      const products = [a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high];
      return { low: Math.min(...products), high: Math.max(...products) };
    }
    case 'and':
      if (arePositive) return { low: 0, high: Math.min(a.high, b.high) };
      return a.low >= 0 ? { low: 0, high: a.high } : b.low >= 0 ? { low: 0, high: b.high } : undefined;
    case 'or':
    case 'xor':
      return arePositive ? { low: 0, high: above(Math.max(a.high, b.high)) - 1 } : undefined;
    case 'shl':
      return count === undefined ? undefined : { low: a.low * 2 ** count, high: a.high * 2 ** count };
    case 'sshr':
      if (count === undefined) return undefined;
      return { low: Math.floor(a.low / 2 ** count), high: Math.floor(a.high / 2 ** count) };
    case 'ushr': {
      if (count === undefined) return undefined;
      if (a.low >= 0) return { low: Math.floor(a.low / 2 ** count), high: Math.floor(a.high / 2 ** count) };
      return count === 0 ? a : { low: 0, high: 2 ** (bits - count) - 1 };
    }
    case 'smin':
      return { low: Math.min(a.low, b.low), high: Math.min(a.high, b.high) };
    case 'smax':
      return { low: Math.max(a.low, b.low), high: Math.max(a.high, b.high) };
    case 'umin':
      if (arePositive) return { low: Math.min(a.low, b.low), high: Math.min(a.high, b.high) };
      return a.low >= 0 ? { low: 0, high: a.high } : b.low >= 0 ? { low: 0, high: b.high } : undefined;
    case 'umax':
      return arePositive ? { low: Math.max(a.low, b.low), high: Math.max(a.high, b.high) } : undefined;
    case 'sdiv':
    case 'udiv':
      if (b.low < 1 || (fn === 'udiv' && a.low < 0)) return undefined;
      return {
        low: Math.trunc(a.low / (a.low < 0 ? b.low : b.high)),
        high: Math.trunc(a.high / (a.high < 0 ? b.high : b.low)),
      };
    case 'srem':
    case 'urem':
      if (b.low < 1 || (fn === 'urem' && a.low < 0)) return undefined;
      return {
        low: a.low < 0 ? Math.max(a.low, 1 - b.high) : 0,
        high: a.high < 0 ? 0 : Math.min(a.high, b.high - 1),
      };
    default:
      return undefined;
  }
}
