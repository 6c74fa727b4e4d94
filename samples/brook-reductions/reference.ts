// Sums, maxima and block means in plain TypeScript.
import type { Picture } from '../support/sample.ts';

/** Brightness of each pixel, 0 to 255. */
export function brightnessReference({ data }: Picture): Int32Array {
  return Int32Array.from(
    { length: data.length / 4 },
    (_, i) => (77 * data[4 * i]! + 150 * data[4 * i + 1]! + 29 * data[4 * i + 2]!) >> 8,
  );
}

/** Sum, maximum, and how many numbers are above a threshold. */
export function measuresReference(numbers: Int32Array, threshold: number): Int32Array {
  let sum = 0;
  let largest = numbers[0]!;
  let above = 0;
  for (const number of numbers) {
    sum += number;
    if (number > largest) largest = number;
    if (number > threshold) above++;
  }
  return Int32Array.of(sum, largest, above);
}

/** Sums of blocks of `block` x `block` numbers of a plane, row after row. */
export function blockSumsReference(numbers: Int32Array, width: number, block: number): Int32Array {
  const columns = width / block;
  const sums = new Int32Array(numbers.length / block / block);
  for (const [i, number] of numbers.entries()) {
    const [x, y] = [i % width, Math.floor(i / width)];
    sums[Math.floor(y / block) * columns + Math.floor(x / block)]! += number;
  }
  return sums;
}
