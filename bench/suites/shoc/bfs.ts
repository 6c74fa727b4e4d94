/** SHOC's breadth-first search: a launch a level, 32 work-items for each 32 vertices. */
import { type BenchKernel, count, int, uint } from '../../frame/bench-kernel.ts';
import { near } from '../../frame/checks.ts';
import { levelsOf, randomGraph, unreached } from '../graph.ts';
import { inGroups, type ReadSource } from '../suite.ts';

export function breadthFirstSearch(read: ReadSource): BenchKernel {
  return {
    name: 'SHOC BFS',
    source: read('level1/bfs/bfs_iiit.cl'),
    prepare(size) {
      const vertices = size === 'full' ? 2 ** 18 : 2 ** 13;
      const graph = randomGraph(vertices, 6, 31);
      const expected = levelsOf(graph);
      const deepest = expected.reduce(
        (most, level) => (level === unreached ? most : Math.max(most, level)),
        0,
      );
      const levels = new Uint32Array(vertices).fill(unreached);
      levels[0] = 0;
      return {
        size: `${count(vertices)} vertices`,
        buffers: { levels, starts: graph.starts, edges: graph.edges, flag: new Int32Array(1) },
        restored: ['levels'],
        launches: Array.from({ length: deepest + 1 }, (_, level) => ({
          kernel: 'BFS_kernel_warp',
          global: [inGroups(vertices, 256)],
          local: [256],
          arguments: ['levels', 'starts', 'edges', int(32), int(32), uint(vertices), int(level), 'flag'],
        })),
        work: { unit: 'M/s', amount: graph.edges.length },
        check: (result) => near(result('levels', Uint32Array), (index) => expected[index]!),
      };
    },
  };
}
