/** Loops along local memory whose pointers go on by themselves: which they are, and that they find the same. */
import { describe, expect, it } from 'vitest';
import type * as ir from '../../src/ir/ir.ts';
import { assertValid } from '../../src/ir/verify.ts';
import { walkFunction, walkRegion } from '../../src/ir/walk.ts';
import { optimise } from '../../src/passes/pipeline.ts';
import { wasm } from '../../src/target/wasm.ts';
import { buffer, compileForTest, value, wasmRunner } from '../support/run-kernel.ts';

const width = 16;

/** Work-items fill two tiles with what is in `a` and `b`, and go along them from `first` to `end`. */
const kernel = (body: string): string => `
kernel void test(global const int *a, global const int *b, global int *c, int first, int end) {
  local int tile_a[${width}][${width}], tile_b[${width}][${width}], others[3][${width}], both[2][${width}][${width}];
  int x = get_local_id(0), y = get_local_id(1);
  tile_a[y][x] = a[y * ${width} + x];
  tile_b[y][x] = b[y * ${width} + x];
  both[0][y][x] = a[y * ${width} + x];
  both[1][y][x] = b[y * ${width} + x];
  if (y < 3) others[y][x] = x - y;
  barrier(CLK_LOCAL_MEM_FENCE);
  int s = 1;
  ${body}
  c[y * ${width} + x] = s;
}`;

type Tile = (row: number, column: number) => number;
interface Case {
  readonly name: string;
  readonly body: string;
  /** Parameters of the vectorised loop that are pointers. */
  readonly pointers: number;
  readonly expected: (at: { x: number; y: number; first: number; end: number }, a: Tile, b: Tile) => number;
}

const product = 'for (int k = first; k < end; k++) s += tile_a[y][k] * tile_b[k][x];';
const sum = (first: number, end: number, step: number, term: (k: number) => number): number => {
  let s = 1;
  for (let k = first; k < end; k += step) s += term(k);
  return s;
};

const cases: readonly Case[] = [
  {
    name: 'a row and a column',
    body: product,
    pointers: 2,
    expected: ({ x, y, first, end }, a, b) => sum(first, end, 1, (k) => a(y, k) * b(k, x)),
  },
  {
    name: 'larger steps',
    body: product.replace('k++', 'k += 3'),
    pointers: 2,
    expected: ({ x, y, first, end }, a, b) => sum(first, end, 3, (k) => a(y, k) * b(k, x)),
  },
  {
    name: 'what is a constant away',
    body: 'for (int k = first; k < end; k++) s += (both[1][y][k] - both[0][y][k]) * tile_b[k][x];',
    pointers: 2,
    expected: ({ x, y, first, end }, a, b) => sum(first, end, 1, (k) => (b(y, k) - a(y, k)) * b(k, x)),
  },
  {
    name: 'from the end to the start',
    body: `for (int k = first; k < end; k++) s += tile_a[y][${width - 1} - k] * tile_b[k][x];`,
    pointers: 2,
    expected: ({ x, y, first, end }, a, b) => sum(first, end, 1, (k) => a(y, width - 1 - k) * b(k, x)),
  },
  {
    name: 'a counter that is a value, too',
    body: 'for (int k = first; k < end; k++) s += k * tile_a[y][k] * tile_b[k][x];',
    pointers: 0,
    expected: ({ x, y, first, end }, a, b) => sum(first, end, 1, (k) => k * a(y, k) * b(k, x)),
  },
  {
    name: 'places that do not go evenly with the counter',
    body: 'for (int k = first; k < end; k++) s += tile_a[y][k ^ 1] * tile_b[k][x];',
    pointers: 0,
    expected: ({ x, y, first, end }, a, b) => sum(first, end, 1, (k) => a(y, k ^ 1) * b(k, x)),
  },
  {
    name: 'a counter that outlives the loop',
    body: 'int k; for (k = first; k < end; k++) s += tile_a[y][k] * tile_b[k][x]; s += 100 * k;',
    pointers: 0,
    expected: ({ x, y, first, end }, a, b) =>
      sum(first, end, 1, (k) => a(y, k) * b(k, x)) + 100 * Math.max(first, end),
  },
  {
    name: 'global memory',
    body: `for (int k = first; k < end; k++) s += tile_a[y][k] * b[k * ${width} + x];`,
    pointers: 0,
    expected: ({ x, y, first, end }, a, b) => sum(first, end, 1, (k) => a(y, k) * b(k, x)),
  },
  {
    name: 'more pointers than there are registers',
    body: `for (int k = first; k < end; k++)
        s += tile_a[y][k] * tile_b[k][x] + others[0][k] * tile_a[k][x] + tile_b[y][k] * tile_a[x][k];`,
    pointers: 0,
    expected: ({ x, y, first, end }, a, b) =>
      sum(first, end, 1, (k) => a(y, k) * b(k, x) + k * a(k, x) + b(y, k) * a(x, k)),
  },
];

/** Pointers among the parameters of the loops in vector regions, each as often as there are such regions. */
function pointersIn(source: string): number[] {
  const module = compileForTest(source);
  optimise(module, { verify: assertValid, target: wasm, vectorise: { lanes: 4 } });
  const found: number[] = [];
  const count = (loop: ir.Instruction): void => {
    if (loop.op !== 'loop') return;
    found.push(loop.regions[0]!.parameters.filter(({ type }) => type.kind === 'pointer').length);
  };
  walkFunction(module.functions[0]!, (items) => {
    if (items.op !== 'work_item_loop') return;
    for (const region of items.regions.slice(1)) walkRegion(region, count);
  });
  return found;
}

describe.each(cases)('$name', ({ body, pointers, expected }) => {
  it('is told', () => {
    const found = pointersIn(kernel(body));
    expect(found.length).toBeGreaterThan(0);
    expect(new Set(found)).toEqual(new Set([pointers]));
  });

  it('is right for all lengths', () => {
    const a = Int32Array.from({ length: width * width }, (_, at) => (at * 7919) % 101);
    const b = Int32Array.from({ length: width * width }, (_, at) => (at * 104729) % 97);
    const launch = wasmRunner(compileForTest(kernel(body)), { lanes: 4, rows: 2 });
    for (const [first, end] of [
      [0, width],
      [3, 14],
      [5, 6],
      [7, 7],
      [9, 2],
    ] as const) {
      const c = new Int32Array(width * width);
      const range = { global: [width, width], local: [width, width] };
      launch('test', range, [buffer(a), buffer(b), buffer(c), value.int(first), value.int(end)]);
      const all = Int32Array.from({ length: width * width }, (_, at) => {
        const [y, x] = [Math.floor(at / width), at % width];
        const tile = (of: Int32Array) => (row: number, column: number) => of[row * width + column]!;
        return expected({ x, y, first, end }, tile(a), tile(b));
      });
      expect([...c], `${first} to ${end}`).toEqual([...all]);
    }
  });
});
