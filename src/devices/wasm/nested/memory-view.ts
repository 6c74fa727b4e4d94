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
      this.bytes = new Uint8Array(this.#memory.buffer);
      this.#words = new Int32Array(this.#memory.buffer);
    }
    if (end > this.bytes.length || (address & 3) !== 0) {
      throw new RangeError(`enqueueing with an address that is none: 0x${(address >>> 0).toString(16)}`);
    }
    return this.#words;
  }
}
