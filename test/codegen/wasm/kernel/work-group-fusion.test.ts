/** Work-group fusion: which kernels run so, in what order, and that each group keeps its own memory and values. */
import { describe, expect, it } from 'vitest';
import { buffer, compileForTest, type TestArgument, value, wasmRunner } from '../../../support/run-kernel.ts';

const tile = 4;
const [width, height, n] = [12, 44, 20];
const a = Int32Array.from({ length: height * n }, (_, at) => (at * 7919) % 101);
const b = Int32Array.from({ length: n * width }, (_, at) => (at * 104729) % 97);

/** c = a b for matrices of `height` x `n` and `n` x `width`. */
const expected = Int32Array.from({ length: width * height }, (_, at) => {
  const [row, column] = [Math.floor(at / width), at % width];
  let sum = 0;
  for (let k = 0; k < n; k += 1) sum += a[row * n + k]! * b[k * width + column]!;
  return sum;
});

/** Work-item 0 of each group notes when it began each iteration of the loop. */
const tiled = (parts: { memory?: string; tiles?: string; bound?: string; row?: string } = {}): string => `
#define TILE ${tile}
kernel void test(global const int *a, global const int *b, global int *c, int n, global int *count, global int *order
                 ${parts.memory === undefined ? '' : `, ${parts.memory}`}) {
  ${parts.tiles ?? 'local int tile_a[TILE][TILE], tile_b[TILE][TILE];'}
  int x = get_local_id(0), y = get_local_id(1), column = get_global_id(0), width = get_global_size(0);
  int row = ${parts.row ?? 'get_global_id(1)'};
  int group = get_group_id(1) * get_num_groups(0) + get_group_id(0);
  int sum = 0;
  for (int first = 0; first < ${parts.bound ?? 'n'}; first += TILE) {
    if (x == 0 && y == 0) order[first / TILE * 1000 + group] = atomic_inc(count);
    tile_a[y][x] = a[row * n + first + x];
    tile_b[y][x] = b[(first + y) * width + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < TILE; k++) sum += tile_a[y][k] * tile_b[k][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * width + column] = sum;
}`;

type How = Parameters<typeof wasmRunner>[1];

function run(source: string, how: How, further: readonly TestArgument[] = []) {
  const c = new Int32Array(width * height);
  const order = new Int32Array((n / tile) * 1000).fill(-1);
  const runner = wasmRunner(compileForTest(source), how);
  const args = [buffer(a), buffer(b), buffer(c), value.int(n), buffer(Int32Array.of(0)), buffer(order)];
  runner('test', { global: [width, height], local: [tile, tile] }, [...args, ...further]);
  return { c, order };
}

/** What a group of the first column began when. */
const began = (order: Int32Array, row: number, iteration: number) =>
  order[iteration * 1000 + (row * width) / tile]!;

const hows: readonly How[] = [
  {},
  { groupsAtOnce: 1 },
  { groupsAtOnce: 5 },
  { groupsAtOnce: 13 },
  { lanes: 4 },
  { lanes: 4, rows: 2, groupsAtOnce: 11 },
];

describe.each([
  ['local variables', tiled(), []],
  [
    'local arguments',
    tiled({
      memory: 'local int *in_a, local int *in_b',
      tiles: 'local int (*tile_a)[TILE] = in_a, (*tile_b)[TILE] = in_b;',
    }),
    [{ local: 64 }, { local: 64 }],
  ],
  [
    'places in local memory that depend on the launch',
    tiled({
      memory: 'local int *tiles',
      tiles: 'local int (*tile_a)[TILE] = tiles, (*tile_b)[TILE] = tile_a + get_global_size(0) / 3;',
    }),
    [{ local: 128 }],
  ],
  [
    'values of the group',
    tiled({
      row: 'get_group_id(1) * TILE + y',
      tiles:
        'local int tiles[2 * TILE][TILE]; local int (*tile_a)[TILE] = tiles, (*tile_b)[TILE] = tiles + TILE;',
    }),
    [],
  ],
] as const)('a product of matrices with %s', (_, source, further) => {
  it.each(hows)('is right, run with %o', (how) => {
    expect([...run(source, how, further).c]).toEqual([...expected]);
  });
});

it('lets the groups of a column take iterations', () => {
  const { order } = run(tiled(), {});
  for (let iteration = 0; iteration < n / tile; iteration += 1) {
    for (let row = 0; row < 8; row += 1) expect(began(order, row, iteration)).toBe(iteration * 8 + row);
  }
  // The second strip has the three rows that are left.
  const before = (8 * width * n) / tile / tile;
  expect(began(order, 10, 1) - began(order, 8, 0)).toBe(5);
  expect(began(order, 8, 0)).toBe(before);
});

it.each([
  ['a loop that depends on the group', tiled({ bound: 'n + (int)get_group_id(1) / 1000' }), []],
  ['a loop that depends on memory', tiled({ bound: 'n + a[0]' }), []],
  ['much local memory', tiled({ tiles: 'local int tile_a[512][8], tile_b[512][8];' }), []],
])('runs groups one by one that have %s', (_, source, further) => {
  const { c, order } = run(source, {}, further);
  expect([...c]).toEqual([...expected]);
  expect(began(order, 0, 4)).toBe(4);
  expect(began(order, 1, 0)).toBe(5);
});

