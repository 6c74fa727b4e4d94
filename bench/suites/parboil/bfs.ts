/**
 * Parboil's breadth-first searches: groups gather what they find in local queues. The tuned version searches in one group, for as many levels
 * as have no more vertices than it has work-items. A third kernel, in which groups wait for one another, is left out: OpenCL does not promise
 * that they run at the same time.
 */
import { createRandom } from '../../../samples/support/random.ts';
import { type BenchKernel, count, int, type Launch } from '../../frame/bench-kernel.ts';
import { near } from '../../frame/checks.ts';
import { type Graph, levelsOf, randomGraph, unreached } from '../graph.ts';
import { inGroups, type ReadSource } from '../suite.ts';
import { kernelsOf, titleOf } from './version.ts';

const [infinite, white, grays] = [2147483647, 16677217, [16677219, 16677220]];

/** Crossings of a grid with roads to neighbours, of which some are missing: many levels of few vertices. */
function roads(side: number): Graph {
  const random = createRandom(261);
  const starts = new Uint32Array(side * side + 1);
  const edges: number[] = [];
  for (let at = 0; at < side * side; at += 1) {
    const [x, y] = [at % side, Math.floor(at / side)];
    for (const [dx, dy] of [
      [1, 0],
      [-1, 0],
      [0, 1],
      [0, -1],
    ] as const) {
      const isInside = x + dx >= 0 && x + dx < side && y + dy >= 0 && y + dy < side;
      if (isInside && random.below(8) > 0) edges.push((y + dy) * side + x + dx);
    }
    starts[at + 1] = edges.length;
  }
  return { starts, edges: Uint32Array.from(edges) };
}

/** How many vertices are at each level. All edges cost one, so that each vertex gets into a queue once. */
function sizesOf(levels: Uint32Array): number[] {
  const sizes: number[] = [];
  for (const level of levels) if (level !== unreached) sizes[level] = (sizes[level] ?? 0) + 1;
  return sizes;
}

/** A launch after which the vertices of level `next` are in the other queue, or none are left. */
interface Step {
  readonly kernel: string;
  readonly level: number;
  readonly next: number;
  readonly size: number;
}

const [groupOf, perQueue] = [{ base: 256, nvidia: 512 }, 608];

function stepsOf(version: 'base' | 'nvidia', sizes: readonly number[]): Step[] {
  const steps: Step[] = [];
  for (let level = 0; level < sizes.length; ) {
    const isSmall = version === 'nvidia' && sizes[level]! <= groupOf.nvidia;
    let next = level + 1;
    if (isSmall) while (next < sizes.length && sizes[next]! <= groupOf.nvidia) next += 1;
    steps.push({ kernel: isSmall ? 'BFS_in_GPU_kernel' : 'BFS_kernel', level, next, size: sizes[level]! });
    level = next;
  }
  return steps;
}

const queues = { local: 4 * 8 };

/** Local memory as each kernel wants it. */
const localsOf: Readonly<Record<string, readonly { local: number }[]>> = {
  base: [{ local: 4 }, { local: 4 * 1600 }, { local: 4 }],
  BFS_kernel: [queues, { local: 4 * 8 * perQueue }, queues, queues, { local: 4 }],
  BFS_in_GPU_kernel: [
    ...[queues, { local: 4 * 8 * perQueue }, queues, queues],
    ...[{ local: 4 * groupOf.nvidia }, { local: 4 }],
  ],
};

function search(
  read: ReadSource,
  version: 'base' | 'nvidia',
  graphName: string,
  graphOf: (isFull: boolean) => Graph,
): BenchKernel {
  return {
    name: `${titleOf('bfs', version)}, ${graphName}`,
    source: kernelsOf(read, 'bfs', version),
    ...(version === 'nvidia' ? { options: `-DMAX_THREADS_PER_BLOCK=${groupOf.nvidia} -DNUM_SM=1` } : {}),
    prepare(size) {
      const graph = graphOf(size === 'full');
      const vertices = graph.starts.length - 1;
      const levels = levelsOf(graph);
      const steps = stepsOf(version, sizesOf(levels));
      const costs = new Int32Array(vertices).fill(infinite);
      costs[0] = 0;
      const launches = steps.map(({ kernel, level, size: width }, at): Launch => {
        const [from, to] = at % 2 === 0 ? ['one', 'two'] : ['two', 'one'];
        const isOneGroup = kernel === 'BFS_in_GPU_kernel';
        const group = version === 'base' ? Math.min(width, groupOf.base) : groupOf.nvidia;
        return {
          kernel,
          global: [isOneGroup ? group : inGroups(width, group)],
          local: [group],
          arguments: [
            ...[from!, to!, 'nodes', 'edges', 'colours', 'costs', `tail${at}`],
            ...[width, grays[at % 2]!, level].map(int),
            ...localsOf[version === 'base' ? 'base' : kernel]!,
          ],
        };
      });
      // The host sets the length of the next queue to zero before each launch: here every launch has one of its own.
      const tails = Object.fromEntries(steps.map((_, at) => [`tail${at}`, new Int32Array(1)]));
      return {
        size: `${count(vertices)} vertices`,
        buffers: {
          nodes: Int32Array.from({ length: 2 * vertices }, (_, at) =>
            at % 2 === 0 ? graph.starts[at / 2]! : graph.starts[(at + 1) / 2]! - graph.starts[(at - 1) / 2]!,
          ),
          edges: Int32Array.from({ length: 2 * graph.edges.length }, (_, at) =>
            at % 2 === 0 ? graph.edges[at / 2]! : 1,
          ),
          colours: new Int32Array(vertices).fill(white),
          ...{ costs, one: new Int32Array(vertices), two: 4 * vertices },
          ...tails,
        },
        restored: ['colours', 'costs', 'one', ...Object.keys(tails)],
        launches,
        work: { unit: 'M/s', amount: graph.edges.length },
        check: (result) =>
          near(result('costs', Int32Array), (at) => (levels[at] === unreached ? infinite : levels[at]!)),
      };
    },
  };
}

export function breadthFirstSearches(read: ReadSource): BenchKernel[] {
  const random = (isFull: boolean): Graph => randomGraph(isFull ? 2 ** 18 : 2 ** 13, 6, 262);
  const grid = (isFull: boolean): Graph => roads(isFull ? 256 : 32);
  return [
    search(read, 'base', 'random graph', random),
    search(read, 'base', 'roads', grid),
    search(read, 'nvidia', 'random graph', random),
    search(read, 'nvidia', 'roads', grid),
  ];
}
