/**
 * Computes what loops leave with that do nothing but count the steps in which a number goes to zero:
 *
 *     %n = loop @l (%x = %v, %y = 0) : i32 {
 *       if (ne %x, 0) { yield } else { break @l %y }
 *       %rest = and %x, (iadd %x, -1)                      =>    %n = popcount %v
 *       continue @l %rest, (iadd %y, 1)
 *     }
 *
 *     next value of %x        steps to zero
 *     and %x, (iadd %x, -1)   popcount
 *     ushr %x, c              (bits - clz) / c, rounded up
 *     shl %x, c               (bits - ctz) / c, rounded up
 *
 * All others that the loop carries must grow by the same in each step. The test may come before the step or behind it. The vectoriser would run
 * such a loop as long as any of its lanes has bits left, and pay for the masks of the others.
 */
import { Builder, newRegion } from '../../ir/builder.ts';
import { findDefinitions } from '../../ir/definitions.ts';
import { isPure } from '../../ir/effects.ts';
import type * as ir from '../../ir/ir.ts';
import type { IntType } from '../../ir/types.ts';
import { replaceOperands, walkRegion, walkRegionsInsideOut } from '../../ir/walk.ts';

/** @returns whether there was such a loop */
export function computeFinalValues(fn: ir.Function, addressBits: 32 | 64): boolean {
  let any = false;
  if (fn.body)
    walkRegion(fn.body, (instruction) => {
      any ||= instruction.op === 'loop' && onlyComputes(instruction);
    });
  // Pages load the rest when a program needs it (scripts/split-rest.mjs).
  return any && computeThem(fn.body!, addressBits);
}

/** Whether a loop does nothing but compute until it is left. */
function onlyComputes({ regions }: ir.Loop): boolean {
  return regions[0]!.instructions.every((one) => one.op === 'if' || one.op === 'continue' || isPure(one));
}

function computeThem(body: ir.Region, addressBits: 32 | 64): boolean {
  const definitions = findDefinitions(body);
  const replaced = new Map<ir.Value, ir.Value>();
  walkRegionsInsideOut(body, (region) => {
    region.instructions = region.instructions.flatMap((loop) => {
      const counting = loop.op === 'loop' ? findCounting(loop, definitions) : undefined;
      if (!counting) return [loop];
      const builder = new Builder(newRegion(), addressBits);
      builder.span = loop.span;
      const values = finalValues(counting, definitions, builder);
      if (!values) return [loop];
      loop.results.forEach((result, index) => {
        replaced.set(result, values[index]!);
      });
      return builder.region.instructions;
    });
  });
  replaceOperands(body, replaced);
  return replaced.size > 0;
}

/** A loop that ends when one of its parameters has gone to zero, and does nothing else. */
interface Counting {
  readonly loop: ir.Loop;
  /** Which parameter that is. */
  readonly index: number;
  readonly type: IntType;
  /** How it goes there, by how many bits in a step. */
  readonly way: 'lowest bit' | 'ushr' | 'shl';
  readonly distance: number;
  /** Whether the number is tested before a step: then there may be none. */
  readonly testsFirst: boolean;
  /** What the loop is left with. */
  readonly left: readonly ir.Value[];
  /** What the parameters become. */
  readonly nexts: readonly ir.Value[];
}

type Definitions = ReadonlyMap<ir.Value, ir.Instruction>;

function findCounting(loop: ir.Loop, definitions: Definitions): Counting | undefined {
  const { parameters, instructions } = loop.regions[0]!;
  const last = instructions.at(-1)!;
  if (last.op !== 'continue' || last.target !== loop || !onlyComputes(loop)) return undefined;
  const tests = instructions.filter(({ op }) => op === 'if');
  const [test] = tests;
  if (tests.length !== 1) return undefined;
  const exit = exitOf(test as ir.If, loop, definitions);
  if (!exit) return undefined;
  const nexts = last.operands;
  const index = parameters.findIndex(
    (parameter, at) => exit.tested === parameter || exit.tested === nexts[at],
  );
  const parameter = parameters[index];
  if (parameter?.type.kind !== 'int') return undefined;
  const way = wayToZero(parameter, nexts[index]!, definitions);
  if (!way) return undefined;
  const { left, tested } = exit;
  return { loop, index, type: parameter.type, ...way, testsFirst: tested === parameter, left, nexts };
}

/** What an `if` compares with zero, where it only leaves the loop when that is zero. */
function exitOf(
  test: ir.If,
  loop: ir.Loop,
  definitions: Definitions,
): { readonly tested: ir.Value; readonly left: readonly ir.Value[] } | undefined {
  const comparison = definitions.get(test.operands[0]!);
  if (test.results.length > 0 || comparison?.op !== 'compare') return undefined;
  const [a, b] = comparison.operands as [ir.Value, ir.Value];
  const [first, second] = test.regions.map(({ instructions }) => instructions);
  let tested: ir.Value | undefined;
  let [stay, leave] = [first!, second!];
  if (comparison.fn === 'ne' || comparison.fn === 'ugt') tested = isNumber(b, 0, definitions) ? a : undefined;
  else if (comparison.fn === 'ult') tested = isNumber(a, 0, definitions) ? b : undefined;
  else if (comparison.fn === 'eq') {
    tested = isNumber(b, 0, definitions) ? a : undefined;
    [stay, leave] = [leave, stay];
  }
  const [stays, leaves] = [stay[0]!, leave[0]!];
  if (!tested || stay.length > 1 || stays.op !== 'yield' || leave.length > 1) return undefined;
  if (leaves.op !== 'break' || leaves.target !== loop) return undefined;
  return { tested, left: leaves.operands };
}

