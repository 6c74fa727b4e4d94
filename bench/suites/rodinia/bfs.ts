/** Rodinia's breadth-first search: two launches a level, masks of bytes. */
import { type BenchKernel, count, int, type Launch } from '../../frame/bench-kernel.ts';
import { near } from '../../frame/checks.ts';
import { levelsOf, randomGraph, unreached } from '../graph.ts';
import { inGroups, type ReadSource } from '../suite.ts';

export function breadthFirstSearch(read: ReadSource): BenchKernel {
  return {
    name: 'Rodinia bfs',
    source: read('bfs/Kernels.cl'),
    prepare(size) {
      const vertices = size === 'full' ? 2 ** 20 : 2 ** 14;
      const graph = randomGraph(vertices, 11, 21);
      const expected = levelsOf(graph);
      const deepest = expected.reduce(
        (most, level) => (level === unreached ? most : Math.max(most, level)),
        0,
      );
      const nodes = new Int32Array(2 * vertices);
      for (let vertex = 0; vertex < vertices; vertex += 1) {
        nodes[2 * vertex] = graph.starts[vertex]!;
        nodes[2 * vertex + 1] = graph.starts[vertex + 1]! - graph.starts[vertex]!;
      }
      const [mask, visited] = [new Uint8Array(vertices), new Uint8Array(vertices)];
      mask[0] = 1;
      visited[0] = 1;
      const cost = new Int32Array(vertices).fill(-1);
      cost[0] = 0;
      const shape = { global: [inGroups(vertices, 256)], local: [256] };
      const launches = Array.from({ length: deepest + 1 }, (): Launch[] => [
        {
          kernel: 'BFS_1',
          ...shape,
          arguments: ['nodes', 'edges', 'mask', 'updating', 'visited', 'cost', int(vertices)],
        },
        { kernel: 'BFS_2', ...shape, arguments: ['mask', 'updating', 'visited', 'over', int(vertices)] },
      ]).flat();
      return {
        size: `${count(vertices)} vertices`,
        buffers: {
          nodes,
          edges: graph.edges,
          mask,
          updating: new Uint8Array(vertices),
          visited,
          cost,
          over: new Uint8Array(1),
        },
        restored: ['mask', 'updating', 'visited', 'cost'],
        launches,
        work: { unit: 'M/s', amount: graph.edges.length },
        check: (result) => near(result('cost', Int32Array), (index) => expected[index]! | 0),
      };
    },
  };
}
