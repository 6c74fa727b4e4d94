/**
 * Thread coarsening: work-items that are neighbours along dimension 1 run together where they share work. A work-item loop gets a further
 * region that does for R rows what the first does for one (ir.ts, "Coarse regions"; ndrange/coarsening/unroll-and-jam.ts says how).
 *
 *     work_item_loop {                             } coarse 4 {
 *       %y = query global_id 1                       %y = query global_id 1
 *       ...                                          %y.1 = iadd %y, 1 ...
 *       %sum = loop (%s = 0, %k = 0) {               %sum, %sum.1, ... = loop (%s = 0, %s.1 = 0, ..., %k = 0) {
 *         %a = load a[%y * n + %k]                     %b = load b[%k * n + %x]                once for all rows
 *         %b = load b[%k * n + %x]                     %a = load a[%y * n + %k]
 *         %s.2 = fadd %s, (fmul %a, %b)                %s.2 = fadd %s, (fmul %a, %b)
 *         ...                                          %a.1 = load a[%y.1 * n + %k] ...
 *
 * It is tried and estimated: the form with most rows stays that fits in the registers, if a work-item then costs enough
 * less. What only fills a tile in local memory gains by the fewer iterations of the loops around it. `vectorise` runs next and makes
 * vectors of both regions.
 */

import { findDefinitions } from '../../ir/definitions.ts';
import { isPure } from '../../ir/effects.ts';
import * as ir from '../../ir/ir.ts';
import type { LaneCount } from '../../ir/types.ts';
import { walkRegion } from '../../ir/walk.ts';
import { coarseRegion, scalarRegion } from '../../ir/work-item-loops.ts';
import type { VectorTarget } from '../../target/target.ts';
import { registerPressure } from '../analysis/cost/register-pressure.ts';
import { rowsRead } from '../analysis/cost/rows.ts';
import { isStreaming } from '../analysis/cost/streaming.ts';
import { streamingLimits, thresholds } from '../analysis/cost/thresholds.ts';
import { analyseUniformity, type Uniformity } from '../analysis/uniformity.ts';
import { foldConstants } from '../scalar/constant-folding/constant-folding.ts';
import { dce } from '../scalar/dce.ts';
import { gvn } from '../scalar/gvn.ts';
import { vectorCost } from '../vectorize/plan/cost-model.ts';
import { analyseKernel, type KernelAnalysis, uniformityFor } from '../vectorize/plan/kernel-analysis.ts';
import type { Candidate } from '../vectorize/plan/plan.ts';
import { planLoop } from '../vectorize/plan/planner.ts';
import { moveLocalVariables } from '../workgroup/local-variables.ts';
import { isBareGuard, isJammable, leavesRowsBehind } from './coarsening/jam-obstacles.ts';
import { shareAddresses } from './coarsening/shared-addresses.ts';
import { unrollAndJam } from './coarsening/unroll-and-jam.ts';

export interface CoarseningOptions {
  /** Coarsens whatever can be, so many rows at a time, whatever the estimate says. For tests. */
  readonly rows?: number | undefined;
  /** The lanes that vectorisation will take, if that is not left to it. */
  readonly lanes?: LaneCount | undefined;
  /** Whether it vectorises whatever can be. */
  readonly always?: boolean | undefined;
}

/** A loop that may gain. */
interface Gaining {
  readonly itemLoop: ir.WorkItemLoop;
  readonly lanes: LaneCount;
  /** Whether one register of each vector is done after another, so that only one of them counts. */
  readonly isStreaming: boolean;
}

/** What vectorisation need not find out about a kernel that has not changed since. */
export interface CoarseningFacts {
  readonly analysis: KernelAnalysis | undefined;
  /** See {@link Jammed}. */
  readonly guards: ReadonlySet<ir.Instruction>;
  /** What was tried of each loop, for its plan. */
  readonly tried: ReadonlyMap<ir.WorkItemLoop, readonly Candidate[]>;
}

