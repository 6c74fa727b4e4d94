/** The ids of work-items in the loops over a group: locals that count up, and how far along a dimension they go. */
import type { FunctionCompiler } from './function-compiler.ts';
import type { WorkItemLoopPlan } from './function-plan.ts';

/** In the environment of kernels whose work-groups run joined: how many work-items there are in a row of them. */
export const rowLength = 'row_length';

/** The name of how many work-items the x loops run over. */
export function lengthOfRow(fc: FunctionCompiler): string {
  return fc.environment.has(rowLength) ? rowLength : 'local_size.0';
}

/** Whether the size that the kernel demands leaves one work-item along the dimension. */
export function isSingle(fc: FunctionCompiler, dimension: 0 | 1 | 2): boolean {
  return fc.fn.attributes?.requiredWorkGroupSize?.[dimension] === 1;
}

/** Whether every group consists of whole parts along the dimension, by the size that the kernel demands. */
export function hasWhole(fc: FunctionCompiler, dimension: 0 | 1, part: number): boolean {
  const { requiredWorkGroupSize, mayCutGroups } = fc.fn.attributes ?? {};
  const size = requiredWorkGroupSize?.[dimension];
  return size !== undefined && size % part === 0 && !mayCutGroups;
}

/** The locals of one dimension's ids, as far as they are wanted, set to where the group begins. */
interface Ids {
  readonly local: number | undefined;
  readonly global: number | undefined;
  /** Those there are. */
  readonly all: readonly number[];
  release(): void;
}

export function openIds(
  fc: FunctionCompiler,
  plan: WorkItemLoopPlan,
  dimension: 0 | 1 | 2,
  base: number | undefined,
): Ids {
  const { code } = fc;
  const localKey = `local_id.${dimension}`;
  const globalKey = `global_id.${dimension}`;
  let local: number | undefined;
  let global: number | undefined;
  if (base !== undefined) {
    global = code.allocate('i32', globalKey);
    code.get(base);
    code.set(global);
    fc.environment.set(globalKey, { local: global });
  }
  if (isSingle(fc, dimension)) fc.environment.set(localKey, { constant: 0 });
  else if (plan.queries.has(localKey) || global === undefined) {
    local = code.allocate('i32', localKey);
    code.i32(0);
    code.set(local);
    fc.environment.set(localKey, { local });
  }
  const all = [local, global].filter((one) => one !== undefined);
  const release = (): void => {
    fc.environment.delete(localKey);
    fc.environment.delete(globalKey);
    for (const one of all) code.release(one);
  };
  return { local, global, all, release };
}

/** Adds to a local. */
export function advance(fc: FunctionCompiler, local: number, by: number): void {
  fc.code.get(local);
  fc.code.i32(by);
  fc.code.op('i32.add');
  fc.code.set(local);
}
