/** The eight nearest of many points for each query: distances, and a short sorted list in private memory. */
import { type BenchKernel, count, floats, int } from '../frame/bench-kernel.ts';
import { near } from '../frame/checks.ts';

const k = 8;

export const nearestNeighbours: BenchKernel = {
  name: 'k nearest neighbours',
  source: `
#define K ${k}
kernel void nearest(int count, global const float4 *points, global const float4 *queries, global float *distances) {
  size_t query = get_global_id(0);
  float4 place = queries[query];
  float best[K];
  for (int at = 0; at < K; at++) best[at] = INFINITY;
  for (int i = 0; i < count; i++) {
    float4 way = points[i] - place;
    float square = dot(way, way);
    if (square >= best[K - 1]) continue;
    int at = K - 1;
    for (; at > 0 && best[at - 1] > square; at--) best[at] = best[at - 1];
    best[at] = square;
  }
  for (int at = 0; at < K; at++) distances[query * K + at] = best[at];
}`,
  prepare(size) {
    const n = size === 'full' ? 8192 : 2048;
    const queryCount = size === 'full' ? 8192 : 1024;
    const [points, queries] = [floats(4 * n, 14), floats(4 * queryCount, 15)];
    const asked = Array.from({ length: 50 }, (_, index) => Math.floor((index * queryCount) / 50));
    const lists = new Map(
      asked.map((query) => {
        const squares = Float64Array.from({ length: n }, (_, point) => {
          let sum = 0;
          for (let axis = 0; axis < 4; axis += 1)
            sum += (points[4 * point + axis]! - queries[4 * query + axis]!) ** 2;
          return sum;
        });
        return [query, squares.sort()] as const;
      }),
    );
    return {
      size: `${count(queryCount)} x ${count(n)}`,
      buffers: { points, queries, distances: 4 * k * queryCount },
      launches: [
        {
          kernel: 'nearest',
          global: [queryCount],
          local: [64],
          arguments: [int(n), 'points', 'queries', 'distances'],
        },
      ],
      work: { unit: 'M/s', amount: queryCount * n },
      check: (result) =>
        near(result('distances', Float32Array), (index) => lists.get(Math.floor(index / k))![index % k]!, {
          tolerance: 1e-4,
          scale: 0.01,
          indices: asked.flatMap((query) => Array.from({ length: k }, (_, at) => query * k + at)),
        }),
    };
  },
};
