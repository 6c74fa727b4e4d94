// The host's part of a regression: adding up partial sums, and solving the equations that the sums make.

/** y = a0 + a1 x. */
export type Line = readonly [a0: number, a1: number];
/** y = a0 + a1 x + a2 x^2. */
export type Parabola = readonly [a0: number, a1: number, a2: number];

/** Adds vectors of `width` numbers that lie one after the other, in double precision. */
export function addPartialSums(partials: Float32Array, width: number): Float64Array {
  const sums = new Float64Array(width);
  for (let i = 0; i < partials.length; i++) sums[i % width]! += partials[i]!;
  return sums;
}

/**
 * The line of least squares from the sums x, y, xx, xy over `count` points.
 * Throws a RangeError if all points have the same x.
 */
export function fitLine(count: number, sums: ArrayLike<number>): Line {
  const [x, y, xx, xy] = [sums[0]!, sums[1]!, sums[2]!, sums[3]!];
  const determinant = count * xx - x * x;
  if (determinant === 0) throw new RangeError('a line needs points with two different x');
  return [(y * xx - x * xy) / determinant, (count * xy - x * y) / determinant];
}

/**
 * The parabola of least squares from the sums x, y, xx, xy, xxx, xxy, xxxx over `count` points: three
 * equations, solved by Cramer's rule. Throws a RangeError if the points have fewer than three different x.
 */
export function fitParabola(count: number, sums: ArrayLike<number>): Parabola {
  const [x, y, xx, xy] = [sums[0]!, sums[1]!, sums[2]!, sums[3]!];
  const [xxx, xxy, xxxx] = [sums[4]!, sums[5]!, sums[6]!];
  const whole = determinant([count, x, xx], [x, xx, xxx], [xx, xxx, xxxx]);
  if (whole === 0) throw new RangeError('a parabola needs points with three different x');
  return [
    determinant([y, x, xx], [xy, xx, xxx], [xxy, xxx, xxxx]) / whole,
    determinant([count, y, xx], [x, xy, xxx], [xx, xxy, xxxx]) / whole,
    determinant([count, x, y], [x, xx, xy], [xx, xxx, xxy]) / whole,
  ];
}

type Row = readonly [number, number, number];

function determinant(a: Row, b: Row, c: Row): number {
  return (
    a[0] * (b[1] * c[2] - b[2] * c[1]) -
    a[1] * (b[0] * c[2] - b[2] * c[0]) +
    a[2] * (b[0] * c[1] - b[1] * c[0])
  );
}
