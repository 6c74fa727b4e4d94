/**
 * What a part of a launch reads and writes of each buffer: ranges of bytes that hold all of it, found by going through the kernel once with the
 * launch's numbers (values.ts). An index that depends on data may be anything, so such an access reaches the whole buffer, as far as ranges go.
 * A kernel of which something cannot be told at all has no footprint, but a reason.
 */
import { findDefinitions } from '../ir/definitions.ts';
import type * as ir from '../ir/ir.ts';
import { sizeOf } from '../ir/types.ts';
import { exactly, type Interval, type Range } from './intervals.ts';
import { Environment, type Launch, Values } from './values.ts';

export interface Footprint {
  /** By the places of parameters. What is updated is in both. */
  readonly reads: ReadonlyMap<number, readonly Range[]>;
  readonly writes: ReadonlyMap<number, readonly Range[]>;
}

/** Something that cannot be told. */
export class Untold extends Error {
  override name = 'Untold';
}

/** @throws Untold unless everything is known of parameters that are not in `declared`. @param fn in work-item form, without calls */
export function footprintOf(fn: ir.Function, launch: Launch, declared: ReadonlySet<number>): Footprint {
  return new Walk(fn, launch, declared).run();
}

class Walk {
  readonly #fn: ir.Function;
  readonly #values: Values;
  readonly #definitions: ReadonlyMap<ir.Value, ir.Instruction>;
  readonly #declared: ReadonlySet<number>;
  readonly #reads = new Map<number, Interval[]>();
  readonly #writes = new Map<number, Interval[]>();

  constructor(fn: ir.Function, launch: Launch, declared: ReadonlySet<number>) {
    this.#fn = fn;
    this.#definitions = findDefinitions(fn.body!);
    this.#values = new Values(fn, this.#definitions, launch);
    this.#declared = declared;
  }

