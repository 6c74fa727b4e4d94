/** Rules for conversions and lanes: what was put together before is not split again. */
import type * as ir from '../../../ir/ir.ts';
import {
  bool,
  elementOf,
  f32,
  f64,
  i32,
  type LaneCount,
  lanesOf,
  type Type,
  vectorType,
} from '../../../ir/types.ts';
import type { Folds, Simpler } from './folds.ts';
import { foldNarrowed } from './narrowed.ts';

export function foldConvert(folds: Folds, instruction: ir.Convert): Simpler {
  const source = instruction.operands[0]!;
  const { type } = instruction.results[0]!;
  const inner = folds.definition(source);
  if (instruction.fn === 'ftos' && instruction.rounding === 'rtn') return foldFloor(folds, instruction);
  if (source.type === type) {
    if (instruction.fn === 'bitcast' || instruction.fn === 'space') return source;
  }
  if (instruction.fn === 'fnarrow') return foldNarrowed(folds, instruction);
  if (inner?.op !== 'convert') return undefined;
  const origin = inner.operands[0]!;
  switch (instruction.fn) {
    case 'space':
      if (inner.fn !== 'space') return undefined;
      return origin.type === type ? origin : { ...instruction, operands: [origin] };
    case 'bitcast':
      if (inner.fn !== 'bitcast') return undefined;
      return origin.type === type ? origin : { ...instruction, operands: [origin] };
    case 'trunc':
      if (inner.fn === 'trunc') return { ...instruction, operands: [origin] };
      if ((inner.fn === 'sext' || inner.fn === 'zext') && elementOf(origin.type) !== bool) {
        return truncatedExtension(instruction, inner, origin, type);
      }
      return undefined;
    case 'sext':
      if (inner.fn === 'sext') return { ...instruction, operands: [origin] };
      if (inner.fn === 'trunc') return shortenedInPlace(folds, instruction, origin, source.type);
      return inner.fn === 'zext' ? { ...instruction, fn: 'zext', operands: [origin] } : undefined;
    case 'stof':
    case 'utof':
      return inner.fn === 'trunc' ? ofShortened(folds, instruction, origin, source.type) : undefined;
    case 'zext':
      if (inner.fn === 'trunc') return shortenedInPlace(folds, instruction, origin, source.type);
      if (inner.fn === 'ftou') return wholeInPlace(folds, instruction, inner, origin);
      return inner.fn === 'zext' ? { ...instruction, operands: [origin] } : undefined;
    case 'ptoi':
      return inner.fn === 'itop' && origin.type === type ? origin : undefined;
    default:
      return undefined;
  }
}

function truncatedExtension(
  instruction: ir.Convert,
  inner: ir.Convert,
  origin: ir.Value,
  type: Type,
): Simpler {
  if (origin.type === type) return origin;
  const from = elementOf(origin.type);
  const to = elementOf(type);
  if (from.kind !== 'int' || to.kind !== 'int') return undefined;
  const fn = from.bits > to.bits ? 'trunc' : inner.fn;
  return { ...instruction, fn, operands: [origin] };
}

/** Floats of no greater size have a quarter and less between them and the next: sums of whole numbers and fractions are near enough. */
const mostFloor = 32768;
/** The largest fraction that does not make the next whole number of one with which it is added up. */
const mostFraction = 1 - 2 ** -8;

/**
 * The floor of a float that was made of an integer, between bounds that are known:
 *
 *     floor(clamp((float)x + 1.5f, -32768.0f, 32767.0f))    =>    clamp(x, -32769, 32766) + 1
 *
 * Halves are rounded between these bounds already.
 */
