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
  fc.instructions(plan.before);
  const asksForIds = [...plan.queries].some((key) => key !== 'linear_local_id');
  const lanes = items.lanes ?? 1;
  if (asksForIds) emitNested(fc, plan, lanes);
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
    if (hasWholePacks(fc, lanes)) return;
    isAnyLeft();
    code.open('if');
  }
  loop(1, single, isAnyLeft);
  if (lanes > 1) code.end();
}

/** Whether every row consists of packs, by the size that the kernel demands. */
function hasWholePacks(fc: FunctionCompiler, lanes: number): boolean {
  const size = fc.fn.attributes?.requiredWorkGroupSize?.[0];
  return size !== undefined && size % lanes === 0;
}

function emitNested(fc: FunctionCompiler, plan: ItemsPlan, lanes: number): void {
  const { code } = fc;
  const { scopes } = plan;
  const bound = isSingle(fc, 0) || lanes > 1 ? undefined : findBound(fc, plan);
  const bases: (number | undefined)[] = [];
  for (const dimension of [0, 1, 2] as const) {
    if (!plan.queries.has(`global_id.${dimension}`)) {
      bases.push(undefined);
      continue;
    }
    const base = code.allocate('i32');
    fc.pushEnvironment(`group_id.${dimension}`);
    fc.pushEnvironment(`local_size.${dimension}`);
    code.op('i32.mul');
    fc.pushEnvironment(`global_offset.${dimension}`);
    code.op('i32.add');
    code.set(base);
    bases.push(base);
  }
  emitDimension(fc, plan, 1, 2, bases[2], () => {
    fc.openScope(scopes[0]);
    fc.instructions(plan.z);
    emitDimension(fc, plan, 1, 1, bases[1], () => {
      fc.openScope(scopes[1]);
      fc.instructions(plan.y);
      const body = (): void => {
        fc.openScope(scopes[2]);
        fc.instructions(bound ? bound.body : plan.x);
        fc.closeScope();
      };
      const clip = bound ? undefined : plan.clip;
      emitDimension(fc, plan, lanes, 0, bases[0], body, bound, clip);
      fc.closeScope();
    });
    fc.closeScope();
  });
  for (const base of bases) if (base !== undefined) code.release(base);
}

function isSingle(fc: FunctionCompiler, dimension: 0 | 1 | 2): boolean {
  return fc.fn.attributes?.requiredWorkGroupSize?.[dimension] === 1;
}

/** The loop of one dimension; a required size of one makes it straight-line code. */
function emitDimension(
  fc: FunctionCompiler,
  plan: ItemsPlan,
  lanes: number,
  dimension: 0 | 1 | 2,
  base: number | undefined,
  body: () => void,
  bound?: ItemsBound,
  clip?: ItemsClip,
): void {
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
  const ids = [local, global].filter((one) => one !== undefined);
  if (isSingle(fc, dimension)) {
    body();
    if (dimension === 0) for (const [stride, counter] of fc.counters) advance(fc, counter, stride);
  } else {
    const end = code.allocate('i32');
    if (global !== undefined) code.get(global);
    fc.pushEnvironment(
      dimension === 0 && fc.environment.has(rowLength) ? rowLength : `local_size.${dimension}`,
    );
    if (bound?.id === 'local_id') pushClamped(fc, bound);
    if (global !== undefined) code.op('i32.add');
    if (bound?.id === 'global_id') pushClamped(fc, bound);
    code.set(end);
    if (bound) {
      code.get(global ?? local!);
      code.get(end);
      code.op(bound.isSigned ? 'i32.lt_s' : 'i32.lt_u');
      code.open('if');
    } else if (clip) {
      const atIs = global === undefined ? 'local_id' : 'global_id';
      openClipped(fc, clip, lanes, ids, global ?? local!, atIs, end);
    }
    if (dimension === 0) emitXLoops(fc, plan, lanes, ids, global ?? local!, end, body);
    else {
      const head = code.open('loop');
      body();
      for (const id of ids) advance(fc, id, 1);
      code.get(global ?? local!);
      code.get(end);
      code.op('i32.ne');
      code.branchIf(head);
      code.end();
    }
    if (bound || clip) code.end();
    code.release(end);
  }
  fc.environment.delete(localKey);
  fc.environment.delete(globalKey);
  if (local !== undefined) code.release(local);
  if (global !== undefined) code.release(global);
}

// -------------------------------------------------------------------------------------------- context arrays

/** Pushes the address of the current work-item's cell of a context array. */
export function emitContextAddress(fc: FunctionCompiler, array: ir.Instruction): void {
  const place = fc.frame.arrays.get(array);
  const base = fc.arrayBases.get(array);
  const counter = place && fc.counters.get(place.stride);
  if (base === undefined || counter === undefined) {
    throw new Error(`codegen: a context array of ${fc.fn.name} is used outside items`);
  }
  fc.code.get(base);
  fc.code.get(counter);
  fc.code.op('i32.add');
}

export function emitSlotRead(fc: FunctionCompiler, read: ir.SlotRead, part: number): void {
  const { type } = read.slot;
  if (type.kind === 'vector') {
    loadPart(fc, type, part, vectorAlign(type), () => {
      emitContextAddress(fc, read.slot);
      return 0;
    });
    return;
  }
  emitContextAddress(fc, read.slot);
  const access = scalarAccess(type);
  fc.code.memory(access.load, 0, access.bytes);
}

export function emitSlotWrite(fc: FunctionCompiler, write: ir.SlotWrite): void {
  const value = write.operands[0]!;
  const { type } = write.slot;
  if (type.kind !== 'vector') {
    emitContextAddress(fc, write.slot);
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
    emitContextAddress(fc, write.slot);
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
