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
 * The same helps code that loads hundreds of vectors and adds them up, a reaction's rates or the populations of a lattice. V8 keeps loads in
 * their order too, and computes what is made of them as late as it can: behind the last load, so that all of them are spilled. A sum
 * that is stored every so many loads makes it add as it goes. (A point of SHOC's S3D takes half the time.)
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

/** So many registers are loaded between two stores of what is computed of them: all there are. */
const mostLoaded = 16;

/** Runs that load less than so many registers are left alone: some spills cost less than the stores. */
const longestLoads = 64;

/** The same for what is loaded for one register of each vector: stencils in rows load about 30. */
const longestOfPart = 32;

/** Finds the computations of a region, and of those in it, that are to be stored. */
export function findPinned(
  region: ir.Region,
  values: ReadonlyMap<ir.Value, ValueInfo>,
  pinned: Set<ir.Instruction>,
): void {
  pinChains(region, values, pinned);
  pinLoads(region, values, pinned);
  for (const { regions } of region.instructions) {
    for (const nested of regions) findPinned(nested, values, pinned);
  }
}

/** In long runs of loads and computations: the last computation before a load that the registers have no room for. */
function pinLoads(
  { instructions }: ir.Region,
  values: ReadonlyMap<ir.Value, ValueInfo>,
  pinned: Set<ir.Instruction>,
): void {
  let chosen: ir.Instruction[] = [];
  let last: ir.Instruction | undefined;
  let loaded = 0;
  let all = 0;
  let loads = 0;
  const close = (isStored = false): void => {
    // Up to a store it is written part by part, of which each loads one register a vector (part-scheduling.ts).
    if (isStored ? loads > longestOfPart : all >= longestLoads) for (const one of chosen) pinned.add(one);
    chosen = [];
    last = undefined;
    loaded = 0;
    all = 0;
    loads = 0;
  };
  for (const one of instructions) {
    const [result] = one.results;
    const info = result && values.get(result);
    const registers = info && !info.isFree && info.parts > 1 ? info.parts : 0;
    if (one.op === 'load') {
      if (loaded >= mostLoaded && last) {
        chosen.push(last);
        loaded = 0;
        last = undefined;
      }
      loaded += registers;
      all += registers;
      if (registers > 0) loads += 1;
    } else if (!isPure(one)) close(one.op === 'store');
    else if (registers > 0) last = one;
  }
  close();
}

/** In long runs of computations alone: every so many one. */
function pinChains(
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
