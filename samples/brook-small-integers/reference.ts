// Sums of small integers in plain TypeScript: what does not fit goes round, as typed arrays do it.

/** c = a + b + 5 in the type of the arrays, which all have the same length. */
export function addReference<T extends Int8Array | Int16Array>(a: T, b: T, c: T): void {
  for (let i = 0; i < c.length; i++) c[i] = a[i]! + b[i]! + 5;
}
