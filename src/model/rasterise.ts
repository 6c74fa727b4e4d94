/**
 * The order in which threads of a domain come to the SIMD engines (guide, 1.2.4): quads of 2 x 2, sixteen of them in blocks of 8 x 8
 * that make a wavefront, block by block; where the domain ends inside of a block, the wavefront is filled from the next ones, but
 * quads stay whole. The guide does not disclose the order of blocks: here rows of blocks go to and fro.
 */

/** A thread's place in the domain; undefined for one that idles since its quad reaches over the edge. */
export type Place = readonly [x: number, y: number] | undefined;

/** The wavefronts of a domain, each with its threads, quad by quad. */
export function rasterise(
  width: number,
  height: number,
  wavefront: 16 | 32 | 64 = 64,
): readonly (readonly Place[])[] {
  const { blockWidth, blockHeight } = blockOf(width, height, wavefront);
  const threads: Place[] = [];
  for (let top = 0, row = 0; top < height; top += blockHeight, row += 1) {
    const lefts = Array.from({ length: Math.ceil(width / blockWidth) }, (_, block) => block * blockWidth);
    for (const left of row % 2 === 0 ? lefts : lefts.reverse()) {
      for (let y = top; y < Math.min(height, top + blockHeight); y += 2) {
        for (let x = left; x < Math.min(width, left + blockWidth); x += 2) {
          for (const [right, down] of quad) {
            const isInside = x + right < width && y + down < height;
            threads.push(isInside ? [x + right, y + down] : undefined);
          }
        }
      }
    }
  }
  const waves: (readonly Place[])[] = [];
  for (let from = 0; from < threads.length; from += wavefront)
    waves.push(threads.slice(from, from + wavefront));
  return waves;
}

const quad = [
  [0, 0],
  [1, 0],
  [0, 1],
  [1, 1],
] as const;

/** Blocks are as square as can be, but not higher or wider than the domain: 32 x 2 of one that is two rows high. */
function blockOf(
  width: number,
  height: number,
  wavefront: number,
): { blockWidth: number; blockHeight: number } {
  const square = { 16: [4, 4], 32: [8, 4], 64: [8, 8] }[wavefront as 16 | 32 | 64] as [number, number];
  const evenHeight = powerOfTwo(height);
  if (evenHeight < square[1]) return { blockWidth: wavefront / evenHeight, blockHeight: evenHeight };
  const evenWidth = powerOfTwo(width);
  if (evenWidth < square[0]) return { blockWidth: evenWidth, blockHeight: wavefront / evenWidth };
  return { blockWidth: square[0], blockHeight: square[1] };
}

/** The least power of two from two on that is not below a size. */
function powerOfTwo(size: number): number {
  return Math.max(2, 2 ** Math.ceil(Math.log2(size)));
}

/** The part of the lanes of a domain's quads that are in the domain: a half where it is one high or wide. */
export function quadCoverage(width: number, height: number): number {
  const even = (size: number): number => size + (size % 2);
  return (width * height) / (even(width) * even(height));
}

/** The part of the thread processors that work: half of them for a domain of height one. */
export function coverage(waves: readonly (readonly Place[])[]): number {
  const all = waves.flat();
  return all.length === 0 ? 1 : all.filter((place) => place !== undefined).length / all.length;
}
