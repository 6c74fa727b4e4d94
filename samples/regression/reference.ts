// The sums of a regression in plain TypeScript, in double precision.

/** The sums of x, y, xx, xy. */
export function linearSumsReference(xs: Float32Array, ys: Float32Array): Float64Array {
  let [sumX, sumY, sumXX, sumXY] = [0, 0, 0, 0];
  for (let i = 0; i < xs.length; i++) {
    const x = xs[i]!;
    const y = ys[i]!;
    sumX += x;
    sumY += y;
    sumXX += x * x;
    sumXY += x * y;
  }
  return Float64Array.of(sumX, sumY, sumXX, sumXY);
}

/** The sums of x, y, xx, xy, xxx, xxy, xxxx, and how many points there are. */
export function parabolicSumsReference(xs: Float32Array, ys: Float32Array): Float64Array {
  let [sumX, sumY, sumXX, sumXY, sumXXX, sumXXY, sumXXXX] = [0, 0, 0, 0, 0, 0, 0];
  for (let i = 0; i < xs.length; i++) {
    const x = xs[i]!;
    const y = ys[i]!;
    const xx = x * x;
    sumX += x;
    sumY += y;
    sumXX += xx;
    sumXY += x * y;
    sumXXX += xx * x;
    sumXXY += xx * y;
    sumXXXX += xx * xx;
  }
  return Float64Array.of(sumX, sumY, sumXX, sumXY, sumXXX, sumXXY, sumXXXX, xs.length);
}
