/**
 * What holds for nearly every vector though not for all, and is worth writing a vector's program twice for:
 *
 *     x == 0 || x == n - 1              border or not: the same for all lanes, away from the borders
 *     clamp(x - 1, 0, n - 1)            x - 1, where nothing is clamped
 *     pair & (distance - 1)             steps evenly, where the low bits of the mask are ones
 *     i % width, i / width              step evenly, and the same for all, within a row
 *
 * One test of a few scalars asks whether all that was assumed holds for the vector at hand. Then branches are those of all
 * lanes and addresses lie side by side; else masks and gathers do what they always can.
 *
 * Only what is computed from ids and arguments is assumed anything about, so that the test can be at the start.
 */

import { integerOf } from '../../../ir/constants.ts';
import { isPure } from '../../../ir/effects.ts';
import type * as ir from '../../../ir/ir.ts';
import { countInstructions } from '../../../ir/regions.ts';
import { bool, type IntType } from '../../../ir/types.ts';
import { walkRegion } from '../../../ir/walk.ts';
import type { Shape, Uniformity } from '../../analysis/uniformity.ts';
import type { VectorContext } from '../emit/vector-context.ts';
import type { VectorWriter } from '../emit/vector-writer.ts';
import { vectoriseOperation } from '../emit/vectorize-operations.ts';

type Definitions = ReadonlyMap<ir.Value, ir.Instruction>;

/** A region that is written twice. */
export interface Assumptions {
  /** What is assumed something about, in the order of the region. */
  readonly assumed: readonly ir.Instruction[];
  /** These and all that they are computed from within the region, in its order. */
  readonly needed: ReadonlySet<ir.Instruction>;
}

/** The instructions of work-item loops whose shapes may be assumed: those that decide about branches and addresses. */
export function findAssumable(
  regions: Iterable<ir.Region>,
  uniformity: Uniformity,
  definitions: Definitions,
): Set<ir.Instruction> {
  const found = new Set<ir.Instruction>();
  for (const region of regions) {
    const early = earlyInstructions(region, definitions);
    for (const instruction of deciding(region, uniformity, definitions)) {
      if (early.has(instruction)) found.add(instruction);
    }
  }
  return found;
}

/** The instructions that varying addresses and divergent branches of the region are computed by. */
function deciding(
  region: ir.Region,
  uniformity: Uniformity,
  definitions: Definitions,
): ReadonlySet<ir.Instruction> {
  const found = new Set<ir.Instruction>();
  const beginnings = beginningsOf(region);
  const follow = (value: ir.Value): void => {
    if (uniformity.of(value).kind !== 'varying') return;
    const beginning = beginnings.get(value);
    if (beginning) {
      beginnings.delete(value);
      follow(beginning);
      return;
    }
    const definition = definitions.get(value);
    if (!definition || found.has(definition) || definition.regions.length > 0) return;
    found.add(definition);
    for (const operand of definition.operands) follow(operand);
  };
  walkRegion(region, (instruction) => {
    switch (instruction.op) {
      case 'if':
      case 'switch':
      case 'load':
      case 'store':
        follow(instruction.operands[0]!);
        break;
      default:
    }
  });
  return found;
}

/** What the parameters of loops are in their first iteration: counters may begin at an id. */
function beginningsOf(region: ir.Region): Map<ir.Value, ir.Value> {
  const beginnings = new Map<ir.Value, ir.Value>();
  walkRegion(region, (loop) => {
    if (loop.op !== 'loop') return;
    loop.regions[0]!.parameters.forEach((parameter, index) => {
      beginnings.set(parameter, loop.operands[index]!);
    });
  });
  return beginnings;
}

/** The computations that could be at the start of the region. Nothing fails there: a division by zero is any number. */
function earlyInstructions(region: ir.Region, definitions: Definitions): ReadonlySet<ir.Instruction> {
  const inside = new Set<ir.Value>();
  walkRegion(region, (instruction) => {
    for (const value of instruction.results) inside.add(value);
    for (const nested of instruction.regions) for (const value of nested.parameters) inside.add(value);
  });
  const early = new Set<ir.Instruction>();
  const isEarly = (value: ir.Value): boolean => {
    const definition = definitions.get(value);
    return !inside.has(value) || (definition !== undefined && early.has(definition));
  };
  walkRegion(region, (instruction) => {
    const isPossible =
      instruction.op === 'query' || (isPure(instruction) && instruction.results.length === 1);
    if (!isPossible || instruction.op === 'item_address' || instruction.regions.length > 0) return;
    if (instruction.operands.every(isEarly)) early.add(instruction);
  });
  return early;
}

