/** Sums of terms, each so many times: what affine-forms.ts and bounds/sums.ts have in common. */

/** `a + factor * b`, without the terms that fall out. */
export function addTerms<Term>(
  a: ReadonlyMap<Term, number>,
  b: ReadonlyMap<Term, number>,
  factor: number,
): Map<Term, number> {
  const terms = new Map(a);
  for (const [term, count] of b) {
    const total = (terms.get(term) ?? 0) + factor * count;
    if (total === 0) terms.delete(term);
    else terms.set(term, total);
  }
  return terms;
}

/** Whether two sums have the same terms, each as often. */
export function hasSameTerms<Term>(a: ReadonlyMap<Term, number>, b: ReadonlyMap<Term, number>): boolean {
  return a.size === b.size && [...a].every(([term, count]) => b.get(term) === count);
}
