/**
 * Writes the pieces of a kernel that form-work-item-loops cuts: work-item loops, and what connects them. It knows which piece
 * is open, how each value is had in it (computed there, computed again, or read from a context array), what work-items may be
 * waiting for, and which private variables have to outlive a piece. What happens at group level, and in which order, is
 * decided by form-work-item-loops.ts, whose head explains the terms; what work-items do at a collective is in
 * collective-pieces.ts.
 */
import { Builder, newRegion, newValue } from '../../ir/builder.ts';
import type * as ir from '../../ir/ir.ts';
import { bool, i32, type Type } from '../../ir/types.ts';
import type { BarrierPlan } from './barrier-plan.ts';
import { PrivateVariables } from './private-variables.ts';
import { Rematerialisation } from './rematerialisation.ts';
import { takeVariables } from './whole-body.ts';

/** Guards nest this deep in a piece before it starts again at the top, by looking at `pending`. */
const guardLimit = 16;

/** A work-item loop that is being filled. */
interface Piece {
  readonly itemLoop: ir.WorkItemLoop;
  /** The nested regions that are open, outermost (the one of the loop itself) first; instructions go to the last. */
  readonly open: ir.Region[];
  /** For each open region, what stands for values from elsewhere (or from here: themselves). */
  readonly scopes: Map<ir.Value, ir.Value>[];
  /** Instructions that go to the last open region run only for work-items that take part. */
  guarded: boolean;
}

export class PieceWriter {
  readonly #plan: BarrierPlan;
  readonly #top = newRegion();
  /** Writes at group level. */
  readonly group: Builder;
  /** Writes into the open piece. */
  readonly item: Builder;
  readonly #addressBits: 32 | 64;
  #piece: Piece | undefined;
  /** How many loops of the group are around. */
  loopDepth = 0;
  /** What work-items may be waiting for at this point. */
  pending = new Set<number>();
  #pendingContextArray: ir.ContextArray | undefined;
  #any: ir.Value | undefined;
  /** Context arrays, local and group variables: what is at the top of the body. */
  readonly #contextArrays: ir.ContextArray[] = [];
  readonly #variables: ir.Variable[] = [];
  readonly #contextArrayOf = new Map<ir.Value, ir.ContextArray>();
  /** Values computed in pieces that later pieces turned out to need. */
  readonly #writtenAfter = new Map<ir.Value, ir.ContextArray>();
  /** The blocks by which work-items may leave a piece, for which their results then mean nothing. */
  readonly #leakyBlocks = new Set<ir.Instruction>();
  /** When each context array was last read, and each value computed, as counts of instructions placed. */
  readonly #lastRead = new Map<ir.ContextArray, number>();
  readonly #definedAt = new Map<ir.Value, number>();
  #clock = 0;
  readonly #privates = new PrivateVariables();
  readonly #recomputing: Rematerialisation;