function foldFloor(folds: Folds, instruction: ir.Convert): Simpler {
  const { type } = instruction.operands[0]!;
  if (instruction.results[0]!.type !== i32 || (type !== f32 && type !== f64)) return undefined;
  const upper = boundOf(folds, instruction.operands[0]!, 'fmin');
  const lower = upper && boundOf(folds, upper.value, 'fmax');
  if (!lower) return undefined;
  const sum = sumOf(folds, lower.value);
  const made = folds.definition(sum.value);
  const isMade = made?.op === 'convert' && (made.fn === 'stof' || made.fn === 'utof');
  if (!isMade || made.operands[0]!.type !== i32) return undefined;
  const added = Math.floor(sum.added);
  const isNear = Math.abs(added) < mostFloor && sum.added - added <= mostFraction;
  const isUnsigned = made.fn === 'utof';
  if (!isNear || (isUnsigned && (upper.bound < added || added < lower.bound))) return undefined;
  const place = (fn: ir.BinaryFunction, x: ir.Value, y: number): ir.Value => {
    const result: ir.Value = { type: i32 };
    const operands = [x, folds.newInteger(i32, BigInt(y))];
    folds.append({ op: 'binary', fn, operands, results: [result], regions: [] });
    return result;
  };
  const [x] = made.operands as [ir.Value];
  const raised = isUnsigned ? x : place('smax', x, lower.bound - added);
  const within = place(isUnsigned ? 'umin' : 'smin', raised, upper.bound - added);
  const operands = [within, folds.newInteger(i32, BigInt(added))];
  return { op: 'binary', fn: 'iadd', operands, results: instruction.results, regions: [] };
}

/** The other operand of a minimum or maximum with a whole number that is not too large. */
function boundOf(
  folds: Folds,
  value: ir.Value,
  fn: 'fmin' | 'fmax',
): { value: ir.Value; bound: number } | undefined {
  const definition = folds.definition(value);
  if (definition?.op !== 'binary' || definition.fn !== fn) return undefined;
  const [inner, limit] = definition.operands as [ir.Value, ir.Value];
  const bound = folds.scalarConstant(limit);
  if (typeof bound !== 'number' || !Number.isInteger(bound) || Math.abs(bound) > mostFloor) return undefined;
  return { value: inner, bound };
}

/** A value as the sum of another and a number that is known. */
function sumOf(folds: Folds, value: ir.Value): { value: ir.Value; added: number } {
  const definition = folds.definition(value);
  if (definition?.op !== 'binary') return { value, added: 0 };
  const [a, b] = definition.operands as [ir.Value, ir.Value];
  const right = folds.scalarConstant(b);
  if (definition.fn === 'fadd' && typeof right === 'number') return { value: a, added: right };
  if (definition.fn === 'fsub' && typeof right === 'number') return { value: a, added: -right };
  const left = folds.scalarConstant(a);
  if (definition.fn === 'fadd' && typeof left === 'number') return { value: b, added: left };
  return { value, added: 0 };
}

/** What is widened to where it was cut from: its low bits, in place. Cutting and widening moves vectors' lanes twice. */
function shortenedInPlace(
  folds: Folds,
  { fn, results }: ir.Convert,
  origin: ir.Value,
  short: Type,
): ir.Instruction | undefined {
  const { type } = results[0]!;
  if (origin.type !== type) return undefined;
  const bits = lowBits(folds, origin, short, fn === 'sext');
  return bits && { ...bits, results };
}

/** A float of this size has its whole part in the low bits, so that adding it to a small one rounds that to the nearest even. */
const roundingFloat = 12582912;

/**
 * Floats that become small whole numbers, as wide as they were: brought into range they need no conversion, and no lane
 * moves. With NaN becoming 0 this is what a conversion that saturates does; one that does not may.
 */
function wholeInPlace(
  folds: Folds,
  { results }: ir.Convert,
  inner: ir.Convert,
  origin: ir.Value,
): ir.Instruction | undefined {
  const { type } = results[0]!;
  const short = elementOf(inner.results[0]!.type);
  const isFloats = origin.type.kind === 'vector' && elementOf(origin.type) === f32;
  if (!isFloats || elementOf(type) !== i32 || short.kind !== 'int' || inner.rounding !== 'rte')
    return undefined;
  const add = <T extends ir.Instruction>(instruction: T, ofType: Type): ir.Value => {
    const result: ir.Value = { type: ofType };
    instruction.results = [result];
    folds.append(instruction);
    return result;
  };
  const float = (value: number): ir.Value => folds.newConstant(origin.type, value);
  const bounded = (value: ir.Value, fn: 'fgt' | 'flt', bound: ir.Value): ir.Value => {
    const compare: ir.Compare = { op: 'compare', fn, operands: [value, bound], results: [], regions: [] };
    const isInside = add(compare, vectorType(bool, lanesOf(origin.type) as LaneCount));
    return add({ op: 'select', operands: [isInside, value, bound], results: [], regions: [] }, origin.type);
  };
  const low = bounded(origin, 'fgt', float(0));
  const inRange = bounded(low, 'flt', float(2 ** short.bits - 1));
  const sum: ir.Binary = {
    op: 'binary',
    fn: 'fadd',
    operands: [inRange, float(roundingFloat)],
    results: [],
    regions: [],
  };
  const bits: ir.Convert = {
    op: 'convert',
    fn: 'bitcast',
    operands: [add(sum, origin.type)],
    results: [],
    regions: [],
  };
  const operands = [add(bits, type), folds.newInteger(type, (1n << BigInt(short.bits)) - 1n)];
  return { op: 'binary', fn: 'and', operands, results, regions: [] };
}

