// What the bitonic sort is measured against: JavaScript's own sort of a typed array.

/** A copy of the keys in ascending order. */
export function sortReference(keys: Uint32Array): Uint32Array {
  return keys.slice().sort();
}
