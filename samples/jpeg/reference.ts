// The three kernels in plain TypeScript, in double precision, and the transforms as the sums over 64 products that the standard writes.
import type { Picture } from '../support/sample.ts';
import { componentWeights, shrinkOf } from './codec.ts';
import type { JpegComponent, JpegFile } from './read-file.ts';

/** `cosines[u * 8 + x]`, the weight of the sample x in the coefficient u, and of the coefficient in the sample. */
const cosines = Float64Array.from({ length: 64 }, (_, index) => {
  const [u, x] = [index >> 3, index & 7];
  return (u === 0 ? Math.SQRT1_2 : 1) * 0.5 * Math.cos(((2 * x + 1) * u * Math.PI) / 16);
});

/** The samples of a component, before they are rounded. */
export function planeReference(component: JpegComponent): Float64Array {
  const { quantisation, coefficients, blocksWide, blocksHigh } = component;
  const plane = new Float64Array(coefficients.length);
  const pitch = blocksWide * 8;
  for (let block = 0; block < blocksWide * blocksHigh; block++) {
    const used = places.filter((place) => coefficients[block * 64 + place] !== 0);
    const corner = Math.floor(block / blocksWide) * 8 * pitch + (block % blocksWide) * 8;
    for (let y = 0; y < 8; y++) {
      for (let x = 0; x < 8; x++) {
        let sum = 128;
        for (const place of used) {
          const value = coefficients[block * 64 + place]! * quantisation[place]!;
          sum += value * cosines[(place >> 3) * 8 + y]! * cosines[(place & 7) * 8 + x]!;
        }
        plane[corner + y * pitch + x] = Math.min(255, Math.max(0, sum));
      }
    }
  }
  return plane;
}

const places = Array.from({ length: 64 }, (_, place) => place);

/** The pixels of planes, before they are rounded. */
export function pixelsReference(file: JpegFile, planes: readonly ArrayLike<number>[]): Float64Array {
  const { width, height, components } = file;
  const pixels = new Float64Array(width * height * 4).fill(255);
  const shrinks = components.map((component) => shrinkOf(file, component));
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [light, cb = 128, cr = 128] = components.map(({ blocksWide }, index) => {
        const [across, down] = shrinks[index]!;
        return planes[index]![Math.floor(y / down) * blocksWide * 8 + Math.floor(x / across)]!;
      });
      const colours = [
        light! + 1.402 * (cr - 128),
        light! - 0.344136 * (cb - 128) - 0.714136 * (cr - 128),
        light! + 1.772 * (cb - 128),
      ];
      for (const [channel, value] of colours.entries())
        pixels[(y * width + x) * 4 + channel] = Math.min(255, Math.max(0, value));
    }
  }
  return pixels;
}

/** The coefficients of a component divided by their steps, before they are rounded. */
export function coefficientsReference(picture: Picture, file: JpegFile, index: number): Float64Array {
  const { width, height, data } = picture;
  const component = file.components[index]!;
  const { quantisation, blocksWide, blocksHigh } = component;
  const [across, down] = shrinkOf(file, component);
  const [ofRed, ofGreen, ofBlue, offset] = componentWeights[index]!;
  const sampleAt = (column: number, row: number): number => {
    let sum = 0;
    for (let dy = 0; dy < down; dy++) {
      for (let dx = 0; dx < across; dx++) {
        const x = Math.min(width - 1, column * across + dx);
        const y = Math.min(height - 1, row * down + dy);
        const at = (y * width + x) * 4;
        sum += ofRed * data[at]! + ofGreen * data[at + 1]! + ofBlue * data[at + 2]!;
      }
    }
    return sum / (across * down) + offset - 128;
  };
  const found = new Float64Array(blocksWide * blocksHigh * 64);
  const samples = new Float64Array(64);
  const rows = new Float64Array(64);
  for (let block = 0; block < blocksWide * blocksHigh; block++) {
    const [left, top] = [(block % blocksWide) * 8, Math.floor(block / blocksWide) * 8];
    for (const place of places) samples[place] = sampleAt(left + (place & 7), top + (place >> 3));
    for (const place of places) {
      let sum = 0;
      for (let x = 0; x < 8; x++) sum += cosines[(place & 7) * 8 + x]! * samples[(place & 56) + x]!;
      rows[place] = sum;
    }
    for (const place of places) {
      let sum = 0;
      for (let y = 0; y < 8; y++) sum += cosines[(place >> 3) * 8 + y]! * rows[y * 8 + (place & 7)]!;
      found[block * 64 + place] = Math.min(1023, Math.max(-1023, sum / quantisation[place]!));
    }
  }
  return found;
}

/** How near two pictures are, in decibels: the squares of the differences of red, green and blue against 255's. */
export function signalToNoise(left: Picture, right: Picture): number {
  let sum = 0;
  for (let i = 0; i < left.data.length; i++) {
    if (i % 4 !== 3) sum += (left.data[i]! - right.data[i]!) ** 2;
  }
  return 10 * Math.log10((255 ** 2 * 3 * left.width * left.height) / sum);
}
