/**
 * The memory of a host program, as the functions of OpenCL see it: numbers, texts and lists behind its pointers. Everything
 * is checked against the memory's end, so that a wild pointer is an error code and no trap. Pointers and size_t have 32 bits.
 */
import type { MemoryPool } from '../../runtime/memory-pool.ts';
import { OpenCLError, type StatusName } from '../../runtime/status.ts';

const decoder = new TextDecoder();
const encoder = new TextEncoder();

export class HostMemory {
  readonly pool: MemoryPool;
  #view: DataView;

  constructor(pool: MemoryPool) {
    this.pool = pool;
    this.#view = new DataView(pool.memory.buffer);
  }

  /** The program may have grown its memory. Called before each function of OpenCL, and after each callback. */
  refresh(): void {
    const { buffer } = this.pool.memory;
    if (this.#view.buffer !== buffer) this.#view = new DataView(buffer);
  }

  /** Bytes, not copied. @throws OpenCLError for the null pointer and for what is not in the memory */
  bytes(pointer: number, length: number, error: StatusName = 'CL_INVALID_VALUE'): Uint8Array {
    this.check(pointer, length, error);
    return new Uint8Array(this.#view.buffer, pointer, length);
  }

  /** All bytes from a pointer on, for those who find out later how many they need. */
  bytesFrom(pointer: number, error: StatusName = 'CL_INVALID_VALUE'): Uint8Array {
    return this.bytes(pointer, Math.max(this.#view.byteLength - pointer, 1), error);
  }

  check(pointer: number, length: number, error: StatusName = 'CL_INVALID_VALUE'): void {
    if (pointer !== 0 && pointer + length <= this.#view.byteLength) return;
    const what = pointer === 0 ? 'the null pointer' : `0x${pointer.toString(16)}`;
    throw new OpenCLError(error, `${what} does not point to ${length} bytes of the program`);
  }

  u32(pointer: number): number {
    this.check(pointer, 4);
    return this.#view.getUint32(pointer, true);
  }

  i32(pointer: number): number {
    this.check(pointer, 4);
    return this.#view.getInt32(pointer, true);
  }

  u64(pointer: number): bigint {
    this.check(pointer, 8);
    return this.#view.getBigUint64(pointer, true);
  }

  setU32(pointer: number, value: number): void {
    this.check(pointer, 4);
    this.#view.setUint32(pointer, value, true);
  }

  /** Numbers of 32 bits. @throws OpenCLError unless all lie in the memory */
  list(pointer: number, count: number, error: StatusName = 'CL_INVALID_VALUE'): number[] {
    this.check(pointer, count * 4, error);
    const values: number[] = [];
    for (let index = 0; index < count; index += 1)
      values.push(this.#view.getUint32(pointer + index * 4, true));
    return values;
  }

  /** Three numbers of size_t: an origin or a region. @throws OpenCLError CL_INVALID_VALUE unless all lie in the memory */
  triple(pointer: number): number[] {
    return this.list(pointer, 3);
  }

  setList(pointer: number, values: readonly number[]): void {
    this.check(pointer, values.length * 4);
    for (const [index, value] of values.entries()) this.#view.setUint32(pointer + index * 4, value, true);
  }

  setU64(pointer: number, value: bigint): void {
    this.check(pointer, 8);
    this.#view.setBigUint64(pointer, value, true);
  }

  /** Names and values of 64 bits each (cl_properties), up to a name of 0; none behind the null pointer. */
  properties(pointer: number): readonly number[] | null {
    if (pointer === 0) return null;
    const list: number[] = [];
    for (let at = pointer; ; at += 16) {
      const name = Number(this.u64(at));
      list.push(name);
      if (name === 0) return list;
      list.push(Number(this.u64(at + 8)));
    }
  }

  /** A text of `length` bytes, or up to its NUL. @throws OpenCLError if there is no NUL */
  text(pointer: number, length?: number): string {
    if (length !== undefined) return length === 0 ? '' : decoder.decode(this.bytes(pointer, length).slice());
    const all = this.bytesFrom(pointer);
    const end = all.indexOf(0);
    if (end < 0) throw new OpenCLError('CL_INVALID_VALUE', 'a text has no end');
    return decoder.decode(all.slice(0, end));
  }
}

/** A text as C has it: UTF-8 with a NUL. */
export function encodeText(text: string): Uint8Array {
  return encoder.encode(`${text}\0`);
}
