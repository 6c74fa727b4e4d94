/**
 * The loops over the work-items of a group.
 *
 * A work-item loop becomes three loops, z outside and x inside, each with its condition at the bottom (no dimension is
 * empty). Ids are locals that count up (work-item-ids.ts); computations that need only the outer ids are in the outer loops
 * (function-plan.ts). A region that asks for no id of one dimension runs as one loop over all work-items.
 *
 * A guard around all that a region does leaves rows and the ends of rows out (row-bound.ts where it says all of it,
 * else row-clip.ts); and kernels that cannot tell run neighbouring groups as one (`mayJoinGroups` in kernel.ts).
 *
 * A loop with a vector region runs that in an x loop of its own, vector by vector as long as a whole one is left, before
 * the loop over single work-items; one with a form for several rows at a time, in loops before all others (coarse-loops.ts).
 *
 * Counters next to the ids lead to a work-item's cells (context-arrays.ts).
 */
import type * as ir from '../../../ir/ir.ts';
import { openCombined } from '../memory/combined-context-arrays.ts';
import { emitCoarse } from './coarse-loops.ts';
import type { FunctionCompiler } from './function-compiler.ts';
import type { WorkItemLoopPlan } from './function-plan.ts';
import { findBound, pushClamped, type RowBound } from './row-bound.ts';
import { isExact, openClipped, type RowClip } from './row-clip.ts';
import { advance, hasWhole, isSingle, lengthOfRow, openIds } from './work-item-ids.ts';

export function emitWorkItemLoop(fc: FunctionCompiler, itemLoop: ir.WorkItemLoop): void {
  const plan = fc.plan.itemLoops.get(itemLoop)!;
  const counters = openCounters(fc, plan);
  openCombined(fc, itemLoop);
  fc.instructions(plan.before);
  const asksForIds = [...plan.queries].some((key) => key !== 'linear_local_id');
  const lanes = itemLoop.lanes ?? 1;
  if (asksForIds) emitNested(fc, plan, lanes, itemLoop.rows ?? 1);
  else emitLinear(fc, plan, lanes);
  for (const local of counters) fc.code.release(local);
  fc.counters.clear();
  fc.environment.delete('linear_local_id');
}

/** Counters for the strides in use and for the linear id, all zero; gives their locals. */
function openCounters(fc: FunctionCompiler, plan: WorkItemLoopPlan): number[] {
  const strides = new Set(plan.strides);
  if (plan.queries.has('linear_local_id')) strides.add(1);
  const locals: number[] = [];
  for (const stride of strides) {
    const local = fc.code.allocate('i32', stride === 1 ? 'linear_local_id' : `linear_times_${stride}`);
    fc.code.i32(0);
    fc.code.set(local);
    fc.counters.set(stride, local);
    if (stride === 1) fc.environment.set('linear_local_id', { local });
    locals.push(local);
  }
  return locals;
}

/** One loop over all work-items, for regions that do not ask where in the group they are; vectors may cross rows. */
function emitLinear(fc: FunctionCompiler, plan: WorkItemLoopPlan, lanes: number): void {
  const { code } = fc;
  const done = code.allocate('i32');
  const end = code.allocate('i32');
  code.i32(0);
  code.set(done);
  fc.pushEnvironment('items');
  code.set(end);
  const [z, y, x] = plan.scopes;
  fc.openScope(z);
  fc.openScope(y);
  emitXLoops(fc, plan, lanes, [done], done, end, false, () => {
    fc.openScope(x);
    fc.instructions(plan.x);
    fc.closeScope();
  });
  fc.closeScope();
  fc.closeScope();
  code.release(end);
  code.release(done);
}

/**
 * The loops along x: over vectors while there is a whole one left, then over single work-items.
 * @param ids locals that count work-items
 * @param at the one among them that ends at `end`, which is not there yet
 * @param isCut whether a row may be shorter than the work-group is long
 */
function emitXLoops(
  fc: FunctionCompiler,
  plan: WorkItemLoopPlan,
  lanes: number,
  ids: readonly number[],
  at: number,
  end: number,
  isCut: boolean,
  single: () => void,
): void {
  const { code } = fc;
  const loop = (count: number, body: () => void, goesOn: () => void): void => {
    const head = code.open('loop');
    body();
    for (const [stride, local] of fc.counters) advance(fc, local, stride * count);
    for (const id of ids) advance(fc, id, count);
    goesOn();
    code.branchIf(head);
    code.end();
  };
  const isVectorLeft = (): void => {
    code.get(end);
    code.get(at);
    code.op('i32.sub');
    code.i32(lanes);
    code.op('i32.ge_s');
  };
  const isAnyLeft = (): void => {
    code.get(at);
    code.get(end);
    code.op('i32.ne');
  };
  if (lanes > 1) {
    isVectorLeft();
    code.open('if');
    const body = (): void => {
      fc.openScope(plan.vectorScope);
      fc.instructions(plan.vector);
      fc.closeScope();
    };
    loop(lanes, body, isVectorLeft);
    code.end();
    if (hasWhole(fc, 0, lanes) && !isCut) return;
    isAnyLeft();
    code.open('if');
  }
  loop(1, single, isAnyLeft);
  if (lanes > 1) code.end();
}

