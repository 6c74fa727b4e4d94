/**
 * Visiting every instruction of a region tree, in the order in which the text form shows them: an instruction
 * before what is nested in it. Passes that only look, or that change instructions in place, use this.
 */
import type * as ir from './ir.ts';

/**
 * Visits the instructions of `region` and of all regions nested in it, each before its own regions.
 * The visitor may change the visited instruction, but not the list of the region that holds it.
 */
export function walkRegion(
  region: ir.Region,
  visit: (instruction: ir.Instruction, region: ir.Region) => void,
): void {
  for (const instruction of region.instructions) {
    visit(instruction, region);
    for (const nested of instruction.regions) walkRegion(nested, visit);
  }
}

/** Visits `region` and all regions nested in it, inner ones first, so that a visitor may rewrite their lists. */
export function walkRegionsInsideOut(region: ir.Region, visit: (region: ir.Region) => void): void {
  for (const instruction of region.instructions) {
    for (const nested of instruction.regions) walkRegionsInsideOut(nested, visit);
  }
  visit(region);
}

/** Visits the instructions of a function's body; nothing for a function that is only declared. */
export function walkFunction(
  fn: ir.Function,
  visit: (instruction: ir.Instruction, region: ir.Region) => void,
): void {
  if (fn.body) walkRegion(fn.body, visit);
}

/**
 * Makes operands refer to other values, in `region` and all regions nested in it: each operand that `map` has is
 * replaced by what the map says for it, and that again, until the map has no more to say. The map must have no cycle.
 */
export function replaceOperands(region: ir.Region, map: ReadonlyMap<ir.Value, ir.Value>): void {
  if (map.size === 0) return;
  walkRegion(region, (instruction) => {
    const { operands } = instruction;
    for (let index = 0; index < operands.length; index += 1) {
      let value = operands[index]!;
      for (let next = map.get(value); next !== undefined; next = map.get(value)) value = next;
      operands[index] = value;
    }
  });
}
