/**
 * Which bytes of the memory that work-items share are undefined, in a context's memory: for each page of 64 KiB of it a page with a
 * byte for each, found through a table. Only cells of shadow memory tell when to look here (src/library/check.cl): what this says of a
 * granule that has since been written as a whole is of no account.
 */
import type { DeviceHost } from '../../runtime/device.ts';
import { PageTable } from './page-table.ts';
import { pageBytes } from './shadow-layout.ts';

export class UndefinedBytes {
  readonly #host: DeviceHost;
  /** Made when something is first marked. */
  #pages: PageTable | undefined;

  constructor(host: DeviceHost) {
    this.#host = host;
  }

  /** The address of the table; 0 before there are pages. */
  get table(): number {
    return this.#pages?.address ?? 0;
  }

  /** Sees to it that all bytes of the range can be marked. @throws OpenCLError CL_MEM_OBJECT_ALLOCATION_FAILURE */
  ensure(address: number, bytes: number): void {
    if (bytes === 0) return;
    this.#pages ??= new PageTable(this.#host, pageBytes);
    this.#pages.ensure(address, bytes);
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
    const page = this.#pages?.of(address) ?? 0;
    return page === 0 ? 0 : page + (address % pageBytes);
  }
}
