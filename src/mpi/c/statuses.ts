/** MPI_Status as programs have it, and as the engine does: the three numbers, and what only the engine understands. */
import type { Library } from '../library.ts';
import type { ErrorCodes } from './errors.ts';

/** Bytes of a program's. */
export const statusBytes = 32;
/** Behind its three numbers. */
const ownBytes = 12;

export class Statuses {
  readonly #library: Library;
  readonly #codes: ErrorCodes;
  /** Where the engine's status has what a program does not see. */
  readonly #hidden: readonly number[];

  constructor(library: Library, codes: ErrorCodes) {
    this.#library = library;
    this.#codes = codes;
    const { bytes, source, tag, error } = library.table.status;
    const words = Array.from({ length: bytes / 4 }, (_, index) => 4 * index);
    this.#hidden = words.filter((place) => place !== source && place !== tag && place !== error);
  }

  /** @param from the engine's, at a byte of these. @param withError for several at once only: else the field stays as it was */
  toProgram(from: DataView, at: number, to: DataView, pointer: number, withError: boolean): void {
    const { status, numbers } = this.#library.table;
    const source = from.getInt32(at + status.source, true);
    const tag = from.getInt32(at + status.tag, true);
    to.setInt32(pointer, rankToProgram(source, numbers), true);
    to.setInt32(pointer + 4, tag === numbers.MPI_ANY_TAG ? anyTag : tag, true);
    if (withError) to.setInt32(pointer + 8, this.#codes.number(from.getInt32(at + status.error, true)), true);
    for (const [index, place] of this.#hidden.entries())
      to.setInt32(pointer + ownBytes + 4 * index, from.getInt32(at + place, true), true);
  }

  toEngine(from: DataView, pointer: number, to: DataView): void {
    const { status, numbers } = this.#library.table;
    to.setInt32(status.source, rankToEngine(from.getInt32(pointer, true), numbers), true);
    to.setInt32(status.tag, from.getInt32(pointer + 4, true), true);
    to.setInt32(status.error, 0, true);
    for (const [index, place] of this.#hidden.entries())
      to.setInt32(place, from.getInt32(pointer + ownBytes + 4 * index, true), true);
  }
}

const anySource = -1;
const anyTag = -2;
const procNull = -3;
const root = -4;

type Numbers = Library['table']['numbers'];

/** Ranks with a meaning as the engine has them. */
export function rankToEngine(rank: number, numbers: Numbers): number {
  if (rank === anySource) return numbers.MPI_ANY_SOURCE;
  if (rank === procNull) return numbers.MPI_PROC_NULL;
  if (rank === root) return numbers.MPI_ROOT;
  // No number of the engine's own is a rank for programs.
  return rank < 0 ? -100 : rank;
}

export function rankToProgram(rank: number, numbers: Numbers): number {
  if (rank === numbers.MPI_PROC_NULL) return procNull;
  return rank === numbers.MPI_ANY_SOURCE ? anySource : rank;
}

export function tagToEngine(tag: number, numbers: Numbers): number {
  if (tag === anyTag) return numbers.MPI_ANY_TAG;
  return tag < 0 ? -100 : tag;
}
