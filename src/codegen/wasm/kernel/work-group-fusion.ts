/**
 * Work-group fusion. A kernel with barriers often goes through a matrix tile by tile, in a loop that belongs to the group:
 *
 *     for (int t = 0; t < n; t += 16) {
 *       tile_a[y][x] = a[row * n + t + x];           this group's rows
 *       tile_b[y][x] = b[(t + y) * n + column];      the same for all groups below each other
 *       barrier();
 *       ...
 *     }
 *
 * One group after another reads all of its part of `b`, which is more than stays in the cache. Nothing says, however, that a
 * group must be finished before the next one begins. Where the loop is the same for all groups, those of one column of
 * a strip (work-group-swizzle.ts) go through it together:
 *
 *     loop t                                 loop t
 *       work_item_loop: load tiles  =>         for each group of the column
 *       work_item_loop: multiply                 work_item_loop: load tiles
 *                                                work_item_loop: multiply
 *
 * and what the first of them has read is still there for the others. Each group has an area of its own (abi.ts), one behind
 * the other. What lies between work-item loops must not depend on the group, but for computations without effect: those are done
 * anew for each group where its work-item loops need them.
 *
 * Groups next to each other go together in the same way where work-items step through memory by the size of the range
 * (tile-grid-stride-loops.ts): what one group reads in an iteration may be a small part of a page, and the others read the rest of it.
 *
 * Here all groups of a column fill `tile_b` with the same, so they have one in common that is filled once; and where groups
 * next to each other have something in common, `tile_a` here, a few columns run together, too (shared-tiles.ts).
 * fusion-block.ts says how many of them.
 *
 * This is interchange of a loop with the loop over groups. No pass does it, since the loop over groups is not in the IR: which groups
 * a thread runs, and how many, it is told by the launch.
 */
import { isPure } from '../../../ir/effects.ts';
import type { Value } from '../../../ir/ir.ts';
import * as ir from '../../../ir/ir.ts';
import { walkRegion } from '../../../ir/walk.ts';
import { scalarRegion } from '../../../ir/work-item-loops.ts';
import { areaEnds } from '../memory/address-spaces.ts';
import type { FunctionCompiler } from './function-compiler.ts';
import { waitsIn } from './may-wait.ts';
import type { SharedTiles, Sharing } from './shared-tiles.ts';
import { emitWorkItemLoop } from './work-item-loop.ts';

/** The names of the areas with what groups have in common, in the environment. */
export const sharedAreas = { column: 'area_of_column', row: 'area_of_row' } as const satisfies Record<
  Sharing,
  string
>;

/** What a kernel computes outside its work-item loops and differs between groups, in order. */
export type OwnComputations = ReadonlySet<ir.Instruction>;

/**
 * Whether groups can be fused, and gain by it: there must be a loop around work-item loops.
 * @returns undefined if not
 */
export function findFusion(fn: ir.Function): OwnComputations | undefined {
  if (!fn.body || fn.attributes?.mayCutGroups) return undefined;
  const search = new Search(fn);
  search.region(fn.body, false);
  return search.isPossible && search.hasLoop ? search.own : undefined;
}

class Search {
  isPossible = true;
  /** Whether there are work-item loops in a loop. */
  hasLoop = false;
  readonly own = new Set<ir.Instruction>();
  readonly #differing = new Set<Value>();

  constructor(fn: ir.Function) {
    for (const { value } of fn.parameters) {
      if (value.type.kind === 'pointer' && value.type.space === 'local') this.#differing.add(value);
    }
  }

  region({ instructions }: ir.Region, isInLoop: boolean): void {
    for (const instruction of instructions) {
      if (instruction.op === 'work_item_loop') {
        this.hasLoop ||= isInLoop;
        // Asking what a generic pointer leads to takes the area for one group's.
        walkRegion(scalarRegion(instruction), ({ op }) => {
          if (op === 'in_space') this.isPossible = false;
        });
        // What a group waits for may be what another one does in its last items.
        if (waitsIn(scalarRegion(instruction))) this.isPossible = false;
      } else this.#outside(instruction, isInLoop);
      if (!this.isPossible) return;
    }
  }

