/** Handles in memory, as the engine has them there: places for new ones, and lists. */
import type { Library } from './library.ts';

export class HandleArray {
  readonly address: number;
  readonly length: number;
  readonly #narrow: Int32Array | undefined;
  readonly #wide: BigUint64Array | undefined;

  constructor(library: Library, handles: number | readonly number[]) {
    const length = typeof handles === 'number' ? handles : handles.length;
    this.length = length;
    // A typed array without elements has no address.
    const room = Math.max(length, 1);
    if (library.table.handleType === 'int32_t') this.#narrow = new Int32Array(room);
    else this.#wide = new BigUint64Array(room);
    this.address = library.addressOf((this.#narrow ?? this.#wide)!);
    if (typeof handles !== 'number') for (const [index, handle] of handles.entries()) this.set(index, handle);
  }

  get(index: number): number {
    return this.#narrow ? this.#narrow[index]! : Number(this.#wide![index]);
  }

  set(index: number, handle: number): void {
    if (this.#narrow) this.#narrow[index] = handle;
    else this.#wide![index] = BigInt(handle);
  }
}
