/**
 * Writes out loops that run a small, known number of times, one copy of the body for each iteration:
 *
 *     %r = loop @l (%i = 0, %sum = %x) {            (body with %i = 0, %sum = %x)
 *       if (slt %i, 3) { yield }               =>   (body with %i = 1, %sum = what the first continued with)
 *       else { break @l %sum }                      (body with %i = 2, ...)
 *       ...
 *
 * in a block that the breaks of the copies leave. What comes of it is the business of the other passes: the counter
 * is a constant in each copy, conditions and indices fold, and a private array that it indexes becomes values.
 *
 * `#pragma unroll` and `opencl_unroll_hint` are followed: 1 means never; 0 means wholly, or else as many copies as
 * fit; n means n copies in a loop that runs n times less often. Such a loop keeps its exit test in each copy, unless
 * it is known which copy leaves. Without such a word a loop is unrolled when it stays small, and not with barriers
 * in it, between which each copy would become a loop over the work-items of its own.
 *
 * In kernels of two dimensions, loops of more than a few iterations that load from memory stay loops: rows that run together share
 * those loads (thread-coarsening.ts), and compilers of what is generated keep order within the iterations of a loop. In one long piece of code some do all
 * loads first, and has no registers for them.
 *
 * Loops are unrolled from the inside out, one layer a run: what an inner loop leaves is simplified before anyone asks
 * how large the outer one gets.
 */
import { cloneInstruction, cloneRegion } from '../../ir/clone.ts';
import type * as ir from '../../ir/ir.ts';
import { containsBarrier, containsLoop } from '../../ir/regions.ts';
import { bool } from '../../ir/types.ts';
import { walkRegion } from '../../ir/walk.ts';
import { countTrips, sizeOfRegion, type TripCount } from '../analysis/trip-count.ts';
import type { ConstantValue } from './constant-folding/evaluate.ts';

/** What a loop that nobody asked to unroll may become: this many iterations, this many instructions. */
const ownAccount = { trips: 32, cost: 400 };
/** The same when it indexes private arrays, which may become values then. */
const withArrays = { trips: 64, cost: 1200 };
/** So many iterations may a loop have that loads what rows may share. */
const mostSharing = 8;
/** What a loop may become on the programmer's word. */
const onRequest = { trips: 4096, cost: 8192 };
/** Kernels grow no further than this. */
const largestKernel = 4096;
const largestOnRequest = 16384;

/** @returns whether any loop was unrolled: the simplifying passes are worth running again */
export function unrollLoops(fn: ir.Function, addressBits: 32 | 64): boolean {
  if (!fn.body || !containsLoop(fn.body)) return false;
  return new Unrolling(fn.body, addressBits).region(fn.body);
}

class Unrolling {
  readonly #addressBits: 32 | 64;
  readonly #constants = new Map<ir.Value, ConstantValue>();
  /** Addresses of private variables, and pointers into them. */
  readonly #privates = new Set<ir.Value>();
  /** The size of the whole kernel. */
  #size: number;
  /** Whether the kernel asks for ids of the second dimension. */
  #hasRows = false;

  constructor(body: ir.Region, addressBits: 32 | 64) {
    this.#addressBits = addressBits;
    this.#size = sizeOfRegion(body);
    walkRegion(body, (instruction) => {
      const result = instruction.results[0]!;
      if (instruction.op === 'constant') this.#constants.set(result, instruction.value);
      else if (instruction.op === 'query') this.#hasRows ||= isRowId(instruction);
      else if (instruction.op === 'variable' && instruction.space === 'private') this.#privates.add(result);
      else if (instruction.op === 'offset' && this.#privates.has(instruction.operands[0]!)) {
        this.#privates.add(result);
      }
    });
  }

