// saxpy in plain TypeScript: z = a * x + y.

/** Fills `z` with a * x + y, rounded to single precision once. All arrays have the same length. */
export function saxpyReference(a: number, x: Float32Array, y: Float32Array, z: Float32Array): void {
  for (let i = 0; i < z.length; i++) z[i] = a * x[i]! + y[i]!;
}
