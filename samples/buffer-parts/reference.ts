// The same picture in plain TypeScript: every tile is taken from its place and put into another, then stretches
// of pixels are coloured.
import type { Picture } from '../support/sample.ts';

/** A tile goes from one place to another; places are in tiles. */
export interface Move {
  readonly from: readonly [number, number];
  readonly to: readonly [number, number];
}

/** Pixels `first` to `first + count - 1`, with the colour that they get. */
export interface Part {
  readonly first: number;
  readonly count: number;
  readonly colour: readonly [number, number, number, number];
}

/** A picture with tiles of so many pixels moved; what belongs to no tile is black and transparent. */
export function puzzleReference(
  { width, data }: Picture,
  moves: readonly Move[],
  [tileWidth, tileHeight]: readonly [number, number],
): Uint8Array {
  const result = new Uint8Array(data.length);
  for (const { from, to } of moves) {
    for (let y = 0; y < tileHeight; y++) {
      for (let x = 0; x < tileWidth; x++) {
        const source = (from[1] * tileHeight + y) * width + from[0] * tileWidth + x;
        const target = (to[1] * tileHeight + y) * width + to[0] * tileWidth + x;
        result.set(data.subarray(source * 4, source * 4 + 4), target * 4);
      }
    }
  }
  return result;
}

/** Pixels with parts of them coloured. */
export function tintReference(pixels: Uint8Array, parts: readonly Part[]): Uint8Array {
  const result = pixels.slice();
  for (const { first, count, colour } of parts) {
    for (let i = first; i < first + count; i++) {
      for (let channel = 0; channel < 3; channel++) {
        const at = i * 4 + channel;
        result[at] = Math.floor(pixels[at]! / 2) + Math.floor(colour[channel]! / 2);
      }
    }
  }
  return result;
}
