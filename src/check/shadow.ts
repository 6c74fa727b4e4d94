/**
 * Shadow memory of global memory, in a context's memory: for each page of 64 KiB that kernels share, cells for its granules, found
 * through a table of pages. Pages stay from launch to launch; epochs tell what is old.
 */
import type { DeviceHost } from '../runtime/device.ts';
import { cellBytes, epochs, pageBytes, slackCells, writtenWord } from './shadow-layout.ts';

const tableBytes = 65536 * 4;

export class Shadow {
  readonly #host: DeviceHost;
  readonly #shift: number;
  /** The address of the table. */
  readonly pages: number;

  /** @param shift the logarithm of the bytes of a granule */
  constructor(host: DeviceHost, shift: number) {
    this.#host = host;
    this.#shift = shift;
    this.pages = this.#zeroed(tableBytes);
  }

  /** Sees to it that all granules of the range have cells. @throws OpenCLError CL_MEM_OBJECT_ALLOCATION_FAILURE */
  ensure(address: number, bytes: number): void {
    if (bytes === 0) return;
    const last = Math.floor((address + bytes - 1) / pageBytes);
    for (let page = Math.floor(address / pageBytes); page <= last; page += 1) {
      if (this.#page(page) !== 0) continue;
      const cells = this.#zeroed((pageBytes >> this.#shift) * cellBytes + slackCells * cellBytes);
      this.#words()[(this.pages >>> 2) + page] = cells;
    }
  }

  /** Marks granules of which nobody has written a byte. `written` has a 1 for each byte that somebody has. */
  markUnwritten(address: number, written: Uint8Array): void {
    this.#each(address, written.length, (word, words, at) => {
      const size = 1 << this.#shift;
      let isUnwritten = true;
      for (let byte = at; byte < at + size && byte < written.length; byte += 1) {
        if (written[byte] !== 0) isUnwritten = false;
      }
      words[word] = isUnwritten ? epochs.never : epochs.before;
    });
  }

  /** The other way round: what has been written since. True if no byte is left that was not. */
  collectWritten(address: number, written: Uint8Array): boolean {
    let isAll = true;
    this.#each(address, written.length, (word, words, at) => {
      if (words[word] === epochs.never) isAll = false;
      else written.fill(1, at, at + (1 << this.#shift));
    });
    return isAll;
  }

  /** Visits when each granule was written last. */
  #each(address: number, bytes: number, visit: (word: number, words: Uint32Array, at: number) => void): void {
    const words = this.#words();
    const size = 1 << this.#shift;
    for (let at = 0; at < bytes; at += size) {
      const page = this.#page(Math.floor((address + at) / pageBytes));
      const inside = ((address + at) % pageBytes) >>> this.#shift;
      visit(((page + inside * cellBytes) >>> 2) + writtenWord, words, at);
    }
  }

  #page(page: number): number {
    return this.#words()[(this.pages >>> 2) + page]!;
  }

  #words(): Uint32Array {
    const { bytes } = this.#host.memory;
    return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >>> 2);
  }

  #zeroed(bytes: number): number {
    const address = this.#host.memory.allocate(bytes);
    this.#host.memory.bytes.fill(0, address, address + bytes);
    return address;
  }
}
