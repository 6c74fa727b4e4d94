/**
 * Shadow memory of global memory, in a context's memory: for each page of 64 KiB that kernels share, cells for its granules, found
 * through a table of pages. Pages stay from launch to launch; epochs tell what is old.
 */
import type { DeviceHost } from '../../runtime/device.ts';
import { PageTable } from './page-table.ts';
import {
  cellBytes,
  epochs,
  pageBytes,
  slackCells,
  whoFlags,
  writerWord,
  writtenWord,
} from './shadow-layout.ts';
import type { UndefinedBytes } from './undefined-bytes.ts';

export class Shadow {
  readonly #shift: number;
  readonly #pages: PageTable;

  /** @param shift the logarithm of the bytes of a granule */
  constructor(host: DeviceHost, shift: number) {
    this.#shift = shift;
    this.#pages = new PageTable(host, (pageBytes >> shift) * cellBytes + slackCells * cellBytes);
  }

  /** The address of the table. */
  get pages(): number {
    return this.#pages.address;
  }

  /** Sees to it that all granules of the range have cells. @throws OpenCLError CL_MEM_OBJECT_ALLOCATION_FAILURE */
  ensure(address: number, bytes: number): void {
    this.#pages.ensure(address, bytes);
  }

  /** Marks granules with bytes that are undefined. `written` has a 1 for each byte that is not. */
  markUnwritten(address: number, written: Uint8Array, bytes: UndefinedBytes): void {
    this.#each(address, written.length, (cell, words, at) => {
      const end = Math.min(at + (1 << this.#shift), written.length);
      let count = 0;
      for (let byte = at; byte < end; byte += 1) if (written[byte] === 0) count += 1;
      words[cell + writtenWord] = count > 0 ? epochs.never : epochs.before;
      if (count === 0) return;
      // Without a page all bytes of a granule are undefined.
      if (count < end - at) bytes.ensure(address + at, end - at);
      if (bytes.table === 0) return;
      for (let byte = at; byte < end; byte += 1) bytes.set(address + byte, written[byte] === 0);
    });
  }

  /** Forgets that granules were marked. */
  unmark(address: number, bytes: number): void {
    this.#each(address, bytes, (cell, words) => {
      if (words[cell + writtenWord] === epochs.never) words[cell + writtenWord] = epochs.before;
    });
  }

  /**
   * The other way round: what is undefined since, and what no longer is. `copied` is told of granules that copies have stored so, with
   * who did. @returns whether all bytes are defined
   * @param since the epoch in which the launch began
   */
  collectWritten(
    address: number,
    written: Uint8Array,
    since: number,
    bytes: UndefinedBytes,
    copied: (at: number, count: number, who: number) => void,
  ): boolean {
    let isAll = true;
    this.#each(address, written.length, (cell, words, at) => {
      const when = words[cell + writtenWord]!;
      const who = words[cell + writerWord]!;
      const end = Math.min(at + (1 << this.#shift), written.length);
      if (when === epochs.never) isAll = false;
      else if (when >= since && (who & (whoFlags.atomic | whoFlags.partial)) === whoFlags.partial) {
        for (let byte = at; byte < end; byte += 1) {
          const isUndefined = bytes.has(address + byte);
          written[byte] = isUndefined ? 0 : 1;
          if (isUndefined) isAll = false;
        }
        copied(at, end - at, who);
      } else if (when >= since) written.fill(1, at, end);
    });
    return isAll;
  }

  /** Visits the cell of each granule, a number of words. */
  #each(address: number, bytes: number, visit: (cell: number, words: Uint32Array, at: number) => void): void {
    let words = this.#pages.words();
    const size = 1 << this.#shift;
    for (let at = 0; at < bytes; at += size) {
      const page = this.#pages.of(address + at);
      if (page === 0) continue;
      const inside = ((address + at) % pageBytes) >>> this.#shift;
      // Pages may have been made, and memory have grown.
      if (words.length === 0) words = this.#pages.words();
      visit((page + inside * cellBytes) >>> 2, words, at);
    }
  }
}
