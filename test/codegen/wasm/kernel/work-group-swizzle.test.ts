/** The order of work-groups: strips where they share rows and columns, and each group once, wherever a part begins. */
import { describe, expect, it } from 'vitest';
import { buffer, compileForTest, value, wasmRunner } from '../../../support/run-kernel.ts';

/** Each group notes when it ran, and what it computed. */
const product = (term: string): string => `
kernel void test(global int *count, global int *order, global int *sums, global const int *in, int n) {
  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2), s = 0;
  for (int k = 0; k < n; k++) s += ${term};
  int at = (z * get_global_size(1) + y) * get_global_size(0) + x;
  order[at] = atomic_inc(count);
  sums[at] = s;
}`;
const shared = product('in[y * n + k] * in[k * n + x + z]');

interface Ran {
  readonly order: Int32Array;
  readonly sums: Int32Array;
}

const n = 9;
const input = Int32Array.from({ length: 400 }, (_, at) => (at * 7919) % 101);

function run(source: string, global: readonly number[], groupsAtOnce?: number): Ran {
  const count = global.reduce((a, b) => a * b, 1);
  const [order, sums] = [new Int32Array(count), new Int32Array(count)];
  const runner = wasmRunner(compileForTest(source), groupsAtOnce === undefined ? {} : { groupsAtOnce });
  const args = [buffer(Int32Array.of(0)), buffer(order), buffer(sums), buffer(input), value.int(n)];
  runner('test', { global, local: [1, 1, 1] }, args);
  return { order, sums };
}

/** When each group runs: strips of eight rows, down their columns. */
function swizzled([width, height, depth]: readonly [number, number, number]): number[] {
  const order: number[] = [];
  let next = 0;
  for (let z = 0; z < depth; z += 1) {
    for (let top = 0; top < height; top += 8) {
      for (let x = 0; x < width; x += 1) {
        for (let y = top; y < Math.min(top + 8, height); y += 1) {
          order[(z * height + y) * width + x] = next;
          next += 1;
        }
      }
    }
  }
  return order;
}

describe.each([
  [5, 19, 1],
  [3, 8, 2],
  [1, 3, 4],
  [7, 1, 1],
] as const)('%i x %i x %i groups', (...size) => {
  it.each([undefined, 1, 5, 13])('run in strips, %s at a time', (groupsAtOnce) => {
    const { order, sums } = run(shared, size, groupsAtOnce);
    expect([...order]).toEqual(swizzled(size));
    const [width, height, depth] = size;
    const expected: number[] = [];
    for (let z = 0; z < depth; z += 1) {
      for (let y = 0; y < height; y += 1) {
        for (let x = 0; x < width; x += 1) {
          let sum = 0;
          for (let k = 0; k < n; k += 1) sum += input[y * n + k]! * input[k * n + x + z]!;
          expected.push(sum);
        }
      }
    }
    expect([...sums]).toEqual(expected);
  });
});

it('runs groups row by row that share nothing, or one way only', () => {
  const rowByRow = Array.from({ length: 60 }, (_, at) => at);
  for (const term of ['in[k]', 'in[y * n + k]', 'in[(y + k) * n + x]', 'y * k + x']) {
    expect([...run(product(term), [4, 15, 1]).order], term).toEqual(rowByRow);
  }
});

it.each([
  [2 ** 29, 1],
  [2 ** 28, 7],
])('begins in the first strip of %i x %i groups', (width, height) => {
  const [order, sums] = [new Int32Array(8).fill(-1), new Int32Array(8)];
  const args = [buffer(Int32Array.of(0)), buffer(order), buffer(sums), buffer(input), value.int(0)];
  // Only those of the first row write, for the arrays are small.
  const source = shared
    .replace('order[at]', 'if (y == 0) order[at]')
    .replace('sums[at]', 'if (y == 0) sums[at]');
  wasmRunner(compileForTest(source), { groups: [0, 2 * height] })(
    'test',
    { global: [width, height], local: [1, 1] },
    args,
  );
  expect([...order.subarray(0, 3)]).toEqual([0, 1, -1]);
});
