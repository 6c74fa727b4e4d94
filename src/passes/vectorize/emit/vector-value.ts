/**
 * What a value of the work-item's program is in the program of a vector: one scalar where that says enough, else vectors
 * with a lane for each work-item.
 */
import type * as ir from '../../../ir/ir.ts';

export type VectorValue =
  /** The same for all lanes: a value of the very type it had. */
  | { readonly kind: 'uniform'; readonly value: ir.Value }
  /** An integer or pointer that grows by `step` (an integer, or bytes) from lane to lane: the first lane's. */
  | { readonly kind: 'affine'; readonly first: ir.Value; readonly step: number }
  /** The same with a step that only the launch knows, as the rows of a matrix lie apart: an integer, in bytes for pointers. */
  | { readonly kind: 'strided'; readonly first: ir.Value; readonly stride: ir.Value }
  /** The same where each lane lies a known number (of bytes) from the first one's: 0 in the first lane, mostly. */
  | { readonly kind: 'patterned'; readonly first: ir.Value; readonly offsets: readonly number[] }
  /**
   * A vector for a scalar; for a user vector one for each component. Pointers are vectors of addresses.
   */
  | { readonly kind: 'lanes'; readonly parts: readonly ir.Value[] }
  /** A pointer into a private array whose elements lie side by side, a lane after another (`private-arrays.ts`). */
  | { readonly kind: 'array'; readonly array: LaneArray; readonly offset: VectorValue };

/** A private array of the vector: element i of lane l is at (i * lanes + l) * elementSize. */
export interface LaneArray {
  readonly pointer: ir.Value;
  readonly elementSize: number;
}

/** Which work-items take part; undefined for all of the vector. */
export type Mask = ir.Value | undefined;
