/**
 * Compiles one function: walks its regions once and writes WebAssembly as it goes. This class keeps what is known of
 * values on the way (in locals, deferred, or free to be emitted anew); what instructions become is in `computations.ts`
 * and `effects.ts`. How values look in WebAssembly is in `value-layout.ts`; what was decided beforehand in
 * `function-plan.ts`.
 */
import { hasEffect, isPure, isRemovable } from '../../../ir/effects.ts';
import type * as ir from '../../../ir/ir.ts';
import type { Value } from '../../../ir/ir.ts';
import { elementOf } from '../../../ir/types.ts';
import { pin } from '../engine/instruction-order.ts';
import { emitIterationEnd } from '../engine/iteration-order.ts';
import { findPartRun, type PartRun } from '../engine/part-scheduling.ts';
import { type Address, addressOf, foldsAddress } from '../memory/address-folding.ts';
import type { CombinedLocals } from '../memory/combined-context-arrays.ts';
import { emitStoreOfPart } from '../memory/memory-access.ts';
import type { LaneAddresses } from '../memory/vector-memory.ts';
import type { CodeWriter } from '../module/code-writer.ts';
import { CodegenError } from '../module/error.ts';
import type { ModuleContext } from '../module/module-context.ts';
import { isReloadedConstant } from '../vector/vector-lanes.ts';
import { emitComputation } from './computations.ts';
import type { ControlTargets } from './control-flow.ts';
import { emitEffect } from './effects.ts';
import type { Frame } from './frame.ts';
import type { FunctionPlan, Scope, ValueInfo } from './function-plan.ts';
import { wasmTypeOf } from './value-layout.ts';
import type { GroupFusion } from './work-group-fusion.ts';

/** Trees of deferred operands are cut at this height, so that no program can exhaust the stack of this compiler. */
const greatestHeight = 64;

/** Deeper nesting of regions than this is refused, for this compiler descends by recursion. The IR parser takes 500. */
const greatestNesting = 512;

/** How the answer to a query, or another name of the environment, is had: in a local, or always the same. */
export type EnvironmentEntry = { readonly local: number } | { readonly constant: number };

interface OpenScope {
  readonly scope: Scope;
  /** Locals whose last use is inside, but which the next iteration needs. */
  readonly toRelease: number[];
}

export class FunctionCompiler {
  readonly module: ModuleContext;
  readonly fn: ir.Function;
  readonly plan: FunctionPlan;
  readonly frame: Frame;
  readonly code: CodeWriter;
  /** See `environment.ts`. */
  readonly environment = new Map<string, EnvironmentEntry>();
  readonly control: ControlTargets;
  /** In work-item loops: the byte counters by stride. */
  readonly counters = new Map<number, number>();
  /** The locals with the start of each context array. */
  readonly arrayBases = new Map<ir.Instruction, number>();
  /** Of gathers of which some parts have been loaded: the addresses of all lanes (vector-memory.ts). */
  readonly gatherAddresses = new Map<ir.Gather, LaneAddresses>();
  /** Where the values of context arrays are that all work-items share. */
  readonly combinedLocals = new Map<ir.ContextArray, CombinedLocals>();
  /** Locals with vector constants, by their bytes; see `hoisted-constants.ts`. */
  readonly vectorConstants = new Map<string, number>();
  /** Of kernels whose groups are fused. */
  fusion: GroupFusion | undefined;
  readonly #open: OpenScope[] = [];
  readonly #pendingLoads = new Set<ValueInfo>();
  #replicating = false;
  #nesting = 0;

  constructor(
    module: ModuleContext,
    fn: ir.Function,
    plan: FunctionPlan,
    frame: Frame,
    code: CodeWriter,
    control: ControlTargets,
  ) {
    this.module = module;
    this.fn = fn;
    this.plan = plan;
    this.frame = frame;
    this.code = code;
    this.control = control;
    this.openScope(plan.root);
  }

  // --------------------------------------------------------------------------------------------- values

  info(value: Value): ValueInfo {
    const info = this.plan.values.get(value);
    if (!info) throw new Error(`codegen: a value of ${this.fn.name} is used outside its region`);
    return info;
  }

  /** The instruction that computes the value, if it is one and not a parameter. */
  definition(value: Value): ir.Instruction | undefined {
    return this.info(value).definition;
  }

