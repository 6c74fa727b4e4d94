/**
 * Lengths of vectors of floats in float, for machines whose doubles are slow. `length`, `distance` and `normalize` are lowered to a sum of
 * squares in double, which overflows for no float:
 *
 *     %w = fwiden %v                              %q = fsqrt (sum of the squares of (fmul %v, %scale))
 *     %r = fsqrt (sum of (fmul %w, %w))     =>
 *     %length = fnarrow %r                        %length = fmul %q, %back
 *
 * Here a power of two keeps the squares in range. Sums of squares that a program has written in double itself keep their roundings: those
 * of the functions alone may be added up in any order.
 */
import { Builder, newRegion } from '../../ir/builder.ts';
import { findDefinitions } from '../../ir/definitions.ts';
import type * as ir from '../../ir/ir.ts';
import { f32, f64, lanesOf, type VectorType } from '../../ir/types.ts';
import { walkRegion, walkRegionsInsideOut } from '../../ir/walk.ts';

/** Squares of what lies between stay in range, and what is small next to it is lost without harm. */
const bounds = { low: 2 ** -40, high: 2 ** 60 } as const;
/** What is outside is multiplied by these. */
const scales = { low: 2 ** 100, high: 2 ** -70 } as const;

export function computeLengthsInFloat(fn: ir.Function, addressBits: 32 | 64): void {
  if (!fn.body) return;
  const definitions = findDefinitions(fn.body);
  const roots = new Map<ir.Instruction, WideVector>();
  for (const instruction of definitions.values()) {
    const vector = squaredVector(instruction, definitions);
    if (vector) roots.set(instruction, vector);
  }
  if (roots.size === 0) return;
  const users = usersIn(fn.body);
  const replaced = new Map<ir.Instruction, readonly ir.Instruction[]>();
  for (const [root, vector] of roots) replaceLength(root, vector, definitions, users, replaced, addressBits);
  walkRegionsInsideOut(fn.body, (region) => {
    region.instructions = region.instructions.flatMap((one) => replaced.get(one) ?? [one]);
  });
}

/** A vector of floats, and the same in double. */
interface WideVector {
  readonly vector: ir.Value;
  readonly wide: ir.Value;
}

/** The vector of which an instruction is the length in double. */
function squaredVector(
  root: ir.Instruction,
  definitions: ReadonlyMap<ir.Value, ir.Instruction>,
): WideVector | undefined {
  if (root.op !== 'unary' || root.fn !== 'fsqrt' || root.results[0]!.type !== f64) return undefined;
  let products: ir.Value | undefined;
  const lanes = new Set<number>();
  const terms = [root.operands[0]!];
  for (let term = terms.pop(); term; term = terms.pop()) {
    const definition = definitions.get(term);
    if (definition?.op === 'binary' && definition.fn === 'fadd' && definition.reassociate) {
      terms.push(...definition.operands);
      continue;
    }
    if (definition?.op !== 'extract' || lanes.has(definition.lane)) return undefined;
    products ??= definition.operands[0]!;
    if (definition.operands[0] !== products) return undefined;
    lanes.add(definition.lane);
  }
  const square = products && definitions.get(products);
  if (square?.op !== 'binary' || square.fn !== 'fmul' || square.operands[0] !== square.operands[1])
    return undefined;
  const wide = definitions.get(square.operands[0]!);
  const vector = wide?.op === 'convert' && wide.fn === 'fwiden' ? wide.operands[0]! : undefined;
  const isWhole = vector?.type.kind === 'vector' && vector.type.element === f32;
  if (!isWhole || lanesOf(vector.type) !== lanes.size) return undefined;
  return { vector, wide: wide!.results[0]! };
}

type Definitions = ReadonlyMap<ir.Value, ir.Instruction>;
type Users = ReadonlyMap<ir.Value, readonly ir.Instruction[]>;

function usersIn(body: ir.Region): Users {
  const users = new Map<ir.Value, ir.Instruction[]>();
  walkRegion(body, (instruction) => {
    for (const operand of new Set(instruction.operands)) {
      const list = users.get(operand);
      if (list) list.push(instruction);
      else users.set(operand, [instruction]);
    }
  });
  return users;
}

