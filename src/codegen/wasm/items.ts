/**
 * The loops over the work-items of a group, and what is particular to a work-item: its ids and its cells in
 * the context arrays.
 *
 * An `items` region becomes three loops, z outside and x inside, each with its condition at the bottom (no dimension is
 * empty). Ids are locals that count up; computations that need only the outer ids stand in the outer loops
 * (function-plan.ts). A region that asks for no id of one dimension runs as one loop over all work-items.
 *
 * A guard around all that a region does leaves rows and the ends of rows out (items-bound.ts where it says all of it,
 * else items-clip.ts); and kernels that cannot tell run neighbouring groups as one (`mayJoinGroups` in kernel.ts).
 *
 * A region with a packed form runs that in an x loop of its own, pack by pack as long as a whole pack is left, before
 * the loop over single work-items.
 *
 * A cell of a context array is at its array's base plus stride times linear id; for each stride in use one counter goes up
 * by it, so that an access costs one addition.
 */
import type * as ir from '../../ir/ir.ts';
import type { VectorType } from '../../ir/types.ts';
import { openCombined } from './combined-slots.ts';
import type { FunctionCompiler } from './function-compiler.ts';
import type { ItemsPlan } from './function-plan.ts';
import { findBound, type ItemsBound, pushClamped } from './items-bound.ts';
import { type ItemsClip, openClipped } from './items-clip.ts';
import { loadPart, scalarAccess, storePart } from './memory-access.ts';
import { defaultMaskBits } from './value-layout.ts';
import { pushMask } from './vector-conversions.ts';

/** In the environment of kernels whose work-groups run joined: how many work-items there are in a row of them. */
export const rowLength = 'row_length';

export function emitItems(fc: FunctionCompiler, items: ir.Items): void {
  const plan = fc.plan.items.get(items)!;
  const counters = openCounters(fc, plan);
  openCombined(fc, items);
  fc.instructions(plan.before);
  const asksForIds = [...plan.queries].some((key) => key !== 'linear_local_id');
  const lanes = items.lanes ?? 1;
  if (asksForIds) emitNested(fc, plan, lanes, items.rows ?? 1);
  else emitLinear(fc, plan, lanes);
  for (const local of counters) fc.code.release(local);
  fc.counters.clear();
  fc.environment.delete('linear_local_id');
}

