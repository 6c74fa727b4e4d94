/**
 * How many vector registers the hottest code of a region needs at a time when it is packed: an estimate that takes
 * instructions in the order in which they stand. Only what differs from lane to lane counts, and what is the same but
 * used as a vector is thought to be made where it is used.
 */
import type * as ir from '../../../ir/ir.ts';
import type { Uniformity } from '../uniformity.ts';
import { registersOf } from './registers.ts';

/**
 * @param lanes how many a pack has
 * @returns the most registers alive at any point of the innermost loops, or of the region if it has none
 */
export function registerPressure(region: ir.Region, row: Uniformity, lanes: number): number {
  return new Pressure(row, lanes).of(region);
}

class Pressure {
  readonly #row: Uniformity;
  readonly #lanes: number;
  /** The most that was alive, by the number of loops around. */
  readonly #most: number[] = [];

  constructor(row: Uniformity, lanes: number) {
    this.#row = row;
    this.#lanes = lanes;
  }

  of(region: ir.Region): number {
    this.#region(region, new Set(), 0);
    return this.#most.at(-1) ?? 0;
  }

  /** @returns what is alive before the region, given what is alive behind it */
  #region(region: ir.Region, behind: ReadonlySet<ir.Value>, depth: number): Set<ir.Value> {
    const live = new Set(behind);
    for (let index = region.instructions.length - 1; index >= 0; index -= 1) {
      const instruction = region.instructions[index]!;
      for (const result of instruction.results) live.delete(result);
      if (instruction.op === 'loop') {
        // What the body uses from outside is alive all the time.
        for (const used of usesOf(instruction.regions[0]!)) this.#add(live, used);
        for (const parameter of instruction.regions[0]!.parameters) live.delete(parameter);
      }
      const before = instruction.regions.map((nested) =>
        this.#region(nested, live, instruction.op === 'loop' ? depth + 1 : depth),
      );
      for (const values of before) for (const value of values) live.add(value);
      if (instruction.op === 'loop')
        for (const parameter of instruction.regions[0]!.parameters) live.delete(parameter);
      for (const operand of instruction.operands) this.#add(live, operand);
      this.#note(live, depth);
    }
    return live;
  }

  #add(live: Set<ir.Value>, value: ir.Value): void {
    if (this.#row.of(value).kind === 'varying') live.add(value);
  }

  #note(live: ReadonlySet<ir.Value>, depth: number): void {
    let registers = 0;
    for (const value of live) registers += registersOf(value.type, this.#lanes);
    this.#most[depth] = Math.max(this.#most[depth] ?? 0, registers);
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
