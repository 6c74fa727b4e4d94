/**
 * Regions that pass neighbours on from memory to memory with little in between: `z[i] = a * x[i] + y[i]`. What they cost is
 * mostly counting and addresses, which more lanes share, as long as all fits into the registers. Stencils are like that.
 */
import { hasEffect } from '../../../ir/effects.ts';
import type * as ir from '../../../ir/ir.ts';
import { elementOf, lanesOf } from '../../../ir/types.ts';
import { walkRegion } from '../../../ir/walk.ts';
import type { Vectors } from '../../../target/target.ts';
import type { Uniformity } from '../uniformity.ts';
import { streamingLimits } from './thresholds.ts';

/**
 * Whether twice as many lanes would make a region faster, for that reason. The code generator writes straight code for one
 * register of each vector after another, so that there only few values live at a time; what lives on in nested
 * regions takes all its registers.
 * @param plain says how values differ with nothing assumed: scattered stores are expensive even if they are rare
 * @param assuming says how they do where all holds that is assumed
 */
export function isStreaming(
  region: ir.Region,
  plain: Uniformity,
  assuming: Uniformity,
  vectors: Vectors,
): boolean {
  const limits = streamingLimits(vectors);
  const streams = new Streams(plain, assuming);
  streams.region(region);
  const { isSimple, across, mostHeld, computations, accesses } = streams;
  return (
    isSimple &&
    across.size <= limits.kept &&
    mostHeld <= limits.held &&
    computations <= accesses * limits.computed
  );
}

/** What counts of a region, added up. */
class Streams {
  isSimple = true;
  /** Values in vectors that are used in another region than that in which they are computed. */
  readonly across = new Set<ir.Value>();
  /** The most values in vectors that one piece of straight code takes from elsewhere: loads, and what is one for all lanes. */
  mostHeld = 0;
  accesses = 0;
  computations = 0;
  readonly #plain: Uniformity;
  readonly #assuming: Uniformity;
  readonly #madeIn = new Map<ir.Value, ir.Region>();

  constructor(plain: Uniformity, assuming: Uniformity) {
    this.#plain = plain;
    this.#assuming = assuming;
  }

  region(region: ir.Region): void {
    const held = new Set<ir.Value>();
    for (const instruction of region.instructions) {
      for (const operand of instruction.operands) {
        const madeIn = this.#madeIn.get(operand);
        if (madeIn && madeIn !== region) this.across.add(operand);
      }
      this.#count(instruction, held);
      for (const result of instruction.results) {
        if (this.#assuming.of(result).kind === 'varying') this.#madeIn.set(result, region);
      }
      for (const nested of instruction.regions) this.region(nested);
    }
    this.mostHeld = Math.max(this.mostHeld, held.size);
  }

  #count(instruction: ir.Instruction, held: Set<ir.Value>): void {
    const [result] = instruction.results;
    switch (instruction.op) {
      case 'load':
      case 'store': {
        this.accesses += 1;
        const value = result ?? instruction.operands[1]!;
        const shapes = instruction.op === 'store' ? this.#plain : this.#assuming;
        if (!isNeighbour(shapes, instruction.operands[0]!, value)) this.isSimple = false;
        if (result && this.#assuming.of(result).kind === 'varying') held.add(result);
        return;
      }
      case 'loop':
        // Loops of the same length for all lanes may reuse what they have read.
        if (!this.#assuming.isDivergent(instruction)) this.isSimple = false;
        return;
      case 'binary':
      case 'unary':
      case 'fma':
      case 'compare':
      case 'select':
      case 'convert':
        this.#compute(instruction, held);
        return;
      case 'if':
      case 'block':
      case 'yield':
      case 'break':
      case 'continue':
      case 'constant':
      case 'query':
      case 'offset':
      case 'context_read':
        return;
      case 'context_write':
        if (instruction.scan) this.isSimple = false;
        return;
      default:
        this.isSimple = false;
    }
  }

  #compute(instruction: ir.Instruction, held: Set<ir.Value>): void {
    const result = instruction.results[0]!;
    if (this.#assuming.of(result).kind !== 'varying' || elementOf(result.type).kind === 'bool') return;
    this.computations += 1;
    if (instruction.op === 'binary' && isDivision(instruction.fn)) this.isSimple = false;
    for (const operand of instruction.operands) {
      if (this.#assuming.of(operand).kind === 'uniform') held.add(operand);
    }
  }
}

function isDivision(fn: ir.BinaryFunction): boolean {
  return fn === 'fdiv' || fn === 'sdiv' || fn === 'udiv' || fn === 'srem' || fn === 'urem';
}

/** Whether the lanes of an access lie side by side, or in one place. */
function isNeighbour(uniformity: Uniformity, pointer: ir.Value, { type }: ir.Value): boolean {
  const shape = uniformity.of(pointer);
  if (shape.kind === 'uniform') return true;
  const element = elementOf(type);
  if (lanesOf(type) > 1 || (element.kind !== 'int' && element.kind !== 'float')) return false;
  return shape.kind === 'affine' && shape.step * 8 === element.bits;
}

/** Whether neighbouring groups will run as one, because the kernel cannot tell (workgroup/order-groups.ts will say so). */
export function mayJoinGroups(body: ir.Region): boolean {
  const askable = ['global_id', 'global_size', 'global_offset', 'work_dim'];
  let regions = 0;
  let isAlone = true;
  walkRegion(body, (instruction) => {
    if (instruction.op === 'work_item_loop') regions += 1;
    if (['loop', 'atomic', 'context_array'].includes(instruction.op)) isAlone = false;
    if (instruction.op === 'call' && hasEffect(instruction)) isAlone = false;
    if (instruction.op === 'query' && !askable.includes(instruction.fn)) isAlone = false;
  });
  return isAlone && regions === 1;
}
