// The same traffic in plain TypeScript. A row is what one turn of all work-items goes over.

/** The sums of all rows, place by place, modulo 2^32. */
export function readReference(numbers: Uint32Array, row: number): Uint32Array {
  const sums = new Uint32Array(row);
  for (let i = 0; i < numbers.length; i++) sums[i % row] = sums[i % row]! + numbers[i]!;
  return sums;
}

/** Rows of `value`, `value + 1` and so on. */
export function writeReference(length: number, row: number, value: number): Uint32Array {
  const numbers = new Uint32Array(length);
  for (let i = 0; i < length; i++) numbers[i] = value + Math.floor(i / row);
  return numbers;
}