/** The step of what an instruction computes, by what is assumed; undefined if nothing sensible can be. */
export function assumedStep(
  instruction: ir.Instruction,
  of: (value: ir.Value) => Shape,
  definitions: Definitions,
): number | undefined {
  if (instruction.op !== 'compare' && instruction.op !== 'binary') return undefined;
  const [a, b] = instruction.operands as [ir.Value, ir.Value];
  const sides = sidesOf(a, b, of);
  if (!sides) return undefined;
  const { step } = sides;
  switch (instruction.fn) {
    case 'eq':
    case 'ne':
      return 0;
    case 'slt':
    case 'sle':
    case 'sgt':
    case 'sge':
    case 'ult':
    case 'ule':
    case 'ugt':
    case 'uge':
      return step > 0 ? 0 : undefined;
    case 'smin':
    case 'smax':
    case 'umin':
    case 'umax':
      return step > 0 ? step : undefined;
    case 'and': {
      const mask = definitions.get(sides.other);
      const isFine = mask?.op !== 'constant' || (Number(mask.value) & (likelyLanes - 1)) === likelyLanes - 1;
      return step === 1 && isFine ? 1 : undefined;
    }
    case 'udiv':
    case 'sdiv':
      return step > 0 && sides.isFirst ? 0 : undefined;
    case 'urem':
    case 'srem':
      return step > 0 && sides.isFirst ? step : undefined;
    default:
      return undefined;
  }
}

/** Vectors have at least so many lanes, mostly. */
const likelyLanes = 4;
/** Steps beyond this are no neighbours. */
const largestStep = 1024;

interface Sides {
  /** What steps evenly, and by how much. */
  readonly stepping: ir.Value;
  readonly step: number;
  /** What is the same for all. */
  readonly other: ir.Value;
  /** Whether what steps is the first operand. */
  readonly isFirst: boolean;
}

function sidesOf(a: ir.Value, b: ir.Value, of: (value: ir.Value) => Shape): Sides | undefined {
  if (a.type.kind !== 'int' || a.type.bits < 32) return undefined;
  const [left, right] = [of(a), of(b)];
  const isStepping = (shape: Shape): shape is Shape & { kind: 'affine' } =>
    shape.kind === 'affine' && shape.step !== 0 && Math.abs(shape.step) <= largestStep;
  if (isStepping(left) && right.kind === 'uniform') {
    return { stepping: a, step: left.step, other: b, isFirst: true };
  }
  if (isStepping(right) && left.kind === 'uniform') {
    return { stepping: b, step: right.step, other: a, isFirst: false };
  }
  return undefined;
}

/** By what assumptions are chosen. */
export interface AssumptionOptions {
  /** How values differ, with nothing assumed. */
  readonly plain: Uniformity;
  /** The same with everything assumed that can be. */
  readonly assuming: Uniformity;
  /** What {@link findAssumable} found. */
  readonly assumable: ReadonlySet<ir.Instruction>;
  readonly definitions: Definitions;
  /** Of a region of more instructions nothing is assumed. */
  readonly most: number;
}

/** What to assume for a region: undefined if that gains nothing. */
export function chooseAssumptions(
  region: ir.Region,
  { plain, assuming, assumable, definitions, most }: AssumptionOptions,
): Assumptions | undefined {
  // The cheapest question first: a large region is not asked the others.
  if (assumable.size === 0 || countInstructions(region) > most) return undefined;
  const assumed: ir.Instruction[] = [];
  const order: ir.Instruction[] = [];
  let gains = 0;
  let hasVariables = false;
  walkRegion(region, (instruction) => {
    order.push(instruction);
    if (instruction.op === 'variable') hasVariables = true;
    if (decides(instruction)) {
      const [operand] = instruction.operands;
      if (isVarying(plain, operand!) && !isVarying(assuming, operand!)) gains += 1;
    }
    if (!assumable.has(instruction)) return;
    const result = instruction.results[0]!;
    const isAssumed = isVarying(plain, result) && !isVarying(assuming, result);
    if (isAssumed && assumedStep(instruction, (value) => assuming.of(value), definitions) !== undefined) {
      assumed.push(instruction);
    }
  });
  if (gains === 0 || assumed.length === 0 || hasVariables) return undefined;
  const inside = new Set(order);
  const needed = new Set<ir.Instruction>();
  const need = (instruction: ir.Instruction): void => {
    if (needed.has(instruction) || !inside.has(instruction)) return;
    needed.add(instruction);
    for (const operand of instruction.operands) {
      const definition = definitions.get(operand);
      if (definition) need(definition);
    }
  };
  for (const instruction of assumed) need(instruction);
  return { assumed, needed: new Set(order.filter((instruction) => needed.has(instruction))) };
}

