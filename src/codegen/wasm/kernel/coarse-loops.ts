/** The loops over several rows of work-items at a time, for regions that have a form for that (ndrange/thread-coarsening.ts). */
import type { FunctionCompiler } from './function-compiler.ts';
import type { WorkItemLoopPlan } from './function-plan.ts';
import { advance, hasWhole, lengthOfRow, openIds } from './work-item-ids.ts';

/** What the loops over several rows at a time have left to those over single rows. */
interface CoarseRest {
  /** Nothing, by the size that the kernel demands. */
  readonly isAll: boolean;
  /** Pushes the number of rows at the slice's start that are done from end to end. */
  readonly firstRow: () => void;
  /** Pushes how many work-items of the next row are done, and moves the counters of context arrays past them. */
  readonly startOfRow: () => void;
  release(): void;
}

/**
 * The loops over `rows` rows of a slice at a time, and in them over whole vectors. Left over are the last rows of the slice
 * and the last work-items of the others.
 */
export function emitCoarse(
  fc: FunctionCompiler,
  plan: WorkItemLoopPlan,
  lanes: number,
  rows: number,
  bases: readonly (number | undefined)[],
): CoarseRest {
  const { code } = fc;
  const sliceCounters = [...fc.counters].map(([stride, counter]) => ({
    stride,
    counter,
    slice: copyOf(fc, counter),
    row: copyOf(fc, counter),
  }));
  const doneRows = wholePart(fc, 'local_size.1', rows);
  const doneItems = wholePart(fc, lengthOfRow(fc), lanes);
  const [yScope, xScope] = plan.coarseScopes;

  code.get(doneRows);
  code.i32(0);
  code.get(doneItems);
  code.op('select');
  code.set(doneRows);
  code.get(doneRows);
  code.open('if');
  const y = openIds(fc, plan, 1, bases[1]);
  const left = copyOf(fc, doneRows);
  const head = code.open('loop');
  fc.openScope(yScope);
  fc.instructions(plan.coarseY);
  const x = openIds(fc, plan, 0, bases[0]);
  const vectorsLeft = copyOf(fc, doneItems);
  for (const { counter, row } of sliceCounters) copyTo(fc, row, counter);
  const xHead = code.open('loop');
  fc.openScope(xScope);
  fc.instructions(plan.coarse);
  fc.closeScope();
  for (const { counter, stride } of sliceCounters) advance(fc, counter, stride * lanes);
  for (const id of x.all) advance(fc, id, lanes);
  countDown(fc, vectorsLeft, lanes);
  code.branchIf(xHead);
  code.end();
  code.release(vectorsLeft);
  x.release();
  fc.closeScope();
  for (const { row, stride } of sliceCounters) {
    code.get(row);
    fc.pushEnvironment('local_size.0');
    code.i32(stride * rows);
    code.op('i32.mul');
    code.op('i32.add');
    code.set(row);
  }
  for (const id of y.all) advance(fc, id, rows);
  countDown(fc, left, rows);
  code.branchIf(head);
  code.end();
  y.release();
  code.end();

  // Rows that are done from end to end are skipped; of the others a part may be done.
  const firstRow = copyOf(fc, doneRows);
  code.get(doneRows);
  code.i32(0);
  code.get(doneItems);
  fc.pushEnvironment(lengthOfRow(fc));
  code.op('i32.eq');
  code.op('select');
  code.set(firstRow);
  for (const { counter, row, slice } of sliceCounters) {
    code.get(row);
    code.get(slice);
    code.get(firstRow);
    code.op('select');
    code.set(counter);
  }
  code.get(doneRows);
  code.get(firstRow);
  code.op('i32.sub');
  code.set(left);
  return {
    isAll: hasWhole(fc, 0, lanes) && hasWhole(fc, 1, rows),
    firstRow: () => code.get(firstRow),
    startOfRow: () => {
      code.get(doneItems);
      code.i32(0);
      code.get(left);
      code.i32(0);
      code.op('i32.gt_s');
      code.op('select');
      const start = code.toTemporary('i32');
      countDown(fc, left, 1);
      code.op('drop');
      for (const { counter, stride } of sliceCounters) {
        code.get(counter);
        code.get(start);
        code.i32(stride);
        code.op('i32.mul');
        code.op('i32.add');
        code.set(counter);
      }
      code.get(start);
      code.release(start);
    },
    release: () => {
      for (const local of [firstRow, left, doneRows, doneItems]) code.release(local);
      for (const { row, slice } of sliceCounters) for (const local of [row, slice]) code.release(local);
    },
  };
}

/** A local with as much of a size as whole parts make up. */
function wholePart(fc: FunctionCompiler, key: string, part: number): number {
  const { code } = fc;
  fc.pushEnvironment(key);
  if (part > 1) {
    fc.pushEnvironment(key);
    code.i32(part);
    code.op('i32.rem_u');
    code.op('i32.sub');
  }
  const local = code.allocate('i32');
  code.set(local);
  return local;
}

function copyOf(fc: FunctionCompiler, local: number): number {
  const copy = fc.code.allocate('i32');
  copyTo(fc, local, copy);
  return copy;
}

function copyTo({ code }: FunctionCompiler, from: number, to: number): void {
  code.get(from);
  code.set(to);
}

/** Takes from a local, and pushes what is left. */
function countDown(fc: FunctionCompiler, local: number, by: number): void {
  advance(fc, local, -by);
  fc.code.get(local);
}