  /** What is outside work-item loops. */
  #outside(instruction: ir.Instruction, isInLoop: boolean): void {
    const differs = instruction.operands.some((operand) => this.#differing.has(operand));
    switch (instruction.op) {
      case 'variable':
        for (const result of instruction.results) this.#differing.add(result);
        return;
      case 'context_array':
        // Combined ones are locals, of which there is one for all groups.
        if (instruction.combine) this.isPossible = false;
        return;
      case 'query':
        if (instruction.fn === 'group_id') this.#differing.add(instruction.results[0]!);
        return;
      case 'loop':
      case 'if':
      case 'block':
      case 'switch':
        if (differs) this.isPossible = false;
        for (const nested of instruction.regions) this.region(nested, isInLoop || instruction.op === 'loop');
        return;
      default:
    }
    if (ir.isTerminator(instruction)) {
      if (differs) this.isPossible = false;
    } else if (!isPure(instruction) && !readsConstant(instruction)) this.isPossible = false;
    else if (differs && instruction.op === 'load') this.isPossible = false;
    else if (differs) {
      this.own.add(instruction);
      for (const result of instruction.results) this.#differing.add(result);
    }
  }
}

/** Whether an instruction does nothing but read memory that never changes: bounds of loops, say. */
function readsConstant(instruction: ir.Instruction): boolean {
  if (instruction.op !== 'load' || instruction.volatile) return false;
  const { type } = instruction.operands[0]!;
  return type.kind === 'pointer' && type.space === 'constant';
}

/** Locals: the current group's id along a dimension, and how many groups run together now along it. */
export interface Counted {
  readonly id: number;
  readonly count: number;
}

/** The groups of a block. */
export interface BlockIds {
  /** Those that follow each other: below each other in a strip, or next to each other where there are no strips. */
  readonly line: Counted;
  /** The lines next to each other, if several may run together. */
  readonly columns: Counted | undefined;
}

/** Locals with addresses in the areas of groups, by the groups that have them in common. */
export type SharedAddresses = Readonly<Record<Sharing | 'none', readonly number[]>>;

/** Where variables lie that groups have in common: those of one row of groups, or column, behind those of the one before. */
export interface SharedVariables {
  /** A local with the address from which those of the current row or column are reached. */
  readonly local: number;
  /** For each row or column. */
  readonly bytes: number;
}

export interface BlockLayout {
  readonly shared: Readonly<Partial<Record<Sharing, SharedVariables>>>;
  /** Bytes at the start of an area that no group needs for itself: areas follow each other closer by so much. */
  readonly skipped: number;
}

/**
 * Runs the groups of a kernel fused, a block of them at a time: what `FunctionCompiler` keeps for it. The areas of
 * a column's groups follow each other, and the next column's groups follow those. Variables that groups have in common lie behind
 * all areas, and arguments in the area of the first of them.
 */
export class GroupFusion {
  readonly #own: OwnComputations;
  readonly #ids: BlockIds;
  readonly #tiles: SharedTiles;
  readonly #addresses: SharedAddresses;
  readonly #layout: BlockLayout;
  /** Whether code of one group is being written. */
  isInside = false;

  constructor(
    own: OwnComputations,
    ids: BlockIds,
    tiles: SharedTiles,
    addresses: SharedAddresses,
    layout: BlockLayout,
  ) {
    this.#own = own;
    this.#ids = ids;
    this.#tiles = tiles;
    this.#addresses = addresses;
    this.#layout = layout;
  }

  /** The name of the area in which a variable lies. */
  areaOf(variable: ir.Variable): string {
    const sharing = this.#tiles.tiles.get(variable.results[0]!);
    return sharing ? sharedAreas[sharing] : 'area';
  }

