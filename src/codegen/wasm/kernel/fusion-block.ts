/**
 * How many groups are fused (work-group-fusion.ts): a block of some rows and columns of them. The memory of the groups below each
 * other must fit in the nearest cache. Further columns may take some of the second one: they go one after another, so that what it
 * needs is fetched once, and the more there are, the less is filled for each group. What groups have in common counts once, and lies
 * together, apart from what each has for itself: that is then on a third of the pages in a product of matrices.
 */
import type * as ir from '../../../ir/ir.ts';
import { areaEnds } from '../memory/address-spaces.ts';
import { areaAlignment, leastAreaBytes, type ParameterPlacement } from '../module/abi.ts';
import { roundUp } from './frame.ts';
import type { FunctionCompiler } from './function-compiler.ts';
import { findSharedTiles, type SharedTiles, type Sharing } from './shared-tiles.ts';
import {
  type BlockLayout,
  GroupFusion,
  type OwnComputations,
  type SharedVariables,
  sharedAreas,
} from './work-group-fusion.ts';
import { type GroupColumns, type GroupOrder, swizzleHeight } from './work-group-swizzle.ts';

/** Locals: how many groups run together now: those below each other in a strip, or next to each other. */
export interface Block {
  /** So many of a line at most. */
  readonly most: number;
  readonly rows: number;
  /** Of kernels in which groups next to each other have something in common: besides the number now, that at most. */
  readonly columns:
    | { readonly order: GroupColumns; readonly most: number; readonly count: number }
    | undefined;
  /** The number of groups that run together. */
  readonly all: number;
}

/** Bytes that the groups of a column may use. Their sums, which take most of it as a rule, are used once each time. */
const mostBytes = 40 << 10;
/** Bytes that all groups of a block may use, if it has several columns. */
const mostBlockBytes = 96 << 10;
/** Columns of a block: more would save little, and make chunks of a launch uneven. */
const mostColumns = 8;

/**
 * Makes the code for group bodies run groups fused.
 * @param area the local with the thread's area
 */
export function openFusion(
  fc: FunctionCompiler,
  placements: readonly ParameterPlacement[],
  own: OwnComputations,
  groups: GroupOrder,
  most: BlockSizes,
  area: number,
): Block {
  const { code } = fc;
  const { tiles } = most;
  const addresses = { none: [area, ...fc.arrayBases.values()], column: [] as number[], row: [] as number[] };
  fc.fn.parameters.forEach(({ value }, index) => {
    const { locals } = fc.info(value);
    if (placements[index]!.kind === 'local' && locals)
      addresses[tiles.tiles.get(value) ?? 'none'].push(locals[0]!);
  });
  const all = code.allocate('i32', 'together');
  const rows = code.allocate('i32', 'rows_together');
  const columns =
    groups.columns && most.columns !== undefined
      ? { order: groups.columns, most: most.columns, count: code.allocate('i32', 'columns_together') }
      : undefined;
  const ids = {
    line: { id: groups.line, count: rows },
    columns: columns && { id: columns.order.x, count: columns.count },
  };
  fc.fusion = new GroupFusion(own, ids, tiles, addresses, layOut(fc, most, area));
  return { most: most.rows, rows, columns, all };
}

/** Places the variables that groups have in common, behind the areas of all groups, but for a group that runs by itself. */
function layOut(fc: FunctionCompiler, most: BlockSizes, area: number): BlockLayout {
  const { code, environment } = fc;
  const shared: Partial<Record<Sharing, SharedVariables>> = {};
  let behind = 0;
  for (const [sharing, count] of mostSharing) {
    const { start, bytes } = spanOf(most.tiles, sharing, fc);
    if (bytes === 0) continue;
    const local = code.allocate('i32', sharedAreas[sharing]);
    pushMost(fc, most);
    fc.pushEnvironment(areaEnds.area);
    code.op('i32.mul');
    code.i32(behind - start);
    code.op('i32.add');
    code.i32(0);
    pushMost(fc, most);
    code.i32(1);
    code.op('i32.ne');
    code.op('select');
    code.get(area);
    code.op('i32.add');
    code.set(local);
    environment.set(sharedAreas[sharing], { local });
    shared[sharing] = { local, bytes };
    behind += bytes * count;
  }
  return { shared, skipped: startOf(most.tiles, fc) };
}

/** The bytes of variables that are shared so. */
function bytesOf({ tiles }: SharedTiles, sharing: Sharing, fc: FunctionCompiler): number {
  let bytes = 0;
  for (const [tile, how] of tiles) {
    const definition = fc.definition(tile) as ir.Variable | undefined;
    if (how === sharing && definition) bytes += definition.size;
  }
  return bytes;
}

/** Where the variables lie in an area that are shared so, and the bytes that they take, which keep all of them aligned. */
function spanOf(
  { tiles }: SharedTiles,
  sharing: Sharing,
  fc: FunctionCompiler,
): { start: number; bytes: number } {
  let [start, end] = [Number.POSITIVE_INFINITY, 0];
  for (const [tile, how] of tiles) {
    const definition = fc.definition(tile) as ir.Variable | undefined;
    const at = definition && fc.frame.variables.get(definition);
    if (how !== sharing || at === undefined) continue;
    start = Math.min(start, Math.floor(at / areaAlignment) * areaAlignment);
    end = Math.max(end, at + definition!.size);
  }
  return end === 0 ? { start: 0, bytes: 0 } : { start, bytes: roundUp(end - start, areaAlignment) };
}

