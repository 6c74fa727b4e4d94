import { bufferUpTo } from '../../../runtime/shared-growth.ts';
import type { MemoryView } from './read-request.ts';

/** Device memory, which kernels address as they like. */
export class DeviceView implements MemoryView {
  readonly #memory: WebAssembly.Memory;
  bytes: Uint8Array;
  #words: Int32Array;

  constructor(memory: WebAssembly.Memory) {
    this.#memory = memory;
    this.bytes = new Uint8Array(memory.buffer);
    this.#words = new Int32Array(memory.buffer);
  }

  words(address: number, bytes: number): Int32Array {
    const end = (address >>> 0) + bytes;
    if (end > this.bytes.length) {
      const buffer = bufferUpTo(this.#memory, end);
      this.bytes = new Uint8Array(buffer);
      this.#words = new Int32Array(buffer);
    }
    if (end > this.bytes.length || (address & 3) !== 0) {
      throw new RangeError(`enqueueing with an address that is none: 0x${(address >>> 0).toString(16)}`);
    }
    return this.#words;
  }
}
