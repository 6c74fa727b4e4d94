/**
 * Groups in lockstep. A kernel with barriers often goes through a matrix tile by tile, in a loop that belongs to the group:
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
 * a band (group-order.ts) go through it together:
 *
 *     loop t                                 loop t
 *       items: load tiles           =>         for each group of the column
 *       items: multiply                          items: load tiles
 *                                                items: multiply
 *
 * and what the first of them has read is still there for the others. Each group has an area of its own (abi.ts), one behind
 * the other. What lies between `items` must not depend on the group, but for computations without effect: those are done
 * anew for each group where its `items` need them.
 */
import type { Value } from '../../ir/ir.ts';
import * as ir from '../../ir/ir.ts';
import { walkRegion } from '../../ir/walk.ts';
import { leastAreaBytes } from './abi.ts';
import { areaEnds } from './address-spaces.ts';
import type { FunctionCompiler } from './function-compiler.ts';
import { emitItems } from './items.ts';

/** What a kernel computes outside its `items` and differs between groups, in order. */
export type OwnComputations = ReadonlySet<ir.Instruction>;

/**
 * Whether groups can run in lockstep, and gain by it: there must be a loop around `items`.
 * @returns undefined if not
 */
export function findLockstep(fn: ir.Function): OwnComputations | undefined {
  if (!fn.body || fn.attributes?.mayCutGroups) return undefined;
  const search = new Search(fn);
  search.region(fn.body, false);
  return search.isPossible && search.hasLoop ? search.own : undefined;
}

class Search {
  isPossible = true;
  /** Whether there are `items` in a loop. */
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
      if (instruction.op === 'items') {
        this.hasLoop ||= isInLoop;
        // Asking what a generic pointer leads to takes the area for one group's.
        walkRegion(instruction.regions[0]!, ({ op }) => {
          if (op === 'in_space') this.isPossible = false;
        });
      } else this.#outside(instruction, isInLoop);
      if (!this.isPossible) return;
    }
  }

  /** What stands outside `items`. */
  #outside(instruction: ir.Instruction, isInLoop: boolean): void {
    const differs = instruction.operands.some((operand) => this.#differing.has(operand));
    switch (instruction.op) {
      case 'variable':
        for (const result of instruction.results) this.#differing.add(result);
        return;
      case 'slot':
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
    } else if (!ir.isPure(instruction)) this.isPossible = false;
    else if (differs) {
      this.own.add(instruction);
      for (const result of instruction.results) this.#differing.add(result);
    }
  }
}

/** Runs the groups of a kernel in lockstep: what `FunctionCompiler` keeps for it. */
export class Lockstep {
  readonly #own: OwnComputations;
  /** The id that counts from group to group. */
  readonly #groupId: number;
  /** How many groups run together now. */
  readonly #count: number;
  /** Locals with addresses in the area. */
  readonly #addresses: readonly number[];
  /** Whether code of one group is being written. */
  isInside = false;

  /** @param addresses locals with addresses in the area, which move from group to group */
  constructor(own: OwnComputations, groupId: number, count: number, addresses: readonly number[]) {
    this.#own = own;
    this.#groupId = groupId;
    this.#count = count;
    this.#addresses = addresses;
  }

  /** Writes what stands outside `items`; neighbouring `items` share a loop over the groups. */
  instructions(fc: FunctionCompiler, list: readonly ir.Instruction[]): void {
    let run: ir.Items[] = [];
    for (const one of list) {
      if (one.op === 'items') run.push(one);
      else if (!this.#own.has(one)) {
        if (run.length > 0 && (one.regions.length > 0 || ir.isTerminator(one))) {
          this.#run(fc, run);
          run = [];
        }
        fc.straight([one]);
      }
    }
    if (run.length > 0) this.#run(fc, run);
  }

  #run(fc: FunctionCompiler, run: readonly ir.Items[]): void {
    const { code } = fc;
    const left = code.allocate('i32', 'groups_left');
    code.get(this.#count);
    code.set(left);
    const head = code.open('loop');
    fc.openScope(fc.plan.items.get(run[0]!)!.groupsScope!);
    this.isInside = true;
    const own = this.#neededBy(run);
    for (const one of own) fc.repeat(one);
    for (const items of run) emitItems(fc, items);
    for (const one of own) fc.forget(one.results[0]!);
    this.isInside = false;
    fc.closeScope();
    code.get(left);
    code.i32(1);
    code.op('i32.sub');
    code.set(left);
    this.#move(fc, 'i32.add', () => code.i32(1));
    code.get(left);
    code.branchIf(head);
    code.end();
    this.#move(fc, 'i32.sub', () => code.get(this.#count));
    code.release(left);
  }

  /** Goes so many groups on or back. */
  #move(fc: FunctionCompiler, op: 'i32.add' | 'i32.sub', pushCount: () => void): void {
    const { code } = fc;
    code.get(this.#groupId);
    pushCount();
    code.op(op);
    code.set(this.#groupId);
    for (const address of this.#addresses) {
      code.get(address);
      fc.pushEnvironment(areaEnds.area);
      pushCount();
      code.op('i32.mul');
      code.op(op);
      code.set(address);
    }
  }

  /** What the regions use of what is computed for each group, in order. */
  #neededBy(run: readonly ir.Items[]): ir.Instruction[] {
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

/**
 * Bytes that the areas of groups in lockstep may take: most of the nearest cache. An area has as many
 * ({@link leastAreaBytes}).
 */
const mostBytes = Math.min(32 << 10, leastAreaBytes);

/** Pushes how many groups may run together by the memory that they need, at least one. */
export function pushMostTogether(fc: FunctionCompiler): void {
  const { code } = fc;
  code.i32(mostBytes);
  // Some need nothing.
  fc.pushEnvironment(areaEnds.area);
  code.i32(1);
  code.op('i32.or');
  code.op('i32.div_u');
  code.i32(1);
  fc.pushEnvironment(areaEnds.area);
  code.i32(mostBytes);
  code.op('i32.le_u');
  code.op('select');
}
