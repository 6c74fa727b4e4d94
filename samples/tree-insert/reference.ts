// What any order of insertions comes to: the keys in ascending order.

/** The keys as a walk through the tree finds them, from the leftmost node to the rightmost. */
export function inOrderReference(keys: Int32Array): Int32Array {
  return Int32Array.from(keys).sort();
}
