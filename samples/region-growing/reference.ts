// Regions by a list of pixels that are still to be looked around from.

/** The label of each pixel after growing from all seeds in their order: that of the seed is its place in the list and one. */
export function regionsReference(
  light: Uint8Array,
  width: number,
  seeds: readonly number[],
  tolerance: number,
): Int32Array {
  const labels = new Int32Array(light.length);
  seeds.forEach((seed, index) => {
    if (labels[seed] !== 0) return;
    const centre = light[seed]!;
    labels[seed] = index + 1;
    const open = [seed];
    for (let from = open.pop(); from !== undefined; from = open.pop()) {
      const x = from % width;
      const beside = [from - width, from + width];
      if (x > 0) beside.push(from - 1);
      if (x < width - 1) beside.push(from + 1);
      for (const pixel of beside) {
        if (labels[pixel] !== 0 || Math.abs(light[pixel]! - centre) > tolerance) continue;
        labels[pixel] = index + 1;
        open.push(pixel);
      }
    }
  });
  return labels;
}