  run(): Footprint {
    this.#region(this.#fn.body!, new Environment());
    return { reads: rangesOf(this.#reads), writes: rangesOf(this.#writes) };
  }

  /** False if the end of the region is never reached. */
  #region(region: ir.Region, outer: Environment): void {
    let at = outer;
    for (const instruction of region.instructions) {
      switch (instruction.op) {
        case 'if':
          at = this.#if(instruction, at);
          break;
        case 'loop':
          this.#loop(instruction, at);
          break;
        case 'switch':
        case 'block':
          for (const inner of instruction.regions) this.#region(inner, at);
          break;
        default:
          this.#instruction(instruction, at);
      }
    }
  }

  /** What holds behind it: where one side leaves, the other's facts. */
  #if(instruction: ir.If, at: Environment): Environment {
    const [condition] = instruction.operands;
    const facts = [true, false].map((isTrue) => this.#values.facts(condition!, isTrue, at));
    for (const [side, region] of instruction.regions.entries()) {
      const known = facts[side];
      if (known) this.#region(region, new Environment(at, known));
    }
    const [thenLeaves, elseLeaves] = instruction.regions.map(leaves);
    const behind = thenLeaves && !elseLeaves ? facts[1] : elseLeaves && !thenLeaves ? facts[0] : undefined;
    return behind ? new Environment(at, behind) : at;
  }

  #loop(loop: ir.Loop, at: Environment): void {
    const [body] = loop.regions;
    const repeats = continuesOf(loop);
    for (const [index, parameter] of body!.parameters.entries()) {
      if (parameter.type.kind !== 'int') continue;
      const start = this.#values.of(loop.operands[index]!, at);
      const steps = repeats.map((repeat) => this.#step(repeat.operands[index]!, parameter));
      const { bits } = parameter.type;
      const [least, most] = [-(2 ** (Math.min(bits, 54) - 1)), 2 ** (Math.min(bits, 54) - 1) - 1];
      if (steps.some((step) => step === undefined)) this.#values.bind(parameter, { low: least, high: most });
      else {
        const known = steps as number[];
        this.#values.bind(parameter, {
          low: known.some((step) => step < 0) ? least : start.low,
          high: known.some((step) => step > 0) ? most : start.high,
        });
      }
    }
    this.#checkSteps(loop, at);
    this.#region(body!, new Environment(at));
  }

  /**
   * A counter that steps up is never below its start, unless it wraps around: at each end of an iteration its step must fit, by the tests that
   * lead there.
   */
  #checkSteps(loop: ir.Loop, at: Environment): void {
    const [body] = loop.regions;
    const wraps = new Set<ir.Value>();
    const visit = (region: ir.Region, outer: Environment): void => {
      let here = outer;
      for (const instruction of region.instructions) {
        if (instruction.op === 'continue' && instruction.target === loop) {
          for (const [index, parameter] of body!.parameters.entries()) {
            if (parameter.type.kind !== 'int') continue;
            const step = this.#step(instruction.operands[index]!, parameter);
            if (!step) continue;
            const own = this.#values.of(parameter, here);
            const limit = 2 ** (Math.min(parameter.type.bits, 54) - 1);
            if (own.high + step >= limit || own.low + step < -limit) wraps.add(parameter);
          }
        }
        if (instruction.op === 'if') {
          const [condition] = instruction.operands;
          const facts = [true, false].map((isTrue) => this.#values.facts(condition!, isTrue, here));
          for (const [side, inner] of instruction.regions.entries())
            if (facts[side]) visit(inner, new Environment(here, facts[side]));
          const [thenLeaves, elseLeaves] = instruction.regions.map(leaves);
          const behind =
            thenLeaves && !elseLeaves ? facts[1] : elseLeaves && !thenLeaves ? facts[0] : undefined;
          if (behind) here = new Environment(here, behind);
        } else for (const inner of instruction.regions) visit(inner, here);
      }
    };
    visit(body!, new Environment(at));
    for (const parameter of wraps) {
      const bits = parameter.type.kind === 'int' ? Math.min(parameter.type.bits, 54) : 54;
      this.#values.bind(parameter, { low: -(2 ** (bits - 1)), high: 2 ** (bits - 1) - 1 });
    }
  }

  /** By how much a value is more than a parameter of its loop, if that is a constant. */
  #step(value: ir.Value, parameter: ir.Value): number | undefined {
    if (value === parameter) return 0;
    const definition = this.#definitions.get(value);
    if (definition?.op !== 'binary' || (definition.fn !== 'iadd' && definition.fn !== 'isub'))
      return undefined;
    const [a, b] = definition.operands as [ir.Value, ir.Value];
    const constant = this.#values.of(b, new Environment());
    if (a !== parameter || constant.low !== constant.high) return undefined;
    return definition.fn === 'iadd' ? constant.low : -constant.low;
  }

  #instruction(instruction: ir.Instruction, at: Environment): void {
    const { operands, results } = instruction;
    const [pointer, second] = operands as [ir.Value, ir.Value];
    const size = (value: ir.Value): number => sizeOf(value.type, 4);
    switch (instruction.op) {
      case 'load':
        this.#access(pointer, exactly(size(results[0]!)), 'read', at);
        return;
      case 'store':
        this.#access(pointer, exactly(size(second)), 'write', at);
        return;
      case 'atomic':
        this.#access(pointer, exactly(size(instruction.fn === 'load' ? results[0]! : second)), 'update', at);
        return;
      case 'copy':
        this.#access(pointer, this.#values.of(operands[2]!, at), 'write', at);
        this.#access(second, this.#values.of(operands[2]!, at), 'read', at);
        return;
      case 'fill':
        this.#access(pointer, this.#values.of(second, at), 'write', at);
        return;
      default:
        if (untold.has(instruction.op))
          throw new Untold(`what it does by '${instruction.op}' cannot be told`);
    }
  }

  #access(pointer: ir.Value, bytes: Interval, kind: 'read' | 'write' | 'update', at: Environment): void {
    const place = this.#values.place(pointer, at);
    if (place.kind === 'own') return;
    if (place.kind === 'unknown')
      throw new Untold('it reaches memory by a pointer that no parameter is known of');
    const { index, offset } = place;
    if (this.#declared.has(index)) return;
    const reached = { low: offset.low, high: offset.high + bytes.high - 1 };
    const lists =
      kind === 'read' ? [this.#reads] : kind === 'write' ? [this.#writes] : [this.#reads, this.#writes];
    for (const list of lists) list.set(index, [...(list.get(index) ?? []), reached]);
  }
}

/** Instructions that reach what is no buffer, or of which nothing is known. */
const untold: ReadonlySet<string> = new Set([
  'call',
  'call_indirect',
  'global_address',
  'printf',
  'image_read',
  'image_write',
  'image_query',
  'masked_load',
  'masked_store',
  'gather',
  'scatter',
]);

/** Whether what follows it is never reached through a region. */
function leaves(region: ir.Region): boolean {
  const last = region.instructions.at(-1);
  return last?.op !== 'yield';
}

function continuesOf(loop: ir.Loop): ir.Continue[] {
  const found: ir.Continue[] = [];
  const visit = (region: ir.Region): void => {
    for (const instruction of region.instructions) {
      if (instruction.op === 'continue' && instruction.target === loop) found.push(instruction);
      for (const inner of instruction.regions) visit(inner);
    }
  };
  visit(loop.regions[0]!);
  return found;
}

function rangesOf(intervals: ReadonlyMap<number, readonly Interval[]>): Map<number, Range[]> {
  return new Map(
    [...intervals].map(([index, list]) => [
      index,
      list.map(({ low, high }) => ({ start: low, end: high + 1 })),
    ]),
  );
}
