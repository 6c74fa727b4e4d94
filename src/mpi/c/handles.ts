/**
 * The handles of a program in WebAssembly, whose pointers have 32 bits: the standard's numbers for what is predefined, and beyond those the
 * places of a list for what is made.
 */
import { type HandleName, handles } from '../constants.ts';
import type { Library } from '../library.ts';

/** The first number of a handle that is made. */
const firstMade = 0x10000;

/** What C's types are in WebAssembly, where `long` and addresses have 32 bits. */
const narrowed: Readonly<Partial<Record<HandleName, HandleName>>> = {
  MPI_LONG: 'MPI_INT32_T',
  MPI_UNSIGNED_LONG: 'MPI_UINT32_T',
  MPI_AINT: 'MPI_INT32_T',
  MPI_LONG_INT: 'MPI_2INT',
};

const names = new Map<number, HandleName>(
  (Object.entries(handles) as [HandleName, number][]).map(([name, number]) => [number, name]),
);

/** The null handles of the kinds of the signatures. */
const nulls: Readonly<Record<string, HandleName>> = {
  comm: 'MPI_COMM_NULL',
  type: 'MPI_DATATYPE_NULL',
  op: 'MPI_OP_NULL',
  group: 'MPI_GROUP_NULL',
  request: 'MPI_REQUEST_NULL',
  info: 'MPI_INFO_NULL',
  errhandler: 'MPI_ERRHANDLER_NULL',
  message: 'MPI_MESSAGE_NULL',
};

/** What calls may give back though nobody has made it. */
const given: Readonly<Record<string, readonly HandleName[]>> = {
  errhandler: ['MPI_ERRORS_ARE_FATAL', 'MPI_ERRORS_RETURN'],
  group: ['MPI_GROUP_EMPTY'],
  message: ['MPI_MESSAGE_NO_PROC'],
};

export class Handles {
  readonly #library: Library;
  readonly #made: (number | undefined)[] = [];
  readonly #free: number[] = [];
  /** Of types that are one to the engine, the one that the program has meant. */
  readonly #asked = new Map<number, number>();

  constructor(library: Library) {
    this.#library = library;
  }

  /** The engine's handle; the null one for a number that means nothing, which engines refuse in MPI's words. */
  engine(kind: string, number: number): number {
    if (number >= firstMade) return this.#made[number - firstMade] ?? this.null(kind);
    const name = names.get(number);
    if (!name) return this.null(kind);
    const handle = this.#library.handle(narrowed[name] ?? name);
    if (kind === 'type') this.#asked.set(handle, number);
    return handle;
  }

  /** A number for what a call has given. */
  number(kind: string, handle: number): number {
    if (handle === this.null(kind)) return handles[nulls[kind]!];
    for (const name of given[kind] ?? []) if (handle === this.#library.handle(name)) return handles[name];
    const place = this.#free.pop() ?? this.#made.length;
    this.#made[place] = handle;
    return firstMade + place;
  }

  /** The number after a call that may have changed or taken the handle. */
  changed(kind: string, number: number, handle: number): number {
    if (handle === this.null(kind)) {
      this.#forget(number);
      return handles[nulls[kind]!];
    }
    if (number >= firstMade) this.#made[number - firstMade] = handle;
    return number;
  }

  /** The number that a program has for a handle that it knows; the null one if it has none. */
  find(kind: string, handle: number): number {
    const place = this.#made.indexOf(handle);
    if (place >= 0) return firstMade + place;
    for (const [number, name] of names)
      if (this.#library.table.handle(name) !== undefined && this.engine(kind, number) === handle)
        return number;
    return handles[nulls[kind]!];
  }

  null(kind: string): number {
    return this.#library.handle(nulls[kind]!);
  }

  #forget(number: number): void {
    const place = number - firstMade;
    if (place < 0 || this.#made[place] === undefined) return;
    this.#made[place] = undefined;
    this.#free.push(place);
  }
}
