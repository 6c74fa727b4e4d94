/**
 * Rewrites a kernel from what one work-item does to what one work-group does. Afterwards there is no barrier left:
 * between two barriers is a work-item loop that runs for one work-item after another.
 *
 *     %v = load %p              context array %s: f32
 *     store %tile, %v           work_item_loop { %v = load %p; store %tile, %v; context_write %s, %v; yield }
 *     barrier local      =>     work_item_loop { %v2 = context_read %s; %w = load %other; ... %v2 ...; yield }
 *     %w = load %other
 *     ... %v ...
 *
 * ## Control
 *
 * Group structures (see barrier-plan.ts) stay what they are, with conditions, jumps and values of the group; all
 * other instructions go to the piece (work-item loops) that is open. A condition that is uniform but computed by work-items,
 * from memory say, goes through a private variable of the group: all write the same, the group reads it.
 *
 * At a collective each work-item leaves its value where the group finds it, see collective-pieces.ts and collectives.ts.
 *
 * ## When work-items part
 *
 * A barrier must be reached by all work-items or none, but real kernels have conditions that happen to be equal, and
 * `if (get_global_id(0) >= n) return;` before a barrier. Nothing is rejected; such code gets this meaning. Each
 * work-item has a context array `pending`: 0 while it takes part, else the number of the place where it waits: the end of a
 * block or loop it broke out of, a loop's next iteration, its region of a divergent `if`, the return. A *flagged*
 * jump sets it. Pieces where somebody may be waiting are guarded: only those who take part run them. At the place
 * itself all who wait for it take part again. A divergent `if` or `switch` sends everyone to wait for a region and
 * then runs the regions in turn. While somebody may be waiting, a loop goes on only if anyone takes part in its next
 * iteration: the work-items store to the group's variable `any`, and the group reads it. That also ends every loop
 * when nobody is left, whatever a condition computed by nobody says. A barrier waits for those who are there.
 *
 * ## Values and variables
 *
 * A group value is computed once, at group level. A value of a work-item that a later piece needs is computed again
 * if that is cheap, else kept in a context array; results and loop parameters of group structures that differ by work-item
 * live in context arrays. A private variable that one piece alone uses stays a variable there; others become `perItem`.
 *
 * This file goes through the kernel at group level; piece-writer.ts writes what work-items do.
 */
import { type Builder, newRegion } from '../../ir/builder.ts';
import { identityOf } from '../../ir/collectives.ts';
import type * as ir from '../../ir/ir.ts';
import { isBarrier } from '../../ir/ir.ts';
import { containsBarrier } from '../../ir/regions.ts';
import { bool, i32, sizeOf } from '../../ir/types.ts';
import { Analyses } from '../analysis/analyses.ts';
import { BarrierPlan } from './barrier-plan.ts';
import { CollectivePieces } from './collective-pieces.ts';
import { type CellArray, cellAt, combineSubGroups, reduceCells, scanCells } from './collectives.ts';
import { contextArraysIntoGuards } from './guarded-context-arrays.ts';
import { PieceWriter } from './piece-writer.ts';
import { wholeBodyAsItemLoop } from './whole-body.ts';

/** Brings a kernel into work-group form; nothing happens to one that has it, or to a function. */
export function formWorkItemLoops(
  fn: ir.Function,
  addressBits: 32 | 64,
  analyses = new Analyses(fn),
): boolean {
  if (!fn.body || fn.kind !== 'kernel' || fn.form === 'work-group') return false;
  if (containsBarrier(fn.body)) {
    const plan = new BarrierPlan(fn, fn.body, analyses.uniformity());
    fn.body = new Regrouping(fn.body, plan, addressBits).run(fn.body);
    contextArraysIntoGuards(fn.body);
  } else {
    fn.body = wholeBodyAsItemLoop(fn.body);
  }
  fn.form = 'work-group';
  return true;
}

class Regrouping {
  readonly #plan: BarrierPlan;
  readonly #pieces: PieceWriter;
  readonly #collectives: CollectivePieces;
  /** Writes at group level. */
  readonly #group: Builder;
  /** Writes into the open piece. */
  readonly #item: Builder;

