/** Rodinia's clustering and searching: k-means, nearest neighbours, stream clustering, and look-ups in a B+ tree. */
import { createRandom } from '../../../samples/support/random.ts';
import { type BenchKernel, count, float, floats, int, wholes } from '../../frame/bench-kernel.ts';
import { firstOf, near, sample } from '../../frame/checks.ts';
import { long, type ReadSource } from '../suite.ts';

function kMeans(read: ReadSource): BenchKernel[] {
  const source = read('kmeans/kmeans.cl');
  const [features, clusters] = [34, 5];
  const pointsOf = (size: string): number => (size === 'full' ? 2 ** 17 : 2 ** 11);
  return [
    {
      name: 'Rodinia kmeans',
      source,
      prepare(size) {
        const points = pointsOf(size);
        const [data, centres] = [floats(points * features, 51), floats(clusters * features, 52)];
        const distance = (point: number, cluster: number): number => {
          let sum = 0;
          for (let at = 0; at < features; at += 1)
            sum += (data[at * points + point]! - centres[cluster * features + at]!) ** 2;
          return sum;
        };
        return {
          size: `${count(points)} points`,
          buffers: { data, centres, membership: 4 * points },
          launches: [
            {
              kernel: 'kmeans_kernel_c',
              global: [points],
              local: [256],
              arguments: [
                'data',
                'centres',
                'membership',
                int(points),
                int(clusters),
                int(features),
                int(0),
                int(0),
              ],
            },
          ],
          work: { unit: 'GFLOP/s', amount: 3 * points * features * clusters },
          check(result) {
            const membership = result('membership', Int32Array);
            for (const point of sample(points, 2000)) {
              const least = Math.min(
                ...Array.from({ length: clusters }, (_, cluster) => distance(point, cluster)),
              );
              const own = distance(point, membership[point]!);
              if (!(own <= least * (1 + 1e-5)))
                return `point ${point} is in cluster ${membership[point]}, which is not its nearest`;
            }
            return undefined;
          },
        };
      },
    },
    {
      name: 'Rodinia kmeans swap',
      source,
      prepare(size) {
        const points = pointsOf(size);
        const data = floats(points * features, 53);
        return {
          size: `${count(points)} points`,
          buffers: { data, swapped: 4 * points * features },
          launches: [
            {
              kernel: 'kmeans_swap',
              global: [points],
              local: [256],
              arguments: ['data', 'swapped', int(points), int(features)],
            },
          ],
          work: { unit: 'GB/s', amount: 8 * points * features },
          check: (result) =>
            near(
              result('swapped', Float32Array),
              (index) => data[(index % points) * features + Math.floor(index / points)]!,
            ),
        };
      },
    },
  ];
}

function nearestNeighbour(read: ReadSource): BenchKernel {
  return {
    name: 'Rodinia nn',
    source: read('nn/nearestNeighbor_kernel.cl'),
    prepare(size) {
      const records = size === 'full' ? 2 ** 21 : 2 ** 15;
      const places = floats(2 * records, 54, 0, 90);
      const [latitude, longitude] = [30, 60];
      return {
        size: `${count(records)} records`,
        buffers: { places, distances: 4 * records },
        launches: [
          {
            kernel: 'NearestNeighbor',
            global: [records],
            local: [64],
            arguments: ['places', 'distances', int(records), float(latitude), float(longitude)],
          },
        ],
        work: { unit: 'GB/s', amount: 12 * records },
        check: (result) =>
          near(
            result('distances', Float32Array),
            (index) => Math.hypot(latitude - places[2 * index]!, longitude - places[2 * index + 1]!),
            { tolerance: 1e-5, indices: sample(records, 20000) },
          ),
      };
    },
  };
}

