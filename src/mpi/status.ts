/** What is known of a message that was received, or of a send that was cancelled. */

import type { ErrorClassName } from './constants.ts';
import { type Datatype, type DatatypeLike, nativeType } from './datatype.ts';
import { call, classOf } from './error.ts';
import type { Library } from './library.ts';

export class Status {
  /** The rank that has sent it; `PROC_NULL` if there was none to receive from. */
  readonly source: number;
  readonly tag: number;
  readonly #library: Library;
  readonly #bytes: Uint8Array<ArrayBuffer>;
  readonly #type: number;

  /** @param type the engine's, of what was received */
  constructor(library: Library, bytes: Uint8Array<ArrayBuffer>, type: number) {
    const { status: layout, numbers } = library.table;
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    this.#library = library;
    this.#bytes = bytes;
    this.#type = type;
    this.source = fromEngine(
      view.getInt32(layout.source, true),
      numbers.MPI_PROC_NULL,
      numbers.MPI_ANY_SOURCE,
    );
    const tag = view.getInt32(layout.tag, true);
    this.tag = tag === numbers.MPI_ANY_TAG ? ANY_TAG : tag;
  }

  /** How many elements of the type that they were received as; `undefined` if it was no whole number of them. */
  get count(): number | undefined {
    return this.#countOf(this.#type);
  }

  /** Bytes of the message. */
  get byteLength(): number {
    return this.#countOf(this.#library.handle('MPI_BYTE')) ?? 0;
  }

  get cancelled(): boolean {
    const place = new Int32Array(1);
    const { addressOf } = this.#library;
    call(this.#library, 'MPI_Test_cancelled', addressOf(this.#bytes), addressOf(place));
    return place[0] !== 0;
  }

  /** The same in elements of another type. */
  countOf(type: DatatypeLike | Datatype): number | undefined {
    return this.#countOf(nativeType(this.#library, type).handle);
  }

  /** The class of the error that ended this one of several requests. */
  get errorClass(): ErrorClassName {
    const { status } = this.#library.table;
    return classOf(this.#library, new DataView(this.#bytes.buffer).getInt32(status.error, true));
  }

  #countOf(type: number): number | undefined {
    const place = new Int32Array(1);
    const { addressOf, table } = this.#library;
    call(this.#library, 'MPI_Get_count', addressOf(this.#bytes), type, addressOf(place));
    return place[0] === table.numbers.MPI_UNDEFINED ? undefined : place[0];
  }
}

/** Ranks with a meaning as this module has them: {@link PROC_NULL} and {@link ANY_SOURCE}. */
export function fromEngine(rank: number, procNull: number, anySource: number): number {
  return rank === procNull ? PROC_NULL : rank === anySource ? ANY_SOURCE : rank;
}

/** Nobody: what is sent there goes nowhere, what is received from there is empty. */
export const PROC_NULL = -3;
/** Whoever sends first. */
export const ANY_SOURCE = -1;
export const ANY_TAG = -2;
/** What {@link Communicator.split} takes for ranks that will be in no communicator. */
export const UNDEFINED = -32766;
