/** A program in WebAssembly as MPI deals with it: its memory, which the engine reads and writes itself, and its functions. */
import { measure, type NativeType } from '../datatype.ts';
import type { Library } from '../library.ts';
import { ErrorCodes } from './errors.ts';
import { ErrorHandlers } from './handlers.ts';
import { Handles } from './handles.ts';
import { Statuses } from './statuses.ts';

interface Block {
  readonly start: number;
  readonly end: number;
}

/** What runs the program. */
export interface ProgramHost {
  readonly memory: WebAssembly.Memory;
  /** A function that a pointer of the program means. */
  callback(pointer: number): (...args: number[]) => unknown;
  /** Memory of the program that nobody else has; undefined if there is no more. */
  take(bytes: number): Block | undefined;
  giveBack(block: Block): void;
  /** Ends the program, which needs what is not there. */
  fail(message: string): never;
}

export class Program {
  readonly library: Library;
  readonly handles: Handles;
  readonly codes: ErrorCodes;
  readonly errors: ErrorHandlers;
  readonly statuses: Statuses;
  readonly host: ProgramHost;
  /** Where its memory lies: it never moves, for it is shared. */
  readonly base: number;
  /** What a function of the program threw inside of the engine. */
  escaped: { readonly error: unknown } | undefined;
  #view: DataView;
  readonly #types = new Map<number, NativeType>();

  constructor(library: Library, host: ProgramHost) {
    this.library = library;
    this.host = host;
    this.handles = new Handles(library);
    this.codes = new ErrorCodes(library);
    this.errors = new ErrorHandlers(this);
    this.statuses = new Statuses(library, this.codes);
    this.#view = new DataView(host.memory.buffer);
    this.base = library.addressOf(new Uint8Array(host.memory.buffer));
  }

  /** The memory as it is now: the program may have grown it. */
  get view(): DataView {
    const { buffer } = this.host.memory;
    if (this.#view.buffer !== buffer) this.#view = new DataView(buffer);
    return this.#view;
  }

  /** The engine's address for a pointer; null stays null. */
  address(pointer: number): number {
    return pointer === 0 ? 0 : this.base + (pointer >>> 0);
  }

  /** @throws WebAssembly.RuntimeError unless so many bytes of the program are there */
  check(pointer: number, bytes: number): void {
    if (pointer !== 0 && bytes >= 0 && (pointer >>> 0) + bytes <= this.view.byteLength) return;
    const what = pointer === 0 ? 'the null pointer' : `0x${(pointer >>> 0).toString(16)}`;
    throw new WebAssembly.RuntimeError(`${what} does not point to ${bytes} bytes of the program`);
  }

  /** Numbers of 32 bits. @throws WebAssembly.RuntimeError */
  ints(pointer: number, count: number): number[] {
    if (count <= 0) return [];
    this.check(pointer, 4 * count);
    return Array.from({ length: count }, (_, index) => this.view.getInt32((pointer >>> 0) + 4 * index, true));
  }

  int(pointer: number): number {
    return this.ints(pointer, 1)[0]!;
  }

  setInt(pointer: number, value: number): void {
    this.check(pointer, 4);
    this.view.setInt32(pointer >>> 0, value, true);
  }

  /** A type's distances, by the engine's handle. */
  typeOf(handle: number): NativeType {
    let type = this.#types.get(handle);
    if (!type) {
      type = measure(this.library, handle);
      this.#types.set(handle, type);
    }
    return type;
  }

  /** The handle may come to mean another type. */
  forgetType(handle: number): void {
    this.#types.delete(handle);
  }

  /** A number that the engine gives about a communicator. */
  ask(name: 'MPI_Comm_size' | 'MPI_Comm_rank' | 'MPI_Topo_test' | 'MPI_Cartdim_get', comm: number): number {
    const place = new Int32Array(1);
    this.library.function(name)(comm, this.library.addressOf(place));
    return place[0]!;
  }
}
