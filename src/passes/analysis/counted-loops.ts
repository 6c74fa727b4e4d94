/**
 * Loops that count up to a bound, and several iterations of them at once:
 *
 *                                                   %far = (slt %first, %n) and (ugt (isub %n, %first), 3)
 *                                                   %limit = select %far, (isub %n, 3), %first
 *     loop @l (%k = %first, %s = %x) {              %k', %s' = loop (%k = %first, %s = %x) {
 *       if (slt %k, %n) { yield }                     if (slt %k, %limit) { yield }
 *       else { break @l }                             else { break }
 *       body                                 =>       body, body, body, body
 *       continue @l (iadd %k, 1), ...                 continue
 *     }                                             }
 *                                                   the loop as it was, from %k' and %s' on
 *
 * As `%first` is below the bound, the distance to it is right as an unsigned number, whatever the sign of both. So is the limit, which is at least
 * `%first` then.
 */
import { Builder, newRegion, newValue } from '../../ir/builder.ts';
import { cloneInstruction } from '../../ir/clone.ts';
import type * as ir from '../../ir/ir.ts';
import { walkRegion } from '../../ir/walk.ts';

/** A loop that goes on as long as one of its parameters is below a bound, or at it, and is left nowhere else. */
export interface BoundedLoop {
  readonly loop: ir.Loop;
  readonly counter: ir.Value;
  readonly bound: ir.Value;
  readonly isSigned: boolean;
  /** Whether it also does the iteration in which the parameter is the bound. Then the bound may be the largest number there is. */
  readonly isInclusive: boolean;
  /** Where in the body the `if` is that leaves it. */
  readonly testAt: number;
}

/** One whose counter grows evenly. */
export interface CountedLoop extends BoundedLoop {
  /** What the counter grows by; at least 1. */
  readonly step: number;
}

/** What a loop counts up to, without getting there; undefined if it is of another form. */
export function findCount(
  loop: ir.Loop,
  definitions: ReadonlyMap<ir.Value, ir.Instruction>,
): CountedLoop | undefined {
  const count = findAnyCount(loop, definitions);
  return count?.isInclusive ? undefined : count;
}

/** What a loop counts, which may include its bound. */
export function findAnyCount(
  loop: ir.Loop,
  definitions: ReadonlyMap<ir.Value, ir.Instruction>,
): CountedLoop | undefined {
  const bounded = findAnyBound(loop, definitions);
  if (!bounded) return undefined;
  const { parameters, instructions } = loop.regions[0]!;
  const next = instructions.at(-1)!.operands[parameters.indexOf(bounded.counter)]!;
  const step = stepOf(bounded.counter, next, definitions);
  return step === undefined || step < 1 || step > mostStep(bounded.counter.type)
    ? undefined
    : { ...bounded, step };
}

/** Some dozens of such steps are still a positive number. */
function mostStep(type: ir.Value['type']): number {
  return type.kind === 'int' ? 2 ** Math.min(16, type.bits - 6) : 0;
}

/** What bounds a loop that does not get there; undefined if it is of another form. */
export function findBound(
  loop: ir.Loop,
  definitions: ReadonlyMap<ir.Value, ir.Instruction>,
): BoundedLoop | undefined {
  const bounded = findAnyBound(loop, definitions);
  return bounded?.isInclusive ? undefined : bounded;
}

/** What bounds a loop, which may get there. */
export function findAnyBound(
  loop: ir.Loop,
  definitions: ReadonlyMap<ir.Value, ir.Instruction>,
): BoundedLoop | undefined {
  const { parameters, instructions } = loop.regions[0]!;
  const testAt = instructions.findIndex(({ op }) => op === 'if');
  const test = instructions[testAt];
  const last = instructions.at(-1)!;
  if (test?.op !== 'if' || last.op !== 'continue' || last.target !== loop) return undefined;
  const [stay, leave] = test.regions.map((region) => region.instructions) as [
    ir.Instruction[],
    ir.Instruction[],
  ];
  const isTest =
    test.results.length === 0 &&
    stay.length === 1 &&
    stay[0]!.op === 'yield' &&
    leave.length === 1 &&
    leave[0]!.op === 'break' &&
    leave[0]!.target === loop;
  if (!isTest || countJumpsOut(loop) !== 2) return undefined;
  const condition = definitions.get(test.operands[0]!);
  if (condition?.op !== 'compare') return undefined;
  const [, sign, order] = /^([su])(lt|le|gt|ge)$/.exec(condition.fn) ?? [];
  if (!sign || !order) return undefined;
  const [left, right] = condition.operands as [ir.Value, ir.Value];
  const [counter, bound] = order.startsWith('l') ? [left, right] : [right, left];
  if (!parameters.includes(counter) || isDefinedIn(loop, bound)) return undefined;
  return { loop, counter, bound, isSigned: sign === 's', isInclusive: order.endsWith('e'), testAt };
}