it('runs kernels together that need no memory of their own', () => {
  const source = `
kernel void test(global const int *a, global const int *b, global int *c, int n) {
  int column = get_global_id(0), row = get_global_id(1), width = get_global_size(0);
  for (int k = 0; k < n; k++) {
    c[row * width + column] += a[row * n + k] * b[k * width + column];
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
}`;
  const c = new Int32Array(width * height);
  const runner = wasmRunner(compileForTest(source));
  runner('test', { global: [width, height], local: [tile, tile] }, [
    buffer(a),
    buffer(b),
    buffer(c),
    value.int(n),
  ]);
  expect([...c]).toEqual([...expected]);
});

describe('groups next to each other, whose work-items go on by the size of the range', () => {
  const [range, local, iterations] = [40, 4, 20];
  const source = `
kernel void test(uint n, global const int *in, global int *count, global int *order, global int *sums) {
  local int own[${local}];
  own[get_local_id(0)] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (size_t i = get_global_id(0); i < n; i += get_global_size(0)) {
    order[atomic_inc(count)] = (int)i;
    atomic_add(&own[in[i] & 3], in[i]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  sums[get_global_id(0)] = own[get_local_id(0)];
}`;
  const numbers = Int32Array.from({ length: range * iterations }, (_, at) => (at * 7919) % 101);

  /** What each work-item goes through from one iteration on to another, by groups that run together. */
  function inOrder(together: number): number[] {
    const order: number[] = [];
    for (let first = 0; first < range; first += together * local) {
      for (const [from, to] of [
        [0, 8],
        [8, 16],
        [16, iterations],
      ] as const) {
        for (let id = first; id < Math.min(range, first + together * local); id += 1) {
          for (let iteration = from; iteration < to; iteration += 1) order.push(iteration * range + id);
        }
      }
    }
    return order;
  }

  it.each([
    [undefined, 8],
    [3, 3],
    [1, 1],
  ])('take iterations, %s at a time', (groupsAtOnce, together) => {
    const [order, sums] = [new Int32Array(range * iterations), new Int32Array(range)];
    const runner = wasmRunner(compileForTest(source), { groupsAtOnce: groupsAtOnce ?? range / local });
    const [count, n] = [buffer(Int32Array.of(0)), value.int(range * iterations)];
    runner('test', { global: [range], local: [local] }, [
      n,
      buffer(numbers),
      count,
      buffer(order),
      buffer(sums),
    ]);
    expect([...order]).toEqual(inOrder(together));
    const expectedSums = new Int32Array(range);
    numbers.forEach((number, at) => {
      const group = Math.floor((at % range) / local);
      expectedSums[group * local + (number & 3)]! += number;
    });
    expect([...sums]).toEqual([...expectedSums]);
  });

  it('need not ask which group they are', () => {
    const tiles = `
kernel void test(global const int *in, global int *sums, int n) {
  local int tile[${local}];
  int id = get_local_id(0), s = 0;
  for (int i = 0; i < n; i += get_global_size(0)) {
    tile[id] = in[i + id];
    barrier(CLK_LOCAL_MEM_FENCE);
    s += tile[${local - 1} - id];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  atomic_add(&sums[id], s);
}`;
    const sums = new Int32Array(local);
    const args = [buffer(numbers), buffer(sums), value.int(range * iterations)];
    wasmRunner(compileForTest(tiles))('test', { global: [range], local: [local] }, args);
    const expectedSums = new Int32Array(local);
    for (let iteration = 0; iteration < iterations; iteration += 1) {
      for (let id = 0; id < local; id += 1)
        expectedSums[local - 1 - id]! += (range / local) * numbers[iteration * range + id]!;
    }
    expect([...sums]).toEqual([...expectedSums]);
  });

  it('go one by one where one may wait for another', () => {
    // Each group waits for the sum of the one before; waiting in vain ends, and leaves -1 in the sums.
    const chain = `
kernel void test(global const int *in, volatile global int *done, global int *sums, int n) {
  local int before;
  int id = get_local_id(0), group = get_group_id(0);
  if (id == 0) {
    int tries = 0;
    while (group > 0 && atomic_or(&done[group - 1], 0) == 0 && tries < 100) tries++;
    before = tries < 100 ? 0 : -1;
    if (group > 0 && before == 0) before = sums[group - 1];
  }
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  int s = 0;
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) s += in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (id == 0) {
    sums[group] = before < 0 ? -1 : before + s;
    atomic_xchg(&done[group], 1);
  }
}`;
    const groups = range / local;
    const sums = new Int32Array(groups);
    const args = [
      buffer(numbers),
      buffer(new Int32Array(groups)),
      buffer(sums),
      value.int(range * iterations),
    ];
    wasmRunner(compileForTest(chain))('test', { global: [range], local: [local] }, args);
    let sum = 0;
    const expectedSums = Array.from(sums, (_, group) => {
      for (let iteration = 0; iteration < iterations; iteration += 1)
        sum += numbers[iteration * range + group * local]!;
      return sum;
    });
    expect([...sums]).toEqual(expectedSums);
  });
});