  /** The instruction that computes the value if it has not been emitted yet and is emitted with its user. */
  pendingDefinition(value: Value): ir.Instruction | undefined {
    const info = this.info(value);
    return info.pending ? info.definition : undefined;
  }

  /** Pushes one part of a value. A deferred value may be pushed once only; see {@link withLocal}. */
  push(value: Value, part = 0): void {
    const info = this.info(value);
    if (info.locals) this.code.get(info.locals[part]!);
    else if (info.isFree) emitComputation(this, info.definition!, part);
    else if (info.pending) {
      const definition = this.takePending(info);
      emitComputation(this, definition, 0);
      this.releaseOperands(definition);
    } else throw new Error(`codegen: a value of ${this.fn.name} is used before it is computed`);
  }

  /** Marks a deferred value as emitted; the caller emits its definition and then releases the operands. */
  takePending(info: ValueInfo): ir.Instruction {
    if (!this.#replicating) {
      info.pending = false;
      this.#pendingLoads.delete(info);
    }
    return info.definition!;
  }

  /** Calls `body` with a local that holds the part, a temporary one if the value lives in none. */
  withLocal(value: Value, part: number, body: (local: number) => void): void {
    const { locals } = this.info(value);
    if (locals) {
      body(locals[part]!);
      return;
    }
    this.push(value, part);
    const temporary = this.code.toTemporary(wasmTypeOf(value.type));
    body(temporary);
    this.code.release(temporary);
  }

  /** Stores a deferred value in a local now, so that it can be pushed more than once. */
  settle(value: Value): void {
    const info = this.info(value);
    if (info.pending) this.#materialise(info);
  }

  /** Emits what `body` pushes as a copy: deferred values stay deferred, to be emitted again. */
  replicate(body: () => void): void {
    const saved = this.#replicating;
    this.#replicating = true;
    body();
    this.#replicating = saved;
  }