/** Whether what an instruction's first operand is decides how it is vectorised. */
function decides({ op }: ir.Instruction): boolean {
  return op === 'if' || op === 'switch' || op === 'load' || op === 'store';
}

function isVarying(uniformity: Uniformity, value: ir.Value): boolean {
  return uniformity.of(value).kind === 'varying';
}

/** Writes what the tests need, as it is when all assumptions hold, and the tests; gives whether they hold. */
export function writeTest(context: VectorContext, { assumed, needed }: Assumptions): ir.Value {
  const { writer } = context;
  for (const instruction of needed) {
    const vectorised = vectoriseOperation(context, instruction);
    if (!vectorised) throw new Error('vectorise: an assumption about what differs from lane to lane');
    context.define(instruction.results[0]!, vectorised);
  }
  let holds: ir.Value | undefined;
  for (const instruction of assumed) {
    for (const test of testsOf(context, instruction)) {
      holds = holds ? writer.binary('and', holds, test) : test;
    }
  }
  return holds ?? writer.once(bool, true);
}

/** What tests about something that steps evenly are made of. */
interface Tester {
  /** The first lane's value. */
  readonly first: ir.Value;
  readonly other: ir.Value;
  readonly type: IntType;
  /** From the first lane's value to the last one's. */
  readonly span: number;
  /** How far `other` lies behind the first lane's value, in the direction of the steps; a large number if before it. */
  distance(): ir.Value;
  atLeast(value: ir.Value, least: number): ir.Value;
  /** That no lane's value wraps around. */
  staysInRange(isSigned: boolean): ir.Value[];
}

function testerOf(context: VectorContext, { stepping, step, other }: Sides): Tester {
  const { writer } = context;
  const type = stepping.type as IntType;
  const first = writer.scalarOf(context.vectorised(stepping));
  const limit = writer.scalarOf(context.vectorised(other));
  const span = Math.abs(step) * (writer.lanes - 1);
  return {
    first,
    other: limit,
    type,
    span,
    distance: () => (step > 0 ? writer.binary('isub', limit, first) : writer.binary('isub', first, limit)),
    atLeast: (value, least) => writer.compare('uge', value, writer.int(type, least)),
    // Ids never wrap around.
    staysInRange: (isSigned) =>
      context.definition(stepping)?.op === 'query' ? [] : [writeInRange(writer, first, span, isSigned)],
  };
}

/**
 * Whether a comparison of what steps evenly gives `wanted` for all lanes, from scalars: a function that writes the
 * test; undefined if they cannot say. It may say no when it does.
 */
