// Running sums in plain TypeScript.

/** Sums of vectors of four from the beginning of each group of `size` vectors to each of its members. */
export function runningSumsReference(numbers: Int32Array, size: number): Int32Array {
  const sums = new Int32Array(numbers.length);
  for (let i = 0; i < numbers.length; i++) {
    const isFirst = Math.floor(i / 4) % size === 0;
    sums[i] = numbers[i]! + (isFirst ? 0 : sums[i - 4]!);
  }
  return sums;
}
