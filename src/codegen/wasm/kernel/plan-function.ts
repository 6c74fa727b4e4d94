/**
 * Finds a function's {@link FunctionPlan}: forwards through the body the definitions, scopes and levels of values, backwards
 * their uses.
 */
import { hasEffect, isPure, isRemovable } from '../../../ir/effects.ts';
import type * as ir from '../../../ir/ir.ts';
import type { Value } from '../../../ir/ir.ts';
import { formOf, wideRegions } from '../../../ir/work-item-loops.ts';
import { findPinned } from '../engine/instruction-order.ts';
import { findIterationEnds, type IterationEnd } from '../engine/iteration-order.ts';
import { addressOf, type FoldingLimits, foldsAddress } from '../memory/address-folding.ts';
import { type Combined, findCombined } from '../vector/fused-operations.ts';
import type { FunctionPlan, Level, Scope, ValueInfo, WorkItemLoopPlan } from './function-plan.ts';
import { isFreeInstruction, queryKey, queryLevel } from './instruction-facts.ts';
import { findClip, type RowClip, valuesOf } from './row-clip.ts';
import { cellMaskBits, defaultMaskBits, elementBits, partsOf } from './value-layout.ts';

export interface PlanOptions {
  readonly folding: FoldingLimits;
  readonly arrayStride?: (array: ir.Instruction) => number;
  /** The environment keys that a callee needs. */
  readonly calleeNeeds?: (callee: ir.Function) => Iterable<string>;
  /** Whether products may be computed together with the sums that take them. */
  readonly fuses?: boolean | undefined;
  /** Whether there is a loop over groups around work-item loops. */
  readonly isFused?: boolean;
}

export function planFunction(fn: ir.Function, options: PlanOptions): FunctionPlan {
  return new Planner(options).plan(fn);
}

class Planner {
  readonly #values = new Map<Value, ValueInfo>();
  readonly #itemLoops = new Map<ir.WorkItemLoop, WorkItemLoopPlan>();
  readonly #loops = new Map<ir.Loop, Scope>();
  readonly #writers = new Set<ir.Instruction>();
  readonly #scopes = new Map<ir.Instruction, Scope>();
  readonly #arrayStride: (array: ir.Instruction) => number;
  readonly #calleeNeeds: (callee: ir.Function) => Iterable<string>;
  readonly #fuses: boolean;
  readonly #folding: FoldingLimits;
  readonly #isFused: boolean;
  #combined: ReadonlyMap<ir.Instruction, Combined> = new Map();
  #currentItemLoop: WorkItemLoopPlan | undefined;
  #mayCutGroups = false;

  constructor(options: PlanOptions) {
    this.#isFused = options.isFused ?? false;
    this.#arrayStride = options.arrayStride ?? (() => 0);
    this.#calleeNeeds = options.calleeNeeds ?? (() => []);
    this.#fuses = options.fuses ?? false;
    this.#folding = options.folding;
  }

