/**
 * Local memory that neighbouring groups fill alike. Of groups that are fused (work-group-fusion.ts), those below each other
 * read the same columns of a matrix, and those next to each other the same rows:
 *
 *     work_item_loop { tile_a[y][x] = a[(group_y * 16 + y) * n + first + x] }      one for each row of groups
 *     work_item_loop { tile_b[y][x] = b[(first + y) * n + group_x * 16 + x] }      one for each column of groups
 *     work_item_loop { sum += tile_a[y][k] * tile_b[k][x] }
 *
 * A tile can then be one for a whole column of groups, or a row of them, which is filled once. All that is ever
 * written to it must be the same for all of these groups; work-item loops that write to it must do nothing else (split-tiles
 * of src/passes cuts them so); and nobody may learn its address.
 *
 * No pass does it: a tile has as many owners as groups are fused, which is known where the loop over groups is written.
 */
import { isPure } from '../../../ir/effects.ts';
import { fromOwn, fromX, fromY, GroupOrigins } from '../../../ir/group-origins.ts';
import type { Value } from '../../../ir/ir.ts';
import * as ir from '../../../ir/ir.ts';
import { walkFunction, walkRegion } from '../../../ir/walk.ts';

/** Which groups have a tile in common. */
export type Sharing = 'column' | 'row';

export interface SharedTiles {
  /** By the result of a local variable, or by a local argument. */
  readonly tiles: ReadonlyMap<Value, Sharing>;
  /** What fills them, and is done once for all of these groups. */
  readonly fillers: ReadonlyMap<ir.WorkItemLoop, Sharing>;
}

/** What a tile's contents must not depend on for each sharing (group-origins.ts). */
const hindrances = { column: fromY | fromOwn, row: fromX | fromOwn } as const;
const kinds = ['column', 'row'] as const satisfies readonly Sharing[];

/** @param fn whose groups can be fused: nothing outside work-item loops has effects */
export function findSharedTiles(fn: ir.Function): SharedTiles {
  const tiles = findTiles(fn);
  const origins = new GroupOrigins(fn);
  const all: Filler[] = [];
  walkFunction(fn, (instruction) => {
    if (instruction.op === 'work_item_loop') all.push(fillerOf(instruction, tiles, origins));
  });
  const sharings = agree(all);
  const fillers = new Map<ir.WorkItemLoop, Sharing>();
  const shared = new Map<Value, Sharing>();
  for (const { itemLoop, filled } of all) {
    const [sharing] = sharings.get(itemLoop)!;
    if (!sharing || filled.size === 0) continue;
    fillers.set(itemLoop, sharing);
    for (const tile of filled) shared.set(tile, sharing);
  }
  return { tiles: shared, fillers };
}

/** All pointers into local memory that is reached by loads and stores only, by the variable or argument they lead to. */
function findTiles(fn: ir.Function): ReadonlyMap<Value, Value> {
  const tiles = new Map<Value, Value>();
  const known = new Set<Value>();
  for (const { value } of fn.parameters) {
    if (value.type.kind === 'pointer' && value.type.space === 'local') tiles.set(value, value);
  }
  walkFunction(fn, (instruction) => {
    const [result] = instruction.results;
    if (instruction.op === 'variable' && instruction.space === 'local') tiles.set(result!, result!);
    // A pointer that goes on from iteration to iteration leads to one tile.
    const carried =
      instruction.op === 'loop'
        ? instruction.regions[0]!.parameters
        : instruction.op === 'continue'
          ? instruction.target.regions[0]!.parameters
          : undefined;
    instruction.operands.forEach((operand, at) => {
      const tile = tiles.get(operand);
      const parameter = carried?.[at];
      if (parameter) {
        const before = tiles.get(parameter);
        if (tile && instruction.op === 'loop') tiles.set(parameter, tile);
        else if (tile !== before) for (const one of [tile, before]) if (one) known.add(one);
        return;
      }
      if (!tile) return;
      if (at > 0 || !staysInside(instruction)) known.add(tile);
      else if (instruction.op === 'offset') tiles.set(result!, tile);
    });
  });
  for (const [pointer, tile] of tiles) if (known.has(tile)) tiles.delete(pointer);
  return tiles;
}

/** Whether the instruction uses the address that is its first operand to reach memory, or moves it. */
function staysInside(instruction: ir.Instruction): boolean {
  switch (instruction.op) {
    case 'load':
    case 'store':
      return !instruction.volatile;
    case 'offset':
    case 'masked_load':
    case 'masked_store':
    case 'gather':
    case 'scatter':
      return true;
    default:
      return false;
  }
}

/** What work-item loops write. */
interface Filler {
  readonly itemLoop: ir.WorkItemLoop;
  /** What they write to; none if they do anything else. */
  readonly filled: ReadonlySet<Value>;
  /** All tiles that they write to. */
  readonly written: ReadonlySet<Value>;
  readonly sharings: readonly Sharing[];
}

function fillerOf(
  itemLoop: ir.WorkItemLoop,
  tiles: ReadonlyMap<Value, Value>,
  origins: GroupOrigins,
): Filler {
  const written = new Set<Value>();
  let hangsOn = 0;
  let doesMore = false;
  for (const region of itemLoop.regions) {
    walkRegion(region, (instruction) => {
      if (isPure(instruction) || isHarmless(instruction)) return;
      const [address, ...rest] = instruction.operands;
      const tile = isStore(instruction) ? tiles.get(address!) : undefined;
      if (!tile) {
        doesMore = true;
        return;
      }
      written.add(tile);
      // That the tile is the group's own is what may change.
      hangsOn |= origins.of(address!) & ~fromOwn;
      for (const operand of rest) hangsOn |= origins.of(operand);
      hangsOn |= origins.conditionsOf(instruction);
    });
  }
  const sharings = kinds.filter((kind) => (hangsOn & hindrances[kind]) === 0);
  return doesMore
    ? { itemLoop, filled: new Set(), written, sharings: [] }
    : { itemLoop, filled: written, written, sharings };
}

function isStore({ op }: ir.Instruction): boolean {
  return op === 'store' || op === 'masked_store' || op === 'scatter';
}

/** What reads, or decides what comes next. */
function isHarmless(instruction: ir.Instruction): boolean {
  switch (instruction.op) {
    case 'load':
      return !instruction.volatile;
    case 'masked_load':
    case 'gather':
    case 'context_read':
    case 'variable':
      return true;
    default:
      return instruction.regions.length > 0 || ir.isTerminator(instruction);
  }
}

/** What all that fill a tile can agree on, as far as they fill others with it as well. */
function agree(fillers: readonly Filler[]): ReadonlyMap<ir.WorkItemLoop, readonly Sharing[]> {
  const sharings = new Map(fillers.map(({ itemLoop, sharings: own }) => [itemLoop, own]));
  const byTile = new Map<Value, readonly Sharing[]>();
  for (let hasChanged = true; hasChanged; ) {
    hasChanged = false;
    for (const { itemLoop, written } of fillers) {
      for (const tile of written) {
        const own = sharings.get(itemLoop)!;
        const common = own.filter((one) => (byTile.get(tile) ?? kinds).includes(one));
        hasChanged ||= common.length < own.length || common.length < (byTile.get(tile) ?? kinds).length;
        sharings.set(itemLoop, common);
        byTile.set(tile, common);
      }
    }
  }
  return sharings;
}
