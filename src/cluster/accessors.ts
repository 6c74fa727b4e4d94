/**
 * Ranges that a program declares where they cannot be found in the kernel, after Celerity: functions of a part's ids that give ranges of
 * elements, of which those of all parts are reached together.
 */
import type { Range } from './intervals.ts';

/** Work-items of a part of a launch: the first in each dimension, and how many there are. */
export interface Part {
  readonly first: readonly number[];
  readonly count: readonly number[];
  /** Elements of the buffer. */
  readonly length: number;
}

/** The elements that a part reaches. A larger range is right, too, but for writes, which must not be those of another part. */
export type Accessor = (part: Part) => readonly Range[];

/** All of the buffer. */
export const all: Accessor = ({ length }) => [{ start: 0, end: length }];

/** Each work-item its own element: dimension 0 only. */
export const oneToOne: Accessor = ({ first, count }) => [{ start: first[0]!, end: first[0]! + count[0]! }];

/** Elements up to so far from each work-item's own. */
export const neighbours =
  (distance: number): Accessor =>
  ({ first, count, length }) => [
    {
      start: Math.max(first[0]! - distance, 0),
      end: Math.min(first[0]! + count[0]! + distance, length),
    },
  ];

/** Rows of so many elements, one for each id of a dimension, and so many rows on either side of them. */
export const rows =
  (
    width: number,
    { dimension = 1, halo = 0 }: { readonly dimension?: number; readonly halo?: number } = {},
  ): Accessor =>
  ({ first, count, length }) => [
    {
      start: Math.max((first[dimension]! - halo) * width, 0),
      end: Math.min((first[dimension]! + count[dimension]! + halo) * width, length),
    },
  ];
