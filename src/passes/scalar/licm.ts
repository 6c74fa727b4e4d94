/**
 * Moves computations out of loops, to just before the outermost loop in which their operands do not change; and out
 * of work-item loops, which is a loop over the work-items: what all work-items of a group share is computed once.
 *
 *     loop @l (%i = %zero) {                       %n4 = imul %n, %four
 *       %n4 = imul %n, %four                  =>   loop @l (%i = %zero) {
 *       ...                                          ...
 *
 * Pure instructions may be computed even if the loop would not have come to them, for nothing traps; expensive ones
 * are left where a condition guards them. A load moves only when nothing in the loop may write where it reads, and
 * only if it was certain to run at the loop's start, or reads an aggregate argument or an image's descriptor within its
 * bounds. Other loads do not leave work-item loops: memory is the work-items' business.
 *
 * Inside a work-item loop there are levels too, for a code generator computes what is the same along dimension 0 once a row if it
 * is directly in the region. Such computations come up there from loops and conditions.
 */
import { isPure } from '../../ir/effects.ts';
import type * as ir from '../../ir/ir.ts';
import { Memory, mayAlias, type Root, writeOf } from '../analysis/alias.ts';
import { isSlow } from '../analysis/cost/slow.ts';

export function licm(fn: ir.Function, addressBits: 32 | 64): void {
  if (fn.body) new Hoisting(fn, addressBits / 8).run(fn.body);
}

/** A loop (or items) that the walk is in; the function itself is the outermost. */
interface Level {
  readonly isItemLoop: boolean;
  /** What is to be put before it. */
  readonly before: ir.Instruction[];
  readonly written: readonly Root[];
  readonly writesAnything: boolean;
  /** The walk is where every entry of the body certainly comes. */
  certain: boolean;
  /** How deep in conditions the walk is, inside the body. */
  conditions: number;
}

class Hoisting {
  readonly #definitions = new Map<ir.Value, ir.Instruction>();
  readonly #memory: Memory;
  readonly #addressBytes: number;
  /** The number of levels around each value's definition; parameters of the function have none. */
  readonly #depths = new Map<ir.Value, number>();
  readonly #levels: Level[] = [];
  /** In a work-item loop: its region, values that are the same along dimension 0, and those that have to move up. */
  #itemLoopRegion: ir.Region | undefined;
  readonly #rows = new Set<ir.Value>();
  readonly #movedRows: ir.Instruction[] = [];

  constructor(fn: ir.Function, addressBytes: number) {
    this.#memory = new Memory(fn, this.#definitions);
    this.#addressBytes = addressBytes;
  }

  run(body: ir.Region): void {
    if (!this.#prepare(body)) return;
    this.#region(body);
  }

  /** @returns whether there is any loop or items */
  #prepare(region: ir.Region): boolean {
    let found = false;
    for (const instruction of region.instructions) {
      for (const result of instruction.results) this.#definitions.set(result, instruction);
      if (instruction.op === 'loop' || instruction.op === 'work_item_loop') found = true;
      for (const nested of instruction.regions) found = this.#prepare(nested) || found;
    }
    return found;
  }