/** Adds what is worth it to a kernel. */
export function coarsenThreads(
  fn: ir.Function,
  addressBits: 32 | 64,
  target: VectorTarget,
  options: CoarseningOptions = {},
): CoarseningFacts {
  const guards = new Set<ir.Instruction>();
  const tried = new Map<ir.WorkItemLoop, Candidate[]>();
  if (!fn.body || fn.form !== 'work-group' || options.rows === 1)
    return { analysis: undefined, guards, tried };
  moveLocalVariables(fn.body);
  const found = findCandidates(fn, fn.body, addressBits, target, options);
  let { candidates, column, analysis } = found;
  const height = fn.attributes?.requiredWorkGroupSize?.[1];
  for (const rows of options.rows ? [options.rows] : thresholds.rows) {
    if (candidates.length === 0) break;
    if (height !== undefined && height < rows) continue;
    column ??= analyseUniformity(fn, 'column');
    analysis ??= analyseKernel(fn, fn.body, target);
    const unlikely = write(fn.body, candidates, rows, column, analysis, guards);
    column = undefined;
    foldConstants(fn, addressBits);
    gvn(fn, addressBits);
    dce(fn);
    if (options.rows) return { analysis: undefined, guards, tried };
    analysis = analyseKernel(fn, fn.body, target);
    candidates = withdraw(candidates, rows, unlikely, analysis, addressBits, tried);
  }
  return { analysis, guards, tried };
}

/** What may gain, and what has been found out about the kernel on the way. */
interface Found {
  readonly candidates: Gaining[];
  readonly column: Uniformity | undefined;
  readonly analysis: KernelAnalysis | undefined;
}

function findCandidates(
  fn: ir.Function,
  body: ir.Region,
  addressBits: 32 | 64,
  target: VectorTarget,
  options: CoarseningOptions,
): Found {
  const definitions = findDefinitions(body);
  const possible: ir.WorkItemLoop[] = [];
  walkRegion(body, (instruction) => {
    if (instruction.op !== 'work_item_loop') return;
    const region = scalarRegion(instruction);
    const isBetterByRow =
      options.rows === undefined &&
      (isBareGuard(region, definitions) || !(mayShare(region) || fillsTile(region)));
    if (!isBetterByRow && isJammable(region)) possible.push(instruction);
  });
  // Only now what takes time to find.
  const column = possible.length > 0 ? analyseUniformity(fn, 'column') : undefined;
  const wanted = possible.filter((itemLoop) => !leavesRowsBehind(scalarRegion(itemLoop), column!));
  if (!column || wanted.length === 0) return { candidates: [], column: undefined, analysis: undefined };
  const analysis = analyseKernel(fn, body, target);
  const candidates: Gaining[] = [];
  for (const itemLoop of wanted) {
    const { lanes } = planLoop(fn, itemLoop, analysis, addressBits, options);
    if (lanes === undefined) continue;
    const region = scalarRegion(itemLoop);
    const streams =
      analysis.hasLongRows &&
      isStreaming(region, analysis.plain, uniformityFor(region, analysis), target.vectors);
    candidates.push({ itemLoop, lanes, isStreaming: streams });
  }
  return { candidates, column, analysis };
}

/** Whether there are loads enough that rows may have some in common: one in a loop, or several. */
function mayShare(region: ir.Region): boolean {
  let loads = 0;
  const count = ({ instructions }: ir.Region, weight: number): void => {
    for (const { op, regions } of instructions) {
      if (op === 'load') loads += weight;
      for (const nested of regions) count(nested, op === 'loop' ? 2 : weight);
    }
  };
  count(region, 1);
  return loads >= 2;
}

/**
 * Whether all that work-items do is to move an element each into local memory. Rows of tiles are short: counting them and
 * finding their addresses takes longer than the moves do, so they run together though they share nothing.
 */
