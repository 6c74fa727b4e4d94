// The least number of each range, found by looking at all of it.

/** `ranges` are first and last places, both included. */
export function leastReference(numbers: Int32Array, ranges: Uint32Array): Int32Array {
  return Int32Array.from({ length: ranges.length / 2 }, (_, i) => {
    const last = ranges[2 * i + 1]!;
    let at = ranges[2 * i]!;
    let least = numbers[at]!;
    while (++at <= last) if (numbers[at]! < least) least = numbers[at]!;
    return least;
  });
}

/**
 * The least of `width` numbers from each place on, or of as many as there are. Candidates wait in a list: those that have a
 * smaller one before them will never be the least again.
 */
export function leastFromReference(numbers: Int32Array, width: number): Int32Array {
  const least = new Int32Array(numbers.length);
  const waiting = new Int32Array(numbers.length);
  let [first, end] = [0, 0];
  for (let at = numbers.length - 1; at >= 0; at--) {
    while (end > first && numbers[waiting[end - 1]!]! >= numbers[at]!) end--;
    waiting[end++] = at;
    if (waiting[first]! >= at + width) first++;
    least[at] = numbers[waiting[first]!]!;
  }
  return least;
}
