/** Graphs and sparse matrices: neighbours that are gathered, rows of unlike length, and a launch for each level of a search. */
import { createRandom } from '../../../samples/support/random.ts';
import { type BenchKernel, count, floats, int, uint } from '../../frame/bench-kernel.ts';
import { near } from '../../frame/checks.ts';
import { type Graph, levelsOf, randomGraph } from '../../suites/graph.ts';

/** A graph with few vertices of many neighbours and many of few, each vertex's in order. */
function unevenGraph(vertices: number, seed: number): Graph {
  const random = createRandom(seed);
  const starts = new Uint32Array(vertices + 1);
  for (let vertex = 0; vertex < vertices; vertex += 1) {
    const degree = random.below(64) === 0 ? random.below(256) : 1 + random.below(8);
    starts[vertex + 1] = starts[vertex]! + degree;
  }
  const edges = new Uint32Array(starts[vertices]!);
  for (let vertex = 0; vertex < vertices; vertex += 1) {
    for (let at = starts[vertex]!; at < starts[vertex + 1]!; at += 1) edges[at] = random.below(vertices);
    edges.subarray(starts[vertex], starts[vertex + 1]).sort();
  }
  return { starts, edges };
}

const pageRank: BenchKernel = {
  name: 'graph neighbours',
  source: `
kernel void rank(global const uint *starts, global const uint *edges, global const float *shares, global float *ranks) {
  size_t vertex = get_global_id(0);
  float sum = 0.0f;
  for (uint at = starts[vertex]; at < starts[vertex + 1]; at++) sum += shares[edges[at]];
  ranks[vertex] = 0.15f + 0.85f * sum;
}`,
  prepare(size) {
    const vertices = size === 'full' ? 2 ** 18 : 2 ** 13;
    const { starts, edges } = unevenGraph(vertices, 1);
    const shares = floats(vertices, 2);
    const expected = (vertex: number): number => {
      let sum = 0;
      for (let at = starts[vertex]!; at < starts[vertex + 1]!; at += 1) sum += shares[edges[at]!]!;
      return 0.15 + 0.85 * sum;
    };
    return {
      size: `${count(vertices)} vertices`,
      buffers: { starts, edges, shares, ranks: 4 * vertices },
      launches: [
        {
          kernel: 'rank',
          global: [vertices],
          local: [64],
          arguments: ['starts', 'edges', 'shares', 'ranks'],
        },
      ],
      work: { unit: 'M/s', amount: edges.length },
      check: (result) => near(result('ranks', Float32Array), expected, { tolerance: 1e-5 }),
    };
  },
};

const longRows: BenchKernel = {
  name: 'CSR, long rows',
  source: `
kernel void multiply(global const uint *starts, global const uint *columns, global const float *values,
                     global const float *x, global float *y) {
  size_t row = get_global_id(0);
  uint begin = starts[row], end = starts[row + 1];
  float sum = 0.0f;
  for (uint at = begin; at < end; at++) sum = fma(values[at], x[columns[at]], sum);
  y[row] = sum;
}`,
  prepare(size) {
    const rows = size === 'full' ? 2 ** 14 : 2 ** 10;
    const random = createRandom(3);
    const starts = new Uint32Array(rows + 1);
    for (let row = 0; row < rows; row += 1) starts[row + 1] = starts[row]! + 60 + random.below(40);
    const entries = starts[rows]!;
    const columns = Uint32Array.from({ length: entries }, () => random.below(rows));
    const [values, x] = [floats(entries, 4), floats(rows, 5)];
    const expected = (row: number): number => {
      let sum = 0;
      for (let at = starts[row]!; at < starts[row + 1]!; at += 1) sum += values[at]! * x[columns[at]!]!;
      return sum;
    };
    return {
      size: `${count(rows)} rows`,
      buffers: { starts, columns, values, x, y: 4 * rows },
      launches: [
        {
          kernel: 'multiply',
          global: [rows],
          local: [64],
          arguments: ['starts', 'columns', 'values', 'x', 'y'],
        },
      ],
      work: { unit: 'GFLOP/s', amount: 2 * entries },
      check: (result) => near(result('y', Float32Array), expected, { tolerance: 1e-5 }),
    };
  },
};

