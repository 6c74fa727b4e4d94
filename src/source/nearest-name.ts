/**
 * The name someone probably meant: the nearest by edit distance, as clang suggests it, if it is near enough for the
 * length of what was written.
 */

/** what is longer is no mistyped word, and takes long to compare */
const longestName = 100;

/** The nearest candidate within a third of the name's length, and no more than `most` edits away; or undefined. Ties go to the first. */
export function nearestName(
  name: string,
  candidates: Iterable<string>,
  most = Number.POSITIVE_INFINITY,
): string | undefined {
  if (name.length < 2 || name.length > longestName) return undefined;
  let limit = Math.min(most, Math.floor((name.length + 2) / 3));
  let best: string | undefined;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) > limit || candidate === name) continue;
    const distance = editDistance(name, candidate, limit);
    if (distance < limit || (distance === limit && best === undefined)) {
      best = candidate;
      limit = distance;
    }
  }
  return best;
}

/** Levenshtein distance with swaps of neighbours; anything above `limit` is `limit + 1`. */
function editDistance(a: string, b: string, limit: number): number {
  let beforePrevious: number[] = [];
  let previous: number[] = [];
  for (let column = 0; column <= b.length; column += 1) previous.push(column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    let least = row;
    for (let column = 1; column <= b.length; column += 1) {
      const same = a.charCodeAt(row - 1) === b.charCodeAt(column - 1);
      let cost = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (same ? 0 : 1),
      );
      const isSwap =
        row > 1 &&
        column > 1 &&
        a.charCodeAt(row - 1) === b.charCodeAt(column - 2) &&
        a.charCodeAt(row - 2) === b.charCodeAt(column - 1);
      if (isSwap) cost = Math.min(cost, (beforePrevious[column - 2] ?? 0) + 1);
      current.push(cost);
      least = Math.min(least, cost);
    }
    if (least > limit) return limit + 1;
    beforePrevious = previous;
    previous = current;
  }
  return Math.min(previous[b.length] ?? 0, limit + 1);
}