/** Counters for the strides in use and for the linear id, all zero; gives their locals. */
function openCounters(fc: FunctionCompiler, plan: ItemsPlan): number[] {
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

function advance(fc: FunctionCompiler, local: number, by: number): void {
  fc.code.get(local);
  fc.code.i32(by);
  fc.code.op('i32.add');
  fc.code.set(local);
}

/** One loop over all work-items, for regions that do not ask where in the group they are; packs may cross rows. */
function emitLinear(fc: FunctionCompiler, plan: ItemsPlan, lanes: number): void {
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
  emitXLoops(fc, plan, lanes, [done], done, end, () => {
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
 * The loops along x: over packs while there is a whole one left, then over single work-items.
 * @param ids locals that count work-items
 * @param at the one among them that ends at `end`, which is not there yet
 */
function emitXLoops(
  fc: FunctionCompiler,
  plan: ItemsPlan,
  lanes: number,
  ids: readonly number[],
  at: number,
  end: number,
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
  const isPackLeft = (): void => {
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
    isPackLeft();
    code.open('if');
    const body = (): void => {
      fc.openScope(plan.packedScope);
      fc.instructions(plan.packed);
      fc.closeScope();
    };
    loop(lanes, body, isPackLeft);
    code.end();
    if (hasWhole(fc, 0, lanes)) return;
    isAnyLeft();
    code.open('if');
  }
  loop(1, single, isAnyLeft);
  if (lanes > 1) code.end();
}

/** Whether every group consists of whole parts along the dimension, by the size that the kernel demands. */
function hasWhole(fc: FunctionCompiler, dimension: 0 | 1, part: number): boolean {
  const { requiredWorkGroupSize, mayCutGroups } = fc.fn.attributes ?? {};
  const size = requiredWorkGroupSize?.[dimension];
  return size !== undefined && size % part === 0 && !mayCutGroups;
}

function emitNested(fc: FunctionCompiler, plan: ItemsPlan, lanes: number, rows: number): void {
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

function isSingle(fc: FunctionCompiler, dimension: 0 | 1 | 2): boolean {
  return fc.fn.attributes?.requiredWorkGroupSize?.[dimension] === 1;
}

/** The locals of one dimension's ids, as far as they are wanted, set to where the group begins. */
interface Ids {
  readonly local: number | undefined;
  readonly global: number | undefined;
  /** Those there are. */
  readonly all: readonly number[];
  release(): void;
}

function openIds(fc: FunctionCompiler, plan: ItemsPlan, dimension: 0 | 1 | 2, base: number | undefined): Ids {
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

interface DimensionOptions {
  readonly bound?: ItemsBound | undefined;
  readonly clip?: ItemsClip | undefined;
  /** Pushes how many steps have been done already; the loop may then have nothing left to do. */
  readonly start?: (() => void) | undefined;
}

/** The loop of one dimension; a required size of one makes it straight-line code. */
function emitDimension(
  fc: FunctionCompiler,
  plan: ItemsPlan,
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
  if (dimension === 0) emitXLoops(fc, plan, lanes, ids.all, at, end, body);
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

// ----------------------------------------------------------------------------------------------------- rows

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
 * The loops over `rows` rows of a slice at a time, and in them over whole packs. Left over are the last rows of the slice
 * and the last work-items of the others.
 */
function emitCoarse(
  fc: FunctionCompiler,
  plan: ItemsPlan,
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
  const packsLeft = copyOf(fc, doneItems);
  for (const { counter, row } of sliceCounters) copyTo(fc, row, counter);
  const xHead = code.open('loop');
  fc.openScope(xScope);
  fc.instructions(plan.coarse);
  fc.closeScope();
  for (const { counter, stride } of sliceCounters) advance(fc, counter, stride * lanes);
  for (const id of x.all) advance(fc, id, lanes);
  countDown(fc, packsLeft, lanes);
  code.branchIf(xHead);
  code.end();
  code.release(packsLeft);
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

/** The name of how many work-items the x loops run over. */
function lengthOfRow(fc: FunctionCompiler): string {
  return fc.environment.has(rowLength) ? rowLength : 'local_size.0';
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

// -------------------------------------------------------------------------------------------- context arrays

/** Pushes the address of the current work-item's cell of a context array, or of the cell so many rows further on. */
export function emitContextAddress(fc: FunctionCompiler, array: ir.Instruction, row = 0): void {
  const place = fc.frame.arrays.get(array);
  const base = fc.arrayBases.get(array);
  const counter = place && fc.counters.get(place.stride);
  if (!place || base === undefined || counter === undefined) {
    throw new Error(`codegen: a context array of ${fc.fn.name} is used outside items`);
  }
  fc.code.get(base);
  fc.code.get(counter);
  fc.code.op('i32.add');
  if (row === 0) return;
  fc.pushEnvironment('local_size.0');
  fc.code.i32(row * place.stride);
  fc.code.op('i32.mul');
  fc.code.op('i32.add');
}

export function emitSlotRead(fc: FunctionCompiler, read: ir.SlotRead, part: number): void {
  const { type } = read.slot;
  if (type.kind === 'vector') {
    loadPart(fc, type, part, vectorAlign(type), () => {
      emitContextAddress(fc, read.slot, read.row);
      return 0;
    });
    return;
  }
  emitContextAddress(fc, read.slot, read.row);
  const access = scalarAccess(type);
  fc.code.memory(access.load, 0, access.bytes);
}

export function emitSlotWrite(fc: FunctionCompiler, write: ir.SlotWrite): void {
  const value = write.operands[0]!;
  const { type } = write.slot;
  if (type.kind !== 'vector') {
    emitContextAddress(fc, write.slot, write.row);
    fc.push(value);
    fc.flushLoads();
    const access = scalarAccess(type);
    fc.code.memory(access.store, 0, access.bytes);
    return;
  }
  fc.settle(value);
  fc.flushLoads();
  const parts = fc.info(value).parts;
  const isMask = type.element.kind === 'bool';
  const count = isMask ? Math.ceil((type.lanes * defaultMaskBits) / 128) : parts;
  const address = (): number => {
    emitContextAddress(fc, write.slot, write.row);
    return 0;
  };
  for (let part = 0; part < count; part++) {
    storePart(fc, type, part, vectorAlign(type), address, () => {
      if (isMask) pushMask(fc, value, defaultMaskBits, part);
      else fc.push(value, part);
    });
  }
}

/** Cells are as aligned as their size divides; the element's alignment is always safe. */
function vectorAlign(type: VectorType): number {
  return type.element.kind === 'bool' ? defaultMaskBits / 8 : type.element.bits / 8;
}