/** Jumps of the body to the loop or to something around it. */
function countJumpsOut(loop: ir.Loop): number {
  const inside = new Set<ir.Instruction>();
  let count = 0;
  walkRegion(loop.regions[0]!, (instruction) => {
    inside.add(instruction);
  });
  walkRegion(loop.regions[0]!, (instruction) => {
    if (instruction.op !== 'break' && instruction.op !== 'continue') return;
    if (!inside.has(instruction.target)) count += 1;
  });
  return count;
}

function isDefinedIn(loop: ir.Loop, value: ir.Value): boolean {
  let found = loop.regions[0]!.parameters.includes(value);
  walkRegion(loop.regions[0]!, ({ results }) => {
    found ||= results.includes(value);
  });
  return found;
}

/** By how much an integer parameter grows from iteration to iteration, if that is a constant. */
export function stepOf(
  parameter: ir.Value,
  next: ir.Value,
  definitions: ReadonlyMap<ir.Value, ir.Instruction>,
): number | undefined {
  const sum = definitions.get(next);
  if (sum?.op !== 'binary' || sum.fn !== 'iadd' || sum.operands[0] !== parameter) return undefined;
  const constant = definitions.get(sum.operands[1]!);
  return constant?.op === 'constant' && typeof constant.value !== 'object'
    ? Number(constant.value)
    : undefined;
}

/**
 * Writes where several iterations at once come to an end: as long as the counter is below that, so many are left.
 * @param first what the counter begins with
 * @param bound what it counts up to
 */
export function limitOfSeveral(
  builder: Builder,
  { step, isSigned }: Pick<CountedLoop, 'step' | 'isSigned'>,
  iterations: number,
  first: ir.Value,
  bound: ir.Value,
): ir.Value {
  const others = builder.integer(first.type, (iterations - 1) * step);
  const isBelow = builder.compare(isSigned ? 'slt' : 'ult', first, bound);
  const isFar = builder.compare('ugt', builder.binary('isub', bound, first), others);
  const last = builder.binary('isub', bound, others);
  return builder.select(builder.binary('and', isBelow, isFar), last, first);
}

/**
 * Begins a loop that goes on while so many iterations are left, and carries what the loop does; what it does is to be written behind its test.
 * @param before writes what is in front of the loop
 * @param first what the counter begins with
 */
export function loopOfSeveral(
  count: CountedLoop,
  iterations: number,
  before: Builder,
  first: ir.Value,
): { readonly several: ir.Loop; readonly builder: Builder } {
  const { loop, counter, bound, isSigned, testAt } = count;
  const { parameters, instructions } = loop.regions[0]!;
  const at = parameters.indexOf(counter);
  const body = newRegion(parameters.map(({ type, name }) => newValue(type, name)));
  const several: ir.Loop = {
    op: 'loop',
    operands: loop.operands.with(at, first),
    results: parameters.map(({ type, name }) => newValue(type, name)),
    regions: [body],
    span: loop.span,
    // Nobody is to do it again.
    unroll: 1,
  };
  const limit = limitOfSeveral(before, count, iterations, first, bound);
  const builder = new Builder(body, before.addressType.bits === 32 ? 32 : 64);
  const test = builder.if(builder.compare(isSigned ? 'slt' : 'ult', body.parameters[at]!, limit));
  test.span = instructions[testAt]!.span;
  builder.within(test.regions[0]!, () => builder.yield());
  builder.within(test.regions[1]!, () => builder.break(several, [...body.parameters]));
  return { several, builder };
}

/**
 * Writes a loop that does several iterations at once, and the loop as it was for the iterations that are left.
 * @param copies is given the instructions that are there once more
 * @returns what takes the loop's place
 */
export function unrollCounted(
  counted: CountedLoop,
  iterations: number,
  addressBits: 32 | 64,
  copies: Set<ir.Instruction>,
): ir.Instruction[] {
  const { loop, testAt } = counted;
  const { parameters, instructions } = loop.regions[0]!;
  const before = new Builder(newRegion(), addressBits);
  const first = loop.operands[parameters.indexOf(counted.counter)]!;
  const { several, builder } = loopOfSeveral(counted, iterations, before, first);
  const body = several.regions[0]!;
  let current: readonly ir.Value[] = body.parameters;
  const rest = [...instructions.slice(0, testAt), ...instructions.slice(testAt + 1, -1)];
  for (let iteration = 0; iteration < iterations; iteration += 1) {
    const values = new Map(parameters.map((parameter, at) => [parameter, current[at]!]));
    for (const instruction of rest) {
      const copy = cloneInstruction(instruction, values);
      body.instructions.push(copy);
      if (iteration > 0) addAll(copies, copy);
    }
    current = instructions.at(-1)!.operands.map((operand) => values.get(operand) ?? operand);
  }
  builder.continue(several, [...current]);
  loop.operands = several.results;
  addAll(copies, loop);
  return [...before.region.instructions, several, loop];
}

function addAll(to: Set<ir.Instruction>, instruction: ir.Instruction): void {
  to.add(instruction);
  for (const region of instruction.regions) {
    walkRegion(region, (inner) => {
      to.add(inner);
    });
  }
}
