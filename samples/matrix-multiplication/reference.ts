// Matrix multiplication in plain TypeScript: three loops, one after the other.

/** The product of two square matrices of `n` rows, stored row after row. Sums are kept in double precision. */
export function multiplyReference(n: number, a: Float32Array, b: Float32Array): Float32Array {
  const c = new Float32Array(n * n);
  for (let row = 0; row < n; row++) {
    for (let column = 0; column < n; column++) {
      let sum = 0;
      for (let k = 0; k < n; k++) sum += a[row * n + k]! * b[k * n + column]!;
      c[row * n + column] = sum;
    }
  }
  return c;
}