function wayToZero(
  parameter: ir.Value,
  next: ir.Value,
  definitions: Definitions,
): Pick<Counting, 'way' | 'distance'> | undefined {
  const step = definitions.get(next);
  if (step?.op !== 'binary') return undefined;
  const [a, b] = step.operands as [ir.Value, ir.Value];
  if (step.fn === 'and') {
    const other = a === parameter ? b : b === parameter ? a : undefined;
    return other && isOneLess(parameter, other, definitions) ? { way: 'lowest bit', distance: 1 } : undefined;
  }
  if ((step.fn !== 'ushr' && step.fn !== 'shl') || a !== parameter) return undefined;
  const distance = numberOf(b, definitions);
  const { bits } = parameter.type as IntType;
  return distance !== undefined && distance >= 1 && distance < bits ? { way: step.fn, distance } : undefined;
}

function isOneLess(value: ir.Value, less: ir.Value, definitions: Definitions): boolean {
  const sum = definitions.get(less);
  if (sum?.op !== 'binary') return false;
  const [a, b] = sum.operands as [ir.Value, ir.Value];
  if (sum.fn === 'isub') return a === value && isNumber(b, 1, definitions);
  if (sum.fn !== 'iadd') return false;
  return (a === value && isNumber(b, -1, definitions)) || (b === value && isNumber(a, -1, definitions));
}

/** What the loop is left with, computed by what the builder writes; undefined if something of it does not grow evenly. */
function finalValues(counting: Counting, definitions: Definitions, builder: Builder): ir.Value[] | undefined {
  const { loop, index, type, testsFirst, left, nexts } = counting;
  const { parameters } = loop.regions[0]!;
  const inside = new Set<ir.Value>(parameters);
  walkRegion(loop.regions[0]!, ({ results }) => {
    for (const result of results) inside.add(result);
  });
  const toZero = stepsToZero(counting, builder);
  const one = builder.integer(type, 1);
  // Tested behind a step, at least one is made, and the last one's results may be asked for or those from before it.
  const begun = testsFirst ? toZero : builder.binary('umax', toZero, one);
  const noted = testsFirst ? toZero : builder.binary('isub', begun, one);
  const values: ir.Value[] = [];
  for (const value of left) {
    if (!inside.has(value)) {
      values.push(value);
      continue;
    }
    const asParameter = parameters.indexOf(value);
    const at = asParameter >= 0 ? asParameter : nexts.indexOf(value);
    if (at < 0) return undefined;
    const isNext = asParameter < 0;
    if (at === index) {
      // It is zero when it is tested, and not known before or behind that.
      if (isNext === testsFirst) return undefined;
      values.push(builder.integer(type, 0));
      continue;
    }
    const steps = !isNext ? noted : testsFirst ? builder.binary('iadd', toZero, one) : begun;
    const grown = grow(at, steps, counting, { inside, definitions, builder });
    if (!grown) return undefined;
    values.push(grown);
  }
  return values;
}

function stepsToZero({ loop, index, type, way, distance }: Counting, builder: Builder): ir.Value {
  const start = loop.operands[index]!;
  if (way === 'lowest bit') return builder.unary('popcount', start);
  const zeros = builder.unary(way === 'ushr' ? 'clz' : 'ctz', start);
  const used = builder.binary('isub', builder.integer(type, type.bits), zeros);
  if (distance === 1) return used;
  const up = builder.binary('iadd', used, builder.integer(type, distance - 1));
  return builder.binary('udiv', up, builder.integer(type, distance));
}

/** What a parameter has become after so many steps, if it grows by the same in each; sums wrap as they do in the loop. */
function grow(
  at: number,
  steps: ir.Value,
  { loop, nexts }: Counting,
  known: {
    readonly inside: ReadonlySet<ir.Value>;
    readonly definitions: Definitions;
    readonly builder: Builder;
  },
): ir.Value | undefined {
  const { inside, definitions, builder } = known;
  const parameter = loop.regions[0]!.parameters[at]!;
  const { type } = parameter;
  const step = definitions.get(nexts[at]!);
  if (type.kind !== 'int' || step?.op !== 'binary' || (step.fn !== 'iadd' && step.fn !== 'isub'))
    return undefined;
  const [a, b] = step.operands as [ir.Value, ir.Value];
  const added = a === parameter ? b : step.fn === 'iadd' && b === parameter ? a : undefined;
  if (!added || added === parameter) return undefined;
  const constant = definitions.get(added);
  if (inside.has(added) && constant?.op !== 'constant') return undefined;
  const each = constant?.op === 'constant' ? builder.constant(type, constant.value) : added;
  const from = (steps.type as IntType).bits;
  const fitted =
    from === type.bits ? steps : builder.convert(from < type.bits ? 'zext' : 'trunc', steps, type);
  return builder.binary(step.fn, loop.operands[at]!, builder.binary('imul', fitted, each));
}

function numberOf(value: ir.Value, definitions: Definitions): number | undefined {
  const definition = definitions.get(value);
  return definition?.op === 'constant' && !Array.isArray(definition.value)
    ? Number(definition.value)
    : undefined;
}

/** Whether a value is a constant, in either reading of its sign. */
function isNumber(value: ir.Value, wanted: number, definitions: Definitions): boolean {
  const definition = definitions.get(value);
  if (definition?.op !== 'constant' || value.type.kind !== 'int') return false;
  return BigInt.asIntN(value.type.bits, BigInt(definition.value as number | bigint)) === BigInt(wanted);
}
