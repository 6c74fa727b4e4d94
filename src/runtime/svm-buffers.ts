/**
 * The shared virtual memory of a context (OpenCL 2.0, 5.6): buffers that host and kernels know by the same addresses, so that
 * pointers to them may stand inside data. They are ranges of the context's memory like all buffers, and never move.
 */
import { RuntimeBuffer } from './buffer.ts';
import type { Context } from './context.ts';

export class SvmBuffers implements Iterable<RuntimeBuffer> {
  readonly #context: Context;
  /** By ascending addresses. */
  readonly #buffers: RuntimeBuffer[] = [];
  /** Those that the host may use at any time. */
  readonly #fineGrained = new Set<RuntimeBuffer>();
  /** The addresses from which parts are mapped, one for each mapping. */
  readonly #mapped: number[] = [];

  constructor(context: Context) {
    this.#context = context;
  }

  /**
   * A new one, 128-aligned. What the host may use at any time (`isFineGrained`) counts as mapped: its bytes stay in place.
   * @throws OpenCLError CL_MEM_OBJECT_ALLOCATION_FAILURE
   */
  allocate(size: number, isFineGrained: boolean): RuntimeBuffer {
    const buffer = RuntimeBuffer.createSvm(this.#context, size);
    if (isFineGrained) {
      this.#fineGrained.add(buffer);
      this.#context.memory.mapped += 1;
    }
    this.#buffers.splice(this.#after(buffer.address), 0, buffer);
    return buffer;
  }

  /** Gives one up. Its bytes are used again when the commands that are known to use it are done. */
  free(buffer: RuntimeBuffer): void {
    const index = this.#buffers.indexOf(buffer);
    if (index < 0) return;
    this.#buffers.splice(index, 1);
    if (this.#fineGrained.delete(buffer)) this.#context.memory.mapped -= 1;
    buffer.release();
  }

  /** The host works on the bytes from an address on, which stay in place until {@link unmap}. */
  map(address: number): void {
    this.#mapped.push(address);
    this.#context.memory.mapped += 1;
  }

  unmap(address: number): void {
    const index = this.#mapped.indexOf(address);
    if (index < 0) return;
    this.#mapped.splice(index, 1);
    this.#context.memory.mapped -= 1;
  }

  /** The buffer that an address lies in. */
  find(address: number): RuntimeBuffer | undefined {
    const before = this.#buffers[this.#after(address) - 1];
    return before && address < before.address + before.size ? before : undefined;
  }

  [Symbol.iterator](): Iterator<RuntimeBuffer> {
    return this.#buffers.values();
  }

  /** The index of the first buffer that begins behind the address. */
  #after(address: number): number {
    let low = 0;
    let high = this.#buffers.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#buffers[middle]!.address <= address) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
