/** Random graphs for the suites' breadth-first searches, and their levels by a queue. */
import { createRandom } from '../../samples/support/random.ts';

export interface Graph {
  /** Where each vertex's edges start, and behind the last one their number. */
  readonly starts: Uint32Array;
  readonly edges: Uint32Array;
}

/** A graph whose vertices have from one edge to `most` to any others, so that neighbours are anywhere. */
export function randomGraph(vertices: number, most: number, seed: number): Graph {
  const random = createRandom(seed);
  const starts = new Uint32Array(vertices + 1);
  for (let vertex = 0; vertex < vertices; vertex += 1)
    starts[vertex + 1] = starts[vertex]! + 1 + random.below(most);
  return { starts, edges: Uint32Array.from({ length: starts[vertices]! }, () => random.below(vertices)) };
}

export const unreached = 0xffffffff;

/** How many edges each vertex is away from the first. */
export function levelsOf({ starts, edges }: Graph): Uint32Array {
  const levels = new Uint32Array(starts.length - 1).fill(unreached);
  levels[0] = 0;
  const queue = [0];
  for (const vertex of queue) {
    for (let at = starts[vertex]!; at < starts[vertex + 1]!; at += 1) {
      const next = edges[at]!;
      if (levels[next] !== unreached) continue;
      levels[next] = levels[vertex]! + 1;
      queue.push(next);
    }
  }
  return levels;
}
