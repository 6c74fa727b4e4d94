// Binary search, one key after another.

/** Where each key lies in the sorted numbers, or `none`. */
export function placesReference(sorted: Uint32Array, keys: Uint32Array, none: number): Uint32Array {
  return keys.map((key) => {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sorted[middle]! < key) low = middle + 1;
      else high = middle;
    }
    return sorted[low] === key ? low : none;
  });
}
