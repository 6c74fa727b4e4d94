/**
 * A table in a context's memory that leads from pages of 64 KiB of it to something about each of them: an address, or 0 where there is
 * nothing yet. Kernels follow it too (src/library/check.cl). Pages stay from launch to launch.
 */
import type { DeviceHost } from '../../runtime/device.ts';
import { pageBytes } from './shadow-layout.ts';

const tableBytes = 65536 * 4;

export class PageTable {
  /** Where it lies. */
  readonly address: number;
  readonly #host: DeviceHost;
  readonly #bytesOfPage: number;
  /** The memory's words, as of the last look. */
  #seen: Uint32Array | undefined;

  /** @param bytesOfPage how many there are to be about each page: zeros at first */
  constructor(host: DeviceHost, bytesOfPage: number) {
    this.#host = host;
    this.#bytesOfPage = bytesOfPage;
    this.address = this.#zeroed(tableBytes);
  }

  /** Sees to it that all pages of the range have something. @throws OpenCLError CL_MEM_OBJECT_ALLOCATION_FAILURE */
  ensure(address: number, bytes: number): void {
    if (bytes === 0) return;
    const last = Math.floor((address + bytes - 1) / pageBytes);
    for (let page = Math.floor(address / pageBytes); page <= last; page += 1) {
      const at = (this.address >>> 2) + page;
      if (this.words()[at] !== 0) continue;
      const made = this.#zeroed(this.#bytesOfPage);
      this.words()[at] = made;
    }
  }

  /** The address of what there is about the page of an address; 0 for nothing. */
  of(address: number): number {
    return this.words()[(this.address >>> 2) + Math.floor(address / pageBytes)]!;
  }

  /** The memory's words, until it grows. */
  words(): Uint32Array {
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