/** A float of what was cut. */
function ofShortened(folds: Folds, instruction: ir.Convert, origin: ir.Value, short: Type): Simpler {
  if (origin.type.kind !== 'vector' || elementOf(origin.type) !== i32) return undefined;
  const bits = lowBits(folds, origin, short, instruction.fn === 'stof');
  if (!bits) return undefined;
  const result: ir.Value = { type: origin.type };
  bits.results = [result];
  folds.append(bits);
  return { ...instruction, fn: 'stof', operands: [result] };
}

function lowBits(folds: Folds, value: ir.Value, short: Type, isSigned: boolean): ir.Binary | undefined {
  const [whole, part] = [elementOf(value.type), elementOf(short)];
  if (whole.kind !== 'int' || part.kind !== 'int') return undefined;
  const binary = (fn: ir.BinaryFunction, x: ir.Value, y: bigint): ir.Binary => {
    const operands = [x, folds.newInteger(value.type, y)];
    return { op: 'binary', fn, operands, results: [], regions: [] };
  };
  if (!isSigned) return binary('and', value, (1n << BigInt(part.bits)) - 1n);
  // Scalars have an instruction for it.
  if (value.type.kind !== 'vector') return undefined;
  const up = binary('shl', value, BigInt(whole.bits - part.bits));
  const moved: ir.Value = { type: value.type };
  up.results = [moved];
  folds.append(up);
  return binary('sshr', moved, BigInt(whole.bits - part.bits));
}

export function foldExtract(folds: Folds, instruction: ir.Extract): Simpler {
  const inner = folds.definition(instruction.operands[0]!);
  switch (inner?.op) {
    case 'build':
      return inner.operands[instruction.lane]!;
    case 'splat':
      return inner.operands[0]!;
    case 'insert':
      if (inner.lane === instruction.lane) return inner.operands[1]!;
      return { ...instruction, operands: [inner.operands[0]!] };
    case 'shuffle': {
      const lane = inner.lanes[instruction.lane]!;
      const first = inner.operands[0]!;
      const lanes = first.type.kind === 'vector' ? first.type.lanes : 1;
      if (lane < 0) return { op: 'undefined', operands: [], results: instruction.results, regions: [] };
      return lane < lanes
        ? { ...instruction, lane, operands: [first] }
        : { ...instruction, lane: lane - lanes, operands: [inner.operands[1]!] };
    }
    case 'convert':
      return inner.fn === 'bitcast' ? laneOfBits(folds, instruction, inner.operands[0]!) : undefined;
    default:
      return undefined;
  }
}

/** A lane of what was put together as lanes of another type. */
function laneOfBits(folds: Folds, instruction: ir.Extract, source: ir.Value): ir.Convert | undefined {
  const built = folds.definition(source);
  if (built?.op !== 'build' || lanesOf(source.type) !== lanesOf(instruction.operands[0]!.type))
    return undefined;
  const operands = [built.operands[instruction.lane]!];
  return { op: 'convert', fn: 'bitcast', operands, results: instruction.results, regions: [] };
}

export function foldShuffle(instruction: ir.Shuffle): ir.Value | undefined {
  const [a] = instruction.operands;
  if (a!.type !== instruction.results[0]!.type) return undefined;
  return instruction.lanes.every((lane, index) => lane === index || lane < 0) ? a! : undefined;
}
