/** Bitonic sorting network: one launch for each pass, a work-item for each pair of keys. */
import { type BenchKernel, count, type Launch, uint, wholes } from '../frame/bench-kernel.ts';
import { near } from '../frame/checks.ts';

export const bitonicSort: BenchKernel = {
  name: 'bitonic sort',
  source: `
kernel void pass(global uint *keys, uint distance, uint run) {
  uint pair = get_global_id(0);
  uint low = 2 * pair - (pair & (distance - 1));
  uint high = low + distance;
  uint a = keys[low], b = keys[high];
  bool ascends = (low & run) == 0;
  keys[low] = ascends ? min(a, b) : max(a, b);
  keys[high] = ascends ? max(a, b) : min(a, b);
}`,
  prepare(size) {
    const n = size === 'full' ? 2 ** 20 : 2 ** 16;
    const keys = wholes(n, 5, 2 ** 32);
    const launches: Launch[] = [];
    for (let run = 2; run <= n; run *= 2) {
      for (let distance = run / 2; distance >= 1; distance /= 2) {
        const given = ['keys', uint(distance), uint(run)] as const;
        launches.push({ kernel: 'pass', global: [n / 2], local: [256], arguments: given });
      }
    }
    return {
      size: count(n),
      buffers: { keys },
      restored: ['keys'],
      launches,
      work: { unit: 'M/s', amount: n },
      check(result) {
        const expected = keys.slice().sort();
        return near(result('keys', Uint32Array), (index) => expected[index]!);
      },
    };
  },
};