  constructor(body: ir.Region, plan: BarrierPlan, addressBits: 32 | 64) {
    this.#plan = plan;
    this.#pieces = new PieceWriter(body, plan, addressBits);
    this.#collectives = new CollectivePieces(this.#pieces);
    this.#group = this.#pieces.group;
    this.#item = this.#pieces.item;
  }

  run(body: ir.Region): ir.Region {
    this.#sequence(body, undefined);
    return this.#pieces.end();
  }

  // ----------------------------------------------------------------------------------------------- group control

  /** Translates a region of group level, up to and with its terminator. */
  #sequence(region: ir.Region, owner: ir.Structured | undefined): void {
    for (const instruction of region.instructions) {
      switch (instruction.op) {
        case 'barrier':
          this.#pieces.closePiece();
          break;
        case 'collective':
          this.#collective(instruction);
          break;
        case 'yield':
          this.#yield(instruction, owner!);
          break;
        case 'break':
        case 'continue':
        case 'return':
          this.#jump(instruction, owner);
          break;
        case 'unreachable':
          if (this.#pieces.pending.size > 0 || (owner && this.#plan.isDivergent(owner))) this.#deadEnd(owner);
          else {
            this.#pieces.closePiece();
            this.#group.append(instruction);
          }
          break;
        default:
          if (this.#plan.isGroup(instruction)) this.#structure(instruction);
          else if (instruction.results.length > 0 && this.#plan.isGroupValue(instruction.results[0]!)) {
            this.#group.append(instruction);
          } else this.#pieces.place(instruction);
      }
    }
  }

  /** The translation of a nested region. */
  #nested(region: ir.Region, owner: ir.Structured): ir.Region {
    const result = newRegion(region.parameters);
    this.#group.within(result, () => this.#sequence(region, owner));
    return result;
  }

