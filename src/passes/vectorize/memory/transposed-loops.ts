/**
 * Loops in which each work-item reads on in a row of its own:
 *
 *     for (int k = 0; k < n; k++) sum += a[row * n + k] * x[k];       row differs from lane to lane
 *
 * One iteration of a vector would gather from as many places as it has lanes. Several iterations at once read a vector's length in each
 * row, and the elements change places in registers (transposed-loads.ts). So such loops are written for several iterations
 * first (counted-loops.ts).
 *
 * Unrolling in general (unroll.ts, runtime-unroll.ts) happens before there are lanes, for all work-items alike; here the number of iterations
 * is that of the elements in a register of the lanes chosen, and the scalar region keeps its loop.
 */
import { cloneRegion } from '../../../ir/clone.ts';
import type * as ir from '../../../ir/ir.ts';
import { sizeOf } from '../../../ir/types.ts';
import { walkRegion, walkRegionsInsideOut } from '../../../ir/walk.ts';
import type { Vectors } from '../../../target/target.ts';
import { AffineForms } from '../../analysis/affine-forms.ts';
import { type Memory, mayAlias } from '../../analysis/alias.ts';
import { type CountedLoop, findCount, unrollCounted } from '../../analysis/counted-loops.ts';
import type { Uniformity } from '../../analysis/uniformity.ts';
import { isLikelyConsecutive } from './likely-consecutive.ts';

export interface TransposedLoops {
  /** The loops, by their own instructions. */
  readonly loops: ReadonlyMap<ir.Loop, TransposedLoop>;
  /** The loads that go along rows. */
  readonly loads: ReadonlySet<ir.Load>;
}

interface TransposedLoop {
  readonly count: CountedLoop;
  /** How many are to be written at once. */
  readonly iterations: number;
  /** What each lane reads in that time. */
  readonly bytes: number;
}

/** Bodies with more instructions stay as they are. */
const largestBody = 60;

export function findTransposedLoops(
  region: ir.Region,
  uniformity: Uniformity,
  definitions: ReadonlyMap<ir.Value, ir.Instruction>,
  memory: Memory,
  addressBits: 32 | 64,
  vectors: Vectors,
): TransposedLoops {
  const loops = new Map<ir.Loop, TransposedLoop>();
  const loads = new Set<ir.Load>();
  const forms = new AffineForms(definitions);
  walkRegion(region, (instruction) => {
    if (instruction.op !== 'loop' || uniformity.isDivergent(instruction)) return;
    const count = findCount(instruction, definitions);
    if (!count || !isPlain(instruction)) return;
    const found = instruction.regions[0]!.instructions.filter((one): one is ir.Load => {
      if (one.op !== 'load') return false;
      const pointer = one.operands[0]!;
      if (!mayBeInBlock(one, uniformity, definitions, addressBits)) return false;
      const distance = iterationStride(instruction, pointer, forms);
      return distance === elementSize(one, addressBits) && !isWritten(instruction, one, memory);
    });
    if (found.length === 0) return;
    const sizes = found.map((load) => elementSize(load, addressBits));
    const iterations = vectors.shuffleBits / 8 / Math.min(...sizes);
    loops.set(instruction, {
      count,
      iterations,
      bytes: iterations * sizes.reduce((sum, size) => sum + size, 0),
    });
    for (const load of found) loads.add(load);
  });
  return { loops, loads };
}

/**
 * Whether a load is one of those that blocks are made of: of a scalar of 32 or 64 bits, from addresses of the lanes that
 * are neither the same nor neighbours.
 */
