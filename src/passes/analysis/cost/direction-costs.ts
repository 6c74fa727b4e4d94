import type * as ir from '../../../ir/ir.ts';
import { sizeOf, type Type } from '../../../ir/types.ts';
import type { VectorTarget } from '../../../target/target.ts';
import {
  findTransposedLoops,
  iterationStride,
  type TransposedLoops,
} from '../../vectorize/memory/transposed-loops.ts';
import { assumedStep } from '../../vectorize/plan/speculation.ts';
import type { AffineForms } from '../affine-forms.ts';
import type { Memory } from '../alias.ts';
import type { Analyses } from '../analyses.ts';
import { type Across, analyseUniformity, type Shape, type Uniformity } from '../uniformity.ts';
import { thresholds } from './thresholds.ts';

/** Accesses of a vector, in those of one work-item. */
const costOf = {
  /** To memory side by side. */
  consecutive: 1,
  /** Close together. */
  close: 2,
  /** Each lane reads on along a row of its own from iteration to iteration, so that several iterations are read at once. */
  transposed: 3,
  /** Side by side, but in other lines of the cache in each iteration of a loop that the work-items of a group do not go through together. */
  newLines: 5,
  /** Anywhere. */
  scattered: 8,
} as const;
/** Computing for all lanes of a vector, and one scalar for all of it, besides those accesses, which wait for the cache. */
const computing = { vector: 1 / 4, scalar: 1 / 8 } as const;
/** So many elements apart is close. */
const closeElements = 4;
/** So many times as much counts what is in a loop. */
const loopIterations = thresholds.loopWeight;
/** And what lanes leave at different iterations, or come to one by one, if they lie along dimension 1, but would together along dimension 0. */
const timesSeparate = 2;
/** Loops nested deeper count as much as the last of these. */
const mostNesting = 3;
const mostWeight = timesSeparate * loopIterations ** mostNesting;

type Direction = Extract<Across, 'row' | 'column'>;

/** Accesses to memory, in those of one work-item that a vector does for all, and computations, in accesses. */
export interface Costs {
  accesses: number;
  computations: number;
}

interface Along {
  readonly across: Direction;
  readonly lanes: Uniformity;
  /** What vectors along it read along rows. */
  readonly transposed: TransposedLoops;
  /** Adds up. */
  readonly costs: Costs;
}

export class DirectionCosts {
  readonly #body: ir.Region;
  readonly #addressBits: 32 | 64;
  readonly #target: VectorTarget;
  readonly #definitions: ReadonlyMap<ir.Value, ir.Instruction>;
  readonly #memory: Memory;
  readonly #forms: AffineForms;
  readonly #group: Uniformity;
  /** Compares lanes along one dimension or the other. */
  readonly #lanes: Readonly<Record<Direction, Uniformity>>;

  /** @param body that of `fn`, in work-item form */
  constructor(
    fn: ir.Function,
    body: ir.Region,
    addressBits: 32 | 64,
    target: VectorTarget,
    analyses: Analyses,
  ) {
    this.#target = target;
    this.#body = body;
    this.#addressBits = addressBits;
    this.#definitions = analyses.definitions;
    this.#memory = analyses.memory;
    this.#forms = analyses.forms;
    this.#group = analyses.uniformity();
    // What is clamped hardly ever is outside; vectors are written for that, and loops (range-check-elimination.ts).
    const assume = (instruction: ir.Instruction, of: (value: ir.Value) => Shape): number | undefined =>
      instruction.op === 'binary' ? assumedStep(instruction, of, this.#definitions) : undefined;
    this.#lanes = {
      row: analyseUniformity(fn, 'row', assume),
      column: analyseUniformity(fn, 'column', assume),
    };
  }

  /** With vectors of neighbours along dimension 0, or 1. */
  along(across: Direction): Costs {
    const lanes = this.#lanes[across];
    const transposed = findTransposedLoops(
      this.#body,
      lanes,
      this.#definitions,
      this.#memory,
      this.#addressBits,
      this.#target.vectors,
    );
    const costs = { accesses: 0, computations: 0 };
    this.#region(this.#body, { across, lanes, transposed, costs }, undefined, 1);
    return costs;
  }

