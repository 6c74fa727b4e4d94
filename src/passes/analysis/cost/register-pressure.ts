/**
 * How many vector registers the hottest code of a region needs at a time when it is vectorised: an estimate that takes
 * instructions in the order in which they are. Only what differs from lane to lane counts, and what is the same but
 * used as a vector is thought to be made where it is used.
 */
import type * as ir from '../../../ir/ir.ts';
import type { Type } from '../../../ir/types.ts';
import { walkRegion } from '../../../ir/walk.ts';
import type { Vectors } from '../../../target/target.ts';
import type { Uniformity } from '../uniformity.ts';
import { registersOf } from './registers.ts';

/**
 * @param lanes how many a vector has
 * @returns the most registers alive at any point of the innermost loops, or of the region if it has none
 */
export function registerPressure(
  region: ir.Region,
  row: Uniformity,
  lanes: number,
  vectors: Vectors,
): number {
  return new Pressure(row, lanes, vectors).of(region);
}

/**
 * How many vector registers are carried on: by a loop that has no other in it, from iteration to iteration, or by the region in context arrays, from which it
 * reads as much as it writes to. What does not find room of these is stored and loaded each time that it changes.
 * @returns the most of any of the loops, and of the region
 */
export function carriedRegisters(
  region: ir.Region,
  row: Uniformity,
  lanes: number,
  vectors: Vectors,
): number {
  const read = new Set<ir.ContextArray>();
  const written = new Set<ir.ContextArray>();
  let most = 0;
  const registers = (types: readonly Type[]): number =>
    types.reduce((sum, type) => sum + registersOf(type, lanes, vectors), 0);
  walkRegion(region, (instruction) => {
    if (instruction.op === 'context_read') read.add(instruction.contextArray);
    else if (instruction.op === 'context_write') written.add(instruction.contextArray);
    else if (instruction.op === 'loop' && isInnermost(instruction)) {
      const carried = instruction.regions[0]!.parameters.filter((one) => row.of(one).kind === 'varying');
      most = Math.max(most, registers(carried.map(({ type }) => type)));
    }
  });
  const ofArrays = (arrays: ReadonlySet<ir.ContextArray>): number =>
    registers([...arrays].map(({ type }) => type));
  // A loop around the region reads from one array what the region before wrote to another.
  return Math.max(most, Math.min(ofArrays(read), ofArrays(written)));
}

function isInnermost(loop: ir.Loop): boolean {
  let isOne = true;
  walkRegion(loop.regions[0]!, ({ op }) => {
    if (op === 'loop') isOne = false;
  });
  return isOne;
}

class Pressure {
  readonly #row: Uniformity;
  readonly #lanes: number;
  readonly #vectors: Vectors;
  /** What is alive at the place that has been come to, and how many registers it takes. */
  readonly #live = new Set<ir.Value>();
  #registers = 0;
  /** What has become alive since the end of the regions that are open, in that order; some of it is dead again. */
  #added: ir.Value[] = [];
  /** The most that was alive, by the number of loops around. */
  readonly #most: number[] = [];

  constructor(row: Uniformity, lanes: number, vectors: Vectors) {
    this.#row = row;
    this.#lanes = lanes;
    this.#vectors = vectors;
  }

  of(region: ir.Region): number {
    this.#region(region, 0);
    return this.#most.at(-1) ?? 0;
  }

  /** Goes backwards from what is alive behind a region to what is alive before it. */
  #region({ instructions }: ir.Region, depth: number): void {
    for (let index = instructions.length - 1; index >= 0; index -= 1) {
      const { op, operands, results, regions } = instructions[index]!;
      for (const result of results) this.#end(result);
      const [body] = regions;
      // What the body uses from outside is alive all the time.
      if (op === 'loop') for (const used of usesOf(body!)) this.#begin(used);
      this.#regions(regions, op === 'loop' ? depth + 1 : depth);
      if (op === 'loop') for (const parameter of body!.parameters) this.#end(parameter);
      for (const operand of operands) this.#begin(operand);
      this.#most[depth] = Math.max(this.#most[depth] ?? 0, this.#registers);
    }
  }

  /** Each of these regions begins with what is alive behind all of them; before them, what is alive before any of them. */
  #regions(regions: readonly ir.Region[], depth: number): void {
    const before: ir.Value[][] = [];
    regions.forEach((region, index) => {
      const start = this.#added.length;
      this.#region(region, depth);
      if (index === regions.length - 1) return;
      const added = this.#added.splice(start).filter((value) => this.#live.has(value));
      for (const value of added) this.#end(value);
      before.push(added);
    });
    for (const values of before) for (const value of values) this.#begin(value);
  }

  #begin(value: ir.Value): void {
    if (this.#live.has(value) || this.#row.of(value).kind !== 'varying') return;
    this.#live.add(value);
    this.#registers += registersOf(value.type, this.#lanes, this.#vectors);
    this.#added.push(value);
  }

  #end(value: ir.Value): void {
    if (this.#live.delete(value)) this.#registers -= registersOf(value.type, this.#lanes, this.#vectors);
  }
}

/** What a region uses that it does not make itself. */
function usesOf(region: ir.Region): Set<ir.Value> {
  const made = new Set<ir.Value>();
  const used = new Set<ir.Value>();
  const visit = ({ parameters, instructions }: ir.Region): void => {
    for (const parameter of parameters) made.add(parameter);
    for (const instruction of instructions) {
      for (const operand of instruction.operands) used.add(operand);
      for (const result of instruction.results) made.add(result);
      for (const nested of instruction.regions) visit(nested);
    }
  };
  visit(region);
  for (const value of made) used.delete(value);
  return used;
}
