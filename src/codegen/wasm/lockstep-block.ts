/**
 * How many groups run in lockstep (lockstep.ts): a block of some rows and columns of them, whose memory must fit in the
 * nearest cache. What groups have in common counts once.
 */
import type * as ir from '../../ir/ir.ts';
import { leastAreaBytes, type ParameterSlot } from './abi.ts';
import { areaEnds } from './address-spaces.ts';
import type { FunctionCompiler } from './function-compiler.ts';
import { type BandedGroups, bandHeight } from './group-order.ts';
import { Lockstep, type OwnComputations, sharedAreas } from './lockstep.ts';
import { findSharedTiles, type SharedTiles, type Sharing } from './shared-tiles.ts';

/** Locals: how many groups run together at most, and now. */
export interface Block {
  readonly mostRows: number;
  readonly rows: number;
  /** Of kernels in which groups beside each other have something in common. */
  readonly columns: { readonly most: number; readonly now: number } | undefined;
  /** The number of groups that run together now. */
  readonly all: number;
}

/** Bytes that groups in lockstep may use. An area has room for as many ({@link leastAreaBytes}). */
const mostBytes = Math.min(32 << 10, leastAreaBytes);

/**
 * Makes the code for group bodies run groups in lockstep.
 * @param area the local with the thread's area
 */
export function openLockstep(
  fc: FunctionCompiler,
  slots: readonly ParameterSlot[],
  own: OwnComputations,
  banded: BandedGroups,
  area: number,
): Block {
  const { code, environment } = fc;
  const tiles = findSharedTiles(fc.fn);
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
  const block = openBlock(fc, tiles);
  fc.lockstep = new Lockstep(
    own,
    { ...banded.ids, rows: block.rows, columns: block.columns?.now },
    tiles,
    addresses,
  );
  return block;
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

/** Finds how many groups may run together by the memory that they need, at least one. */
function openBlock(fc: FunctionCompiler, tiles: SharedTiles): Block {
  const { code } = fc;
  const columnBytes = bytesOf(tiles, 'column', fc);
  const rowBytes = bytesOf(tiles, 'row', fc);
  const [all, mostRows, rows] = [
    code.allocate('i32', 'together'),
    code.allocate('i32', 'most_rows'),
    code.allocate('i32', 'rows_together'),
  ];
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
  code.set(mostRows);
  least(fc, mostRows, () => {
    code.i32(leastAreaBytes);
    pushArea();
    code.op('i32.div_u');
  });
  code.get(mostRows);
  code.i32(1);
  fc.pushEnvironment(areaEnds.area);
  code.i32(mostBytes);
  code.op('i32.le_u');
  code.get(mostRows);
  code.i32(0);
  code.op('i32.gt_s');
  code.op('i32.and');
  code.op('select');
  code.set(mostRows);
  if (![...tiles.tiles.values()].includes('row')) return { mostRows, rows, columns: undefined, all };

  const columns = {
    most: code.allocate('i32', 'most_columns'),
    now: code.allocate('i32', 'columns_together'),
  };
  code.i32(mostBytes - bandHeight * rowBytes);
  pushArea();
  code.i32(columnBytes + rowBytes);
  code.op('i32.sub');
  code.i32(bandHeight);
  code.op('i32.mul');
  code.i32(columnBytes);
  code.op('i32.add');
  code.op('i32.div_s');
  code.set(columns.most);
  least(fc, columns.most, () => {
    code.i32(leastAreaBytes / bandHeight);
    pushArea();
    code.op('i32.div_u');
  });
  code.get(columns.most);
  code.i32(1);
  code.get(mostRows);
  code.i32(bandHeight);
  code.op('i32.ge_u');
  code.get(columns.most);
  code.i32(0);
  code.op('i32.gt_s');
  code.op('i32.and');
  code.op('select');
  code.set(columns.most);
  return { mostRows, rows, columns, all };
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
  banded: BandedGroups,
  block: Block,
  [first, end]: readonly [number, number],
): void {
  const { code } = fc;
  const { mostRows, rows, columns, all } = block;
  const pushToRun = (): void => {
    code.get(end);
    code.get(first);
    code.op('i32.sub');
  };
  code.get(mostRows);
  code.set(rows);
  least(fc, rows, () => banded.pushLeft());
  least(fc, rows, pushToRun);
  if (!columns) {
    code.get(rows);
    code.set(all);
    return;
  }
  code.get(columns.most);
  code.set(columns.now);
  least(fc, columns.now, () => banded.pushColumnsLeft());
  least(fc, columns.now, () => {
    pushToRun();
    code.get(rows);
    code.op('i32.div_u');
  });
  code.get(columns.now);
  code.i32(1);
  banded.pushIsAtTop();
  code.get(rows);
  banded.pushLeft();
  code.op('i32.eq');
  code.op('i32.and');
  code.op('select');
  code.set(columns.now);
  code.get(rows);
  code.get(columns.now);
  code.op('i32.mul');
  code.set(all);
}