  #region(region: ir.Region, along: Along, loop: ir.Loop | undefined, weight: number): void {
    let here = weight;
    for (const one of region.instructions) {
      this.#instruction(one, along, loop, here);
      if (one.regions.length === 0) continue;
      const isLoop = one.op === 'loop';
      const isWorse = this.#isWorse(one as ir.Structured, along.across);
      const inner = here * (isLoop ? loopIterations : 1) * (isWorse ? timesSeparate : 1);
      for (const nested of one.regions)
        this.#region(nested, along, isLoop ? one : loop, Math.min(inner, mostWeight));
      // `if (y & 7) return;`
      if (isWorse && one.op === 'if' && one.regions.some(isLeft))
        here = Math.min(here * timesSeparate, mostWeight);
    }
  }

  #instruction(
    one: ir.Instruction,
    { across, lanes, transposed, costs }: Along,
    loop: ir.Loop | undefined,
    weight: number,
  ): void {
    switch (one.op) {
      case 'load': {
        const [pointer] = one.operands as [ir.Value];
        const cost = transposed.loads.has(one)
          ? costOf.transposed
          : this.#access(pointer, one.results[0]!.type, lanes, loop);
        // Tables, as mathematical functions have them for rare cases, too, stay in the cache.
        if (pointer.type.kind === 'pointer' && pointer.type.space === 'constant')
          costs.computations += weight * cost * computing.scalar;
        else costs.accesses += weight * cost;
        return;
      }
      case 'store':
        costs.accesses += weight * this.#access(one.operands[0]!, one.operands[1]!.type, lanes, loop);
        return;
      case 'unary':
      case 'binary':
      case 'fma':
      case 'compare':
      case 'select':
      case 'convert': {
        // What lanes leave at different iterations has masks.
        const isVector =
          lanes.of(one.results[0]!).kind === 'varying' || (loop && this.#isWorse(loop, across));
        costs.computations += weight * (isVector ? computing.vector : computing.scalar);
        return;
      }
      default:
    }
  }

  /** Whether interchange makes lanes wait for each other that went together before. */
  #isWorse(structure: ir.Structured, across: Direction): boolean {
    const { row, column } = this.#lanes;
    if (across === 'row' || row.isDivergent(structure) || !column.isDivergent(structure)) return false;
    if (structure.op === 'block') return false;
    return structure.op === 'loop' || !this.#isGuard(structure.operands[0]!);
  }

  /** Whether mostly all neighbours along dimension 1 find the same: where the range ends, or at its edges. */
  #isGuard(condition: ir.Value): boolean {
    const definition = this.#definitions.get(condition);
    if (!definition || this.#lanes.column.isUniform(condition)) return true;
    if (definition.op === 'compare') {
      const isEqual = definition.fn === 'eq' || definition.fn === 'ne';
      return definition.operands.every((operand) =>
        isEqual ? this.#isPlace(operand) : this.#lanes.column.of(operand).kind !== 'varying',
      );
    }
    if (definition.op !== 'binary' && definition.op !== 'unary' && definition.op !== 'select') return false;
    return condition.type.kind === 'bool' && definition.operands.every((operand) => this.#isGuard(operand));
  }

  /** A place in the range, not that in a group; or the same for all. */
  #isPlace(value: ir.Value): boolean {
    if (this.#lanes.column.isUniform(value)) return true;
    return [...this.#forms.of(value).terms.keys()].every((term) => {
      const definition = this.#definitions.get(term);
      return (
        this.#lanes.column.isUniform(term) || (definition?.op === 'query' && definition.fn === 'global_id')
      );
    });
  }

  #access(pointer: ir.Value, type: Type, lanes: Uniformity, loop: ir.Loop | undefined): number {
    if (pointer.type.kind === 'pointer' && pointer.type.space === 'private') return 0;
    const step = stepOf(lanes.of(pointer));
    const bytes = sizeOf(type);
    if (step === undefined || step > closeElements * bytes) return costOf.scattered;
    if (step === bytes) return this.#readsNewLines(pointer, loop) ? costOf.newLines : costOf.consecutive;
    return step === 0 ? costOf.consecutive : costOf.close;
  }

  /** Whether it reads far away in each iteration of a loop that cannot be done in strips (tile-loops.ts). */
  #readsNewLines(pointer: ir.Value, loop: ir.Loop | undefined): boolean {
    if (!loop || !this.#group.isDivergent(loop)) return false;
    const distance = iterationStride(loop, pointer, this.#forms);
    return distance === undefined || Math.abs(distance) >= this.#target.cache.line;
  }
}

/** Whether a region ends in a jump. */
function isLeft({ instructions }: ir.Region): boolean {
  return instructions.at(-1)?.op !== 'yield';
}

/** The distance of neighbours; undefined if it is not known. */
function stepOf(shape: Shape): number | undefined {
  return shape.kind === 'uniform' ? 0 : shape.kind === 'affine' ? Math.abs(shape.step) : undefined;
}