function fillsTile({ instructions }: ir.Region): boolean {
  if (instructions.some(({ regions }) => regions.length > 0)) return false;
  const [load, store, ...rest] = instructions.filter((one) => !isPure(one) && !ir.isTerminator(one));
  if (load?.op !== 'load' || store?.op !== 'store' || rest.length > 0) return false;
  const [{ type }, value] = store.operands as [ir.Value, ir.Value];
  return type.kind === 'pointer' && type.space === 'local' && value === load.results[0];
}

/**
 * @param guards gets what asks whether all rows pass
 * @returns the regions that hardly ever run
 */
function write(
  body: ir.Region,
  candidates: readonly Gaining[],
  rows: number,
  column: Uniformity,
  { plain: row, definitions }: KernelAnalysis,
  guards: Set<ir.Instruction>,
): ReadonlySet<ir.Region> {
  const allUnlikely = new Set<ir.Region>();
  for (const { itemLoop } of candidates) {
    const jammed = unrollAndJam(scalarRegion(itemLoop), { rows, column, row, definitions });
    itemLoop.rows = rows;
    itemLoop.regions.push(jammed.region);
    for (const one of jammed.unlikely) allUnlikely.add(one);
    for (const one of jammed.guards) guards.add(one);
  }
  const together = findDefinitions(body);
  for (const { itemLoop } of candidates) shareAddresses(coarseRegion(itemLoop)!, together);
  return allUnlikely;
}

/**
 * Takes back what does not fit or does not pay.
 * @param tried gets what was found of each
 * @returns those that may do with half as many rows: if only registers are short, or what passes through is too much for four.
 *   Fewer rows share less, and need half of the registers at least.
 */
function withdraw(
  candidates: readonly Gaining[],
  rows: number,
  unlikely: ReadonlySet<ir.Region>,
  analysis: KernelAnalysis,
  addressBits: 32 | 64,
  tried: Map<ir.WorkItemLoop, Candidate[]>,
): Gaining[] {
  const { vectors, cache } = analysis.target;
  return candidates.filter(({ itemLoop, lanes, isStreaming: streams }) => {
    const single = scalarRegion(itemLoop);
    const coarse = coarseRegion(itemLoop)!;
    const costOf = (region: ir.Region) => vectorCost(region, analysis, addressBits, lanes, unlikely);
    const together = costOf(coarse);
    const apart = costOf(single);
    const isShared = together.vectors < rows * apart.vectors * thresholds.sharedVectors;
    const worth = streams ? thresholds.worthCoarseningStreams : thresholds.worthCoarsening;
    const pays = fillsTile(single) || (isShared && together.all < rows * apart.all * worth);
    const uniformity = uniformityFor(coarse, analysis);
    const pressure = registerPressure(coarse, uniformity, streams ? 1 : lanes, vectors);
    const registers = streams ? streamingLimits(vectors).coarse : vectors.allocatable;
    const isCrowded = streams && rows > 2 && rowsRead(coarse, uniformity, analysis) > cache.ways;
    const isTaken = pays && !isCrowded && pressure <= registers;
    const rejected = isTaken
      ? undefined
      : pressure > registers
        ? `wants ${pressure} of ${registers} registers`
        : isCrowded
          ? 'its rows do not find room in the cache together'
          : 'shares too little';
    const cost = together.all / (lanes * rows);
    const candidate = { lanes, rows, cost, registers: pressure, rejected, costliest: undefined };
    tried.set(itemLoop, [...(tried.get(itemLoop) ?? []), candidate]);
    if (isTaken) return false;
    forgetCoarseRegion(itemLoop);
    return (pays || streams) && pressure <= 2 * registers;
  });
}

/** Takes the region for several rows away again, which is still the last. */
export function forgetCoarseRegion(itemLoop: ir.WorkItemLoop): void {
  itemLoop.regions.pop();
  itemLoop.rows = undefined;
}
