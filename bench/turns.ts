/** Two sides of a comparison in turn: what one does of a thing, and what another does of it. */
import { performance } from 'node:perf_hooks';
import { median, type Row } from './measure.ts';

/** Turns of each side; as many as fit into the time, but for a few. */
const mostTurns = 60;
const leastTurns = 8;
const enoughMilliseconds = 600;
const warmUpTurns = 6;

/** Something to time: the call and the wait for its end. */
export interface Runs {
  run(): void;
}

/** Milliseconds of each side's turns, in turn, after those that warm up. */
function timesOf(...sides: readonly Runs[]): number[][] {
  const times: number[][] = sides.map(() => []);
  for (let turn = 0; turn < warmUpTurns; turn += 1) for (const side of sides) side.run();
  const begin = performance.now();
  for (let turn = 0; turn < mostTurns; turn += 1) {
    if (turn >= leastTurns && performance.now() - begin > enoughMilliseconds) break;
    for (const [index, side] of sides.entries()) {
      const start = performance.now();
      side.run();
      times[index]!.push(performance.now() - start);
    }
  }
  return times;
}

/** Medians and least times of both sides. */
export function rowOf(name: string, side: Runs, otherName: string, other: Runs): Row {
  const [own, others] = timesOf(side, other) as [number[], number[]];
  return {
    name,
    value: median(own),
    unit: 'ms',
    against: { name: otherName, value: median(others) },
    least: [Math.min(...own), Math.min(...others)],
  };
}