/** Notes what takes the place of what was made of a length: its rounding to float, and the vector divided by it and rounded. */
function replaceLength(
  root: ir.Instruction,
  { vector, wide }: WideVector,
  definitions: Definitions,
  users: Users,
  replaced: Map<ir.Instruction, readonly ir.Instruction[]>,
  addressBits: 32 | 64,
): void {
  const [length] = root.results as [ir.Value];
  const narrowed = (users.get(length) ?? []).filter(isNarrowing);
  const normalized = quotientsBy(length, wide, definitions, users);
  if (narrowed.length + normalized.length === 0) return;
  const region = newRegion();
  const builder = new Builder(region, addressBits);
  const { lifted, root: scaledRoot, shrink, back } = measure(builder, vector);
  replaced.set(root, [...region.instructions, root]);
  for (const one of narrowed) {
    const { results, span } = one;
    const product: ir.Binary = {
      op: 'binary',
      fn: 'fmul',
      operands: [scaledRoot, back],
      results,
      regions: [],
      span,
    };
    replaced.set(one, [product]);
  }
  for (const one of normalized) {
    const own = newRegion();
    const ofQuotient = new Builder(own, addressBits);
    const isZero = ofQuotient.compare('feq', scaledRoot, ofQuotient.constant(f32, 0));
    const divisor = ofQuotient.select(isZero, ofQuotient.constant(f32, 1), scaledRoot);
    const type = vector.type as VectorType;
    const quotient = ofQuotient.binary('fdiv', lifted, ofQuotient.splat(divisor, type));
    // Only now, for a lane that is small next to the others would lose bits before.
    const operands = [quotient, ofQuotient.splat(shrink, type)];
    const { results, span } = one;
    const product: ir.Binary = { op: 'binary', fn: 'fmul', operands, results, regions: [], span };
    replaced.set(one, [...own.instructions, product]);
  }
}

function isNarrowing(instruction: ir.Instruction): boolean {
  if (instruction.op !== 'convert' || instruction.fn !== 'fnarrow') return false;
  const { rounding, results } = instruction;
  const [{ type }] = results as [ir.Value];
  const isFloat = type === f32 || (type.kind === 'vector' && type.element === f32);
  return isFloat && (rounding === undefined || rounding === 'rte');
}

/** Where the vector over its length, or over 1 if that is 0, is rounded to float: what `normalize` is lowered to. */
function quotientsBy(
  length: ir.Value,
  wide: ir.Value,
  definitions: Definitions,
  users: Users,
): ir.Instruction[] {
  const isConstant = (value: ir.Value | undefined, number: number): boolean => {
    const definition = value && definitions.get(value);
    return definition?.op === 'constant' && definition.value === number;
  };
  const isDivisor = ({ op, operands: [condition, one, other] }: ir.Instruction): boolean => {
    const test = condition && definitions.get(condition);
    if (op !== 'select' || other !== length || !isConstant(one, 1)) return false;
    return (
      test?.op === 'compare' &&
      test.fn === 'feq' &&
      test.operands[0] === length &&
      isConstant(test.operands[1], 0)
    );
  };
  return (users.get(length) ?? [])
    .filter(isDivisor)
    .flatMap(({ results }) => users.get(results[0]!) ?? [])
    .filter(({ op }) => op === 'splat')
    .flatMap(({ results }) => {
      const [divisor] = results as [ir.Value];
      return (users.get(divisor) ?? []).filter(
        (user) =>
          user.op === 'binary' &&
          user.fn === 'fdiv' &&
          user.operands[0] === wide &&
          user.operands[1] === divisor,
      );
    })
    .flatMap(({ results }) => users.get(results[0]!) ?? [])
    .filter(isNarrowing);
}

/** What a vector's length is computed from. */
interface Measured {
  /** The vector, times a power of two if it is small. */
  readonly lifted: ir.Value;
  /** Another power of two, by which that is to be multiplied if it is large. */
  readonly shrink: ir.Value;
  /** The length of the vector times both. */
  readonly root: ir.Value;
  /** What makes the vector's own length of that. */
  readonly back: ir.Value;
}

function measure(builder: Builder, vector: ir.Value): Measured {
  const type = vector.type as VectorType;
  const lanes = Array.from({ length: lanesOf(type) }, (_, lane) => lane);
  const sizes = builder.unary('fabs', vector);
  const size = lanes
    .map((lane) => builder.extract(sizes, lane))
    .reduce((a, b) => builder.binary('fmax', a, b));
  const constant = (number: number): ir.Value => builder.constant(f32, number);
  const isLarge = builder.compare('fgt', size, constant(bounds.high));
  const isSmall = builder.compare('flt', size, constant(bounds.low));
  const lift = builder.select(isSmall, constant(scales.low), constant(1));
  const shrink = builder.select(isLarge, constant(scales.high), constant(1));
  const lifted = builder.binary('fmul', vector, builder.splat(lift, type));
  const scaled = builder.binary('fmul', lifted, builder.splat(shrink, type));
  const squares = builder.binary('fmul', scaled, scaled, true);
  const sum = lanes
    .map((lane) => builder.extract(squares, lane))
    .reduce((a, b) => builder.binary('fadd', a, b, true));
  const large = builder.select(isLarge, constant(1 / scales.high), constant(1));
  const back = builder.select(isSmall, constant(1 / scales.low), large);
  return { lifted, shrink, root: builder.unary('fsqrt', sum), back };
}
