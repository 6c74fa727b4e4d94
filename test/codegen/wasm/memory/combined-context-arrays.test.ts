/** What groups put together in registers, where vectors do not fill them. */
import { expect, it } from 'vitest';
import {
  buffer,
  compileForTest,
  preparedForVectors,
  value,
  vectorRunner,
  type WasmOptions,
} from '../../../support/run-kernel.ts';

const ways: readonly WasmOptions[] = [{ lanes: 2 }, { lanes: 4 }, { lanes: 8 }, { lanes: 'chosen' }];

it.each([
  ['all of a constant', 'work_group_all(1)', () => 1],
  ['all of a number of all', 'work_group_all(n)', () => 1],
  ['any', 'work_group_any(n > 5)', () => 0],
  ['a sum of a number of all', 'work_group_reduce_add(n)', (items: number) => 5 * items],
  [
    'a sum of ids',
    'work_group_reduce_add((int)get_local_id(0))',
    (items: number) => (items * (items - 1)) / 2,
  ],
  ['the least', 'work_group_reduce_min(n)', () => 5],
  ['the greatest', 'work_group_reduce_max(-n)', () => -5],
  ['a sum of floats', '(int)work_group_reduce_add((float)n)', (items: number) => 5 * items],
])('%s', (_, call, expected) => {
  const source = `kernel void k(global int *out, int n) { out[get_global_id(0)] = ${call}; }`;
  const prepared = preparedForVectors(compileForTest(source, '-cl-std=CL2.0'));
  for (const way of ways) {
    for (const items of [4, 7, 16]) {
      const out = new Int32Array(2 * items);
      const range = { global: [2 * items], local: [items] };
      vectorRunner(prepared, way)('k', range, [buffer(out), value.int(5)]);
      expect([...out]).toEqual(Array.from(out, () => expected(items)));
    }
  }
});
