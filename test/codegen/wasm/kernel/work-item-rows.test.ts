/**
 * Loops over rows of work-items: what guards keep out is left out, no more and no less, and groups that run joined do
 * what they do alone.
 */
import { describe, expect, it } from 'vitest';
import { inspect } from '../../../../src/build/inspect.ts';
import { buffer, compileForTest, type TestArgument, wasmRunner } from '../../../support/run-kernel.ts';

const height = 3;
/** How long groups are; those of 24 are always whole vectors, which the code relies on where their length is required. */
const groupLengths = [23, 24] as const;
type GroupLength = (typeof groupLengths)[number];
const widthOf = (group: GroupLength): number => 2 * group;

const limits = [-0x80000000, -9, -1, 0, 1, 8, 22, 23, 24, 45, 46, 0x7fffffff];

/** What is in the cells after a run that adds 1 for each work-item that passes. */
function run(
  runner: ReturnType<typeof wasmRunner>,
  limit: number,
  offset: readonly number[],
  group: GroupLength,
): number[] {
  const width = widthOf(group);
  const cells = new Int32Array((width + 8) * (height + 2));
  const args: TestArgument[] = [
    { buffer: new Uint8Array(cells.buffer) },
    { bytes: new Uint8Array(Int32Array.of(limit).buffer) },
  ];
  runner('test', { global: [width, height], local: [group, 1], offset }, args);
  return [...cells];
}

function expected(
  passes: (x: number, y: number, local: number) => boolean,
  offset: readonly number[],
  group: GroupLength,
): number[] {
  const width = widthOf(group);
  const cells = new Array<number>((width + 8) * (height + 2)).fill(0);
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      const [x, y] = [column + offset[0]!, row + offset[1]!];
      if (passes(x, y, column % group)) cells[y * (width + 8) + x] = 1;
    }
  }
  return cells;
}

function source(guard: string, id: string, group: GroupLength): string {
  const required = group === 24 ? '__attribute__((reqd_work_group_size(24, 1, 1)))' : '';
  return `kernel ${required} void test(global int *cells, int limit) {
    int x = get_global_id(0), y = get_global_id(1), id = ${id};
    if (${guard}) cells[y * ${widthOf(group) + 8} + x] += 1;
  }`;
}

type Passes = (id: number, y: number, limit: number) => boolean;
const guards: readonly (readonly [guard: string, passes: Passes])[] = [
  ['id < limit', (id, _, limit) => id < limit],
  ['limit > id && y != 1', (id, y, limit) => id < limit && y !== 1],
  ['!(id > limit)', (id, _, limit) => id <= limit],
  ['id >= limit && y > 0', (id, y, limit) => id >= limit && y > 0],
  ['limit < id', (id, _, limit) => id > limit],
  ['id == limit', (id, _, limit) => id === limit],
  ['id != limit && id != 30', (id, _, limit) => id !== limit && id !== 30],
  ['(uint)id < (uint)limit', (id, _, limit) => id < limit >>> 0],
  ['(uint)id >= (uint)limit', (id, _, limit) => id >= limit >>> 0],
  ['(uint)limit < (uint)id', (id, _, limit) => id > limit >>> 0],
  ['(uint)id <= (uint)limit && id < 40', (id, _, limit) => id <= limit >>> 0 && id < 40],
  [
    'id > 3 && id < limit && id < 44 && (id & 1)',
    (id, _, limit) => id > 3 && id < limit && id < 44 && id % 2 === 1,
  ],
  ['!(id < 5 || id > limit || y == 2)', (id, y, limit) => id >= 5 && id <= limit && y !== 2],
];

describe.each(guards)('if (%s)', (guard, passes) => {
  const ways = groupLengths.flatMap((group) =>
    ([undefined, 4, 8] as const).map((lanes) => [lanes, group] as const),
  );
  it.each(ways)('by %s work-items at once in groups of %s', (lanes, group) => {
    for (const [id, offset] of [
      ['x', [0, 0]],
      ['x', [5, 1]],
      ['get_local_id(0)', [2, 0]],
    ] as const) {
      const runner = wasmRunner(compileForTest(source(guard, id, group)), lanes ? { lanes } : {});
      for (const limit of limits) {
        const wanted = expected((x, y, local) => passes(id === 'x' ? x : local, y, limit), offset, group);
        expect(run(runner, limit, offset, group), `limit ${limit}`).toEqual(wanted);
      }
    }
  });
});

