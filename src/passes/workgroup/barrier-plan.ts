/**
 * Decides, for a kernel with barriers, what `form-work-item-loops` will do at group level and what each work-item does.
 *
 * - A structured instruction is a *group structure* when it contains a barrier, or when it is an `if` or `switch` of
 *   uniform condition that jumps out to one. Its control runs once for the work-group.
 * - A group `if` or `switch` whose condition is not uniform is *divergent*: its regions run one after another, for
 *   those work-items that chose each.
 * - A jump to a group structure (or a return) is *flagged* when not all active work-items take it together, or when
 *   work-items already wait for something between the jump and its target. A flagged jump is noted per work-item.
 * - A value is a *group value* when it can be computed at group level: from arguments, constants and queries of the
 *   group, through pure instructions, group structures, and loads that may be done anywhere or that all work-items do of memory that
 *   nobody writes. Everything else belongs to work-items.
 */

import { isSameForGroup } from '../../ir/collectives.ts';
import { isPure } from '../../ir/effects.ts';
import type * as ir from '../../ir/ir.ts';
import { isBarrier } from '../../ir/ir.ts';
import { walkRegion } from '../../ir/walk.ts';
import { Memory } from '../analysis/alias.ts';
import type { Uniformity } from '../analysis/uniformity.ts';

/** A jump to a group structure, or a return (no target). */
interface Jump {
  readonly instruction: ir.Break | ir.Continue | ir.Return;
  readonly target: ir.Block | ir.Loop | undefined;
  /** The structures between target and jump, outermost first. */
  readonly path: readonly ir.Structured[];
}

/** How a group structure is left and repeated: the terminators that carry its results and parameters. */
interface Edges {
  readonly exits: ir.Instruction[];
  readonly repeats: ir.Instruction[];
}

/** What a work-item that has left the common way waits for: 0 is nothing, it takes part. */
export type Destination = 'return' | 'break' | 'continue';

export class BarrierPlan {
  readonly #uniformity: Uniformity;
  readonly #memory: Memory;
  readonly #withBarrier = new Set<ir.Structured>();
  readonly #group = new Set<ir.Structured>();
  readonly #divergent = new Set<ir.Structured>();
  readonly #jumps: Jump[] = [];
  readonly #flagged = new Set<ir.Instruction>();
  /** Structures that are no group structures but hold flagged jumps. */
  readonly #leaky = new Set<ir.Structured>();
  readonly #edges = new Map<ir.Structured, Edges>();
  readonly #perItem = new Set<ir.Value>();
  /** Results and parameters of group structures. */
  readonly #carried = new Set<ir.Value>();
  readonly #codes = new Map<ir.Structured, number>();
  #nextCode = 2;
  readonly #pendingAtHead = new Map<ir.Structured, Set<number>>();
  /** Copies of the pure instructions of group regions, by result: candidates for computing again. */
  readonly definitions = new Map<ir.Value, ir.Instruction>();

  constructor(fn: ir.Function, body: ir.Region, uniformity: Uniformity) {
    this.#uniformity = uniformity;
    this.#memory = new Memory(fn, this.definitions);
    this.#findBarriers(body);
    this.#collect(body, [], false);
    this.#findFlagged();
    this.#findPerItem(body);
  }

  /** Whether all work-items surely take the same way at group level: each of them comes to every barrier that one comes to. */
  get isTogether(): boolean {
    return this.#divergent.size === 0 && this.#flagged.size === 0;
  }

  isGroup(instruction: ir.Instruction): instruction is ir.Structured {
    return this.#group.has(instruction as ir.Structured);
  }

  isDivergent(instruction: ir.Structured): boolean {
    return this.#divergent.has(instruction);
  }

  isFlagged(jump: ir.Instruction): boolean {
    return this.#flagged.has(jump);
  }

  /** Whether a structure that each work-item runs on its own has flagged jumps inside. */
  isLeaky(instruction: ir.Instruction): boolean {
    return this.#leaky.has(instruction as ir.Structured);
  }

  isGroupValue(value: ir.Value): boolean {
    return !this.#perItem.has(value);
  }

  /** Whether a value is a result or parameter of a group structure. */
  isCarried(value: ir.Value): boolean {
    return this.#carried.has(value);
  }