  plan(fn: ir.Function): FunctionPlan {
    this.#mayCutGroups = fn.attributes?.mayCutGroups ?? false;
    const root: Scope = { depth: 0 };
    const groupScope: Scope = { depth: 1 };
    for (const { value } of fn.parameters) this.#define(value, undefined, root, 0);
    const launchBody: ir.Instruction[] = [];
    const groupBody: ir.Instruction[] = [];
    const body = fn.body!;
    if (fn.kind === 'kernel') {
      for (const instruction of body.instructions) {
        const level = this.#levelOf(instruction, 1);
        this.#visit(instruction, level === 0 ? root : groupScope, level);
        (level === 0 ? launchBody : groupBody).push(instruction);
      }
      this.#findCombined();
      this.#countBackwards(groupBody);
      this.#countBackwards(launchBody);
    } else {
      for (const instruction of body.instructions) this.#visit(instruction, root, 0);
      this.#findCombined();
      this.#countBackwards(body.instructions);
    }
    for (const info of this.#values.values()) info.remaining = info.uses;
    return {
      values: this.#values,
      folding: this.#folding,
      itemLoops: this.#itemLoops,
      loops: this.#loops,
      root,
      launchBody,
      groupBody,
      groupScope,
      hasVectors: [...this.#itemLoops.keys()].some((items) => items.lanes !== undefined),
      writers: this.#writers,
      combined: this.#combined,
      pinned: this.#findPinned(),
      iterationEnds: this.#findIterationEnds(),
    };
  }

  #findPinned(): Set<ir.Instruction> {
    const pinned = new Set<ir.Instruction>();
    for (const loop of this.#itemLoops.keys()) {
      for (const region of wideRegions(loop)) findPinned(region, this.#values, pinned);
    }
    return pinned;
  }

  #findIterationEnds(): Map<ir.Instruction, IterationEnd> {
    const ends = new Map<ir.Instruction, IterationEnd>();
    for (const loop of this.#itemLoops.keys()) {
      for (const region of wideRegions(loop)) findIterationEnds(region, this.#values, ends);
    }
    return ends;
  }

  #findCombined(): void {
    this.#combined = findCombined(this.#scopes, this.#fuses);
  }

  // ------------------------------------------------------------------------- forwards: definitions, levels

  #define(value: Value, definition: ir.Instruction | undefined, scope: Scope, level: Level): void {
    const maskBits = definition ? this.#maskBitsOf(definition) : defaultMaskBits;
    const isFree = definition !== undefined && isFreeInstruction(definition);
    this.#values.set(value, {
      definition,
      scope,
      level,
      maskBits,
      parts: partsOf(value.type, maskBits),
      isFree,
      uses: 0,
      useScope: undefined,
      remaining: 0,
      locals: undefined,
      pending: false,
      height: 0,
    });
  }

  /** A mask is as wide as what it came from; across region ends it has the default width. */
  #maskBitsOf(instruction: ir.Instruction): number {
    const of = (value: Value | undefined) => (value && this.#values.get(value)?.maskBits) ?? defaultMaskBits;
    switch (instruction.op) {
      case 'compare':
        return elementBits(instruction.operands[0]!.type, of(instruction.operands[0]));
      case 'unary':
      case 'binary':
      case 'insert':
      case 'shuffle':
        return of(instruction.operands[0]);
      case 'select':
        return of(instruction.operands[1]);
      case 'context_read':
        return instruction.contextArray.type.kind === 'bool' ? cellMaskBits : defaultMaskBits;
      default:
        return defaultMaskBits;
    }
  }

  #levelOf(instruction: ir.Instruction, otherwise: Level): Level {
    if (instruction.op === 'query') return queryLevel(queryKey(instruction), this.#mayCutGroups);
    if (!isPure(instruction) || instruction.op === 'item_address') return otherwise;
    let level: Level = 0;
    for (const operand of instruction.operands) {
      const of = this.#values.get(operand)?.level ?? otherwise;
      if (of > level) level = of;
    }
    return level;
  }

  #visit(instruction: ir.Instruction, scope: Scope, level: Level): void {
    this.#scopes.set(instruction, scope);
    for (const result of instruction.results) this.#define(result, instruction, scope, level);
    const currentItemLoop = this.#currentItemLoop;
    switch (instruction.op) {
      case 'query':
        if (queryLevel(queryKey(instruction)) >= 2) currentItemLoop?.queries.add(queryKey(instruction));
        break;
      case 'context_read':
      case 'context_write':
        if (!instruction.contextArray.combine)
          currentItemLoop?.strides.add(this.#arrayStride(instruction.contextArray));
        break;
      case 'item_address': {
        const variable = this.#values.get(instruction.operands[0]!)?.definition;
        if (variable) currentItemLoop?.strides.add(this.#arrayStride(variable));
        break;
      }
      case 'call':
        for (const key of this.#calleeNeeds(instruction.callee)) {
          if (queryLevel(key) >= 2) currentItemLoop?.queries.add(key);
        }
        break;
    }
    if (instruction.regions.length === 0) return;
    if (instruction.op === 'work_item_loop') {
      this.#visitItemLoop(instruction, scope);
      return;
    }
    let inner = scope;
    if (instruction.op === 'loop') {
      inner = { depth: scope.depth + 1 };
      this.#loops.set(instruction, inner);
    }
    for (const region of instruction.regions) {
      for (const parameter of region.parameters) this.#define(parameter, undefined, inner, level);
      for (const one of region.instructions) {
        this.#visit(one, inner, level);
        if (hasEffect(one) || this.#writers.has(one)) this.#writers.add(instruction);
      }
    }
  }

  #visitItemLoop(instruction: ir.WorkItemLoop, around: Scope): void {
    const groupsScope = this.#isFused ? { depth: around.depth + 1 } : undefined;
    const scope = groupsScope ?? around;
    const scopes: [Scope, Scope, Scope] = [
      { depth: scope.depth + 1 },
      { depth: scope.depth + 2 },
      { depth: scope.depth + 3 },
    ];
    const plan: WorkItemLoopPlan = {
      before: [],
      z: [],
      y: [],
      x: [],
      vector: [],
      vectorScope: { depth: scope.depth + 3 },
      coarseY: [],
      coarse: [],
      coarseScopes: [{ depth: scope.depth + 2 }, { depth: scope.depth + 3 }],
      scopes,
      groupsScope,
      queries: new Set(),
      strides: new Set(),
      clip: undefined,
    };
    this.#itemLoops.set(instruction, plan);
    this.#writers.add(instruction);
    this.#currentItemLoop = plan;
    instruction.regions.forEach((region, index) => {
      const form = formOf(instruction, index);
      const isCoarse = form === 'coarse';
      const [y, x] = isCoarse
        ? plan.coarseScopes
        : [scopes[1], form === 'scalar' ? scopes[2] : plan.vectorScope];
      const places: readonly [Scope, ir.Instruction[]][] = [
        [scopes[0], plan.z],
        [y, isCoarse ? plan.coarseY : plan.y],
        [x, isCoarse ? plan.coarse : form === 'scalar' ? plan.x : plan.vector],
      ];
      for (const one of region.instructions) {
        const level = this.#levelOf(one, 4);
        const [where, list] = level <= 1 ? [scope, plan.before] : places[level - 2]!;
        this.#visit(one, where, level);
        list.push(one);
      }
    });
    this.#currentItemLoop = undefined;
    plan.clip = this.#findClip(plan);
  }

  /** A guard can keep work-items out if it is around all that has effects; counters must count every work-item. */
  #findClip({ x, strides, queries }: WorkItemLoopPlan): RowClip | undefined {
    if (strides.size > 0 || queries.has('linear_local_id')) return undefined;
    const at = x.findIndex((one) => !isRemovable(one));
    const guard = x[at];
    if (guard?.op !== 'if' || x[at + 1]?.op !== 'yield') return undefined;
    return findClip(guard, (value) => this.#values.get(value));
  }

  // -------------------------------------------------------------------------------- backwards: uses

  /** Users come after what they use, so going backwards an unused computation counts no uses of its operands. */
  #countBackwards(instructions: readonly ir.Instruction[]): void {
    for (let i = instructions.length - 1; i >= 0; i--) {
      const instruction = instructions[i]!;
      if (instruction.op === 'work_item_loop') {
        const plan = this.#itemLoops.get(instruction)!;
        this.#countBackwards(plan.coarse);
        this.#countBackwards(plan.coarseY);
        this.#countBackwards(plan.vector);
        this.#countBackwards(plan.x);
        if (plan.clip) for (const value of valuesOf(plan.clip)) this.#countUse(value, plan.scopes[1]);
        this.#countBackwards(plan.y);
        this.#countBackwards(plan.z);
        this.#countBackwards(plan.before);
        continue;
      }
      for (let r = instruction.regions.length - 1; r >= 0; r--) {
        this.#countBackwards(instruction.regions[r]!.instructions);
      }
      if (isRemovable(instruction) && instruction.results.every((one) => this.#values.get(one)!.uses === 0)) {
        continue;
      }
      const scope = this.#scopes.get(instruction)!;
      const operands = this.#combined.get(instruction)?.operands ?? instruction.operands;
      operands.forEach((operand, index) => {
        const value =
          index === 0 && foldsAddress(instruction)
            ? addressOf(operand, this.#values, this.#folding).base
            : operand;
        this.#countUse(value, scope);
      });
    }
  }

  #countUse(value: Value, scope: Scope): void {
    const info = this.#values.get(value);
    if (!info || info.isFree) return;
    info.uses++;
    info.useScope = scope;
  }
}
