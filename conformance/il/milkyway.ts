/**
 * The reference for the first kernel of milkywayathome: how many stars a wedge of the sky is expected to have, of the galaxy's
 * background and of one stream. A thread sums over the points along a line of sight, and adds to sums of earlier launches with
 * what these have lost by rounding. All numbers are doubles and lie in one buffer; constants say at which byte.
 */
import type { Launch } from './references.ts';

/** Lines of sight, distances, and points that each distance stands for. */
const [lines, distances, points] = [5, 7, 6];
/** In doubles: a sum and its loss for each line and distance, the volumes, points, and the directions of the lines. */
const background = 0;
const stream = background + 2 * lines * distances;
const volumes = stream + 2 * lines * distances;
const along = volumes + 2 * distances;
const directions = along + 2 * distances * points;
const sines = directions + 2 * lines;
const end = sines + lines + (lines % 2);

const sun = -8.5;
const core = 12;
const flattening = 1.5;
const centre = [3, -2, 1] as const;
const axis = [0.6, 0, 0.8] as const;
const width = 0.25;
const step = 0.125;

/** A constant buffer of so many elements: whole numbers by their element, doubles by theirs and the half of it. */
function constants(
  elements: number,
  whole: Readonly<Record<number, number>>,
  doubles: readonly (readonly [element: number, half: 0 | 1, value: number])[],
): Int32Array {
  const words = new Int32Array(elements * 4);
  const halves = new Float64Array(words.buffer);
  for (const [element, half, value] of doubles) halves[element * 2 + half] = value;
  for (const [element, value] of Object.entries(whole)) words[Number(element) * 4] = value;
  return words;
}

/** What is in the buffer before the launch. */
function content(): Float64Array {
  const data = new Float64Array(end);
  for (let index = 0; index < volumes; index += 2) data[index] = 0.5 + (index % 7);
  for (let distance = 0; distance < distances; distance += 1) {
    data[volumes + 2 * distance] = 1 + 0.3 * distance;
    for (let point = 0; point < points; point += 1) {
      const at = along + 2 * (distance * points + point);
      data[at] = 2 + distance + point / points;
      data[at + 1] = 1 / (1 + point);
    }
  }
  for (let line = 0; line < lines; line += 1) {
    const [longitude, latitude] = [0.4 * line, 0.2 + 0.1 * line];
    data[directions + 2 * line] = Math.cos(longitude) * Math.cos(latitude);
    data[directions + 2 * line + 1] = Math.sin(longitude) * Math.cos(latitude);
    data[sines + line] = Math.sin(latitude);
  }
  return data;
}

/** What the points of a line at a distance come to, of the background and of the stream. */
function sums(data: Float64Array, line: number, distance: number): [number, number] {
  let [galaxy, ofStream] = [0, 0];
  for (let point = 0; point < points; point += 1) {
    const at = along + 2 * (distance * points + point);
    const [far, weight] = [data[at]!, data[at + 1]!];
    const place = [
      far * data[directions + 2 * line]! + sun,
      far * data[directions + 2 * line + 1]!,
      far * data[sines + line]!,
    ] as const;
    const radius = Math.sqrt(place[0] ** 2 + place[1] ** 2 + flattening * place[2] ** 2);
    galaxy += weight / (radius * (radius + core) ** 3);
    const from = place.map((value, dimension) => value - centre[dimension]!);
    const alongAxis = from.reduce((sum, value, dimension) => sum + value * axis[dimension]!, 0);
    const square = from.reduce(
      (sum, value, dimension) => sum + (value - alongAxis * axis[dimension]!) ** 2,
      0,
    );
    ofStream += weight * Math.exp(-width * square);
  }
  const volume = step * data[volumes + 2 * distance]!;
  return [galaxy * volume, ofStream * volume];
}

/** Runs it and returns what is wrong; undefined if nothing is. */
export function starCounts(launch: Launch): string | undefined {
  const data = content();
  const before = data.slice();
  const first = 3; // threads before it belong to nobody
  launch({
    groups: [1],
    constants: {
      0: constants(15, { 6: first }, []),
      1: constants(
        15,
        {
          0: background * 8,
          1: stream * 8,
          2: volumes * 8,
          3: along * 8,
          4: directions * 8,
          5: sines * 8,
          9: first,
          10: distances,
          11: lines,
          14: 0,
        },
        [[13, 0, step]],
      ),
      2: constants(72, {}, []),
      3: constants(8, { 1: points }, [
        [2, 0, sun],
        [2, 1, core],
        [3, 0, flattening],
      ]),
      4: constants(4, {}, [
        ...centre.map((value, dimension) => [dimension, 1, value] as const),
        ...axis.map((value, dimension) => [dimension, 0, value] as const),
        [3, 0, width] as const,
      ]),
      5: constants(128, {}, []),
    },
    uavs: { 0: data, 8: new Float64Array(2) }, // 8 is declared only
  });
  for (let line = 0; line < lines; line += 1) {
    for (let distance = 0; distance < distances; distance += 1) {
      for (const [which, sum] of sums(before, line, distance).entries()) {
        const at = (which === 0 ? background : stream) + 2 * (line * distances + distance);
        const expected = before[at]! + sum;
        // An added sum is small beside what was there: its loss is part of the result.
        const added = data[at]! - before[at]! + data[at + 1]!;
        if (Math.abs(data[at]! - expected) > 1e-15 * expected || Math.abs(added - sum) > 1e-12 * sum) {
          return `line ${line}, distance ${distance}: ${data[at]} (${added} added), not ${expected} (${sum})`;
        }
      }
    }
  }
  return undefined;
}
