/**
 * Loops that mostly wait for their own last iteration. In
 *
 *     for (int k = 0; k < n; k++) sum += a[k * n + x] * b[k];
 *
 * each iteration adds to what the iteration before has added, and an addition takes as long as a few independent ones. Eight lanes
 * are two vectors and two such chains; twice the lanes keep the processor busy, and read whole lines of the cache.
 */
import { isPure } from '../../../ir/effects.ts';
import type * as ir from '../../../ir/ir.ts';
import { elementOf } from '../../../ir/types.ts';
import type { Vectors } from '../../../target/target.ts';
import type { Uniformity } from '../uniformity.ts';
import { registersOf } from './registers.ts';
import { thresholds } from './thresholds.ts';

/**
 * Whether twice as many lanes would make a region faster: its most deeply nested loops wait for themselves with `lanes`
 * lanes, and have registers to spare.
 */
export function isWaiting(
  region: ir.Region,
  uniformity: Uniformity,
  lanes: number,
  vectors: Vectors,
): boolean {
  const loops = deepestLoops(region);
  return (
    loops.length > 0 &&
    loops.every((loop) => {
      const time = uniformity.isDivergent(loop) ? undefined : timeOf(loop, uniformity, lanes, vectors);
      return time !== undefined && time.waiting >= time.busy * thresholds.worthWaiting;
    })
  );
}

/** The loops that lie deepest in a region. */
export function deepestLoops(region: ir.Region): ir.Loop[] {
  let deepest = 0;
  let found: ir.Loop[] = [];
  const visit = ({ instructions }: ir.Region, depth: number): void => {
    for (const instruction of instructions) {
      const inner = instruction.op === 'loop' ? depth + 1 : depth;
      if (instruction.op === 'loop' && inner >= deepest) {
        if (inner > deepest) found = [];
        deepest = inner;
        found.push(instruction);
      }
      for (const nested of instruction.regions) visit(nested, inner);
    }
  };
  visit(region, 0);
  return found;
}

/** Cycles that an iteration is busy, and that the next one has to wait for it; undefined for what is not as simple. */
function timeOf(
  loop: ir.Loop,
  uniformity: Uniformity,
  lanes: number,
  vectors: Vectors,
): { busy: number; waiting: number } | undefined {
  const { parameters, instructions } = loop.regions[0]!;
  const isVarying = (value: ir.Value): boolean => isInVectors(uniformity, value);
  const carried = parameters.filter(isVarying);
  const held = carried.reduce((sum, { type }) => sum + registersOf(type, lanes, vectors), 0);
  // With twice the lanes; as much again for what is computed.
  if (carried.length === 0 || held * 4 > vectors.registers) return undefined;
  /** When a value is there, counted from when the parameters are; none for what does not come from them. */
  const ready = new Map<ir.Value, number>(carried.map((parameter) => [parameter, 0]));
  let computations = 0;
  let loads = 0;
  for (const instruction of instructions) {
    const [result] = instruction.results;
    if (instruction.regions.length > 0) {
      if (!isExit(instruction, loop)) return undefined;
      continue;
    }
    if (!result) continue;
    if (instruction.op === 'load') {
      const pointer = instruction.operands[0]!;
      const isPrivate = pointer.type.kind === 'pointer' && pointer.type.space === 'private';
      // Lane by lane it is no waiting that takes the time.
      if (uniformity.of(pointer).kind === 'varying' && !isPrivate) return undefined;
      loads += isVarying(result) ? registersOf(result.type, lanes, vectors) : 1;
      continue;
    }
    if (!isPure(instruction)) return undefined;
    if (!isVarying(result) || ['build', 'extract', 'insert', 'splat', 'shuffle'].includes(instruction.op))
      continue;
    computations += registersOf(result.type, lanes, vectors);
    const times = instruction.operands.flatMap((operand) => ready.get(operand) ?? []);
    if (times.length > 0) ready.set(result, Math.max(...times) + latencyOf(instruction, vectors));
  }
  const next = instructions.at(-1)!.operands;
  const waiting = Math.max(...parameters.map((_, at) => ready.get(next[at]!) ?? 0));
  return { busy: Math.max(computations, loads) / vectors.ports, waiting };
}

/** An `if` that does nothing but leave the loop, with a condition that is the same for all. */
function isExit(instruction: ir.Instruction, loop: ir.Loop): boolean {
  return (
    instruction.op === 'if' &&
    instruction.results.length === 0 &&
    instruction.regions.every(({ instructions }) => {
      const [only] = instructions;
      return only?.op === 'yield' || (only?.op === 'break' && only.target === loop);
    })
  );
}

function isInVectors(uniformity: Uniformity, value: ir.Value): boolean {
  const { kind, step } = { step: 0, ...uniformity.of(value) };
  const hasSteps = value.type.kind === 'int' || value.type.kind === 'pointer';
  return kind === 'varying' || (kind === 'affine' && step !== 0 && !hasSteps);
}

function latencyOf(instruction: ir.Instruction, { floatLatency }: Vectors): number {
  return elementOf(instruction.results[0]!.type).kind === 'float' ? floatLatency : 1;
}
