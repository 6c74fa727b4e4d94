/** A program's memory as routines take it. */
import type { NumberKind } from '../number-kinds.ts';

type Numbers = Float32Array | Float64Array;

export class ProgramMemory {
  readonly #memory: WebAssembly.Memory;

  constructor(memory: WebAssembly.Memory) {
    this.#memory = memory;
  }

  /**
   * All numbers from a pointer on; none for the null pointer.
   * @throws WebAssembly.RuntimeError for a pointer that no number of the kind can have
   */
  from(pointer: number, { array, bytes }: NumberKind): Numbers {
    const { buffer } = this.#memory;
    const at = pointer >>> 0;
    if (at === 0) return new array(0);
    if (at % bytes !== 0 || at > buffer.byteLength)
      throw new WebAssembly.RuntimeError(
        `0x${at.toString(16)} does not point to ${bytes === 4 ? 'floats' : 'doubles'} of the program`,
      );
    return new array(buffer, at, Math.floor((buffer.byteLength - at) / bytes));
  }

  /** So many parts. @throws WebAssembly.RuntimeError if they are not there */
  some(pointer: number, kind: NumberKind, count: number): Numbers {
    const all = this.from(pointer, kind);
    if (all.length < count)
      throw new WebAssembly.RuntimeError(
        `0x${(pointer >>> 0).toString(16)} does not point to ${count} numbers`,
      );
    return all.subarray(0, count);
  }

  /** So many words of 32 bits: ints, enumerations or pointers. @throws WebAssembly.RuntimeError if they are not there */
  words(pointer: number, count: number): Int32Array {
    const { buffer } = this.#memory;
    const at = pointer >>> 0;
    if (count <= 0) return new Int32Array(0);
    if (at === 0 || at % 4 !== 0 || at + 4 * count > buffer.byteLength)
      throw new WebAssembly.RuntimeError(
        `0x${at.toString(16)} does not point to ${count} words of the program`,
      );
    return new Int32Array(buffer, at, count);
  }
}