export function mayBeInBlock(
  load: ir.Load,
  uniformity: Uniformity,
  definitions: ReadonlyMap<ir.Value, ir.Instruction>,
  addressBits: 32 | 64,
): boolean {
  const pointer = load.operands[0]!;
  const { type } = load.results[0]!;
  if (load.volatile || (type.kind !== 'int' && type.kind !== 'float')) return false;
  if (type.bits !== 32 && type.bits !== 64) return false;
  if (pointer.type.kind !== 'pointer' || pointer.type.space === 'private') return false;
  const shape = uniformity.of(pointer);
  if (shape.kind === 'uniform') return false;
  if (shape.kind === 'affine')
    return shape.step !== 0 && Math.abs(shape.step) !== elementSize(load, addressBits);
  return !isLikelyConsecutive(pointer, definitions, uniformity);
}

export function elementSize(load: ir.Load, addressBits: 32 | 64): number {
  return sizeOf(load.results[0]!.type, addressBits / 8);
}

/** Whether the body is short, straight on but for conditions, and leaves other work-items alone. */
function isPlain(loop: ir.Loop): boolean {
  let size = 0;
  let isSo = true;
  walkRegion(loop.regions[0]!, ({ op }) => {
    size += 1;
    if (['loop', 'variable', 'call', 'atomic', 'fence', 'printf', 'image_write'].includes(op)) isSo = false;
  });
  return isSo && size <= largestBody;
}

/** How many bytes a pointer moves from iteration to iteration of a loop; undefined if that is not always the same. */
export function iterationStride(loop: ir.Loop, pointer: ir.Value, forms: AffineForms): number | undefined {
  const moves = stepsOfParameters(loop, forms);
  const inside = new Set<ir.Value>();
  walkRegion(loop.regions[0]!, ({ results }) => {
    for (const result of results) inside.add(result);
  });
  let distance = 0;
  for (const [term, factor] of forms.of(pointer).terms) {
    const move = moves.get(term);
    if (inside.has(term) || (move === undefined && loop.regions[0]!.parameters.includes(term)))
      return undefined;
    distance += factor * (move ?? 0);
  }
  return distance;
}

/** By how much parameters of a loop grow from iteration to iteration. */
function stepsOfParameters(loop: ir.Loop, forms: AffineForms): Map<ir.Value, number> {
  const steps = new Map<ir.Value, number>();
  const { parameters, instructions } = loop.regions[0]!;
  const { operands } = instructions.at(-1)!;
  parameters.forEach((parameter, at) => {
    const { terms, constant } = forms.of(operands[at]!);
    if (terms.size === 1 && terms.get(parameter) === 1) steps.set(parameter, constant);
  });
  return steps;
}

/** Whether the loop may write where the load reads. */
function isWritten(loop: ir.Loop, load: ir.Load, memory: Memory): boolean {
  const root = memory.accessedBy(load);
  let found = false;
  walkRegion(loop.regions[0]!, (instruction) => {
    const { op } = instruction;
    if (op === 'store' || op === 'copy' || op === 'fill') {
      found ||= mayAlias(memory.accessedBy(instruction), root);
    }
  });
  return found;
}

/**
 * A copy of a region, with the loops written for several iterations at once.
 * @param copies is given what is there more than once
 */
export function withSeveralIterations(
  region: ir.Region,
  { loops }: TransposedLoops,
  addressBits: 32 | 64,
  copies: Set<ir.Instruction>,
): ir.Region {
  const values = new Map<ir.Value, ir.Value>();
  const instructions = new Map<ir.Instruction, ir.Instruction>();
  const copy = cloneRegion(region, values, instructions);
  const chosen = new Map([...loops].map(([loop, how]) => [instructions.get(loop), how]));
  walkRegionsInsideOut(copy, (inner) => {
    inner.instructions = inner.instructions.flatMap((instruction) => {
      const how = chosen.get(instruction);
      if (!how) return [instruction];
      const { count, iterations } = how;
      const mapped: CountedLoop = {
        ...count,
        loop: instruction as ir.Loop,
        counter: values.get(count.counter)!,
        bound: values.get(count.bound) ?? count.bound,
      };
      return unrollCounted(mapped, iterations, addressBits, copies);
    });
  });
  return copy;
}
