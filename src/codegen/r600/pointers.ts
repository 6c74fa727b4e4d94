/**
 * Pointers while a kernel is selected: where they begin, and how many bytes on. As long as that is known, a fetch names the buffer
 * and takes the distance; a pointer that comes out of a choice is an address in all of memory.
 */
import type * as ir from '../../ir/ir.ts';
import type { Source } from './operations.ts';

export type PointerBase =
  | { readonly kind: 'parameter'; readonly index: number }
  | { readonly kind: 'variable'; readonly variable: ir.Variable }
  | { readonly kind: 'global'; readonly global: ir.GlobalVariable }
  /** All of memory: the distance is the address. */
  | { readonly kind: 'memory' };

export interface Pointer {
  readonly base: PointerBase;
  /** Bytes from there: a source, if they are not constant, and a constant. */
  readonly distance: Source | undefined;
  readonly constant: number;
  /** The integers whose sum the distance is, in the IR, for those who look how it was made. */
  readonly terms: readonly ir.Value[];
}
