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
  const roots = new Map<ir.Instruction, ir.Value>();
  for (const instruction of definitions.values()) {
    const vector = squaredVector(instruction, definitions);
    if (vector) roots.set(instruction, vector);
  }
  if (roots.size === 0) return;
  const users = usersIn(fn.body);
  const replaced = new Map<ir.Instruction, readonly ir.Instruction[]>();
  for (const [root, vector] of roots) replaceLength(root, vector, users, replaced, addressBits);
  walkRegionsInsideOut(fn.body, (region) => {
    region.instructions = region.instructions.flatMap((one) => replaced.get(one) ?? [one]);
  });
}

/** The vector of which an instruction is the length in double. */
function squaredVector(
  root: ir.Instruction,
  definitions: ReadonlyMap<ir.Value, ir.Instruction>,
): ir.Value | undefined {
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
  return isWhole && lanesOf(vector.type) === lanes.size ? vector : undefined;
}

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
  vector: ir.Value,
  users: Users,
  replaced: Map<ir.Instruction, readonly ir.Instruction[]>,
  addressBits: 32 | 64,
): void {
  const [length] = root.results as [ir.Value];
  const narrowed = (users.get(length) ?? []).filter(isNarrowing);
  const normalized = quotientsBy(length, users);
  if (narrowed.length + normalized.length === 0) return;
  const region = newRegion();
  const builder = new Builder(region, addressBits);
  const { scaled, root: scaledRoot, back } = measure(builder, vector);
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
    const operands = [scaled, ofQuotient.splat(divisor, vector.type as VectorType)];
    const { results, span } = one;
    const quotient: ir.Binary = { op: 'binary', fn: 'fdiv', operands, results, regions: [], span };
    replaced.set(one, [...own.instructions, quotient]);
  }
}

function isNarrowing(instruction: ir.Instruction): boolean {
  if (instruction.op !== 'convert' || instruction.fn !== 'fnarrow') return false;
  const { rounding, results } = instruction;
  const [{ type }] = results as [ir.Value];
  const isFloat = type === f32 || (type.kind === 'vector' && type.element === f32);
  return isFloat && (rounding === undefined || rounding === 'rte');
}

/** Where a vector over its length, or over 1 if that is 0, is rounded to float. */
function quotientsBy(length: ir.Value, users: Users): ir.Instruction[] {
  const next = (value: ir.Value, op: ir.Instruction['op']): ir.Instruction[] =>
    (users.get(value) ?? []).filter((user) => user.op === op);
  return next(length, 'select')
    .filter(({ operands }) => operands[2] === length)
    .flatMap(({ results }) => next(results[0]!, 'splat'))
    .flatMap(({ results }) => {
      const [divisor] = results as [ir.Value];
      return next(divisor, 'binary').filter(
        (user) => user.op === 'binary' && user.fn === 'fdiv' && user.operands[1] === divisor,
      );
    })
    .flatMap(({ results }) => (users.get(results[0]!) ?? []).filter(isNarrowing));
}

/** A vector times a power of two, the root of the sum of its squares, and what brings that back to the vector's length. */
function measure(
  builder: Builder,
  vector: ir.Value,
): { readonly scaled: ir.Value; readonly root: ir.Value; readonly back: ir.Value } {
  const type = vector.type as VectorType;
  const lanes = Array.from({ length: lanesOf(type) }, (_, lane) => lane);
  const sizes = builder.unary('fabs', vector);
  const size = lanes
    .map((lane) => builder.extract(sizes, lane))
    .reduce((a, b) => builder.binary('fmax', a, b));
  const constant = (value: number): ir.Value => builder.constant(f32, value);
  const isLarge = builder.compare('fgt', size, constant(bounds.high));
  const isSmall = builder.compare('flt', size, constant(bounds.low));
  const chosen = (large: number, small: number): ir.Value =>
    builder.select(isLarge, constant(large), builder.select(isSmall, constant(small), constant(1)));
  const scaled = builder.binary('fmul', vector, builder.splat(chosen(scales.high, scales.low), type));
  const squares = builder.binary('fmul', scaled, scaled, true);
  const sum = lanes
    .map((lane) => builder.extract(squares, lane))
    .reduce((a, b) => builder.binary('fadd', a, b, true));
  const back = chosen(1 / scales.high, 1 / scales.low);
  return { scaled, root: builder.unary('fsqrt', sum), back };
}
