/**
 * Who has the newest bytes of a buffer. Every rank keeps the same account of all ranks, without asking, for all make the same calls. At the
 * start all have the same. Of many ranks a launch concerns all, so an account takes what all of them do at once, in one pass over its pieces.
 */
import { type Range, union } from './intervals.ts';

/** Bytes that the same ranks have. Pieces lie one behind the other. */
interface Piece extends Range {
  /** A bit for each rank. */
  readonly has: Uint32Array;
}

/** Bytes that go from one rank to another. */
export interface Transfer extends Range {
  readonly from: number;
  readonly to: number;
}

/** Ranges of each rank. */
export type OfRanks = readonly (readonly Range[])[];

export class Validity {
  #pieces: Piece[];
  readonly #ranks: number;

  constructor(bytes: number, ranks: number) {
    this.#ranks = ranks;
    const has = noRanks(ranks);
    for (let rank = 0; rank < ranks; rank += 1) add(has, rank);
    this.#pieces = [{ start: 0, end: bytes, has }];
  }

  /**
   * What a rank receives and sends so that each rank has the ranges that it wants: who lacks bytes gets them from the nearest that has them. Between
   * two ranks both find the same transfers in the same order.
   */
  transfersOf(rank: number, wanted: OfRanks): Transfer[] {
    const found: Transfer[] = [];
    for (const [to, ranges] of wanted.entries()) {
      for (const range of ranges.length > 1 ? union(ranges) : ranges) {
        for (let at = this.#pieceAt(range.start); at < this.#pieces.length; at += 1) {
          const { start, end, has } = this.#pieces[at]!;
          if (start >= range.end) break;
          // A rank that lacks something does not send it.
          if (isIn(has, to) || (to !== rank && !isIn(has, rank))) continue;
          const from = this.#nearest(has, to);
          if (to !== rank && from !== rank) continue;
          const [first, last] = [Math.max(start, range.start), Math.min(end, range.end)];
          if (first < last) found.push({ start: first, end: last, from, to });
        }
      }
    }
    return found;
  }

  /** All have got what they wanted. */
  brought(wanted: OfRanks): void {
    this.#mark(wanted, (has, ranks) => {
      for (const rank of ranks) add(has, rank);
    });
  }

  /** What ranks have written nobody else has any more. */
  written(writes: OfRanks): void {
    this.#mark(writes, (has, ranks) => {
      has.fill(0);
      for (const rank of ranks) add(has, rank);
    });
  }

  /** All ranks have written the same. */
  sameEverywhere(range: Range): void {
    this.written(Array.from({ length: this.#ranks }, () => [range]));
  }

  /** The index of the piece that a byte is in. */
  #pieceAt(byte: number): number {
    let [low, high] = [0, this.#pieces.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#pieces[middle]!.end <= byte) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #nearest(has: Uint32Array, to: number): number {
    for (let distance = 1; distance < this.#ranks; distance += 1) {
      if (to >= distance && isIn(has, to - distance)) return to - distance;
      if (to + distance < this.#ranks && isIn(has, to + distance)) return to + distance;
    }
    throw new Error('bytes that no rank has');
  }

  /** Changes who has the bytes of some ranks' ranges, each with the ranks in whose ranges it is. */
  #mark(ofRanks: OfRanks, change: (has: Uint32Array, ranks: readonly number[]) => void): void {
    const marks = ofRanks
      .flatMap((ranges, rank) => ranges.map(({ start, end }) => ({ start, end, rank })))
      .filter(({ start, end }) => start < end)
      .sort((a, b) => a.start - b.start);
    const next: Piece[] = [];
    let first = 0;
    for (const piece of this.#pieces) {
      while (first < marks.length && marks[first]!.end <= piece.start) first += 1;
      const inside: typeof marks = [];
      for (let at = first; at < marks.length && marks[at]!.start < piece.end; at += 1)
        if (marks[at]!.end > piece.start) inside.push(marks[at]!);
      const edges = edgesOf(piece, inside);
      for (let at = 0; at + 1 < edges.length; at += 1) {
        const [start, end] = [edges[at]!, edges[at + 1]!];
        const ranks = inside.filter((mark) => mark.start <= start && end <= mark.end).map(({ rank }) => rank);
        const has = ranks.length > 0 ? piece.has.slice() : piece.has;
        if (ranks.length > 0) change(has, ranks);
        append(next, { start, end, has });
      }
    }
    this.#pieces = next;
  }
}

const noRanks = (ranks: number): Uint32Array => new Uint32Array(Math.ceil(ranks / 32));

const isIn = (has: Uint32Array, rank: number): boolean => ((has[rank >> 5]! >>> (rank & 31)) & 1) !== 0;

function add(has: Uint32Array, rank: number): void {
  has[rank >> 5]! |= 1 << (rank & 31);
}

/** Where a piece begins, where ranges in it begin and end, where it ends. */
function edgesOf({ start, end }: Range, inside: readonly Range[]): number[] {
  const between: number[] = [];
  for (const range of inside) {
    if (range.start > start) between.push(range.start);
    if (range.end < end) between.push(range.end);
  }
  if (between.length === 0) return [start, end];
  return [start, ...new Set(between.sort((a, b) => a - b)), end];
}

/** Puts a piece behind the others; one that the same ranks have as the last becomes a part of that. */
function append(pieces: Piece[], piece: Piece): void {
  const last = pieces.at(-1);
  if (last?.has.every((word, at) => word === piece.has[at]))
    pieces[pieces.length - 1] = { ...last, end: piece.end };
  else pieces.push(piece);
}
