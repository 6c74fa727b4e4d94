// Searching in plain TypeScript.

/** For each key its place among sorted numbers that are all different; -1 for keys that are not there. */
export function searchReference(keys: Int32Array, sorted: Int32Array): Int32Array {
  const places = new Map<number, number>();
  for (const [place, number] of sorted.entries()) places.set(number, place);
  return keys.map((key) => places.get(key) ?? -1);
}