  /** Writes what is outside work-item loops; neighbouring work-item loops share a loop over the groups if they are done by the same. */
  instructions(fc: FunctionCompiler, list: readonly ir.Instruction[]): void {
    let run: ir.WorkItemLoop[] = [];
    const end = (): void => {
      if (run.length > 0) this.#run(fc, run);
      run = [];
    };
    for (const one of list) {
      if (one.op === 'work_item_loop') {
        if (this.#tiles.fillers.get(one) !== this.#tiles.fillers.get(run[0]!)) end();
        run.push(one);
      } else if (!this.#own.has(one)) {
        if (one.regions.length > 0 || ir.isTerminator(one)) end();
        fc.straight([one]);
      }
    }
    end();
  }

  #run(fc: FunctionCompiler, run: readonly ir.WorkItemLoop[]): void {
    const sharing = this.#tiles.fillers.get(run[0]!);
    const { line, columns } = this.#ids;
    const { none, row, column } = this.#addresses;
    fc.openScope(fc.plan.itemLoops.get(run[0]!)!.groupsScope!);
    const group = (): void => {
      this.isInside = true;
      const own = this.#neededBy(run);
      for (const one of own) fc.repeat(one);
      for (const itemLoop of run) emitWorkItemLoop(fc, itemLoop);
      for (const one of own) fc.forget(one.results[0]!);
      this.isInside = false;
    };
    const inColumn = (): void => {
      if (sharing === 'column') group();
      else
        this.#forEach(
          fc,
          { ...line, addresses: [...none, ...row], distance: undefined, shared: this.#layout.shared.row },
          group,
        );
    };
    if (columns === undefined || sharing === 'row') inColumn();
    else {
      this.#forEach(
        fc,
        {
          ...columns,
          addresses: [...none, ...column],
          distance: line.count,
          shared: this.#layout.shared.column,
        },
        inColumn,
      );
    }
    fc.closeScope();
  }

  /** Writes a loop over the groups along one dimension, and goes back to the first of them. */
  #forEach(fc: FunctionCompiler, line: Line, body: () => void): void {
    const { code } = fc;
    const left = code.allocate('i32', 'groups_left');
    code.get(line.count);
    code.set(left);
    const head = code.open('loop');
    body();
    code.get(left);
    code.i32(1);
    code.op('i32.sub');
    code.set(left);
    this.#move(fc, line, 'i32.add', undefined);
    code.get(left);
    code.branchIf(head);
    code.end();
    this.#move(fc, line, 'i32.sub', line.count);
    code.release(left);
  }

  /** Goes one group on along a line, or so many back. */
  #move(
    fc: FunctionCompiler,
    { id, addresses, distance, shared }: Line,
    op: 'i32.add' | 'i32.sub',
    count: number | undefined,
  ): void {
    const { code } = fc;
    code.get(id);
    if (count === undefined) code.i32(1);
    else code.get(count);
    code.op(op);
    code.set(id);
    for (const address of addresses) {
      code.get(address);
      fc.pushEnvironment(areaEnds.area);
      if (this.#layout.skipped > 0) {
        code.i32(this.#layout.skipped);
        code.op('i32.sub');
      }
      for (const factor of [distance, count]) {
        if (factor === undefined) continue;
        code.get(factor);
        code.op('i32.mul');
      }
      code.op(op);
      code.set(address);
    }
    if (!shared) return;
    code.get(shared.local);
    code.i32(shared.bytes);
    if (count !== undefined) {
      code.get(count);
      code.op('i32.mul');
    }
    code.op(op);
    code.set(shared.local);
  }

  /** What the regions use of what is computed for each group, in order. */
  #neededBy(run: readonly ir.WorkItemLoop[]): ir.Instruction[] {
    const wanted = new Set<Value>();
    for (const { regions } of run) {
      for (const region of regions) {
        walkRegion(region, ({ operands }) => {
          for (const operand of operands) wanted.add(operand);
        });
      }
    }
    const needed: ir.Instruction[] = [];
    for (const one of [...this.#own].reverse()) {
      if (!wanted.has(one.results[0]!)) continue;
      needed.unshift(one);
      for (const operand of one.operands) wanted.add(operand);
    }
    return needed;
  }
}

/** Groups next to or below each other. */
interface Line extends Counted {
  /** Locals with addresses that move from group to group. */
  readonly addresses: readonly number[];
  /** A local with how many areas lie between one group's and the next one's; one if there is none. */
  readonly distance: number | undefined;
  /** What all groups of a step along the line have in common, if anything. */
  readonly shared: SharedVariables | undefined;
}
