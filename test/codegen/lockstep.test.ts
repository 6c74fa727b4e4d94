/** Groups in lockstep: which kernels run so, in what order, and that each group keeps its own memory and values. */
import { describe, expect, it } from 'vitest';
import { buffer, compileForTest, type TestArgument, value, wasmRunner } from '../support/run-kernel.ts';

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

/** Work-item 0 of each group notes when it began each turn of the loop. */
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
const began = (order: Int32Array, row: number, turn: number) => order[turn * 1000 + (row * width) / tile]!;

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
    'places in local memory that hang on the launch',
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

it('lets the groups of a column take turns', () => {
  const { order } = run(tiled(), {});
  for (let turn = 0; turn < n / tile; turn += 1) {
    for (let row = 0; row < 8; row += 1) expect(began(order, row, turn)).toBe(turn * 8 + row);
  }
  // The second band has the three rows that are left.
  const before = (8 * width * n) / tile / tile;
  expect(began(order, 10, 1) - began(order, 8, 0)).toBe(5);
  expect(began(order, 8, 0)).toBe(before);
});

it.each([
  ['a loop that hangs on the group', tiled({ bound: 'n + (int)get_group_id(1) / 1000' }), []],
  ['a loop that hangs on memory', tiled({ bound: 'n + a[0]' }), []],
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
