/**
 * Sums of what a kernel is launched with, as mathematical integers: so many times each of some 32-bit numbers, and a constant.
 * Nothing wraps around in them, for they are computed in 64 bits.
 */
import type { Builder } from '../../ir/builder.ts';
import type * as ir from '../../ir/ir.ts';
import { i64 } from '../../ir/types.ts';
import { addTerms } from './terms.ts';

/** A number that is the same for a work-group. */
export interface Term {
  /** Writes it, as 64 bits. */
  readonly write: (builder: Builder) => ir.Value;
  /** The value that it is; undefined for what no instruction of the kernel computes. */
  readonly value?: ir.Value;
  /** Terms that are never negative may be left out where only that is asked. */
  readonly isNatural: boolean;
}

export interface Sum {
  readonly terms: ReadonlyMap<Term, number>;
  readonly constant: number;
}

/** Sums with more terms or larger factors are not worth a test, and might not fit into 64 bits. */
const mostTerms = 6;
const largest = 2 ** 24;

export const constantSum = (constant: number): Sum => ({ terms: new Map(), constant });

export const termSum = (term: Term): Sum => ({ terms: new Map([[term, 1]]), constant: 0 });

/** `a + factor * b`; undefined for what grows too long. */
export function addSums(a: Sum, b: Sum, factor = 1): Sum | undefined {
  const terms = addTerms(a.terms, b.terms, factor);
  const constant = a.constant + factor * b.constant;
  const isSmall = [...terms.values()].every((count) => Math.abs(count) <= largest);
  return terms.size <= mostTerms && isSmall && Math.abs(constant) <= 2 ** 48
    ? { terms, constant }
    : undefined;
}

/** Whether a sum is never negative, whatever its terms are. */
export function isNatural({ terms, constant }: Sum): boolean {
  return constant >= 0 && [...terms].every(([term, count]) => term.isNatural && count > 0);
}

/** Writes whether a sum is not negative. */
export function writeIsNatural(builder: Builder, { terms, constant }: Sum): ir.Value {
  let total = builder.integer(i64, BigInt(constant));
  for (const [term, count] of terms) {
    const value = term.write(builder);
    const size = builder.integer(i64, BigInt(Math.abs(count)));
    const product = Math.abs(count) === 1 ? value : builder.binary('imul', value, size);
    total = builder.binary(count < 0 ? 'isub' : 'iadd', total, product);
  }
  return builder.compare('sge', total, builder.integer(i64, 0n));
}