  #structure(structure: ir.Structured): void {
    if (this.#plan.isDivergent(structure)) {
      this.#divergentChoice(structure);
      return;
    }
    if (structure.op === 'if' || structure.op === 'switch') {
      structure.operands = [this.#groupCondition(structure.operands[0]!)];
      this.#pieces.closePiece();
      const before = this.#pieces.pending;
      const after = new Set(before);
      const regions: ir.Region[] = [];
      for (const region of structure.regions) {
        this.#pieces.pending = new Set(before);
        regions.push(this.#nested(region, structure));
        for (const code of this.#pieces.pending) after.add(code);
      }
      this.#pieces.pending = after;
      structure.regions = regions;
    } else if (structure.op === 'loop') {
      this.#loop(structure);
    } else {
      this.#pieces.closePiece();
      structure.regions = [this.#nested(structure.regions[0]!, structure)];
    }
    structure.results = structure.results.filter((result) => this.#plan.isGroupValue(result));
    this.#group.append(structure);
    if (structure.op === 'block' || structure.op === 'loop')
      this.#pieces.release(this.#plan.code(structure, 'break'));
  }

  #loop(loop: ir.Loop): void {
    const { parameters } = loop.regions[0]!;
    // Results that only ever are a parameter's last value share its context array.
    const { exits } = this.#plan.edgesOf(loop);
    loop.results.forEach((result, index) => {
      const parameter = exits[0]?.operands[index];
      if (!parameter || !parameters.includes(parameter) || this.#plan.isGroupValue(parameter)) return;
      if (this.#plan.isGroupValue(result)) return;
      if (exits.every((exit) => exit.operands[index] === parameter)) {
        this.#pieces.shareContextArray(result, parameter);
      }
    });
    this.#pieces.carry(loop.operands, parameters);
    this.#pieces.closePiece();
    for (const parameter of parameters) this.#pieces.begin(parameter);
    for (const code of this.#plan.pendingAtHead(loop)) this.#pieces.pending.add(code);
    this.#pieces.loopDepth += 1;
    const body = this.#nested(loop.regions[0]!, loop);
    this.#pieces.loopDepth -= 1;
    const keep = parameters.map((parameter) => this.#plan.isGroupValue(parameter));
    loop.operands = loop.operands.filter((_, index) => keep[index]);
    loop.regions = [{ ...body, parameters: parameters.filter((_, index) => keep[index]) }];
  }

  /** The end of an `if`, `switch` or `block` region. */
  #yield(instruction: ir.Yield, owner: ir.Structured): void {
    this.#pieces.carry(instruction.operands, owner.results);
    if (this.#plan.isDivergent(owner)) {
      this.#pieces.wait(this.#plan.choiceCode(owner, owner.regions.length));
      return;
    }
    this.#pieces.closePiece();
    this.#group.append({
      ...instruction,
      operands: this.#groupOperands(instruction.operands, owner.results),
    });
  }

  #jump(instruction: ir.Break | ir.Continue | ir.Return, owner: ir.Structured | undefined): void {
    const target = instruction.op === 'return' ? undefined : instruction.target;
    const carried =
      instruction.op === 'break'
        ? instruction.target.results
        : instruction.op === 'continue'
          ? instruction.target.regions[0]!.parameters
          : [];
    const isLoopEnd = instruction.op === 'continue' && target === owner;
    if (isLoopEnd) this.#pieces.carryToNext(instruction.operands, carried);
    else this.#pieces.carry(instruction.operands, carried);
    if (this.#plan.isFlagged(instruction)) {
      this.#pieces.wait(this.#plan.code(target, instruction.op));
      this.#deadEnd(owner);
      return;
    }
    if (instruction.op === 'continue') this.#continueIfAny(instruction.target);
    this.#pieces.closePiece();
    this.#group.append({ ...instruction, operands: this.#groupOperands(instruction.operands, carried) });
  }

  /** The end of a region that no work-item taking part reaches: the group goes on for those who wait further out. */
  #deadEnd(owner: ir.Structured | undefined): void {
    if (owner?.op === 'loop' && this.#pieces.pending.has(this.#plan.code(owner, 'continue'))) {
      this.#continueIfAny(owner);
      this.#group.continue(owner);
      return;
    }
    // What follows a divergent structure's region is that structure's business.
    if (owner && this.#plan.isDivergent(owner)) return;
    this.#pieces.closePiece();
    if (!owner) this.#group.return();
    else if (owner.op === 'loop') this.#group.break(owner, this.#anyValues(owner));
    else this.#group.yield(this.#anyValues(owner));
  }

  /** At the end of a loop's body: lets those who wait for the next iteration take part, and leaves if nobody does. */
  #continueIfAny(loop: ir.Loop): void {
    if (this.#pieces.pending.size === 0) return;
    this.#pieces.release(this.#plan.code(loop, 'continue'));
    const choice = this.#group.if(this.#pieces.anyTakesPart());
    this.#group.within(choice.regions[0]!, () => this.#group.yield());
    this.#group.within(choice.regions[1]!, () => this.#group.break(loop, this.#anyValues(loop)));
  }

  /** Values for the group's results of a structure on a way that nobody takes part in. */
  #anyValues(structure: ir.Structured): ir.Value[] {
    const values: ir.Value[] = [];
    for (const result of structure.results) {
      if (this.#plan.isGroupValue(result)) values.push(this.#group.undefined(result.type));
    }
    return values;
  }

  #groupOperands(operands: readonly ir.Value[], carried: readonly ir.Value[]): ir.Value[] {
    return operands.filter((_, index) => this.#plan.isGroupValue(carried[index]!));
  }

  /** A uniform condition at group level. */
  #groupCondition(condition: ir.Value): ir.Value {
    if (this.#plan.isGroupValue(condition)) return condition;
    const isBool = condition.type === bool;
    const type = isBool ? i32 : condition.type;
    const size = sizeOf(type);
    const variable = this.#pieces.declareVariable(size, 'uniform');
    // Nobody may be there to write it.
    this.#group.store(variable, this.#group.integer(type, 0), size);
    this.#pieces.openPiece();
    const value = this.#pieces.resolve(condition);
    this.#item.store(variable, isBool ? this.#item.convert('zext', value, i32) : value, size);
    this.#pieces.closePiece();
    const loaded = this.#group.load(type, variable, size);
    return isBool ? this.#group.compare('ne', loaded, this.#group.integer(i32, 0)) : loaded;
  }

  /** The work-items hand over their values in cells; what becomes of those is done once for the group. */
  #collective(collective: ir.Collective): void {
    const { fn, combine, scope, operands, results } = collective;
    const [value, meant] = operands as [ir.Value, ir.Value | undefined];
    const result = results[0]!;
    const { type } = value;
    if (fn === 'reduce' && scope === 'work-group' && this.#collectives.mayCombine(combine, type)) {
      this.#collectives.combineInto(value, combine, result);
      return;
    }
    const isScan = fn === 'scan_inclusive' || fn === 'scan_exclusive';
    if (isScan && scope === 'work-group' && this.#collectives.mayCombine(combine, type)) {
      const cells = this.#collectives.declareCells(type, true);
      this.#collectives.scanInto(cells, value, combine, fn === 'scan_inclusive' ? 'inclusive' : 'exclusive');
      this.#collectives.takeOwn(result, cells);
      return;
    }
    const isBroadcast = fn === 'broadcast';
    const isOwn = !isBroadcast || scope === 'work-group';
    const cells = this.#collectives.declareCells(type, isOwn);
    const index = meant && isOwn ? this.#groupCondition(meant) : undefined;
    this.#collectives.handOver(value, cells, identityOf(combine, type));
    const group = this.#group;
    const first = group.copiesAddress(cells);
    const [x, y, z] = ([0, 1, 2] as const).map((dimension) => group.query('local_size', dimension));
    const count = group.binary('imul', group.binary('imul', x!, y!), z!);
    const array: CellArray = { builder: group, first, count, type, combine };
    if (index) {
      const address = cellAt(group, first, index, type);
      group.append({ op: 'load', align: sizeOf(type), operands: [address], results: [result], regions: [] });
    } else if (isBroadcast) this.#collectives.takeOther(result, first, meant!);
    else if (scope === 'sub-group') {
      combineSubGroups(array, fn);
      this.#collectives.takeOwn(result, cells);
    } else if (fn === 'reduce') reduceCells(array, result);
    else {
      scanCells(array, fn);
      this.#collectives.takeOwn(result, cells);
    }
  }

  // ---------------------------------------------------------------------------------------- work-items that part

  /** An `if` or `switch` that work-items go through by different ways. */
  #divergentChoice(structure: ir.Structured): void {
    this.#pieces.openPiece();
    const chosen = this.#chosenCode(structure, this.#pieces.resolve(structure.operands[0]!));
    this.#pieces.writeContextArray(this.#pieces.pendingCell(), chosen);
    structure.regions.forEach((_, index) => {
      this.#pieces.pending.add(this.#plan.choiceCode(structure, index));
    });
    for (const [index, region] of structure.regions.entries()) {
      this.#pieces.release(this.#plan.choiceCode(structure, index));
      if (!region.instructions.some((instruction) => this.#needsGroup(instruction))) {
        this.#sequence(region, structure);
        continue;
      }
      const choice = this.#group.if(this.#pieces.anyTakesPart());
      this.#group.within(choice.regions[0]!, () => {
        this.#sequence(region, structure);
        this.#pieces.closePiece();
        this.#group.yield();
      });
      this.#group.within(choice.regions[1]!, () => this.#group.yield());
    }
    this.#pieces.release(this.#plan.choiceCode(structure, structure.regions.length));
  }

  #needsGroup(instruction: ir.Instruction): boolean {
    return isBarrier(instruction) || this.#plan.isGroup(instruction);
  }

  #chosenCode(structure: ir.Structured, selector: ir.Value): ir.Value {
    const code = (index: number): ir.Value =>
      this.#item.integer(i32, this.#plan.choiceCode(structure, index));
    if (structure.op !== 'switch') return this.#item.select(selector, code(0), code(1));
    let chosen = code(structure.cases.length);
    for (const [index, labels] of structure.cases.entries()) {
      for (const label of labels) {
        const here = this.#item.compare('eq', selector, this.#item.integer(selector.type, label));
        chosen = this.#item.select(here, code(index), chosen);
      }
    }
    return chosen;
  }
}