export function everyLane(
  context: VectorContext,
  { fn, operands }: ir.Compare,
  wanted: boolean,
): (() => ir.Value) | undefined {
  const { writer } = context;
  const [a, b] = operands as [ir.Value, ir.Value];
  const all = (tests: readonly ir.Value[]): ir.Value =>
    tests.reduce((both, test) => writer.binary('and', both, test));
  const isSigned = fn.startsWith('s');
  const isEquality = fn === 'eq' || fn === 'ne';
  const sides = sidesOf(a, b, (value) => context.shapeOf(value));
  if (sides) {
    if (isEquality ? (fn === 'ne') !== wanted : sides.step < 0) return undefined;
    const isBelow = (fn.includes('l') === sides.isFirst) === wanted;
    const isOrEqual = fn.endsWith('e') === wanted;
    const relation = `${isSigned ? 's' : 'u'}${isBelow ? 'l' : 'g'}${isOrEqual ? 'e' : 't'}` as const;
    return () => {
      const { first, other, span, distance, atLeast, staysInRange } = testerOf(context, sides);
      if (isEquality) return atLeast(distance(), span + 1);
      const last = isBelow ? [atLeast(distance(), isOrEqual ? span : span + 1)] : staysInRange(isSigned);
      return all([writer.compare(relation, first, other), ...last]);
    };
  }
  const [left, right] = [context.shapeOf(a), context.shapeOf(b)];
  const isSame = left.kind === 'affine' && right.kind === 'affine' && left.step === right.step;
  if (!isSame || left.step < 0 || left.step > largestStep || a.type.kind !== 'int' || a.type.bits < 32) {
    return undefined;
  }
  // Both step alike, so that what holds for the first holds for all.
  return () => {
    const [x, y] = [a, b].map((value) => writer.scalarOf(context.vectorised(value))) as [ir.Value, ir.Value];
    const compare = writer.compare(fn, x, y);
    const holds = wanted ? compare : writer.unary('not', compare);
    const span = left.step * (writer.lanes - 1);
    const inRange = isEquality ? [] : [x, y].map((first) => writeInRange(writer, first, span, isSigned));
    return all([holds, ...inRange]);
  };
}

/** The tests of one assumption; all must be true. */
function testsOf(context: VectorContext, instruction: ir.Instruction): ir.Value[] {
  const { writer } = context;
  const [a, b] = instruction.operands as [ir.Value, ir.Value];
  const sides = sidesOf(a, b, (value) => context.shapeOf(value))!;
  const { first, other, type, span, distance, atLeast, staysInRange } = testerOf(context, sides);
  const { fn } = instruction as ir.Binary | ir.Compare;
  switch (fn) {
    case 'eq':
    case 'ne':
      return [atLeast(distance(), span + 1)];
    case 'slt':
    case 'sle':
    case 'sgt':
    case 'sge':
    case 'ult':
    case 'ule':
    case 'ugt':
    case 'uge': {
      // Where the answer changes: behind `other` for "x <= other" and "x > other", before it for the others.
      const isBehind = (fn.endsWith('le') || fn.endsWith('gt')) === sides.isFirst;
      const change = isBehind ? distance() : writer.binary('iadd', distance(), writer.int(type, -1));
      return [atLeast(change, span), ...staysInRange(fn.startsWith('s'))];
    }
    case 'smin':
    case 'umin':
      return [writer.compare(fn === 'smin' ? 'sle' : 'ule', first, other), atLeast(distance(), span)];
    case 'smax':
    case 'umax':
      return [writer.compare(fn === 'smax' ? 'sge' : 'uge', first, other), ...staysInRange(fn === 'smax')];
    case 'and':
      return lowBits(writer, type, first, other);
    default: {
      // Divisions: all lanes in the same multiple of the divisor.
      const isSigned = fn.startsWith('s');
      const zero = writer.int(type, 0);
      const rest = writer.binary(isSigned ? 'srem' : 'urem', first, other);
      const left = writer.binary('isub', other, rest);
      const signs = isSigned ? [writer.compare('sge', first, zero), writer.compare('sgt', other, zero)] : [];
      return [atLeast(left, span + 1), ...signs, ...staysInRange(isSigned)];
    }
  }
}

/** `x & mask` steps by one from a multiple of the lane count on, if all bits of a lane's number are in the mask. */
function lowBits(writer: VectorWriter, type: IntType, first: ir.Value, mask: ir.Value): ir.Value[] {
  const low = writer.int(type, writer.lanes - 1);
  return [
    writer.compare('eq', writer.binary('and', first, low), writer.int(type, 0)),
    writer.compare('eq', writer.binary('and', mask, low), low),
  ];
}

/** Whether no lane's value wraps around. */
function writeInRange(writer: VectorWriter, first: ir.Value, span: number, isSigned: boolean): ir.Value {
  const { type } = first;
  const { bits } = type as IntType;
  const most = 2n ** BigInt(isSigned ? bits - 1 : bits) - 1n - BigInt(span);
  const limit = writer.once(type, integerOf(type, most));
  return writer.compare(isSigned ? 'sle' : 'ule', first, limit);
}