/** The bytes at an area's start in which there is nothing but what groups have in common. */
function startOf({ tiles }: SharedTiles, { frame }: FunctionCompiler): number {
  let end = 0;
  for (const [variable, at] of [...frame.variables].sort(([, a], [, b]) => a - b)) {
    // Variables of helper functions come first, and are not among these.
    if (!tiles.has(variable.results[0]!) || at > roundUp(end, areaAlignment)) break;
    end = at + (variable as ir.Variable).size;
  }
  return Math.floor(end / areaAlignment) * areaAlignment;
}

/** How many rows of groups, and how many columns, may have something in common. */
const mostSharing = [
  ['row', swizzleHeight],
  ['column', mostColumns],
] as const;

/** Pushes how many groups may run together. */
function pushMost({ code }: FunctionCompiler, { rows, columns }: BlockSizes): void {
  code.get(rows);
  if (columns === undefined) return;
  code.get(columns);
  code.op('i32.mul');
}

/** How many groups may run together at most. */
export interface BlockSizes {
  readonly tiles: SharedTiles;
  /** Locals with the groups of a column, and with the columns of kernels in which groups next to each other have something in common. */
  readonly rows: number;
  readonly columns: number | undefined;
}

/**
 * Finds how many groups may run together by the memory that they need, at least one. If they may be of several columns, that
 * is all rows of a strip: only whole columns follow each other.
 * @param isSwizzled whether groups run in strips; otherwise those next to each other run together, and have nothing in common
 */
export function measureBlock(fc: FunctionCompiler, isSwizzled: boolean): BlockSizes {
  const { code } = fc;
  const tiles: SharedTiles = isSwizzled ? findSharedTiles(fc.fn) : { tiles: new Map(), fillers: new Map() };
  const columnBytes = bytesOf(tiles, 'column', fc);
  const rowBytes = bytesOf(tiles, 'row', fc);
  const rows = code.allocate('i32', 'most_rows');
  // Behind the areas lies what groups have in common.
  const room =
    leastAreaBytes - mostSharing.reduce((sum, [how, count]) => sum + count * spanOf(tiles, how, fc).bytes, 0);
  const pushArea = (): void => {
    fc.pushEnvironment(areaEnds.area);
    // Some need nothing.
    code.i32(1);
    code.op('i32.or');
  };
  // The column's tiles are there once; each group brings the rest.
  code.i32(mostBytes - columnBytes);
  pushArea();
  code.i32(columnBytes);
  code.op('i32.sub');
  code.op('i32.div_s');
  code.set(rows);
  least(fc, rows, () => {
    code.i32(Math.max(room, 0));
    pushArea();
    code.op('i32.div_u');
  });
  least(fc, rows, () => code.i32(swizzleHeight));
  code.get(rows);
  code.i32(1);
  fc.pushEnvironment(areaEnds.area);
  code.i32(mostBytes);
  code.op('i32.le_u');
  code.get(rows);
  code.i32(0);
  code.op('i32.gt_s');
  code.op('i32.and');
  code.op('select');
  code.set(rows);
  if (![...tiles.tiles.values()].includes('row')) return { tiles, rows, columns: undefined };

  const columns = code.allocate('i32', 'most_columns');
  code.i32(mostBlockBytes);
  code.get(rows);
  code.i32(rowBytes);
  code.op('i32.mul');
  code.op('i32.sub');
  pushArea();
  code.i32(columnBytes + rowBytes);
  code.op('i32.sub');
  code.get(rows);
  code.op('i32.mul');
  code.i32(columnBytes);
  code.op('i32.add');
  code.op('i32.div_s');
  code.set(columns);
  // The area has room for so many.
  least(fc, columns, () => {
    code.i32(Math.max(room, 0));
    pushArea();
    code.get(rows);
    code.op('i32.mul');
    code.op('i32.div_u');
  });
  least(fc, columns, () => code.i32(mostColumns));
  code.get(columns);
  code.i32(1);
  code.get(columns);
  code.i32(0);
  code.op('i32.gt_s');
  code.op('select');
  code.set(columns);
  return { tiles, rows, columns };
}

/** Makes a local no more than what is pushed, as numbers with sign. */
function least({ code }: FunctionCompiler, local: number, push: () => void): void {
  push();
  const other = code.toTemporary('i32');
  code.get(local);
  code.get(other);
  code.get(local);
  code.get(other);
  code.op('i32.lt_s');
  code.op('select');
  code.set(local);
  code.release(other);
}

/**
 * Sets how many groups run together from the current one on: no more than there are, and are to be run. Of several columns
 * all groups in the strip run, for only then do they follow each other.
 * @param first,end locals with the numbers of the current group and of the first that is not to be run
 */
export function countTogether(
  fc: FunctionCompiler,
  groups: GroupOrder,
  block: Block,
  [first, end]: readonly [number, number],
): void {
  const { code } = fc;
  const { most, rows, columns, all } = block;
  const pushToRun = (): void => {
    code.get(end);
    code.get(first);
    code.op('i32.sub');
  };
  code.get(most);
  code.set(rows);
  least(fc, rows, () => groups.pushLeft());
  least(fc, rows, pushToRun);
  if (columns === undefined) {
    code.get(rows);
    code.set(all);
    return;
  }
  const { order, count } = columns;
  code.get(columns.most);
  code.set(count);
  least(fc, count, () => order.pushColumnsLeft());
  least(fc, count, () => {
    pushToRun();
    code.get(rows);
    code.op('i32.div_u');
  });
  code.get(count);
  code.i32(1);
  order.pushIsAtTop();
  code.get(rows);
  groups.pushLeft();
  code.op('i32.eq');
  code.op('i32.and');
  code.op('select');
  code.set(count);
  code.get(rows);
  code.get(count);
  code.op('i32.mul');
  code.set(all);
}
