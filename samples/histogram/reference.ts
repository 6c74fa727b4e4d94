// The histogram in plain TypeScript, and the adding up that the host does after each kernel.

/** How many counters a histogram has: 256 for red, then 256 for green, then 256 for blue. */
export const counterCount = 3 * 256;

/** Counts the values of red, green and blue of pixels of four bytes. */
export function histogramReference(pixels: Uint8Array): Uint32Array {
  const counts = new Uint32Array(counterCount);
  for (let i = 0; i < pixels.length; i += 4) {
    counts[pixels[i]!]!++;
    counts[256 + pixels[i + 1]!]!++;
    counts[512 + pixels[i + 2]!]!++;
  }
  return counts;
}

/** Adds partial histograms that lie one after the other. */
export function addPartials(partials: Uint32Array): Uint32Array {
  const counts = new Uint32Array(counterCount);
  for (let i = 0; i < partials.length; i++) counts[i % counterCount]! += partials[i]!;
  return counts;
}
