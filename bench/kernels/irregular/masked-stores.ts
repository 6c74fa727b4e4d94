/** Stores where a flag is set: flags without any order, which no branch predictor foresees, for elements of each size, and flags in blocks. */
import { createRandom } from '../../../samples/support/random.ts';
import { type BenchKernel, count, type Data } from '../../frame/bench-kernel.ts';
import { near } from '../../frame/checks.ts';

interface Elements {
  readonly type: string;
  readonly bytes: number;
  readonly array: { new (length: number): Data; readonly BYTES_PER_ELEMENT: number };
}

const elementTypes: readonly Elements[] = [
  { type: 'char', bytes: 1, array: Uint8Array },
  { type: 'short', bytes: 2, array: Int16Array },
  { type: 'int', bytes: 4, array: Int32Array },
  { type: 'float', bytes: 4, array: Float32Array },
];

function maskedStore({ type, bytes, array }: Elements, block: number): BenchKernel {
  return {
    name: `masked store ${type}${block > 1 ? `, blocks of ${block}` : ''}`,
    source: `
kernel void mark(global const ${type} *flags, global ${type} *marks) {
  size_t i = get_global_id(0);
  if (flags[i]) marks[i] = 5;
}`,
    prepare(size) {
      const n = size === 'full' ? 2 ** 22 : 2 ** 16;
      const random = createRandom(bytes);
      const flags = new array(n);
      for (let at = 0; at < n; at += block) flags.fill(random.below(2), at, at + block);
      return {
        size: count(n),
        buffers: { flags, marks: new array(n) },
        launches: [{ kernel: 'mark', global: [n], local: [64], arguments: ['flags', 'marks'] }],
        work: { unit: 'GB/s', amount: 1.5 * bytes * n },
        check: (result) => near(result('marks', array), (index) => 5 * flags[index]!),
      };
    },
  };
}

/** Keeps what is positive and clamps the rest of a running value: a store under a condition that is computed. */
const thresholds: BenchKernel = {
  name: 'masked update',
  source: `
kernel void relax(global const int *from, global const int *weight, global int *best) {
  size_t i = get_global_id(0);
  int candidate = from[i] + weight[i];
  if (candidate < best[i]) best[i] = candidate;
}`,
  prepare(size) {
    const n = size === 'full' ? 2 ** 22 : 2 ** 16;
    const random = createRandom(9);
    const whole = (): Int32Array => Int32Array.from({ length: n }, () => random.below(1000));
    const [from, weight, best] = [whole(), whole(), whole()];
    return {
      size: count(n),
      buffers: { from, weight, best },
      restored: ['best'],
      launches: [{ kernel: 'relax', global: [n], local: [64], arguments: ['from', 'weight', 'best'] }],
      work: { unit: 'GB/s', amount: 14 * n },
      check: (result) =>
        near(result('best', Int32Array), (index) => Math.min(best[index]!, from[index]! + weight[index]!)),
    };
  },
};

export const maskedStores: readonly BenchKernel[] = [
  ...elementTypes.map((elements) => maskedStore(elements, 1)),
  maskedStore(elementTypes[2]!, 64),
  thresholds,
];
