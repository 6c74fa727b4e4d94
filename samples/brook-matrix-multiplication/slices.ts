// Matrices as streams of every n-th row.

/** Slice s of `count` has the rows s, s + count, s + 2 count, ... of a matrix with rows of `width`. */
export function slicesOf(matrix: Float32Array, width: number, count: number): Float32Array[] {
  const rows = matrix.length / width / count;
  return Array.from({ length: count }, (_, slice) => {
    const out = new Float32Array(rows * width);
    for (let row = 0; row < rows; row++) {
      const from = (row * count + slice) * width;
      out.set(matrix.subarray(from, from + width), row * width);
    }
    return out;
  });
}

/** The opposite of slicesOf. */
export function joinSlices(slices: readonly Float32Array[], width: number): Float32Array {
  const rows = slices[0]!.length / width;
  const out = new Float32Array(rows * width * slices.length);
  for (const [slice, part] of slices.entries()) {
    for (let row = 0; row < rows; row++) {
      out.set(part.subarray(row * width, (row + 1) * width), (row * slices.length + slice) * width);
    }
  }
  return out;
}
