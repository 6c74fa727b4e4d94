/**
 * Which bytes of the memory that work-items share are undefined, in a context's memory: for each page of 64 KiB of it a page with a
 * byte for each, found through a table. Only cells of shadow memory tell when to look here (src/library/check.cl): what this says of a
 * granule that has since been written as a whole is of no account.
 */
import type { DeviceHost } from '../runtime/device.ts';
import { pageBytes } from './shadow-layout.ts';

const tableBytes = 65536 * 4;

export class UndefinedBytes {
  readonly #host: DeviceHost;
  /** The address of the table; 0 before there are pages. */
  #table = 0;
  /** The memory's words, as of the last look. */
  #seen: Uint32Array | undefined;

  constructor(host: DeviceHost) {
    this.#host = host;
  }

  get table(): number {
    return this.#table;
  }

  /** Sees to it that all bytes of the range can be marked. @throws OpenCLError CL_MEM_OBJECT_ALLOCATION_FAILURE */
  ensure(address: number, bytes: number): void {
    if (bytes === 0) return;
    if (this.#table === 0) this.#table = this.#zeroed(tableBytes);
    const last = Math.floor((address + bytes - 1) / pageBytes);
    for (let page = Math.floor(address / pageBytes); page <= last; page += 1) {
      if (this.#page(page) !== 0) continue;
      const made = this.#zeroed(pageBytes);
      this.#words()[(this.#table >>> 2) + page] = made;
    }
  }

  /** Marks a byte for which there is a page, or none. */
  set(address: number, isUndefined: boolean): void {
    const at = this.#at(address);
    if (at !== 0) this.#host.memory.bytes[at] = isUndefined ? 1 : 0;
  }

  /** Whether a byte is marked. */
  has(address: number): boolean {
    const at = this.#at(address);
    return at !== 0 && this.#host.memory.bytes[at] !== 0;
  }

  #at(address: number): number {
    const page = this.#table === 0 ? 0 : this.#page(Math.floor(address / pageBytes));
    return page === 0 ? 0 : page + (address % pageBytes);
  }

  #page(page: number): number {
    return this.#words()[(this.#table >>> 2) + page]!;
  }

  #words(): Uint32Array {
    const { bytes } = this.#host.memory;
    if (this.#seen?.buffer !== bytes.buffer || this.#seen.length !== bytes.byteLength >>> 2) {
      this.#seen = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >>> 2);
    }
    return this.#seen;
  }

  #zeroed(bytes: number): number {
    const address = this.#host.memory.allocate(bytes);
    this.#host.memory.bytes.fill(0, address, address + bytes);
    return address;
  }
}
