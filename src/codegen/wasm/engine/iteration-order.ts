/**
 * Keeps the iterations of a loop apart that does several at once. V8 leaves loads where they are and computes what needs
 * them as late as it can: at the end of the loop's body, when all iterations have been loaded. Four iterations of four rows then
 * want forty registers, and most of it goes through memory.
 *
 *     %s1 = fadd %s, (fmul %a, %b)                  the first iteration
 *     if %items == -1 { leave the loop with %s1 }
 *     %s2 = fadd %s1, (fmul %a2, %b2)               the second
 *
 * What would be taken out of a loop must be there when it is left. So between the iterations is a way out with all sums,
 * which nothing ever takes: V8 does not know that no work-group has -1 work-items. It does know that what was not so an iteration before
 * is not so now; each iteration asks for another number.
 *
 * No transformation of the IR can do it, for V8 orders computations anew; it only minds control and effects.
 */
import { isPure } from '../../../ir/effects.ts';
import type * as ir from '../../../ir/ir.ts';
import type { Value } from '../../../ir/ir.ts';
import type { FunctionCompiler } from '../kernel/function-compiler.ts';
import type { ValueInfo } from '../kernel/function-plan.ts';

/** A way out that is behind an instruction. */
export interface IterationEnd {
  readonly loop: ir.Loop;
  readonly iteration: number;
  /** By the loop's results: what each would be; undefined for those that are no sums. */
  readonly values: readonly (Value | undefined)[];
}

/** The name of the number of work-items in the environment, which is read for this alone. */
export const itemsKey = 'items_asked';

/** Vector registers; V8 keeps one for itself. */
const registers = 15;

/** Finds the ends of iterations in the loops of a region, by the last instruction of each iteration. */
export function findIterationEnds(
  region: ir.Region,
  values: ReadonlyMap<Value, ValueInfo>,
  ends: Map<ir.Instruction, IterationEnd>,
): void {
  for (const instruction of region.instructions) {
    for (const nested of instruction.regions) findIterationEnds(nested, values, ends);
    if (instruction.op === 'loop') inLoop(instruction, values, ends);
  }
}

function inLoop(
  loop: ir.Loop,
  values: ReadonlyMap<Value, ValueInfo>,
  ends: Map<ir.Instruction, IterationEnd>,
): void {
  const { parameters, instructions } = loop.regions[0]!;
  const last = instructions.at(-1)!;
  const structures = instructions.filter(({ regions }) => regions.length > 0);
  // Besides the exit test there may be straight code only.
  const leaves = structures[0]?.regions.map((region) => region.instructions.at(-1)!);
  const leave = leaves?.find((one) => one.op === 'break' && one.target === loop);
  if (last.op !== 'continue' || last.target !== loop || structures.length > 1 || !leave) return;
  if (!needsRegisters(instructions, parameters, values)) return;
  const places = new Map<Value, number>();
  instructions.forEach((one, at) => {
    if (one.results.length === 1 && isPure(one)) places.set(one.results[0]!, at);
  });
  const sums = parameters.map((parameter, at) =>
    isVector(parameter) ? sumsOf(parameter, last.operands[at]!, instructions, places, values) : undefined,
  );
  const iterations = Math.max(...sums.map((one) => one?.length ?? 0));
  if (iterations < 2 || sums.some((one) => one !== undefined && one.length !== iterations)) return;
  let before = -1;
  for (let iteration = 0; iteration < iterations; iteration += 1) {
    const at = sums.flatMap((one) => (one ? [places.get(one[iteration]!)!] : []));
    if (Math.min(...at) < before) return;
    before = Math.max(...at);
  }
  const given = leave.operands.map((value) => sums[parameters.indexOf(value)]);
  for (let iteration = 0; iteration < iterations - 1; iteration += 1) {
    const at = Math.max(...sums.flatMap((one) => (one ? [places.get(one[iteration]!)!] : [])));
    ends.set(instructions[at]!, { loop, iteration, values: given.map((one) => one?.[iteration]) });
  }
}

function isVector({ type }: Value): boolean {
  return type.kind === 'vector' && type.element.kind !== 'bool';
}

/**
 * What becomes of a parameter from iteration to iteration: each is computed from the one before, the last is for the next round. A product
 * that is computed together with the sum that takes it (fused-operations.ts) is never there by itself, and is none of them.
 */
function sumsOf(
  parameter: Value,
  last: Value,
  instructions: readonly ir.Instruction[],
  places: ReadonlyMap<Value, number>,
  values: ReadonlyMap<Value, ValueInfo>,
): Value[] | undefined {
  const fromIt = new Set<Value>([parameter]);
  for (const { operands, results } of instructions) {
    const result = results[0];
    if (result && places.has(result) && operands.some((one) => fromIt.has(one))) fromIt.add(result);
  }
  const sums: Value[] = [];
  for (let value = last; value !== parameter; ) {
    const at = places.get(value);
    const before = at === undefined ? undefined : instructions[at]!.operands.find((one) => fromIt.has(one));
    if (before === undefined) return undefined;
    if (values.get(value)!.uses > 0) sums.unshift(value);
    value = before;
  }
  return sums;
}

/** Whether what the loop loads and what it keeps is more than there is room for. */
function needsRegisters(
  instructions: readonly ir.Instruction[],
  parameters: readonly Value[],
  values: ReadonlyMap<Value, ValueInfo>,
): boolean {
  const partsOf = (value: Value): number => values.get(value)?.parts ?? 0;
  const loaded = new Set<Value>();
  let count = 0;
  for (const parameter of parameters) if (isVector(parameter)) count += partsOf(parameter);
  for (const { op, operands, results } of instructions) {
    const [result] = results;
    if (!result) continue;
    if (op === 'load') loaded.add(result);
    if (op === 'load' && isVector(result)) count += partsOf(result);
    else if (op === 'splat' && loaded.has(operands[0]!)) count += 1;
  }
  return count > registers;
}

/** Writes the way out. */
export function emitIterationEnd(fc: FunctionCompiler, { loop, iteration, values }: IterationEnd): void {
  const { code } = fc;
  const exit = fc.control.exits.get(loop);
  if (!exit) return;
  const moves = values.flatMap((value, at) => {
    const to = fc.info(loop.results[at]!).locals;
    if (!value || !to) return [];
    fc.settle(value);
    const from = fc.info(value).locals!;
    return to.map((local, part) => ({ local, from: from[part]! }));
  });
  fc.pushEnvironment(itemsKey);
  code.i32(-1 - iteration);
  code.op('i32.eq');
  code.open('if');
  for (const { local, from } of moves) {
    code.get(from);
    code.set(local);
  }
  code.branch(exit);
  code.end();
}