  /** Unrolls loops in a region. @returns whether there were any */
  region(region: ir.Region): boolean {
    let found = false;
    const output: ir.Instruction[] = [];
    for (const instruction of region.instructions) {
      let inside = false;
      for (const nested of instruction.regions) inside = this.region(nested) || inside;
      found ||= inside;
      if (instruction.op !== 'loop' || inside || !this.#loop(instruction, output)) output.push(instruction);
      else found = true;
    }
    region.instructions = output;
    return found;
  }

  /** Appends what becomes of a loop. @returns whether it is to be unrolled */
  #loop(loop: ir.Loop, output: ir.Instruction[]): boolean {
    const { unroll } = loop;
    if (unroll === 1 || !endsInOnlyContinue(loop)) return false;
    const body = loop.regions[0]!;
    takeVariables(body, output);
    const size = sizeOfRegion(body);
    if (unroll === undefined) {
      const limits = this.#indexesPrivates(body) ? withArrays : ownAccount;
      if (size > limits.cost || this.#size > largestKernel || containsBarrier(body)) return false;
      const count = countTrips(loop, this.#constants, limits, this.#addressBits);
      if (!count || this.#size + count.cost > largestKernel) return false;
      if (limits === ownAccount && count.trips > mostSharing && this.#hasRows && this.#loads(body))
        return false;
      this.#size += count.cost;
      this.#whole(loop, count, output);
      return true;
    }
    const room = Math.max(0, largestOnRequest - this.#size);
    const count = countTrips(loop, this.#constants, onRequest, this.#addressBits);
    if (count && (unroll === 0 || unroll >= count.trips) && count.cost <= room) {
      this.#size += count.cost;
      this.#whole(loop, count, output);
      return true;
    }
    const wanted = unroll === 0 ? (count?.trips ?? 1) : unroll;
    const copies = Math.min(wanted, Math.floor(Math.min(room, onRequest.cost) / Math.max(size, 1)));
    if (copies < 2) return false;
    this.#size += size * (copies - 1);
    this.#partly(loop, copies, count, output);
    return true;
  }

  /** Whether a private array is indexed by something that is not a constant. */
  #indexesPrivates(region: ir.Region): boolean {
    return region.instructions.some(
      ({ op, operands, regions }) =>
        (op === 'offset' && this.#privates.has(operands[0]!) && !this.#constants.has(operands[1]!)) ||
        regions.some((nested) => this.#indexesPrivates(nested)),
    );
  }

  /** Whether anything is loaded from memory that work-items share. */
  #loads(region: ir.Region): boolean {
    return region.instructions.some(
      ({ op, operands, regions }) =>
        (op === 'load' && !this.#privates.has(operands[0]!)) || regions.some((nested) => this.#loads(nested)),
    );
  }

  #whole(loop: ir.Loop, { trips, exitAt, exitRegion }: TripCount, output: ir.Instruction[]): void {
    const { parameters, instructions } = loop.regions[0]!;
    const copies: ir.Instruction[] = [];
    const block: ir.Block = {
      op: 'block',
      operands: [],
      results: loop.results,
      regions: [{ parameters: [], instructions: copies }],
      span: loop.span,
    };
    const targets = new Map<ir.Instruction, ir.Instruction>([[loop, block]]);
    let current: readonly ir.Value[] = loop.operands;
    for (let iteration = 0; iteration <= trips; iteration += 1) {
      const values = new Map<ir.Value, ir.Value>();
      parameters.forEach((parameter, index) => {
        values.set(parameter, current[index]!);
      });
      if (iteration === trips) {
        for (const instruction of instructions.slice(0, exitAt)) {
          copies.push(cloneInstruction(instruction, values, targets));
        }
        const exit = instructions[exitAt]!.regions[exitRegion]!;
        for (const instruction of cloneRegion(exit, values, targets).instructions) copies.push(instruction);
        break;
      }
      const copy = cloneRegion({ parameters: [], instructions }, values, targets).instructions;
      current = copy.pop()!.operands;
      for (const instruction of copy) copies.push(instruction);
    }
    output.push(block);
  }

  /** The loop with several iterations in its body. */
  #partly(loop: ir.Loop, count: number, known: TripCount | undefined, output: ir.Instruction[]): void {
    const { parameters, instructions } = loop.regions[0]!;
    const copies: ir.Instruction[] = [];
    const result: ir.Loop = {
      ...loop,
      regions: [{ parameters, instructions: copies }],
      unroll: 1,
    };
    const targets = new Map<ir.Instruction, ir.Instruction>([[loop, result]]);
    let current: readonly ir.Value[] = parameters;
    for (let iteration = 0; iteration < count; iteration += 1) {
      const values = new Map<ir.Value, ir.Value>();
      parameters.forEach((parameter, index) => {
        values.set(parameter, current[index]!);
      });
      const copy = cloneRegion({ parameters: [], instructions }, values, targets).instructions;
      if (known && iteration !== known.trips % count) stay(copy, known);
      current = copy.at(-1)!.operands;
      if (iteration < count - 1) copy.pop();
      for (const instruction of copy) copies.push(instruction);
    }
    output.push(result);
  }
}

/** Makes the exit test of a copy of a loop's body say that the loop goes on. */
function stay(copy: ir.Instruction[], { exitAt, exitRegion }: TripCount): void {
  const condition: ir.Value = { type: bool };
  copy[exitAt]!.operands[0] = condition;
  copy.splice(exitAt, 0, {
    op: 'constant',
    value: exitRegion === 1,
    operands: [],
    results: [condition],
    regions: [],
  });
}

/** Whether the body ends in `continue`, and has no other. */
export function endsInOnlyContinue(loop: ir.Loop): boolean {
  const body = loop.regions[0]!;
  const last = body.instructions.at(-1)!;
  if (last.op !== 'continue' || last.target !== loop) return false;
  let count = 0;
  walkRegion(body, (instruction) => {
    if (instruction.op === 'continue' && instruction.target === loop) count += 1;
  });
  return count === 1;
}

/** Moves variables out: they are the same bytes in every iteration. */
function takeVariables(region: ir.Region, output: ir.Instruction[]): void {
  let found = false;
  for (const instruction of region.instructions) {
    if (instruction.op === 'variable') {
      output.push(instruction);
      found = true;
    }
    for (const nested of instruction.regions) takeVariables(nested, output);
  }
  if (found) region.instructions = region.instructions.filter(({ op }) => op !== 'variable');
}

function isRowId({ fn, dimension }: ir.Query): boolean {
  return dimension === 1 && (fn === 'local_id' || fn === 'global_id');
}
