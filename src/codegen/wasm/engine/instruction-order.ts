/**
 * Keeps the parts of vectors side by side in long straight code. A vector of eight floats is two v128, and an instruction
 * of the IR becomes one for each, so that the processor has two chains of computations to work at. V8 orders
 * computations by what needs them, however: all of the first chain, then all of the second. Where the chains are longer
 * than what a processor looks ahead, it waits for each step of the one and then for each step of the other.
 *
 * Stores keep their order. So in long runs of computations every so many one is stored, all its parts, to a place that
 * nobody reads: what it took to get there is then computed before what follows. A digest such as MD5 takes two thirds of the
 * time with it; in shorter code processors look far enough ahead by themselves.
 *
 * No transformation of the IR can do it, for V8 orders computations anew; it only minds effects. So the order is made of stores.
 */
import { isPure } from '../../../ir/effects.ts';
import type * as ir from '../../../ir/ir.ts';
import type { FunctionCompiler } from '../kernel/function-compiler.ts';
import type { ValueInfo } from '../kernel/function-plan.ts';

/** Runs of fewer computations are left alone: processors look some hundred instructions ahead. */
const shortestRun = 256;

/** So many computations lie between two stores. */
const distance = 64;

/** Finds the computations of a region, and of those in it, that are to be stored. */
export function findPinned(
  region: ir.Region,
  values: ReadonlyMap<ir.Value, ValueInfo>,
  pinned: Set<ir.Instruction>,
): void {
  let run: ir.Instruction[] = [];
  const close = (): void => {
    if (run.length >= shortestRun) {
      for (let at = distance; at < run.length; at += distance) pinned.add(run[at]!);
    }
    run = [];
  };
  for (const instruction of region.instructions) {
    const info = instruction.results[0] && values.get(instruction.results[0]);
    const isWide = info !== undefined && info.parts > 1 && !info.isFree;
    if (isWide && isPure(instruction)) run.push(instruction);
    else if (isWide || !isPure(instruction)) close();
    for (const nested of instruction.regions) findPinned(nested, values, pinned);
  }
  close();
}

/** Stores a computation's parts, which are in these locals. */
export function pin(fc: FunctionCompiler, locals: readonly number[]): void {
  const { scratch } = fc.frame;
  if (scratch === undefined) return;
  for (const local of locals) {
    fc.pushEnvironment('area');
    fc.code.get(local);
    fc.code.memory('v128.store', scratch, 16);
  }
}
