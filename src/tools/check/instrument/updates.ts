/**
 * Reads behind which the same work-item writes the same place, with nothing between that writes, as `t[i] += x` does: one look at
 * the write tells what is wrong with both.
 */
import { isPure } from '../../../ir/effects.ts';
import type * as ir from '../../../ir/ir.ts';
import { sizeOf } from '../../../ir/types.ts';

export class Updates {
  readonly #reads = new Map<ir.Store, ir.Load>();
  readonly #loads: ReadonlySet<ir.Load>;

  constructor(body: ir.Region) {
    this.#visit(body);
    this.#loads = new Set(this.#reads.values());
  }

  /** Whether a store looks at it. */
  isRead(load: ir.Load): boolean {
    return this.#loads.has(load);
  }

  /** The read that a store looks at. */
  readBefore(store: ir.Store): ir.Load | undefined {
    return this.#reads.get(store);
  }

  #visit(region: ir.Region): void {
    /** Since the last write, by where they read. */
    const loads = new Map<ir.Value, ir.Load>();
    for (const instruction of region.instructions) {
      for (const nested of instruction.regions) this.#visit(nested);
      if (instruction.op === 'load') loads.set(instruction.operands[0]!, instruction);
      else if (instruction.op === 'store') {
        const load = loads.get(instruction.operands[0]!);
        const bytes = sizeOf(instruction.operands[1]!.type);
        if (load && sizeOf(load.results[0]!.type) === bytes) this.#reads.set(instruction, load);
        loads.clear();
      } else if (!isPure(instruction)) loads.clear();
    }
  }
}