  /** Computes, into locals, what may be computed again elsewhere; until {@link forget}. */
  repeat(instruction: ir.Instruction): void {
    const value = instruction.results[0]!;
    const info = this.info(value);
    if (info.isFree || info.uses === 0) return;
    info.remaining = Number.POSITIVE_INFINITY;
    this.replicate(() => this.#materialiseNew(info, value));
  }

  /** Gives the locals of such a value back. */
  forget(value: Value): void {
    const info = this.info(value);
    for (const local of new Set(info.locals)) this.code.release(local);
    info.locals = undefined;
  }

  /** Says that an emitted user no longer needs the value. */
  release(value: Value): void {
    const info = this.info(value);
    if (info.isFree || this.#replicating) return;
    info.remaining--;
    if (info.remaining > 0) return;
    // Its user took nothing of it, as a shuffle whose lanes all come from the other vector: its operands would not live until the next flush.
    if (info.pending) this.releaseOperands(this.takePending(info));
    if (!info.locals) return;
    const inner = this.#open[info.scope.depth + 1];
    for (const local of new Set(info.locals)) {
      if (inner) inner.toRelease.push(local);
      else this.code.release(local);
    }
  }

  /** What an instruction takes; see `fused-operations.ts`. */
  #operandsOf(instruction: ir.Instruction): readonly Value[] {
    return this.plan.combined.get(instruction)?.operands ?? instruction.operands;
  }

  /** Releases everything an instruction uses. */
  releaseOperands(instruction: ir.Instruction): void {
    this.#operandsOf(instruction).forEach((operand, index) => {
      this.release(index === 0 && foldsAddress(instruction) ? this.address(operand).base : operand);
    });
  }

  /** Gives a value its locals: for results and parameters of regions, set by whoever transfers control. */
  assignLocals(value: Value): readonly number[] {
    const info = this.info(value);
    const locals: number[] = [];
    for (let part = 0; part < info.parts; part++) {
      locals.push(this.code.allocate(wasmTypeOf(value.type), value.name));
    }
    info.locals = locals;
    return locals;
  }

  /** Where a pointer points, with constant offsets folded (address-folding.ts). */
  address(pointer: Value): Address {
    return addressOf(pointer, this.plan.values, this.plan.folding);
  }

  pushEnvironment(key: string): void {
    const entry = this.environment.get(key);
    if (!entry) throw new Error(`codegen: ${key} is asked for where it is not known, in ${this.fn.name}`);
    if ('local' in entry) this.code.get(entry.local);
    else this.code.i32(entry.constant);
  }

  // --------------------------------------------------------------------------------------------- scopes

  openScope(scope: Scope): void {
    this.#open.push({ scope, toRelease: [] });
  }

  closeScope(): void {
    for (const local of this.#open.pop()!.toRelease) this.code.release(local);
  }

  // --------------------------------------------------------------------------------------- instructions

  region(region: ir.Region): void {
    this.instructions(region.instructions);
  }

  instructions(list: readonly ir.Instruction[]): void {
    if (this.fusion && !this.fusion.isInside) this.fusion.instructions(this, list);
    else this.straight(list);
  }

  /** As {@link instructions}, but takes no notice of fused groups. */
  straight(list: readonly ir.Instruction[]): void {
    if (++this.#nesting > greatestNesting) {
      throw new CodegenError(`'${this.fn.name}' nests more than ${greatestNesting} deep`, this.fn.span);
    }
    for (let at = 0; at < list.length; ) {
      const run =
        this.plan.hasVectors && !this.module.options.joinsParts ? this.#partRun(list, at) : undefined;
      if (!run || run.inParts.size === 0) {
        const end = run?.end ?? list.length;
        while (at < end) {
          const one = list[at++]!;
          this.#instruction(one);
          const iterationEnd = this.plan.iterationEnds.get(one);
          if (iterationEnd) emitIterationEnd(this, iterationEnd);
        }
      } else {
        this.#partByPart(list.slice(at, run.end), run);
        at = run.end;
      }
    }
    this.#nesting--;
  }

  #partRun(list: readonly ir.Instruction[], from: number): PartRun {
    const infoOf = (value: Value): ValueInfo => this.info(value);
    const isReloaded = (value: Value): boolean => isReloadedConstant(this, this.definition(value));
    return findPartRun(list, from, infoOf, isReloaded, this.plan.pinned);
  }

  /** See `part-scheduling.ts`. */
  #partByPart(list: readonly ir.Instruction[], { inParts, parts }: PartRun): void {
    for (const one of list) if (!inParts.has(one)) this.#instruction(one);
    for (const one of inParts) {
      for (const operand of this.#operandsOf(one)) {
        if (operand.type.kind === 'pointer') this.settleAddress(operand);
        else this.settle(operand);
      }
      const result = one.results[0];
      if (result) this.assignLocals(result);
    }
    this.flushLoads();
    for (let part = 0; part < parts; part++) {
      for (const one of inParts) {
        if (one.op === 'store') this.#storePart(one, part);
        else {
          emitComputation(this, one, part);
          this.code.set(this.info(one.results[0]!).locals![part]!);
        }
        if (part === parts - 1) this.releaseOperands(one);
      }
    }
  }

  #storePart(store: ir.Store, part: number): void {
    this.code.access = store;
    emitStoreOfPart(this, store, part);
    this.code.access = undefined;
  }

  #instruction(instruction: ir.Instruction): void {
    if (isRemovable(instruction)) {
      const [result] = instruction.results;
      // Nothing comes of it: the call of a function without effects and result.
      if (!result) return;
      const info = this.info(result);
      if (info.isFree || info.uses === 0) return;
      if (instruction.op === 'call') {
        emitEffect(this, instruction);
        return;
      }
      if (this.#isDeferrable(instruction, info)) {
        info.pending = true;
        if (!isPure(instruction)) this.#pendingLoads.add(info);
        return;
      }
      this.#materialiseNew(info, result);
      return;
    }
    if (this.plan.writers.has(instruction)) this.flushLoads();
    const [result] = instruction.results;
    if (instruction.op === 'load') this.#materialiseNew(this.info(result!), result!);
    else emitEffect(this, instruction);
  }

  /** Stores every load that waits for its use in a local: memory is about to change. */
  flushLoads(): void {
    if (this.#pendingLoads.size === 0) return;
    for (const info of [...this.#pendingLoads]) if (info.pending) this.#materialise(info);
  }

  #isDeferrable(instruction: ir.Instruction, info: ValueInfo): boolean {
    if (info.uses !== 1 || info.parts !== 1 || info.scope !== info.useScope) return false;
    if (hasEffect(instruction)) return false;
    let height = 0;
    for (const operand of this.#operandsOf(instruction)) {
      const of = this.plan.values.get(operand);
      if (of === undefined) return false;
      if (of.pending && of.height > height) height = of.height;
    }
    info.height = height + 1;
    return info.height < greatestHeight;
  }

  #materialise(info: ValueInfo): void {
    info.pending = false;
    this.#pendingLoads.delete(info);
    this.#materialiseNew(info, info.definition!.results[0]!);
  }

  /** Computes a value into locals. */
  #materialiseNew(info: ValueInfo, value: Value): void {
    const definition = info.definition!;
    if (info.parts === 1) {
      emitComputation(this, definition, 0);
      this.releaseOperands(definition);
      if (info.uses === 0) this.code.op('drop');
      else this.code.set(this.assignLocals(value)[0]!);
      return;
    }
    if (definition.op === 'splat') {
      emitComputation(this, definition, 0);
      this.releaseOperands(definition);
      this.#setLikeParts(info, value);
      return;
    }
    // Operands are pushed once for each part; they must not share locals with the result. A pointer whose offset is part of the
    // access is no operand: it may wait for a use elsewhere, and this may be a place that control does not come to.
    this.#operandsOf(definition).forEach((operand, index) => {
      if (index === 0 && foldsAddress(definition)) this.settleAddress(operand);
      else this.settle(operand);
    });
    const shared = this.#shareConstants(definition);
    if (this.#hasLikeParts(definition)) {
      emitComputation(this, definition, 0);
      this.#setLikeParts(info, value);
    } else {
      const locals = this.assignLocals(value);
      for (let part = 0; part < info.parts; part++) {
        emitComputation(this, definition, part);
        this.code.set(locals[part]!);
      }
      if (this.plan.pinned.has(definition)) pin(this, locals);
    }
    for (const constant of shared) {
      this.code.release(constant.locals![0]!);
      constant.locals = undefined;
    }
    this.releaseOperands(definition);
  }

  /** Pops what all parts of a value are, into one local for all of them. */
  #setLikeParts(info: ValueInfo, value: Value): void {
    const local = this.code.allocate('v128', value.name);
    this.code.set(local);
    info.locals = new Array<number>(info.parts).fill(local);
  }

  /** Whether arithmetic gives the same in all parts, as what it is given is: vectors with one value in all lanes. */
  #hasLikeParts(instruction: ir.Instruction): boolean {
    if (instruction.op !== 'unary' && instruction.op !== 'binary' && instruction.op !== 'fma') return false;
    if (elementOf(instruction.results[0]!.type).kind === 'bool') return false;
    return this.#operandsOf(instruction).every((operand) => {
      const { locals, parts } = this.info(operand);
      return locals !== undefined && parts > 1 && locals.every((local) => local === locals[0]);
    });
  }

  /** Puts constants that are the same in all parts in a local, for the time of one instruction. */
  #shareConstants(instruction: ir.Instruction): ValueInfo[] {
    const shared: ValueInfo[] = [];
    for (const operand of this.#operandsOf(instruction)) {
      const info = this.info(operand);
      const { definition } = info;
      if (definition?.op !== 'constant' || info.locals || info.parts < 2) continue;
      const lanes = definition.value as readonly ir.ScalarConstant[];
      if (lanes.some((lane) => !Object.is(lane, lanes[0]))) continue;
      emitComputation(this, definition, 0);
      const local = this.code.toTemporary('v128');
      info.locals = new Array<number>(info.parts).fill(local);
      shared.push(info);
    }
    return shared;
  }

  /** The name of the area in which a variable lies. */
  areaOf(variable: ir.Variable): string {
    return this.fusion?.areaOf(variable) ?? 'area';
  }

  /**
   * Pushes the base of an address and gives the constant that the memory instruction adds. Variables and program-scope
   * variables contribute their own place to the constant.
   */
  pushAddress(pointer: Value): number {
    const { base, offset } = this.address(pointer);
    const info = this.info(base);
    if (info.isFree && info.definition?.op === 'variable') {
      this.pushEnvironment(this.areaOf(info.definition));
      return offset + (this.frame.variables.get(info.definition) ?? 0);
    }
    if (info.isFree && info.definition?.op === 'global_address') {
      this.pushEnvironment('constants');
      return offset + this.module.constantOffset(info.definition.global);
    }
    this.push(base);
    return offset;
  }

  /** Settles the base of an address, so that {@link pushAddress} may be called again and again. */
  settleAddress(pointer: Value): void {
    this.settle(this.address(pointer).base);
  }
}
