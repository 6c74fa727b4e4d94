/**
 * Finds how often a loop runs by running it: whatever its body computes from constants alone is computed iteration by
 * iteration, until a condition known in this way leaves the loop.
 *
 *     loop @l (%i = 1, %sum = %x) {            %i is 1, 2, 4, 8: after three iterations,
 *       if (slt %i, 8) { yield }               the fourth test leaves
 *       else { break @l %sum }
 *       ...
 *       continue @l (shl %i, 1), %more
 *
 * Any counter that starts at a constant will do, counting up, down or by shifts. What else is computed from it (the
 * index of a private array, a weight) is known in every iteration too; `cost` counts only what is left.
 */
import type * as ir from '../../ir/ir.ts';
import { type ConstantValue, evaluate } from '../scalar/constant-folding/evaluate.ts';

export interface TripCount {
  /** How often `continue` is reached. Other ways out may end the loop sooner. */
  readonly trips: number;
  /** Where in the body the `if` is that leaves, and which of its regions does. */
  readonly exitAt: number;
  readonly exitRegion: 0 | 1;
  /** How many instructions all iterations together have that are not known beforehand. */
  readonly cost: number;
}

export interface TripLimits {
  readonly trips: number;
  readonly cost: number;
}

/** Iterations times instructions that are tried at most, whatever the limits say. */
const greatestEffort = 1 << 17;

/**
 * Counts the iterations of a loop whose body ends in its only `continue`.
 * @param constants the constants that are visible where the loop is
 * @returns undefined if the count is not known, or over one of the limits
 */
export function countTrips(
  loop: ir.Loop,
  constants: ReadonlyMap<ir.Value, ConstantValue>,
  limits: TripLimits,
  addressBits: 32 | 64,
): TripCount | undefined {
  const { parameters, instructions } = loop.regions[0]!;
  let iteration = new Map<ir.Value, ConstantValue>();
  loop.operands.forEach((operand, index) => {
    const value = constants.get(operand);
    if (value !== undefined) iteration.set(parameters[index]!, value);
  });
  if (iteration.size === 0) return undefined;

  const constant = (value: ir.Value): ConstantValue | undefined =>
    iteration.get(value) ?? constants.get(value);
  /** Exits whose condition was not known in some iteration. */
  const doubtful = new Set<number>();
  let cost = 0;
  const mostTrips = Math.min(limits.trips, greatestEffort / instructions.length);
  for (let trips = 0; trips <= mostTrips && cost <= limits.cost; trips += 1) {
    for (let at = 0; at < instructions.length; at += 1) {
      const instruction = instructions[at]!;
      if (instruction.op === 'constant') iteration.set(instruction.results[0]!, instruction.value);
      else if (instruction.op === 'if') {
        const condition = constant(instruction.operands[0]!);
        if (condition === undefined) {
          if (instruction.regions.some((region) => endsInBreak(region, loop))) doubtful.add(at);
          cost += sizeOfInstruction(instruction);
          continue;
        }
        const taken = condition === true ? 0 : 1;
        const region = instruction.regions[taken]!;
        if (endsInBreak(region, loop)) {
          return doubtful.has(at) ? undefined : { trips, exitAt: at, exitRegion: taken, cost };
        }
        const last = region.instructions.at(-1)!;
        if (last.op !== 'yield') return undefined;
        cost += sizeOfRegion(region);
        instruction.results.forEach((result, index) => {
          const value = constant(last.operands[index]!);
          if (value !== undefined) iteration.set(result, value);
        });
      } else {
        const value = evaluate(instruction, constant, addressBits);
        if (value !== undefined) iteration.set(instruction.results[0]!, value);
        else cost += sizeOfInstruction(instruction);
      }
    }
    const next = new Map<ir.Value, ConstantValue>();
    const { operands } = instructions.at(-1)!;
    parameters.forEach((parameter, index) => {
      const value = constant(operands[index]!);
      if (value !== undefined) next.set(parameter, value);
    });
    iteration = next;
  }
  return undefined;
}

function endsInBreak(region: ir.Region, loop: ir.Loop): boolean {
  const last = region.instructions.at(-1)!;
  return last.op === 'break' && last.target === loop;
}

/** How many instructions a region and all that is nested in it have that do something. */
export function sizeOfRegion(region: ir.Region): number {
  let size = 0;
  for (const instruction of region.instructions) size += sizeOfInstruction(instruction);
  return size;
}

function sizeOfInstruction(instruction: ir.Instruction): number {
  let size = 1;
  switch (instruction.op) {
    case 'constant':
    case 'undefined':
    case 'variable':
    case 'yield':
    case 'continue':
      return 0;
    default:
  }
  for (const region of instruction.regions) size += sizeOfRegion(region);
  return size;
}
