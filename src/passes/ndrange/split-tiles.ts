/**
 * Splits work-item loops (fission) that fill the tiles of a product of matrices, so that a code generator may fill those once that several
 * work-groups have in common:
 *
 *     work_item_loop {                               work_item_loop { tile_a[y][x] = a[row * n + first + x] }
 *       tile_a[y][x] = a[row * n + first + x]   =>   work_item_loop { tile_b[y][x] = b[(first + y) * n + column] }
 *       tile_b[y][x] = b[(first + y) * n + column]
 *     }
 *
 * It is done to work-item loops in loops if one of the tiles would be the same for groups below each other and another for groups
 * next to each other (src/ir/group-origins.ts), and if nobody can tell in which order they are filled.
 *
 * Fission in general would cost a loop for each store and gain nothing; what is gained here is that a code generator may fill a tile once for
 * several groups, so that is what is asked for. Nothing about the product matters, only which ids the addresses depend on.
 */

import { cloneRegion } from '../../ir/clone.ts';
import { findDefinitions } from '../../ir/definitions.ts';
import { isPure } from '../../ir/effects.ts';
import { fromOwn, fromX, fromY, GroupOrigins } from '../../ir/group-origins.ts';
import * as ir from '../../ir/ir.ts';
import { walkRegion } from '../../ir/walk.ts';
import { scalarRegion } from '../../ir/work-item-loops.ts';
import { Memory, mayAlias, type Root } from '../analysis/alias.ts';

export function splitTiles(fn: ir.Function): void {
  if (!fn.body || fn.form !== 'work-group') return;
  const wanted: { region: ir.Region; itemLoop: ir.WorkItemLoop }[] = [];
  const visit = (region: ir.Region, isInLoop: boolean): void => {
    for (const instruction of region.instructions) {
      if (instruction.op === 'work_item_loop') {
        if (isInLoop && writesTwoTiles(instruction)) wanted.push({ region, itemLoop: instruction });
      } else for (const nested of instruction.regions) visit(nested, isInLoop || instruction.op === 'loop');
    }
  };
  visit(fn.body, false);
  if (wanted.length === 0) return;
  const memory = new Memory(fn, findDefinitions(fn.body));
  const origins = new GroupOrigins(fn);
  for (const { region, itemLoop } of wanted) {
    const parts = partsOf(scalarRegion(itemLoop), memory, origins);
    if (!parts) continue;
    const pieces = parts.map((part): ir.WorkItemLoop => ({ ...itemLoop, regions: [copyOf(part)] }));
    region.instructions = region.instructions.flatMap((one) => (one === itemLoop ? pieces : [one]));
  }
}

function writesTwoTiles(itemLoop: ir.WorkItemLoop): boolean {
  const written = new Set<ir.Value>();
  walkRegion(scalarRegion(itemLoop), ({ op, operands }) => {
    if (op === 'store') written.add(operands[0]!);
  });
  return written.size > 1;
}

/** The instructions that fill each tile, in order; undefined if they stay together. */
function partsOf(
  { instructions }: ir.Region,
  memory: Memory,
  origins: GroupOrigins,
): ir.Instruction[][] | undefined {
  const makers = new Map<ir.Value, ir.Instruction>();
  const loads = new Set<Root>();
  const fillers = new Map<Root, Filler>();
  for (const instruction of instructions) {
    for (const result of instruction.results) makers.set(result, instruction);
    const reached = reachedBy(instruction, memory, origins);
    if (!reached || reached.stores.size > 1) return undefined;
    for (const root of reached.loads) loads.add(root);
    for (const tile of reached.stores) {
      if (tile.space !== 'local' || tile.kind === 'unknown') return undefined;
      const filler = fillers.get(tile) ?? { instructions: [], hangsOn: 0 };
      fillers.set(tile, filler);
      filler.instructions.push(instruction);
      filler.hangsOn |= reached.hangsOn;
    }
  }
  const all = [...fillers.values()];
  if (!all.some(({ hangsOn }) => hangsOn === fromX) || !all.some(({ hangsOn }) => hangsOn === fromY))
    return undefined;
  for (const load of loads) for (const tile of fillers.keys()) if (mayAlias(load, tile)) return undefined;
  return all.map((filler) => {
    const needed = withMakers(filler.instructions, makers);
    return instructions.filter((one) => needed.has(one));
  });
}

interface Filler {
  readonly instructions: ir.Instruction[];
  /** See group-origins.ts; that the tile is the group's own does not count. */
  hangsOn: number;
}

interface Reached {
  readonly loads: ReadonlySet<Root>;
  readonly stores: ReadonlySet<Root>;
  readonly hangsOn: number;
}

/** What an instruction and those in it do to memory; undefined if they do more than to load and store. */
function reachedBy(instruction: ir.Instruction, memory: Memory, origins: GroupOrigins): Reached | undefined {
  const loads = new Set<Root>();
  const stores = new Set<Root>();
  let hangsOn = 0;
  let doesMore = false;
  const visit = (one: ir.Instruction): void => {
    for (const region of one.regions) for (const inner of region.instructions) visit(inner);
    if (one.op === 'load' && !one.volatile) loads.add(memory.rootOf(one.operands[0]!));
    else if (one.op === 'store' && !one.volatile) {
      const [address, value] = one.operands as [ir.Value, ir.Value];
      stores.add(memory.rootOf(address));
      hangsOn |= (origins.of(address) & ~fromOwn) | origins.of(value) | origins.conditionsOf(one);
    } else if (!isPure(one) && one.regions.length === 0 && !ir.isTerminator(one)) doesMore = true;
  };
  visit(instruction);
  return doesMore ? undefined : { loads, stores, hangsOn };
}

/** Instructions with all those in the region that make what they use. */
function withMakers(
  instructions: readonly ir.Instruction[],
  makers: ReadonlyMap<ir.Value, ir.Instruction>,
): ReadonlySet<ir.Instruction> {
  const needed = new Set<ir.Instruction>();
  const need = (one: ir.Instruction): void => {
    if (needed.has(one)) return;
    needed.add(one);
    needOperands(one);
  };
  const needOperands = (one: ir.Instruction): void => {
    for (const operand of one.operands) {
      const maker = makers.get(operand);
      if (maker) need(maker);
    }
    for (const region of one.regions) for (const inner of region.instructions) needOperands(inner);
  };
  for (const one of instructions) need(one);
  return needed;
}

/** A region of its own for some of the instructions of another. */
function copyOf(instructions: readonly ir.Instruction[]): ir.Region {
  const end: ir.Yield = { op: 'yield', operands: [], results: [], regions: [] };
  return cloneRegion({ parameters: [], instructions: [...instructions, end] }, new Map());
}
