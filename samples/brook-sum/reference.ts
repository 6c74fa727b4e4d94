// Sums in plain TypeScript.

/** c = a + b, rounded to single precision. All arrays have the same length. */
export function sumReference(a: Float32Array, b: Float32Array, c: Float32Array): void {
  for (let i = 0; i < c.length; i++) c[i] = a[i]! + b[i]!;
}