function emitNested(fc: FunctionCompiler, plan: WorkItemLoopPlan, lanes: number, rows: number): void {
  const { code } = fc;
  const { scopes } = plan;
  const isCoarse = rows > 1 && !isSingle(fc, 1);
  const bound = isSingle(fc, 0) || lanes > 1 || isCoarse ? undefined : findBound(fc, plan);
  const bases: (number | undefined)[] = [];
  for (const dimension of [0, 1, 2] as const) {
    if (!plan.queries.has(`global_id.${dimension}`)) {
      bases.push(undefined);
      continue;
    }
    const base = code.allocate('i32');
    fc.pushEnvironment(`group_id.${dimension}`);
    fc.pushEnvironment(`${fc.fn.attributes?.mayCutGroups ? 'enqueued_' : ''}local_size.${dimension}`);
    code.op('i32.mul');
    fc.pushEnvironment(`global_offset.${dimension}`);
    code.op('i32.add');
    code.set(base);
    bases.push(base);
  }
  emitDimension(fc, plan, 1, 2, bases[2], () => {
    fc.openScope(scopes[0]);
    fc.instructions(plan.z);
    const rest = isCoarse ? emitCoarse(fc, plan, lanes, rows, bases) : undefined;
    const oneRow = (): void => {
      fc.openScope(scopes[1]);
      fc.instructions(plan.y);
      const body = (): void => {
        fc.openScope(scopes[2]);
        fc.instructions(bound ? bound.body : plan.x);
        fc.closeScope();
      };
      const clip = bound ? undefined : plan.clip;
      emitDimension(fc, plan, lanes, 0, bases[0], body, { bound, clip, start: rest?.startOfRow });
      fc.closeScope();
    };
    if (!rest?.isAll) emitDimension(fc, plan, 1, 1, bases[1], oneRow, { start: rest?.firstRow });
    rest?.release();
    fc.closeScope();
  });
  for (const base of bases) if (base !== undefined) code.release(base);
}

interface DimensionOptions {
  readonly bound?: RowBound | undefined;
  readonly clip?: RowClip | undefined;
  /** Pushes how many steps have been done already; the loop may then have nothing left to do. */
  readonly start?: (() => void) | undefined;
}

/** The loop of one dimension; a required size of one makes it straight-line code. */
function emitDimension(
  fc: FunctionCompiler,
  plan: WorkItemLoopPlan,
  lanes: number,
  dimension: 0 | 1 | 2,
  base: number | undefined,
  body: () => void,
  { bound, clip, start }: DimensionOptions = {},
): void {
  const { code } = fc;
  const ids = openIds(fc, plan, dimension, base);
  if (isSingle(fc, dimension)) {
    body();
    if (dimension === 0) for (const [stride, counter] of fc.counters) advance(fc, counter, stride);
    ids.release();
    return;
  }
  const { local, global } = ids;
  const at = global ?? local!;
  const end = code.allocate('i32');
  if (global !== undefined) code.get(global);
  fc.pushEnvironment(dimension === 0 ? lengthOfRow(fc) : `local_size.${dimension}`);
  if (bound?.id === 'local_id') pushClamped(fc, bound);
  if (global !== undefined) code.op('i32.add');
  if (bound?.id === 'global_id') pushClamped(fc, bound);
  code.set(end);
  if (start) {
    start();
    const done = code.toTemporary('i32');
    for (const id of ids.all) {
      code.get(id);
      code.get(done);
      code.op('i32.add');
      code.set(id);
    }
    code.release(done);
  }
  if (clip) openClipped(fc, clip, lanes, ids.all, at, global === undefined ? 'local_id' : 'global_id', end);
  else if (bound || start) {
    code.get(at);
    code.get(end);
    // Without a bound the end is never behind: ids may change their sign on the way there.
    code.op(!bound ? 'i32.ne' : bound.isSigned ? 'i32.lt_s' : 'i32.lt_u');
    code.open('if');
  }
  if (dimension === 0)
    emitXLoops(fc, plan, lanes, ids.all, at, end, clip !== undefined && isExact(clip), body);
  else {
    const head = code.open('loop');
    body();
    for (const id of ids.all) advance(fc, id, 1);
    code.get(at);
    code.get(end);
    code.op('i32.ne');
    code.branchIf(head);
    code.end();
  }
  if (clip || bound || start) code.end();
  code.release(end);
  ids.release();
}