  constructor(body: ir.Region, plan: BarrierPlan, addressBits: 32 | 64) {
    this.#plan = plan;
    this.#addressBits = addressBits;
    this.#recomputing = new Rematerialisation(plan, this.#privates);
    this.group = new Builder(this.#top, addressBits);
    this.item = new Builder(this.#top, addressBits);
    takeVariables(body, (variable) => {
      if (variable.space === 'local') this.#variables.push(variable);
      else this.#privates.add(variable);
    });
    this.#privates.findEscaping(body);
  }

  /** Adds what the pieces turned out to need. @returns the kernel's new body */
  end(): ir.Region {
    if (this.#pendingContextArray) this.#startPending(this.#pendingContextArray);
    const replaced = this.#privates.settle(this.#variables);
    if (this.#writtenAfter.size > 0 || replaced.size > 0) this.#finish(this.#top, replaced);
    this.#top.instructions = [...this.#contextArrays, ...this.#variables, ...this.#top.instructions];
    return this.#top;
  }

  // ---------------------------------------------------------------------------------------- work-items that wait

  /** Makes the work-items that are taking part wait. */
  wait(code: number): void {
    this.openPiece();
    this.writeContextArray(this.pendingCell(), this.item.integer(i32, code));
    this.pending.add(code);
  }

  /** Lets the work-items that wait for `code` take part again. */
  release(code: number): void {
    if (!this.pending.delete(code)) return;
    this.openForAll();
    const waiting = this.#readContextArray(this.pendingCell());
    const zero = this.item.integer(i32, 0);
    const here = this.item.compare('eq', waiting, this.item.integer(i32, code));
    this.writeContextArray(this.pendingCell(), this.item.select(here, zero, waiting));
  }

  /** Ends the piece; at group level, whether any work-item takes part. */
  anyTakesPart(): ir.Value {
    this.#any ??= this.declareVariable(4, 'any');
    const any = this.#any;
    this.group.store(any, this.group.integer(i32, 0), 4);
    this.openForAll();
    const waiting = this.#readContextArray(this.pendingCell());
    const choice = this.item.if(this.item.compare('eq', waiting, this.item.integer(i32, 0)));
    this.item.within(choice.regions[0]!, () => {
      this.item.store(any, this.item.integer(i32, 1), 4);
      this.item.yield();
    });
    this.item.within(choice.regions[1]!, () => this.item.yield());
    this.closePiece();
    return this.group.compare('ne', this.group.load(i32, any, 4), this.group.integer(i32, 0));
  }

  pendingCell(): ir.ContextArray {
    this.#pendingContextArray ??= this.newContextArray(i32, 'pending');
    return this.#pendingContextArray;
  }

  /** At the very start everyone takes part. */
  #startPending(contextArray: ir.ContextArray): void {
    const region = newRegion();
    const builder = new Builder(region, this.#addressBits);
    const zero = builder.integer(i32, 0);
    builder.append({ op: 'context_write', contextArray, operands: [zero], results: [], regions: [] });
    const first = this.#top.instructions.find(({ regions }) => regions.length > 0);
    if (first?.op === 'work_item_loop') {
      const inner = first.regions[0]!;
      inner.instructions = [...region.instructions, ...inner.instructions];
    } else {
      builder.yield();
      this.#top.instructions.unshift({ op: 'work_item_loop', operands: [], results: [], regions: [region] });
    }
  }

  // ------------------------------------------------------------------------------------------------------ pieces

  /** Makes sure that a piece is open for work-items that take part. */
  openPiece(): Piece {
    const piece = this.#anyPiece();
    if (this.pending.size > 0 && !piece.guarded) {
      const waiting = this.#readContextArray(this.pendingCell());
      this.#guard(this.item.compare('eq', waiting, this.item.integer(i32, 0)));
    }
    return piece;
  }

  #anyPiece(): Piece {
    if (!this.#piece) {
      const region = newRegion();
      const itemLoop: ir.WorkItemLoop = {
        op: 'work_item_loop',
        operands: [],
        results: [],
        regions: [region],
      };
      this.#piece = { itemLoop, open: [region], scopes: [new Map()], guarded: false };
      this.item.region = region;
    }
    return this.#piece;
  }

  /** What follows in the piece is only for work-items with `condition`. */
  #guard(condition: ir.Value): void {
    const piece = this.#piece!;
    const choice = this.item.if(condition);
    this.item.within(choice.regions[1]!, () => this.item.yield());
    piece.open.push(choice.regions[0]!);
    piece.scopes.push(new Map());
    piece.guarded = true;
    this.item.region = choice.regions[0]!;
  }

  /** Makes sure that a piece is open for all work-items, those waiting too. */
  openForAll(): void {
    const piece = this.#anyPiece();
    while (piece.open.length > 1) {
      piece.open.pop();
      piece.scopes.pop();
      this.item.yield();
      this.item.region = piece.open.at(-1)!;
    }
    piece.guarded = false;
  }

  closePiece(): void {
    if (!this.#piece) return;
    this.openForAll();
    this.item.yield();
    this.group.append(this.#piece.itemLoop);
    this.#piece = undefined;
  }

  /** Puts an instruction that each work-item runs on its own into the piece. */
  place(instruction: ir.Instruction): void {
    this.openPiece();
    if (!this.#plan.isLeaky(instruction)) {
      this.#settle(instruction, undefined);
      this.item.append(instruction);
      return;
    }
    // Flagged jumps inside leave through a block that says whether the work-item still takes part.
    const takesPart = newValue(bool);
    const { results } = instruction;
    const block: ir.Block = {
      op: 'block',
      operands: [],
      results: [takesPart, ...results],
      regions: [newRegion()],
    };
    this.#leakyBlocks.add(block);
    instruction.results = results.map(({ type }) => newValue(type));
    this.#settle(instruction, block);
    this.item.append(block);
    this.item.within(block.regions[0]!, () => {
      this.item.append(instruction);
      this.item.yield([this.item.constant(bool, true), ...instruction.results]);
    });
    for (const result of results) this.define(result);
    if (this.#piece!.open.length < guardLimit) this.#guard(takesPart);
    else this.openForAll();
  }

  /** Makes the operands in an instruction and its regions refer to what the piece can see. */
  #settle(instruction: ir.Instruction, exit: ir.Block | undefined): void {
    const { operands } = instruction;
    for (let index = 0; index < operands.length; index += 1) {
      operands[index] = this.resolve(operands[index]!);
    }
    for (const region of instruction.regions) {
      for (const parameter of region.parameters) this.define(parameter);
      for (const nested of region.instructions) this.#settle(nested, exit);
      const last = region.instructions.at(-1)!;
      if (exit && this.#plan.isFlagged(last)) this.#flaggedJump(last, region, exit);
    }
    for (const result of instruction.results) this.define(result);
  }

  /** Replaces a jump (whose operands are settled) that ends `region`. */
  #flaggedJump(jump: ir.Instruction, region: ir.Region, exit: ir.Block): void {
    region.instructions.pop();
    const saved = this.item.region;
    this.item.region = region;
    let code = this.#plan.code(undefined, 'return');
    if (jump.op === 'break' || jump.op === 'continue') {
      const carried = jump.op === 'break' ? jump.target.results : jump.target.regions[0]!.parameters;
      jump.operands.forEach((value, index) => {
        const target = carried[index]!;
        this.writeContextArray(this.#contextArray(target), value);
      });
      code = this.#plan.code(jump.target, jump.op);
    }
    this.writeContextArray(this.pendingCell(), this.item.integer(i32, code));
    this.pending.add(code);
    const values = [this.item.constant(bool, false)];
    for (const result of exit.results.slice(1)) values.push(this.item.undefined(result.type));
    this.item.break(exit, values);
    this.item.region = saved;
  }

  #tick(): number {
    this.#clock += 1;
    return this.#clock;
  }

  /** Says that the open piece computes a value, now. */
  define(value: ir.Value): void {
    this.#definedAt.set(value, this.#tick());
    this.#piece!.scopes.at(-1)!.set(value, value);
  }

  // ------------------------------------------------------------------------------------------------------ values

  /** What stands for a value in the open piece. */
  resolve(value: ir.Value): ir.Value {
    const { scopes } = this.#piece!;
    for (const scope of scopes) {
      const known = scope.get(value);
      if (known) return known;
    }
    if (this.#plan.isGroupValue(value)) return value;
    const here = this.#bringHere(value);
    scopes.at(-1)!.set(value, here);
    return here;
  }

  #bringHere(value: ir.Value): ir.Value {
    if (this.#privates.has(value)) {
      const address = newValue(value.type, value.name);
      const instruction = this.item.append<ir.ItemAddress>({
        op: 'item_address',
        operands: [value],
        results: [address],
        regions: [],
      });
      this.#privates.use(value, instruction, this.loopDepth > 0);
      return address;
    }
    if (!this.#plan.isCarried(value) && this.#recomputing.isWorth(value)) {
      const definition = this.#plan.definitions.get(value)!;
      const operands = definition.operands.map((operand) => this.resolve(operand));
      const result = newValue(value.type, value.name);
      this.item.append({ ...definition, operands, results: [result] } as ir.Instruction);
      return result;
    }
    return this.#readContextArray(this.#contextArray(value), value.name);
  }

  /**
   * Writes what the next iteration is given that differs by work-item, at the end of a loop's body. A value that an
   * earlier piece computed is written to the parameter's context array right there, if nothing reads the old value after that.
   */
  carryToNext(values: readonly ir.Value[], parameters: readonly ir.Value[]): void {
    const pairs = parameters.map((parameter, index) => ({ parameter, value: values[index]! }));
    let shared = pairs.filter(
      ({ parameter, value }, index) => values.indexOf(value) === index && this.#mayShare(value, parameter),
    );
    const isShared = (parameter: ir.Value): boolean => shared.some((pair) => pair.parameter === parameter);
    const writes = this.#resolveCarried(values, parameters, (parameter) => !isShared(parameter));
    // Fetching the others may have read a context array that was to be shared, and so on.
    for (let before = -1; before !== shared.length; ) {
      before = shared.length;
      const late = shared.find(({ parameter, value }) => {
        const lastRead = this.#lastRead.get(this.#contextArray(parameter)) ?? 0;
        return lastRead > this.#definedAt.get(value)! || this.#contextArrayOf.has(value);
      });
      if (!late) break;
      shared = shared.filter((pair) => pair !== late);
      writes.push(...this.#resolveCarried([late.value], [late.parameter], () => true));
    }
    for (const { parameter, value } of shared) {
      const contextArray = this.#contextArray(parameter);
      this.#contextArrayOf.set(value, contextArray);
      this.#writtenAfter.set(value, contextArray);
    }
    for (const { contextArray, value } of writes) this.writeContextArray(contextArray, value);
  }

  #mayShare(value: ir.Value, parameter: ir.Value): boolean {
    if (this.#plan.isGroupValue(parameter) || this.#plan.isGroupValue(value)) return false;
    if (!this.#definedAt.has(value) || this.#contextArrayOf.has(value) || this.#isHere(value)) return false;
    return this.#isDefinedIn(value, parameter);
  }

  /** Whether a value was computed after a loop's parameter came into being: inside the loop. */
  #isDefinedIn(value: ir.Value, parameter: ir.Value): boolean {
    return this.#definedAt.get(value)! > this.#definedAt.get(parameter)!;
  }

  #isHere(value: ir.Value): boolean {
    return this.#piece?.scopes.some((scope) => scope.has(value)) ?? false;
  }

  /** Writes what a structure is given or gives that differs by work-item. */
  carry(values: readonly ir.Value[], carried: readonly ir.Value[]): void {
    const writes = this.#resolveCarried(values, carried, () => true);
    for (const { contextArray, value } of writes) this.writeContextArray(contextArray, value);
  }

  /** What has to be written to which context arrays; all is read before anything is written. */
  #resolveCarried(
    values: readonly ir.Value[],
    carried: readonly ir.Value[],
    isWanted: (target: ir.Value) => boolean,
  ): { contextArray: ir.ContextArray; value: ir.Value }[] {
    const writes: { contextArray: ir.ContextArray; value: ir.Value }[] = [];
    carried.forEach((target, index) => {
      const value = values[index]!;
      if (this.#plan.isGroupValue(target) || value === target || !isWanted(target)) return;
      const contextArray = this.#contextArray(target);
      if (this.#contextArrayOf.get(value) === contextArray) {
        this.#lastRead.set(contextArray, this.#tick());
        return;
      }
      this.openPiece();
      writes.push({ contextArray, value: this.resolve(value) });
    });
    return writes;
  }

  #contextArray(value: ir.Value): ir.ContextArray {
    let contextArray = this.#contextArrayOf.get(value);
    if (!contextArray) {
      contextArray = this.newContextArray(value.type, value.name ?? 'value');
      this.#contextArrayOf.set(value, contextArray);
      if (!this.#plan.isCarried(value)) this.#writtenAfter.set(value, contextArray);
      this.#privates.keepAddress(value);
    }
    return contextArray;
  }

  /** A cell for each work-item; with a function, one for all of them, in which it combines what they write. */
  newContextArray(type: Type, name: string, combine?: ir.CombineFunction): ir.ContextArray {
    const contextArray: ir.ContextArray = {
      op: 'context_array',
      type,
      name,
      combine,
      operands: [],
      results: [],
      regions: [],
    };
    this.#contextArrays.push(contextArray);
    return contextArray;
  }

  #readContextArray(contextArray: ir.ContextArray, name?: string): ir.Value {
    const result = newValue(contextArray.type, name);
    this.item.append({ op: 'context_read', contextArray, operands: [], results: [result], regions: [] });
    this.#lastRead.set(contextArray, this.#tick());
    return result;
  }

  writeContextArray(contextArray: ir.ContextArray, value: ir.Value): void {
    this.item.append({ op: 'context_write', contextArray, operands: [value], results: [], regions: [] });
  }

  /** Makes a value live in the context array of another. */
  shareContextArray(value: ir.Value, owner: ir.Value): void {
    this.#contextArrayOf.set(value, this.#contextArray(owner));
  }

  /** Says that a value comes into being now. */
  begin(value: ir.Value): void {
    this.#definedAt.set(value, this.#tick());
  }

  // --------------------------------------------------------------------------------------------------- variables

  /** A private variable of the group itself. */
  declareVariable(size: number, name: string): ir.Value {
    const builder = new Builder(newRegion(), this.#addressBits);
    const value = builder.variable('private', size, size, name);
    this.addVariable(builder.region.instructions[0] as ir.Variable);
    return value;
  }

  /** A variable of the group, or a copy for each of its work-items. */
  addVariable(variable: ir.Variable): void {
    this.#variables.push(variable);
  }

  /** Adds the context array writes after values that later pieces needed, and puts replaced instructions in place. */
  #finish(region: ir.Region, replaced: ReadonlyMap<ir.Instruction, ir.Instruction>): void {
    const output: ir.Instruction[] = [];
    for (const instruction of region.instructions) {
      output.push(replaced.get(instruction) ?? instruction);
      for (const nested of instruction.regions) this.#finish(nested, replaced);
      // Who left a block has written what it takes along, perhaps to the same context arrays: only who stays writes its results.
      if (this.#leakyBlocks.has(instruction)) {
        const { instructions } = instruction.regions[0]!;
        const end = instructions.pop()!;
        instructions.push(...this.#writesOf(instruction.results, end.operands), end);
      } else {
        output.push(...this.#writesOf(instruction.results, instruction.results));
      }
    }
    region.instructions = output;
  }

  /** Writes `values`, which are or become `results`, to the context arrays where later pieces look for the results. */
  #writesOf(results: readonly ir.Value[], values: readonly ir.Value[]): ir.Instruction[] {
    return results.flatMap((result, index): ir.Instruction[] => {
      const contextArray = this.#writtenAfter.get(result);
      return contextArray
        ? [{ op: 'context_write', contextArray, operands: [values[index]!], results: [], regions: [] }]
        : [];
    });
  }
}
