// Scattering in plain TypeScript.
import type { Picture } from '../support/sample.ts';

/** Puts each value at its place. */
export function placeReference(places: Int32Array, values: Float32Array, result: Float32Array): void {
  for (const [i, place] of places.entries()) result[place] = values[i]!;
}

/** The picture turned clockwise: its height is the new width. */
export function turnReference({ width, height, data }: Picture): Picture {
  const pixels = new Uint32Array(data.slice().buffer);
  const turned = new Uint32Array(pixels.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) turned[x * height + (height - 1 - y)] = pixels[y * width + x]!;
  }
  return { width: height, height: width, data: new Uint8Array(turned.buffer) };
}
