/**
 * Long lists changed in place. `list.push(...others)` and `list.splice(at, count, ...others)` hand each member over as an argument,
 * and engines have no room for more than some hundred thousand of them: a RangeError for a long function. These have no such limit.
 */

/** Adds members at the end. `others` may not be `list` itself. */
export function append<T>(list: T[], others: Iterable<T>): void {
  for (const one of others) list.push(one);
}

/** Adds members before that at `place`, as `splice` counts places: from the end where it is negative. */
export function insert<T>(list: T[], place: number, others: readonly T[]): void {
  const behind = list.splice(place);
  append(list, others);
  append(list, behind);
}

/** Makes a list have other members. */
export function replaceAll<T>(list: T[], others: readonly T[]): void {
  const members = [...others];
  list.length = 0;
  append(list, members);
}