const commonNeighbours: BenchKernel = {
  name: 'common neighbours',
  source: `
kernel void common(global const uint *starts, global const uint *edges, global uint *found) {
  uint vertex = get_global_id(0);
  uint other = edges[starts[vertex]];
  uint a = starts[vertex], b = starts[other];
  uint endA = starts[vertex + 1], endB = starts[other + 1];
  uint matches = 0;
  while (a < endA && b < endB) {
    uint left = edges[a], right = edges[b];
    if (left == right) {
      matches++;
      a++;
      b++;
    } else if (left < right) {
      a++;
    } else {
      b++;
    }
  }
  found[vertex] = matches;
}`,
  prepare(size) {
    const vertices = size === 'full' ? 2 ** 17 : 2 ** 12;
    const { starts, edges } = randomGraph(vertices, 24, 6);
    for (let vertex = 0; vertex < vertices; vertex += 1) {
      const own = edges.subarray(starts[vertex], starts[vertex + 1]);
      // Near one another, so that there is something to find.
      own.set(own.map((edge) => (vertex + (edge % 64)) % vertices).sort());
    }
    const expected = (vertex: number): number => {
      const other = edges[starts[vertex]!]!;
      let [a, b, found] = [starts[vertex]!, starts[other]!, 0];
      while (a < starts[vertex + 1]! && b < starts[other + 1]!) {
        const [left, right] = [edges[a]!, edges[b]!];
        if (left === right) found += 1;
        if (left <= right) a += 1;
        if (right <= left) b += 1;
      }
      return found;
    };
    return {
      size: `${count(vertices)} vertices`,
      buffers: { starts, edges, found: 4 * vertices },
      launches: [
        { kernel: 'common', global: [vertices], local: [64], arguments: ['starts', 'edges', 'found'] },
      ],
      work: { unit: 'M/s', amount: vertices },
      check: (result) => near(result('found', Uint32Array), expected),
    };
  },
};

const levels: BenchKernel = {
  name: 'breadth-first levels',
  source: `
kernel void visit(global const uint *starts, global const uint *edges, global int *levels, int level) {
  size_t vertex = get_global_id(0);
  if (levels[vertex] != level) return;
  for (uint at = starts[vertex]; at < starts[vertex + 1]; at++) {
    uint next = edges[at];
    if (levels[next] < 0) levels[next] = level + 1;
  }
}`,
  prepare(size) {
    // Along a ring, so that there are many levels of few vertices.
    const vertices = size === 'full' ? 2 ** 14 : 2 ** 10;
    const graph = randomGraph(vertices, 6, 7);
    for (let vertex = 0; vertex < vertices; vertex += 1) {
      for (let at = graph.starts[vertex]!; at < graph.starts[vertex + 1]!; at += 1) {
        graph.edges[at] = (vertex + 1 + (graph.edges[at]! % 64)) % vertices;
      }
    }
    const expected = Int32Array.from(levelsOf(graph));
    const first = new Int32Array(vertices).fill(-1);
    first[0] = 0;
    const deepest = expected.reduce((most, level) => Math.max(most, level), 0);
    return {
      size: `${count(vertices)}, ${deepest} levels`,
      buffers: { starts: graph.starts, edges: graph.edges, levels: first },
      restored: ['levels'],
      launches: Array.from({ length: deepest + 1 }, (_, level) => ({
        kernel: 'visit',
        global: [vertices],
        local: [64],
        arguments: ['starts', 'edges', 'levels', int(level)],
      })),
      work: { unit: 'M/s', amount: graph.edges.length },
      check: (result) => near(result('levels', Int32Array), (index) => expected[index]!),
    };
  },
};

/** Steps of a random number until it ends: from few to hundreds. */
const unlikeLengths: BenchKernel = {
  name: 'loops of unlike length',
  source: `
kernel void sum(global const uint *lengths, global const float *values, uint mask, global float *sums) {
  size_t i = get_global_id(0);
  uint length = lengths[i];
  float total = 0.0f;
  for (uint k = 0; k < length; k++) total = total * 0.5f + values[(i + k) & mask];
  sums[i] = total;
}`,
  prepare(size) {
    const n = size === 'full' ? 2 ** 17 : 2 ** 12;
    const random = createRandom(8);
    const lengths = Uint32Array.from({ length: n }, () =>
      random.below(16) === 0 ? random.below(1000) : random.below(40),
    );
    const values = floats(n, 9);
    const expected = (index: number): number => {
      let total = 0;
      for (let k = 0; k < lengths[index]!; k += 1) total = total * 0.5 + values[(index + k) & (n - 1)]!;
      return total;
    };
    return {
      size: count(n),
      buffers: { lengths, values, sums: 4 * n },
      launches: [
        { kernel: 'sum', global: [n], local: [64], arguments: ['lengths', 'values', uint(n - 1), 'sums'] },
      ],
      work: { unit: 'M/s', amount: lengths.reduce((sum, length) => sum + length, 0) },
      check: (result) => near(result('sums', Float32Array), expected, { tolerance: 1e-5 }),
    };
  },
};

export const graphs: readonly BenchKernel[] = [pageRank, longRows, commonNeighbours, levels, unlikeLengths];
