// The Mandelbrot set in plain TypeScript, every operation rounded to single precision.

const { fround } = Math;

/** Turns until a point of the plane escapes, at most 255, for each pixel of rows from the top. */
export function escapeTimesReference(
  width: number,
  height: number,
  scale: number,
  corner: readonly [number, number],
): Int32Array {
  const turns = new Int32Array(width * height);
  for (let row = 0; row < height; row++) {
    const cy = fround(corner[1] + fround(row * scale));
    for (let column = 0; column < width; column++) {
      const cx = fround(corner[0] + fround(column * scale));
      let [x, y, turn] = [0, 0, 0];
      while (turn < 255 && fround(fround(x * x) + fround(y * y)) < 4) {
        const next = fround(fround(fround(x * x) - fround(y * y)) + cx);
        y = fround(fround(fround(2 * x) * y) + cy);
        x = next;
        turn++;
      }
      turns[row * width + column] = turn;
    }
  }
  return turns;
}
