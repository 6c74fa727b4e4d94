/**
 * Flattens a function's regions into a list of steps, once, before it first runs: values become numbers, control flow
 * becomes jumps. A work-item that waits at a barrier is then no more than a step number to go on with.
 */
import { combinedContextArrays, identityOf } from '../collectives.ts';
import { countUsesInRegion } from '../count-uses.ts';
import { type QueueFunctionName, queueFunctionOf } from '../device-queues.ts';
import type * as ir from '../ir.ts';
import { i64 } from '../types.ts';
import { coarseRegion, scalarRegion, vectorRegion } from '../work-item-loops.ts';
import { collectiveResult, subGroupOf } from './collectives.ts';
import { dataStep } from './compile-data.ts';
import { imageStep } from './compile-images.ts';
import { memoryStep } from './compile-memory.ts';
import { vectorStep } from './compile-vectors.ts';
import { Fault, type Memory } from './memory.ts';
import type { Counter, MemoryObserver } from './observer.ts';
import { becomeItem, type Code, type Frame, type Step, signals, type WorkItem } from './state.ts';
import type { RuntimeValue, Scalar } from './values.ts';

/** Gives what an instruction's step is to do, which may be more than the step does. */
export type AroundStep = (
  instruction: ir.Instruction,
  step: (frame: Frame) => void,
  numberOf: (value: ir.Value) => number,
) => (frame: Frame) => void;

/** What steps need from the machine. */
export interface CompileContext {
  readonly addressBits: 32 | 64;
  /** Calls a function that the machine supplies (device-queues.ts). */
  queueCall(name: QueueFunctionName, operands: readonly RuntimeValue[]): number;
  readonly memory: Memory;
  readonly checkUninitialised: boolean;
  readonly checkOpenResults: boolean | 'divisions';
  readonly around: AroundStep | undefined;
  /** Whoever wants to know of accesses at the moment. */
  observer(): MemoryObserver | undefined;
  /** See {@link Counter}; undefined if nobody counts. */
  readonly counter: Counter | undefined;
  globalAddress(global: ir.GlobalVariable): number;
  /** Whether the module is a program for the host. */
  readonly isHosted: boolean;
  /** What a pointer to the function holds. */
  functionAddress(fn: ir.Function): number;
  /** @throws Fault if there is none */
  functionAt(address: number): ir.Function;
  /** Takes what a printf prints, a byte a character; `size` is that of its record. False if there is no room. */
  print(text: string, size: number): boolean;
  /** @throws Fault for a function without a body */
  codeOf(fn: ir.Function): Code;
}

/** A step number that is known when the steps before it are there. */
interface Label {
  step: number;
}

/** How a `yield` leaves the region. */
type Leave = (instruction: ir.Yield) => void;

/** The steps of a function that has a body. Parameters get the numbers 0 and up. */
export function compileFunction(fn: ir.Function, body: ir.Region, context: CompileContext): Code {
  return new FunctionCompiler(context).compile(fn, body);
}

class FunctionCompiler {
  readonly #context: CompileContext;
  readonly #steps: Step[] = [];
  readonly #numbers = new Map<ir.Value, number>();
  #body: ir.Region | undefined;
  #uses: Map<ir.Value, number> | undefined;
  /** Where `break` and `continue` go. */
  readonly #exits = new Map<ir.Instruction, Label>();
  readonly #heads = new Map<ir.Loop, Label>();

  constructor(context: CompileContext) {
    this.#context = context;
  }

  compile(fn: ir.Function, body: ir.Region): Code {
    this.#body = body;
    for (const { value } of fn.parameters) this.#numberOf(value);
    this.#region(body, () => {});
    return { fn, steps: this.#steps, numbers: this.#numbers };
  }

  readonly #isUsed = (value: ir.Value): boolean => {
    this.#uses ??= countUsesInRegion(this.#body!);
    return this.#uses.has(value);
  };