it.each([4, 'chosen'] as const)('ids that change their sign as an int on the way, %s lanes', (lanes) => {
  const source = `kernel void test(global const int *in, global int *out) {
    int x = get_global_id(0), y = get_global_id(1);
    int at = y * (int)get_global_size(0) + x - (int)get_global_offset(0), s = 0;
    for (int k = 0; k <= (int)get_local_id(0); k++) s += in[k];
    out[at] = s;
  }`;
  const input = Int32Array.from({ length: 3 }, (_, at) => 1 + at * at);
  const output = new Int32Array(12);
  const range = { global: [6, 2], local: [2, 2], offset: [2 ** 31 - 5, 0] };
  wasmRunner(compileForTest(source), { lanes })('test', range, [buffer(input), buffer(output)]);
  expect(output).toEqual(Int32Array.from({ length: 12 }, (_, at) => (at % 2 === 0 ? 1 : 3)));
});

it.each([undefined, 4, 'chosen'] as const)(
  'guards on the largest ids that a device takes, %s lanes',
  (lanes) => {
    const source = `kernel void test(global int *out, int limit) {
    int x = get_global_id(0), at = x - (int)get_global_offset(0);
    if (x < limit) out[at] += 1;
    if (x > limit - 3) out[at] += 2;
  }`;
    const runner = wasmRunner(compileForTest(source), lanes ? { lanes } : {});
    const [first, limit] = [2 ** 31 - 1 - 14, 2 ** 31 - 1];
    for (const [below, wanted] of [
      [0, [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 3, 3]],
      [5, [1, 1, 1, 1, 1, 1, 1, 3, 3, 2, 2, 2, 2, 2]],
    ] as const) {
      const output = new Int32Array(14);
      const bytes = new Uint8Array(Int32Array.of(limit - below).buffer);
      runner('test', { global: [14], local: [7], offset: [first] }, [buffer(output), { bytes }]);
      expect([...output]).toEqual(wanted);
    }
  },
);

it.each([4, 8, 'chosen'] as const)(
  'a vector begun at the largest ids goes beyond them, %s lanes',
  (lanes) => {
    const source = `kernel void test(global int *out, int first) {
    int x = get_global_id(0);
    if (x < first) return;
    out[x - (int)get_global_offset(0)] = 7;
  }`;
    const runner = wasmRunner(compileForTest(source), { lanes });
    for (const width of [1, 2, 3, 5]) {
      const output = new Int32Array(width);
      const range = { global: [width], local: [width], offset: [2 ** 31 - 1 - width] };
      runner('test', range, [buffer(output), { bytes: new Uint8Array(Int32Array.of(3).buffer) }]);
      expect([...output]).toEqual(Array.from({ length: width }, () => 7));
    }
  },
);

it.each([
  ['a copy', 'b[y * n + x] = a[y * n + x];', true],
  [
    'a transposition, which writes in as many lines of the cache as a row is long',
    'b[x * n + y] = a[y * n + x];',
    false,
  ],
  ['a gathering one', 'b[y * n + x] = a[a[y * n + x]];', false],
  ['one that loops', 'for (int k = 0; k < n; k++) b[y * n + x] += a[k * n + x];', false],
])('whether groups of a row run joined: %s', (_, body, expected) => {
  const { output } = inspect(
    `kernel void test(int n, global const int *a, global int *b) { int x = get_global_id(0), y = get_global_id(1); ${body} }`,
    { emit: 'wat' },
  );
  // How many groups are left is asked of the range then.
  expect(/local\.get \$end\s+local\.get \$first\s+i32\.sub/.test(String(output))).toBe(expected);
});
