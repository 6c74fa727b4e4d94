// The graph of the breadth-first search: a country of land and water, seen from above. From each place on land a frog can
// jump to some others nearby, so lakes that are wider than a jump are barriers.
import { createRandom, type Random } from '../support/random.ts';
import type { Picture } from '../support/sample.ts';
import type { Graph } from './reference.ts';

export interface Country {
  readonly width: number;
  readonly height: number;
  /** 1 for land, row after row. */
  readonly land: Uint8Array;
}

/** Hills of three sizes, and water where they are low. */
export function makeCountry(width: number, height: number, seed: number): Country {
  const random = createRandom(seed);
  const levels = [160, 60, 22].map((size) => ({ size, heights: gridOf(random, width, height, size) }));
  const land = Uint8Array.from({ length: width * height }, (_, place) => {
    const [x, y] = [place % width, Math.floor(place / width)];
    let sum = 0;
    for (const { size, heights } of levels) sum += size * between(heights, x / size, y / size);
    return sum > 110 ? 1 : 0;
  });
  return { width, height, land };
}

/** The jumps from each place on land: so many directions are tried, and those that end on land count. */
export function jumpsOf({ width, height, land }: Country, tries: number, reach: number, seed: number): Graph {
  const random = createRandom(seed);
  const first = new Uint32Array(land.length + 1);
  const to = new Uint32Array(land.length * tries);
  let edges = 0;
  for (let place = 0; place < land.length; place++) {
    first[place] = edges;
    if (land[place] === 0) continue;
    for (let i = 0; i < tries; i++) {
      const x = (place % width) + random.below(2 * reach + 1) - reach;
      const y = Math.floor(place / width) + random.below(2 * reach + 1) - reach;
      if (x < 0 || y < 0 || x >= width || y >= height || land[y * width + x] === 0) continue;
      to[edges++] = y * width + x;
    }
  }
  first[land.length] = edges;
  return { first, to: to.slice(0, edges) };
}

/** Bands of colour for distances, lighter from jump to jump; water dark blue, land that is out of reach grey. */
export function paintDistances({ width, height, land }: Country, distances: Int32Array): Picture {
  const data = new Uint8Array(4 * land.length).fill(255);
  distances.forEach((distance, place) => {
    let colour = land[place] === 0 ? [18, 30, 60] : [110, 110, 110];
    if (distance >= 0) {
      const light = distance % 2 === 0 ? 1 : 0.8;
      colour = [0, 2.1, 4.2].map((angle) => light * (150 + 100 * Math.cos(distance * 0.11 + angle)));
    }
    data.set(colour, 4 * place);
  });
  return { width, height, data };
}

/** Random numbers from 0 to 1 at the corners of squares of that size. */
function gridOf(random: Random, width: number, height: number, size: number): number[][] {
  const [across, down] = [Math.ceil(width / size) + 1, Math.ceil(height / size) + 1];
  return Array.from({ length: down }, () => Array.from({ length: across }, () => random.between(0, 1)));
}

/** The numbers at the corners, mixed smoothly for a point between them. */
function between(heights: readonly (readonly number[])[], x: number, y: number): number {
  const [column, row] = [Math.floor(x), Math.floor(y)];
  const smooth = (t: number): number => t * t * (3 - 2 * t);
  const mix = (a: number, b: number, t: number): number => a + (b - a) * t;
  const [above, below] = [heights[row]!, heights[row + 1]!];
  const across = smooth(x - column);
  return mix(
    mix(above[column]!, above[column + 1]!, across),
    mix(below[column]!, below[column + 1]!, across),
    smooth(y - row),
  );
}