  readonly #numberOf = (value: ir.Value): number => {
    let number = this.#numbers.get(value);
    if (number === undefined) {
      number = this.#numbers.size;
      this.#numbers.set(value, number);
    }
    return number;
  };

  #region(region: ir.Region, leave: Leave): void {
    for (const instruction of region.instructions) this.#instruction(instruction, leave);
  }

  #run(instruction: ir.Instruction, run: (frame: Frame) => void): void {
    this.#steps.push({ instruction, run });
  }

  #jump(instruction: ir.Instruction, jump: (frame: Frame) => number): void {
    this.#steps.push({ instruction, jump });
  }

  #place(label: Label): void {
    label.step = this.#steps.length;
  }

  #instruction(instruction: ir.Instruction, leave: Leave): void {
    switch (instruction.op) {
      case 'if':
        this.#if(instruction);
        break;
      case 'switch':
        this.#switch(instruction);
        break;
      case 'block':
        this.#block(instruction);
        break;
      case 'loop':
        this.#loop(instruction);
        break;
      case 'work_item_loop':
        this.#itemLoop(instruction);
        break;
      case 'yield':
        leave(instruction);
        break;
      case 'break':
        this.#go(instruction, instruction.target.results, this.#exits.get(instruction.target)!);
        break;
      case 'continue': {
        const { target } = instruction;
        this.#go(instruction, target.regions[0]!.parameters, this.#heads.get(target)!);
        break;
      }
      case 'return':
        this.#return(instruction);
        break;
      case 'unreachable':
        this.#run(instruction, () => {
          throw new Fault(`control reached 'unreachable'`);
        });
        break;
      case 'call':
      case 'call_indirect':
        this.#call(instruction);
        break;
      case 'barrier':
        this.#barrier(instruction);
        break;
      case 'collective':
        this.#collective(instruction);
        break;
      default: {
        const step =
          vectorStep(instruction, this.#context, this.#numberOf) ??
          memoryStep(instruction, this.#context, this.#numberOf, this.#isUsed) ??
          imageStep(instruction, this.#context, this.#numberOf) ??
          dataStep(instruction, this.#context, this.#numberOf);
        if (!step) break;
        const run = this.#context.around?.(instruction, step, this.#numberOf) ?? step;
        this.#run(instruction, this.#counted(instruction, run));
      }
    }
  }

  /** The step with what the counter wants done each time. */
  #counted(instruction: ir.Instruction, run: (frame: Frame) => void): (frame: Frame) => void {
    const count = this.#context.counter?.(instruction);
    if (!count) return run;
    return (frame) => {
      count();
      run(frame);
    };
  }

  /** Gives the values `to` what the instruction's operands are, and goes to the label. */
  #go(instruction: ir.Instruction, to: readonly ir.Value[], label: Label): void {
    const move = this.#move(instruction.operands, to);
    this.#jump(instruction, (frame) => {
      move(frame.values);
      return label.step;
    });
  }

  /** All at once: a new value may be an old one that is replaced as well. */
  #move(from: readonly ir.Value[], to: readonly ir.Value[]): (values: RuntimeValue[]) => void {
    const sources = from.map(this.#numberOf);
    const targets = to.map(this.#numberOf);
    if (sources.length === 0) return () => {};
    const [source, target] = [sources[0]!, targets[0]!];
    if (sources.length === 1) {
      return (values) => {
        values[target] = values[source]!;
      };
    }
    return (values) => {
      const moved = sources.map((number) => values[number]!);
      for (let index = 0; index < targets.length; index += 1) values[targets[index]!] = moved[index]!;
    };
  }

  #if(instruction: ir.If): void {
    const condition = this.#numberOf(instruction.operands[0]!);
    const [whenTrue, whenFalse] = instruction.regions as [ir.Region, ir.Region];
    const otherwise: Label = { step: -1 };
    const end: Label = { step: -1 };
    const next = this.#steps.length + 1;
    this.#jump(instruction, ({ values }) => (values[condition] ? next : otherwise.step));
    this.#region(whenTrue, (leaving) => this.#go(leaving, instruction.results, end));
    this.#place(otherwise);
    this.#region(whenFalse, (leaving) => this.#go(leaving, instruction.results, end));
    this.#place(end);
  }

  #switch(instruction: ir.Switch): void {
    const value = this.#numberOf(instruction.operands[0]!);
    const starts = new Map<Scalar, Label>();
    const end: Label = { step: -1 };
    const otherwise: Label = { step: -1 };
    this.#jump(instruction, ({ values }) => (starts.get(values[value] as Scalar) ?? otherwise).step);
    instruction.regions.forEach((region, index) => {
      const cases = instruction.cases[index];
      const start = cases ? { step: -1 } : otherwise;
      for (const number of cases ?? []) starts.set(number, start);
      this.#place(start);
      this.#region(region, (leaving) => this.#go(leaving, instruction.results, end));
    });
    this.#place(end);
  }

  #block(instruction: ir.Block): void {
    const end: Label = { step: -1 };
    this.#exits.set(instruction, end);
    this.#region(instruction.regions[0]!, (leaving) => this.#go(leaving, instruction.results, end));
    this.#place(end);
  }

  #loop(instruction: ir.Loop): void {
    const body = instruction.regions[0]!;
    const head: Label = { step: -1 };
    const end: Label = { step: -1 };
    this.#exits.set(instruction, end);
    this.#heads.set(instruction, head);
    const move = this.#move(instruction.operands, body.parameters);
    this.#run(instruction, (frame) => move(frame.values));
    this.#place(head);
    this.#region(body, () => {});
    this.#place(end);
  }

  #itemLoop(instruction: ir.WorkItemLoop): void {
    const { lanes = 1, rows = 1 } = instruction;
    const single = scalarRegion(instruction);
    const vectorised = vectorRegion(instruction);
    const coarse = coarseRegion(instruction);
    const body: Label = { step: -1 };
    const vectorBody: Label = { step: -1 };
    const coarseBody: Label = { step: -1 };
    const end: Label = { step: -1 };
    /** Goes on with the work-item of that number: alone, or with those next to it, and below it. */
    const goOn = (item: WorkItem, next: number): number => {
      for (let index = next; index < item.group.itemCount; index += lanes) {
        becomeItem(item, index);
        const [width, height] = item.group.size;
        const [x, y] = item.localId;
        if (x + lanes > width) return body.step;
        const isCoarse = coarse && y - (y % rows) + rows <= height;
        if (!isCoarse) return vectorised ? vectorBody.step : body.step;
        if (y % rows === 0) return coarseBody.step;
        // Has been done with the rows before it.
      }
      item.index = -1;
      return end.step;
    };
    const shared = combinedContextArrays(instruction);
    this.#jump(instruction, ({ item }) => {
      for (const contextArray of shared)
        item.group.contextArrays.set(contextArray, [identityOf(contextArray.combine!, contextArray.type)]);
      return goOn(item, 0);
    });
    this.#place(body);
    this.#region(single!, (leaving) => this.#jump(leaving, ({ item }) => goOn(item, item.index + 1)));
    const places: [ir.Region | undefined, Label][] = [
      [vectorised, vectorBody],
      [coarse, coarseBody],
    ];
    for (const [region, label] of places) {
      if (!region) continue;
      this.#place(label);
      this.#region(region, (leaving) => this.#jump(leaving, ({ item }) => goOn(item, item.index + lanes)));
    }
    this.#place(end);
  }

  #barrier(instruction: ir.Barrier): void {
    const next = this.#steps.length + 1;
    const waiting = instruction.scope === 'sub-group' ? signals.subGroupBarrier : signals.barrier;
    this.#jump(instruction, (frame) => {
      // In work-group form all work-items are here together.
      if (frame.item.wholeGroup) return next;
      frame.next = next;
      return waiting;
    });
  }

  /** A step that brings the value along and waits, and one that makes the result of all values. */
  #collective(instruction: ir.Collective): void {
    const value = this.#numberOf(instruction.operands[0]!);
    const result = this.#numberOf(instruction.results[0]!);
    const isSubGroup = instruction.scope === 'sub-group';
    const next = this.#steps.length + 1;
    this.#jump(instruction, (frame) => {
      const { group, index } = frame.item;
      const phase = isSubGroup ? group.subPhases[subGroupOf(index)]! : group.phase;
      group.offers[instruction.scope][(phase & 1) as 0 | 1][index] = frame.values[value]!;
      frame.next = next;
      return isSubGroup ? signals.subGroupBarrier : signals.barrier;
    });
    const meant = instruction.operands[1];
    const other = meant && this.#numberOf(meant);
    const compute = collectiveResult(instruction);
    this.#run(instruction, ({ values, item }) => {
      values[result] = compute(item, other === undefined ? 0 : Number(values[other]));
    });
  }

  /** Operands before the arguments, such as the pointer to the function, do not go to the callee. */
  #call(instruction: ir.Call | ir.CallIndirect): void {
    const { operands, results } = instruction;
    const supplied = instruction.op === 'call' ? queueFunctionOf(instruction.callee) : undefined;
    if (supplied) {
      this.#queueCall(supplied, instruction);
      return;
    }
    const pointer = instruction.op === 'call_indirect' ? this.#numberOf(operands[0]!) : -1;
    const given = instruction.op === 'call_indirect' ? operands.slice(1) : operands;
    const numbers = given.map(this.#numberOf);
    const resultNumber = results[0] ? this.#numberOf(results[0]) : -1;
    const next = this.#steps.length + 1;
    const calleeOf = (frame: Frame): ir.Function => {
      if (instruction.op === 'call') return instruction.callee;
      const callee = this.#context.functionAt(frame.values[pointer] as number);
      const fits =
        callee.result === results[0]?.type &&
        callee.parameters.length === given.length &&
        callee.parameters.every(({ value }, index) => value.type === given[index]!.type);
      if (!fits) throw new Fault(`'${callee.name}' is called through a pointer as a function of other types`);
      return callee;
    };
    this.#jump(instruction, (frame) => {
      const code = this.#context.codeOf(calleeOf(frame));
      frame.next = next;
      frame.item.frame = {
        code,
        item: frame.item,
        values: numbers.map((number) => frame.values[number]!),
        caller: frame,
        resultNumber,
        next: 0,
      };
      return signals.frame;
    });
  }

  /** A function of the machine (device-queues.ts). */
  #queueCall(name: QueueFunctionName, instruction: ir.Instruction): void {
    const { operands, results } = instruction;
    const numbers = operands.map(this.#numberOf);
    const result = this.#numberOf(results[0]!);
    const isWide = results[0]!.type === i64;
    this.#run(instruction, ({ values }) => {
      const answer = this.#context.queueCall(
        name,
        numbers.map((number) => values[number]!),
      );
      values[result] = isWide ? BigInt(answer) : answer | 0;
    });
  }

  #return(instruction: ir.Return): void {
    const operand = instruction.operands[0];
    const number = operand ? this.#numberOf(operand) : -1;
    this.#jump(instruction, (frame) => {
      const { caller, item, resultNumber, privates } = frame;
      for (const { start } of privates?.values() ?? []) this.#context.memory.release(start);
      if (caller && resultNumber >= 0) caller.values[resultNumber] = frame.values[number]!;
      item.frame = caller;
      return signals.frame;
    });
  }
}
