/**
 * How many groups run in lockstep (lockstep.ts): a block of some rows and columns of them. The memory of the groups below each
 * other must fit in the nearest cache. Further columns may take some of the second one: each has its turn, so that what it
 * needs is fetched once, and the more there are, the less is filled for each group. What groups have in common counts once.
 */
import type * as ir from '../../ir/ir.ts';
import { leastAreaBytes, type ParameterSlot } from './abi.ts';
import { areaEnds } from './address-spaces.ts';
import type { FunctionCompiler } from './function-compiler.ts';
import { bandHeight, type GroupColumns, type GroupOrder } from './group-order.ts';
import { Lockstep, type OwnComputations, sharedAreas } from './lockstep.ts';
import { findSharedTiles, type SharedTiles, type Sharing } from './shared-tiles.ts';

/** Locals: how many groups run together now: those below each other in a band, or beside each other. */
export interface Block {
  /** So many of a line at most. */
  readonly most: number;
  readonly rows: number;
  /** Of kernels in which groups beside each other have something in common: beside the number now, that at most. */
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
 * Makes the code for group bodies run groups in lockstep.
 * @param area the local with the thread's area
 */
export function openLockstep(
  fc: FunctionCompiler,
  slots: readonly ParameterSlot[],
  own: OwnComputations,
  groups: GroupOrder,
  most: BlockSizes,
  area: number,
): Block {
  const { code, environment } = fc;
  const { tiles } = most;
  const addresses = { none: [area, ...fc.arrayBases.values()], column: [] as number[], row: [] as number[] };
  fc.fn.parameters.forEach(({ value }, index) => {
    const { locals } = fc.info(value);
    if (slots[index]!.kind === 'local' && locals)
      addresses[tiles.tiles.get(value) ?? 'none'].push(locals[0]!);
  });
  for (const sharing of ['column', 'row'] as const) {
    if (bytesOf(tiles, sharing, fc) === 0) continue;
    const local = code.allocate('i32', sharedAreas[sharing]);
    code.get(area);
    code.set(local);
    environment.set(sharedAreas[sharing], { local });
    addresses[sharing].push(local);
  }
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
  fc.lockstep = new Lockstep(own, ids, tiles, addresses);
  return { most: most.rows, rows, columns, all };
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

/** How many groups may run together at most. */
export interface BlockSizes {
  readonly tiles: SharedTiles;
  /** Locals with the groups of a column, and with the columns of kernels in which groups beside each other have something in common. */
  readonly rows: number;
  readonly columns: number | undefined;
}

/**
 * Finds how many groups may run together by the memory that they need, at least one. If they may be of several columns, that
 * is all rows of a band: only whole columns follow each other.
 * @param isBanded whether groups run in bands; otherwise those beside each other run together, and have nothing in common
 */
export function measureBlock(fc: FunctionCompiler, isBanded: boolean): BlockSizes {
  const { code } = fc;
  const tiles: SharedTiles = isBanded ? findSharedTiles(fc.fn) : { tiles: new Map(), fillers: new Map() };
  const columnBytes = bytesOf(tiles, 'column', fc);
  const rowBytes = bytesOf(tiles, 'row', fc);
  const rows = code.allocate('i32', 'most_rows');
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
    code.i32(leastAreaBytes);
    pushArea();
    code.op('i32.div_u');
  });
  least(fc, rows, () => code.i32(bandHeight));
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
    code.i32(leastAreaBytes);
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
 * all groups in the band run, for only then do they follow each other.
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
