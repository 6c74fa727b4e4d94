// Running sums, one after the other.

/** Each number with all before it, modulo 2^32. */
export function prefixSumReference(numbers: Uint32Array): Uint32Array {
  const sums = new Uint32Array(numbers.length);
  let sum = 0;
  for (let i = 0; i < numbers.length; i++) {
    sum = (sum + numbers[i]!) >>> 0;
    sums[i] = sum;
  }
  return sums;
}

/** The same within parts of a length. */
export function partSumsReference(numbers: Uint32Array, length: number): Uint32Array {
  const sums = new Uint32Array(numbers.length);
  for (let from = 0; from < numbers.length; from += length) {
    sums.set(prefixSumReference(numbers.subarray(from, from + length)), from);
  }
  return sums;
}
