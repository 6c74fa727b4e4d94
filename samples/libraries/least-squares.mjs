// BLAS and solvers (millrace/blas, millrace/linalg): a parabola through noisy points, by the normal equations and by QR.
import { strict as assert } from 'node:assert';
import { blas, CblasColMajor, CblasNoTrans, CblasRowMajor, CblasTrans } from 'millrace/blas';

const count = 500;
const exact = [0.5, -2, 3];
const points = Array.from({ length: count }, (_, i) => {
  const x = i / count;
  const noise = (((i * 7919) % 1009) / 1009 - 0.5) / 50;
  return { x, y: exact[0] + exact[1] * x + exact[2] * x * x + noise };
});
// A row for each point: 1, x, x squared.
const a = Float64Array.from(points.flatMap(({ x }) => [1, x, x * x]));
const y = Float64Array.from(points, (point) => point.y);

const lib = await blas();
const normal = new Float64Array(9);
const right = new Float64Array(3);
await lib.dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, 3, 3, count, 1, a, 3, a, 3, 0, normal, 3);
await lib.dgemv(CblasRowMajor, CblasTrans, count, 3, 1, a, 3, y, 1, 0, right, 1);

// The same sums in plain JavaScript.
for (let i = 0; i < 3; i += 1) {
  for (let j = 0; j < 3; j += 1) {
    const sum = points.reduce((total, { x }) => total + x ** (i + j), 0);
    assert(Math.abs(normal[3 * i + j] - sum) < 1e-9 * sum);
  }
}
// Cramer's rule is enough for three unknowns. The matrix is symmetric, so its order does not matter.
const determinant = (m) =>
  m[0] * (m[4] * m[8] - m[5] * m[7]) -
  m[1] * (m[3] * m[8] - m[5] * m[6]) +
  m[2] * (m[3] * m[7] - m[4] * m[6]);
const found = exact.map((_, column) => {
  const replaced = normal.map((value, at) => (at % 3 === column ? right[Math.floor(at / 3)] : value));
  return determinant(replaced) / determinant(normal);
});
console.log(`a parabola: ${found.map((value) => value.toFixed(3)).join(', ')}; exact ${exact.join(', ')}`);
for (const [at, value] of found.entries()) assert(Math.abs(value - exact[at]) < 0.02);

// What is left between the points and the parabola is orthogonal to the columns: A^T (A c - y) = 0.
const rest = y.slice();
await lib.dgemv(CblasColMajor, CblasTrans, 3, count, 1, a, 3, Float64Array.from(found), 1, -1, rest, 1);
for (let column = 0; column < 3; column += 1)
  assert(Math.abs(await lib.ddot(count, rest, 1, a.subarray(column), 3)) < 1e-9);
lib.release();