function streamClustering(read: ReadSource): BenchKernel {
  return {
    name: 'Rodinia streamcluster',
    source: read('streamcluster/Kernels.cl'),
    prepare(size) {
      const points = size === 'full' ? 2 ** 16 : 2 ** 11;
      const [dimensions, centres, chosen] = [64, 20, 77];
      const coordinates = floats(points * dimensions, 55);
      const random = createRandom(56);
      // A point: its weight, padding, the point it is assigned to as a long, its cost, padding.
      const records = new Int32Array(6 * points);
      const asFloats = new Float32Array(records.buffer);
      const table = Int32Array.from({ length: points }, () => random.below(centres));
      const lower = new Float32Array(points * (centres + 1));
      for (let point = 0; point < points; point += 1) {
        asFloats[6 * point] = 1;
        records[6 * point + 2] = random.below(points);
        asFloats[6 * point + 4] = random.between(5, 16);
      }
      const distanceTo = (point: number): number => {
        let sum = 0;
        for (let at = 0; at < dimensions; at += 1)
          sum += (coordinates[at * points + point]! - coordinates[at * points + chosen]!) ** 2;
        return sum;
      };
      return {
        size: `${count(points)} points`,
        buffers: { records, coordinates, lower, table, switches: new Uint8Array(points) },
        restored: ['lower', 'switches'],
        launches: [
          {
            kernel: 'pgain_kernel',
            global: [points],
            local: [256],
            arguments: [
              'records',
              'coordinates',
              'lower',
              'table',
              'switches',
              { local: 4 * dimensions },
              int(points),
              int(dimensions),
              long(chosen),
              int(centres),
            ],
          },
        ],
        work: { unit: 'GFLOP/s', amount: 3 * points * dimensions },
        check(result) {
          const [found, switches] = [result('lower', Float32Array), result('switches', Uint8Array)];
          for (const point of sample(points, 2000)) {
            const difference = distanceTo(point) - asFloats[6 * point + 4]!;
            if (Math.abs(difference) < 1e-4) continue;
            const row = point * (centres + 1);
            const at = row + (difference < 0 ? centres : table[records[6 * point + 2]!]!);
            const wrong = firstOf(
              near(found, () => (difference < 0 ? difference : -difference), {
                tolerance: 1e-4,
                scale: 1,
                indices: [at],
              }),
              near(switches, () => (difference < 0 ? 49 : 0), { indices: [point] }),
            );
            if (wrong !== undefined) return wrong;
          }
          return undefined;
        },
      };
    },
  };
}

const order = 256;
/** Words of a node: its place, children, keys, whether it is a leaf with padding, and the number of keys. */
const nodeWords = 1 + 2 * (order + 1) + 2;

/** A tree of two levels below its root over the keys 0 to `leaves * order` - 1: the record of a key is 3 * key + 1. */
function bPlusTree(read: ReadSource): BenchKernel {
  return {
    name: 'Rodinia b+tree',
    source: read('b+tree/kernel/kernel_gpu_opencl.cl'),
    options: `-DDEFAULT_ORDER=${order}`,
    prepare(size) {
      const [leaves, queries] = size === 'full' ? [2 ** 12, 2 ** 14] : [2 ** 9, 2 ** 9];
      const inner = Math.ceil(leaves / order);
      const nodes = 1 + inner + leaves;
      const words = new Int32Array(nodes * nodeWords).fill(0x7fffffff);
      const [childAt, keyAt] = [1, 1 + order + 1];
      const spread = (
        node: number,
        first: number,
        step: number,
        childOf: (at: number) => number,
        used: number,
      ): void => {
        words[node * nodeWords] = node;
        for (let at = 0; at < used; at += 1) {
          words[node * nodeWords + childAt + at] = childOf(at);
          words[node * nodeWords + keyAt + at] = first + at * step;
        }
      };
      spread(0, 0, order * order, (at) => 1 + at, inner);
      for (let node = 0; node < inner; node += 1) {
        spread(
          1 + node,
          node * order * order,
          order,
          (at) => 1 + inner + node * order + at,
          Math.min(order, leaves - node * order),
        );
      }
      for (let leaf = 0; leaf < leaves; leaf += 1)
        spread(1 + inner + leaf, leaf * order, 1, (at) => leaf * order + at, order);
      const records = Int32Array.from({ length: leaves * order }, (_, key) => 3 * key + 1);
      const keys = Int32Array.from(wholes(queries, 57, leaves * order));
      return {
        size: `${count(queries)} queries`,
        buffers: {
          words,
          records,
          current: new Int32Array(2 * queries),
          offset: new Int32Array(2 * queries),
          keys,
          answers: new Int32Array(queries),
        },
        restored: ['current', 'offset', 'answers'],
        launches: [
          {
            kernel: 'findK',
            global: [queries * order],
            local: [order],
            arguments: [long(2), 'words', long(nodes), 'records', 'current', 'offset', 'keys', 'answers'],
          },
        ],
        work: { unit: 'M/s', amount: queries },
        check: (result) => near(result('answers', Int32Array), (index) => 3 * keys[index]! + 1),
      };
    },
  };
}

export function clustering(read: ReadSource): BenchKernel[] {
  return [...kMeans(read), nearestNeighbour(read), streamClustering(read), bPlusTree(read)];
}