  edgesOf(instruction: ir.Structured): Edges {
    return this.#edges.get(instruction)!;
  }

  /** The number that stands for waiting at a place; for a divergent structure, see {@link choiceCode}. */
  code(target: ir.Structured | undefined, destination: Destination): number {
    if (!target) return 1;
    return this.#base(target) + (destination === 'continue' ? 1 : 0);
  }

  /** The number that stands for waiting for region `index` of a divergent structure; its end comes after the last. */
  choiceCode(target: ir.Structured, index: number): number {
    return this.#base(target) + index;
  }

  #base(target: ir.Structured): number {
    let base = this.#codes.get(target);
    if (base === undefined) {
      base = this.#nextCode;
      this.#nextCode += Math.max(2, target.regions.length + 1);
      this.#codes.set(target, base);
    }
    return base;
  }

  /** What work-items may already wait for when a loop's body starts again. */
  pendingAtHead(loop: ir.Loop): ReadonlySet<number> {
    return this.#pendingAtHead.get(loop) ?? new Set();
  }

  #findBarriers(region: ir.Region): boolean {
    let found = false;
    for (const instruction of region.instructions) {
      if (isBarrier(instruction)) found = true;
      let inside = false;
      for (const nested of instruction.regions) {
        if (this.#findBarriers(nested)) inside = true;
      }
      if (inside) {
        this.#withBarrier.add(instruction as ir.Structured);
        found = true;
      }
    }
    return found;
  }

  /** Classifies the structures of a group region and finds the jumps that matter. */
  #collect(region: ir.Region, path: readonly ir.Structured[], diverged: boolean): void {
    for (const instruction of region.instructions) {
      if (isPure(instruction)) {
        this.definitions.set(instruction.results[0]!, {
          ...instruction,
          operands: [...instruction.operands],
        });
      }
      if (instruction.regions.length === 0) {
        this.#collectJump(instruction, path);
        continue;
      }
      const structure = instruction as ir.Structured;
      const inner = [...path, structure];
      const isChoice = structure.op === 'if' || structure.op === 'switch';
      const divergent = isChoice && !this.#uniformity.isUniform(structure.operands[0]!);
      const isGroup =
        this.#withBarrier.has(structure) ||
        (isChoice && !divergent && !diverged && this.#jumpsOut(structure));
      if (isGroup) {
        this.#group.add(structure);
        if (divergent) this.#divergent.add(structure);
        this.#edges.set(structure, { exits: [], repeats: [] });
        for (const result of structure.results) this.#carried.add(result);
        for (const parameter of structure.regions[0]?.parameters ?? []) this.#carried.add(parameter);
        for (const nested of structure.regions) this.#collect(nested, inner, diverged || divergent);
      } else {
        for (const nested of structure.regions) this.#collectInner(nested, inner);
      }
    }
  }

  /** Finds the jumps out of structures that each work-item runs on its own. */
  #collectInner(region: ir.Region, path: readonly ir.Structured[]): void {
    for (const instruction of region.instructions) {
      if (instruction.regions.length === 0) this.#collectJump(instruction, path);
      else {
        const inner = [...path, instruction as ir.Structured];
        for (const nested of instruction.regions) this.#collectInner(nested, inner);
      }
    }
  }

  #collectJump(instruction: ir.Instruction, path: readonly ir.Structured[]): void {
    if (instruction.op === 'yield') {
      this.#edges.get(path.at(-1)!)?.exits.push(instruction);
    } else if (instruction.op === 'break' || instruction.op === 'continue') {
      const { target } = instruction;
      const edges = this.#edges.get(target);
      if (!edges) return;
      (instruction.op === 'break' ? edges.exits : edges.repeats).push(instruction);
      this.#jumps.push({ instruction, target, path: path.slice(path.lastIndexOf(target) + 1) });
    } else if (instruction.op === 'return') {
      this.#jumps.push({ instruction, target: undefined, path });
    }
  }

  /** Whether a jump in the structure goes to a structure around it that has a barrier, or returns. */
  #jumpsOut(structure: ir.Structured): boolean {
    const inside = (region: ir.Region): boolean =>
      region.instructions.some((instruction) => {
        if (instruction.op === 'return') return true;
        if (instruction.op === 'break' || instruction.op === 'continue') {
          return this.#withBarrier.has(instruction.target);
        }
        return instruction.regions.some(inside);
      });
    return structure.regions.some(inside);
  }

  #findFlagged(): void {
    const breaks = new Set<ir.Structured>();
    const continues = new Set<ir.Structured>();
    for (let changed = true; changed; ) {
      changed = false;
      for (const { instruction, target, path } of this.#jumps) {
        if (this.#flagged.has(instruction)) continue;
        const overtakes = path.some(
          (structure) =>
            !this.#group.has(structure) ||
            this.#divergent.has(structure) ||
            breaks.has(structure) ||
            continues.has(structure),
        );
        const endsOthers = instruction.op === 'break' && target !== undefined && continues.has(target);
        if (!overtakes && !endsOthers) continue;
        this.#flagged.add(instruction);
        if (target) (instruction.op === 'continue' ? continues : breaks).add(target);
        changed = true;
      }
    }
    for (const { instruction, target, path } of this.#jumps) {
      if (!this.#flagged.has(instruction)) continue;
      const destination: Destination = instruction.op;
      const code = this.code(target, destination);
      for (const structure of path) {
        if (!this.#group.has(structure)) {
          this.#leaky.add(structure);
        } else if (structure.op === 'loop') this.#addPending(structure, code);
      }
      if (target?.op === 'loop' && destination === 'break') this.#addPending(target, code);
    }
  }

  #addPending(loop: ir.Loop, code: number): void {
    const codes = this.#pendingAtHead.get(loop);
    if (codes) codes.add(code);
    else this.#pendingAtHead.set(loop, new Set([code]));
  }

  /** Starts from the belief that everything is a group value and takes back what cannot be. */
  #findPerItem(body: ir.Region): void {
    // Wherever it is: one inside what a work-item does on its own is taken out of there too.
    walkRegion(body, (instruction) => {
      if (instruction.op === 'variable' && instruction.space === 'private') {
        this.#perItem.add(instruction.results[0]!);
      }
    });
    for (let before = -1; before !== this.#perItem.size; ) {
      before = this.#perItem.size;
      this.#visit(body);
    }
  }

  #visit(region: ir.Region): void {
    for (const instruction of region.instructions) {
      if (this.isGroup(instruction)) this.#visitStructure(instruction);
      else if (!this.#isGroupComputation(instruction)) {
        for (const result of instruction.results) this.#perItem.add(result);
      }
    }
  }

  #isGroupComputation(instruction: ir.Instruction): boolean {
    if (instruction.op === 'variable') return instruction.space === 'local';
    if (instruction.op === 'collective') return isSameForGroup(instruction);
    if (instruction.op === 'load') {
      if (this.#perItem.has(instruction.operands[0]!)) return false;
      if (!this.#memory.isFree(instruction) && !this.#isSameForAll(instruction)) return false;
    } else if (!isPure(instruction)) return false;
    if (instruction.op === 'query') {
      const { fn } = instruction;
      return fn !== 'global_id' && fn !== 'local_id' && fn !== 'linear_local_id';
    }
    return !instruction.operands.some((operand) => this.#perItem.has(operand));
  }

  /** Whether all work-items surely do a load, and read the same: nobody writes there. */
  #isSameForAll(load: ir.Load): boolean {
    return this.isTogether && !load.volatile && this.#uniformity.isUniform(load.results[0]!);
  }

  #visitStructure(structure: ir.Structured): void {
    const { exits, repeats } = this.#edges.get(structure)!;
    const isPerItem = (edges: readonly ir.Instruction[], index: number): boolean =>
      edges.some((edge) => this.#flagged.has(edge) || this.#perItem.has(edge.operands[index]!));
    structure.regions[0]?.parameters.forEach((parameter, index) => {
      if (this.#perItem.has(structure.operands[index]!) || isPerItem(repeats, index)) {
        this.#perItem.add(parameter);
      }
    });
    for (const region of structure.regions) this.#visit(region);
    structure.results.forEach((result, index) => {
      if (this.#divergent.has(structure) || isPerItem(exits, index)) this.#perItem.add(result);
    });
  }
}