  #region(region: ir.Region): void {
    const output: ir.Instruction[] = [];
    for (const parameter of region.parameters) this.#depths.set(parameter, this.#levels.length);
    for (const instruction of region.instructions) {
      const depth = this.#levels.length;
      if (instruction.op === 'loop' || instruction.op === 'work_item_loop') {
        const level = this.#levelOf(instruction);
        this.#levels.push(level);
        if (level.isItemLoop) this.#itemLoopRegion = instruction.regions[0]!;
        this.#region(instruction.regions[0]!);
        if (level.isItemLoop) this.#itemLoopRegion = undefined;
        this.#levels.pop();
        this.#placeRows(region, output);
        for (const hoisted of level.before) output.push(hoisted);
        this.#passed(instruction);
      } else if (instruction.regions.length > 0) {
        const conditional = instruction.op !== 'block';
        const level = this.#levels.at(-1);
        const certain = level?.certain ?? false;
        for (const nested of instruction.regions) {
          if (level && conditional) {
            level.conditions += 1;
            level.certain = false;
          }
          this.#region(nested);
          if (level && conditional) {
            level.conditions -= 1;
            level.certain = certain;
          }
        }
        this.#placeRows(region, output);
        this.#passed(instruction);
      } else {
        const target = this.#target(instruction);
        if (this.#itemLoopRegion && this.#isRow(instruction)) {
          this.#rows.add(instruction.results[0]!);
          if (region !== this.#itemLoopRegion) {
            this.#depths.set(instruction.results[0]!, this.#itemLoopDepth());
            this.#movedRows.push(instruction);
            continue;
          }
        } else if (target < depth) {
          for (const result of instruction.results) this.#depths.set(result, target);
          this.#levels[target]!.before.push(instruction);
          continue;
        }
      }
      for (const result of instruction.results) this.#depths.set(result, depth);
      output.push(instruction);
    }
    region.instructions = output;
  }

  /** Before a structure that is directly in a work-item loop: the rows that were found in it. */
  #placeRows(region: ir.Region, output: ir.Instruction[]): void {
    if (region !== this.#itemLoopRegion) return;
    for (const moved of this.#movedRows) output.push(moved);
    this.#movedRows.length = 0;
  }

  /** Whether the value is the same for work-items along dimension 0, but not for the group, and cheap. */
  #isRow(instruction: ir.Instruction): boolean {
    if (instruction.op === 'query') {
      const { fn, dimension } = instruction;
      return (fn === 'global_id' || fn === 'local_id') && dimension > 0;
    }
    if (!isPure(instruction) || isPerItem(instruction) || isSlow(instruction)) return false;
    const items = this.#itemLoopDepth();
    let found = false;
    for (const operand of instruction.operands) {
      if (this.#rows.has(operand)) found = true;
      else if ((this.#depths.get(operand) ?? 0) >= items) return false;
    }
    return found;
  }

  #levelOf(instruction: ir.Loop | ir.WorkItemLoop): Level {
    const written: Root[] = [];
    const writesAnything = this.#findWrites(instruction.regions[0]!, written);
    return {
      isItemLoop: instruction.op === 'work_item_loop',
      before: [],
      written,
      writesAnything,
      certain: true,
      conditions: 0,
    };
  }

  #findWrites(region: ir.Region, written: Root[]): boolean {
    let anything = false;
    for (const instruction of region.instructions) {
      const write = writeOf(instruction);
      if (write === 'anything') anything = true;
      else if (write) written.push(this.#memory.accessedBy(instruction));
      for (const nested of instruction.regions) anything = this.#findWrites(nested, written) || anything;
    }
    return anything;
  }

  /** After a structure that may have left the loop's body, nothing that follows is certain to run. */
  #passed(instruction: ir.Instruction): void {
    const level = this.#levels.at(-1);
    if (level?.certain && instruction.regions.some(mayLeave)) level.certain = false;
  }

  /** How many levels stay around the instruction. */
  #target(instruction: ir.Instruction): number {
    const depth = this.#levels.length;
    if (depth === 0) return 0;
    const isLoad = instruction.op === 'load';
    if (!isLoad && !isPure(instruction)) return depth;
    let target = 0;
    if (instruction.op === 'undefined') return depth;
    if (isPerItem(instruction)) target = this.#itemLoopDepth();
    for (const operand of instruction.operands) target = Math.max(target, this.#depths.get(operand) ?? 0);
    if (isLoad) return Math.max(target, this.#loadTarget(instruction));
    if (isSlow(instruction)) {
      // Only past levels in which the walk is not under a condition.
      let limit = depth;
      while (limit > target && this.#levels[limit - 1]!.conditions === 0) limit -= 1;
      target = limit;
    }
    return target;
  }

  /** The depth just inside the work-item loop around the walk, where a work-item's own values may be computed. */
  #itemLoopDepth(): number {
    for (let index = this.#levels.length; index > 0; index -= 1) {
      if (this.#levels[index - 1]!.isItemLoop) return index;
    }
    return 0;
  }

  #loadTarget(load: ir.Load): number {
    let target = this.#levels.length;
    if (load.volatile) return target;
    const root = this.#memory.accessedBy(load);
    const isReadable = this.#memory.isWithin(load, root, this.#addressBytes);
    while (target > 0) {
      const level = this.#levels[target - 1]!;
      if (level.isItemLoop && !(isReadable && root.readOnly)) break;
      if (!(level.certain || isReadable)) break;
      if (level.writesAnything && !root.readOnly) break;
      if (level.written.some((written) => mayAlias(written, root))) break;
      target -= 1;
    }
    return target;
  }
}

/** Whether control may leave the region other than by its end. */
function mayLeave(region: ir.Region): boolean {
  return region.instructions.some(
    ({ op, regions }) => op === 'break' || op === 'continue' || op === 'return' || regions.some(mayLeave),
  );
}

function isPerItem(instruction: ir.Instruction): boolean {
  if (instruction.op === 'item_address') return true;
  if (instruction.op !== 'query') return false;
  return (
    instruction.fn === 'global_id' || instruction.fn === 'local_id' || instruction.fn === 'linear_local_id'
  );
}
