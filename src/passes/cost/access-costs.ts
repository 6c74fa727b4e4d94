/**
 * What the accesses to memory of a kernel cost if its work-items run in packs along one dimension or the other, roughly: to compare the two,
 * before anything is packed (swap-dimensions.ts).
 */
import { findDefinitions } from '../../ir/definitions.ts';
import type * as ir from '../../ir/ir.ts';
import { sizeOf, type Type } from '../../ir/types.ts';
import { LinearForms } from '../linear-forms.ts';
import { Memory } from '../memory.ts';
import { assumedStep } from '../pack/assumptions.ts';
import { findRowWalks, type RowWalks, turnDistance } from '../pack/row-walks.ts';
import { line } from '../stretches.ts';
import { analyseUniformity, type Shape, type Uniformity } from '../uniformity.ts';

/** Accesses of a pack, in those of one work-item. */
const costOf = {
  /** To memory side by side. */
  consecutive: 1,
  /** Close together. */
  close: 2,
  /** Each lane reads on along a row of its own from turn to turn, so that several turns are read at once. */
  walking: 3,
  /** Side by side, but in other lines of the cache in each turn of a loop that the work-items of a group do not go through together. */
  leaping: 5,
  /** Anywhere. */
  scattered: 8,
} as const;
/** So many elements apart is close. */
const closeElements = 4;
/** So many times as much counts what stands in a loop, and in one that lanes would leave one by one if they lay along dimension 1 only. */
const loopTurns = 8;
const divergentTurns = 2 * loopTurns;
/** Loops nested deeper count as much as the last of these. */
const mostNesting = 3;
const mostWeight = divergentTurns * loopTurns ** (mostNesting - 1);

type Across = 'row' | 'column';

interface Along {
  readonly across: Across;
  readonly lanes: Uniformity;
  /** What packs along it read along rows. */
  readonly walks: RowWalks;
}

export class AccessCosts {
  readonly #body: ir.Region;
  readonly #addressBits: 32 | 64;
  readonly #definitions: ReadonlyMap<ir.Value, ir.Instruction>;
  readonly #memory: Memory;
  readonly #forms: LinearForms;
  readonly #group: Uniformity;
  /** Compares lanes along one dimension or the other. */
  readonly #lanes: Readonly<Record<Across, Uniformity>>;

  /** @param body that of `fn`, in work-item form */
  constructor(fn: ir.Function, body: ir.Region, addressBits: 32 | 64) {
    this.#body = body;
    this.#addressBits = addressBits;
    this.#definitions = findDefinitions(body);
    this.#memory = new Memory(fn, this.#definitions);
    this.#forms = new LinearForms(this.#definitions);
    this.#group = analyseUniformity(fn);
    // What is clamped hardly ever is outside; packs are written for that, and loops (drop-clamps.ts).
    const assume = (instruction: ir.Instruction, of: (value: ir.Value) => Shape): number | undefined =>
      instruction.op === 'binary' ? assumedStep(instruction, of, this.#definitions) : undefined;
    this.#lanes = {
      row: analyseUniformity(fn, 'row', assume),
      column: analyseUniformity(fn, 'column', assume),
    };
  }

  /** With packs of neighbours along dimension 0, or 1. */
  along(across: Across): number {
    const lanes = this.#lanes[across];
    const walks = findRowWalks(this.#body, lanes, this.#definitions, this.#memory, this.#addressBits);
    return this.#inRegion(this.#body, { across, lanes, walks }, undefined, 1);
  }

  #inRegion({ instructions }: ir.Region, along: Along, loop: ir.Loop | undefined, weight: number): number {
    let cost = 0;
    for (const one of instructions) {
      if (one.op === 'load' && along.walks.loads.has(one)) cost += weight * costOf.walking;
      else if (one.op === 'load')
        cost += weight * this.#access(one.operands[0]!, one.results[0]!.type, along.lanes, loop);
      else if (one.op === 'store')
        cost += weight * this.#access(one.operands[0]!, one.operands[1]!.type, along.lanes, loop);
      const isLoop = one.op === 'loop';
      const inner = isLoop ? weight * this.#turns(one, along.across) : weight;
      for (const region of one.regions)
        cost += this.#inRegion(region, along, isLoop ? one : loop, Math.min(inner, mostWeight));
    }
    return cost;
  }

  /** A loop costs more where swapping makes lanes of it wait for each other, that went together before. */
  #turns(loop: ir.Loop, across: Across): number {
    const { row, column } = this.#lanes;
    const isWorse = across === 'column' && column.isDivergent(loop) && !row.isDivergent(loop);
    return isWorse ? divergentTurns : loopTurns;
  }

  #access(pointer: ir.Value, type: Type, lanes: Uniformity, loop: ir.Loop | undefined): number {
    if (pointer.type.kind === 'pointer' && pointer.type.space === 'private') return 0;
    const step = stepOf(lanes.of(pointer));
    const bytes = sizeOf(type);
    if (step === undefined || step > closeElements * bytes) return costOf.scattered;
    if (step === bytes) return this.#leaps(pointer, loop) ? costOf.leaping : costOf.consecutive;
    return step === 0 ? costOf.consecutive : costOf.close;
  }

  /** Whether it reads far away in each turn of a loop that cannot be done in stretches (cut-loops.ts). */
  #leaps(pointer: ir.Value, loop: ir.Loop | undefined): boolean {
    if (!loop || !this.#group.isDivergent(loop)) return false;
    const distance = turnDistance(loop, pointer, this.#forms);
    return distance === undefined || Math.abs(distance) >= line;
  }
}

/** The distance of neighbours; undefined if it is not known. */
function stepOf(shape: Shape): number | undefined {
  return shape.kind === 'uniform' ? 0 : shape.kind === 'affine' ? Math.abs(shape.step) : undefined;
}
