/** Kernels whose dimensions 0 and 1 change places: which they are, and that each work-item does what it did. */
import { describe, expect, it } from 'vitest';
import { parseModule } from '../../src/ir/parse.ts';
import { printFunction, printModule } from '../../src/ir/print.ts';
import type { Interchange } from '../../src/passes/ndrange/interchange-dimensions.ts';
import { prepareForVectorising } from '../../src/passes/pipeline.ts';
import { wasm } from '../../src/target/wasm.ts';
import { difference } from '../support/compare-runs.ts';
import {
  buffer,
  compileForTest,
  runOnInterpreter,
  type TestRange,
  value,
  type WasmOptions,
  wasmRunner,
} from '../support/run-kernel.ts';

const kernel = (body: string, attribute = ''): string => `
kernel ${attribute} void test(int n, global const int *a, global int *b) {
  int x = get_global_id(0), y = get_global_id(1);
  ${body}
}`;

function interchangeOf(source: string, interchange: Interchange = false): string | undefined {
  const module = compileForTest(source, '-cl-std=CL2.0');
  prepareForVectorising(module, { target: wasm, interchange });
  return module.functions.find(({ name }) => name === 'test')!.attributes?.interchange;
}

const rowFirst = 'b[x * n + y] = a[x * n + y];';

describe('better interchanged', () => {
  it.each([
    ['a copy with rows along dimension 0', rowFirst, 'better'],
    ['a copy with rows along dimension 1', 'b[y * n + x] = a[y * n + x];', undefined],
    ['rows of a known length', 'b[x * 64 + y] = a[x * 64 + y];', 'better'],
    ['rows of few elements', 'b[x * 4 + y] = a[x * 4 + y];', undefined],
    ['transposing a matrix', 'b[x * n + y] = a[y * n + x];', undefined],
    ['one dimension', 'b[x * n] = a[x * n + 1];', undefined],
    [
      'a product of matrices with rows along dimension 0',
      'int s = 0; for (int k = 0; k < n; k++) s += a[x * n + k] * a[k * n + y]; b[x * n + y] = s;',
      'better',
    ],
    // Vectors read several iterations of a row at once, which gains less than the stores of a short loop lose.
    [
      'a product of matrices that is stored the other way',
      'int s = 0; for (int k = 0; k < n; k++) s += a[x * n + k] * a[k * n + y]; b[y * n + x] = s;',
      undefined,
    ],
    [
      'sums that begin elsewhere for each row',
      'int s = 0; for (int k = x; k < n; k++) s += a[x * n + k] * a[k * n + y]; b[x * n + y] = s;',
      'better',
    ],
    // Such loops go through each column at one go, which finds nothing in the cache where rows are a power of two apart.
    [
      'sums over a triangle, along columns',
      'int s = 0; for (int k = 0; k <= x; k++) s += a[x * n + k] * a[k * n + y]; b[x * n + y] = s;',
      undefined,
    ],
    [
      'loops that lanes would leave at different iterations',
      'int s = 0; for (int k = 0; k < a[y]; k++) s += a[x * n + k]; b[x * n + y] = s;',
      undefined,
    ],
    [
      'a filter that clamps where it reads',
      `int s = 0; for (int i = -1; i <= 1; i++) for (int j = -1; j <= 1; j++)
         s += a[clamp(x + i, 0, n - 1) * n + clamp(y + j, 0, n - 1)]; b[x * n + y] = s;`,
      'better',
    ],
    [
      'the same in each row, clamped',
      'int s = 0; for (int k = 0; k < n / 4; k++) s += a[clamp(x + k, 0, n - 1)] * a[k]; b[y * n + x] = s;',
      undefined,
    ],
    // One scalar for all neighbours along dimension 0 becomes a vector along dimension 1.
    [
      'what a column says, computed in a loop',
      `float s = 0; for (int k = 0; k < n; k++) s += a[x * n + k] * exp(-0.01f * (k - y) * (k - y)); b[x * n + y] = s;`,
      undefined,
    ],
    [
      'what a row says, computed in a loop',
      `float s = 0; for (int k = 0; k < n; k++) s += a[x * n + k] * exp(-0.01f * (k - x) * (k - x)); b[x * n + y] = s;`,
      'better',
    ],
    [
      'iterations that a column counts, of which nothing is read',
      'float s = 0; for (int k = 0; k < (y & 63); k++) s = s * 0.5f + 1; b[x * n + y] = s;',
      undefined,
    ],
    [
      'much that is computed for each work-item',
      'float s = a[x * n + y]; for (int k = 0; k < n; k++) s = sin(s + x * y); b[x * n + y] = s;',
      'better',
    ],
    [
      'iterations that a column counts, of a function with tables',
      'float s = 0; int m = y * 40503 & 63; for (int k = 0; k < m; k++) s = sin(s + x); b[x * n + y] = s;',
      undefined,
    ],
    // In a vector along dimension 1 there is always somebody who does it.
    [
      'what every eighth column computes',
      `float s = a[x * n + y]; if ((y & 7) == 0) for (int k = 0; k < n; k++) s = exp(s + k); b[x * n + y] = s;`,
      undefined,
    ],
    [
      'what all but every eighth column leave out',
      `float s = a[x * n + y]; b[x * n + y] = s; if ((y & 7) != 0) return; for (int k = 0; k < n; k++) s = exp(s + k); b[x * n + y] = s;`,
      undefined,
    ],
    [
      'what the first of each group computes',
      `float s = a[x * n + y]; if (get_local_id(1) == 0) for (int k = 0; k < n; k++) s = exp(s + k); b[x * n + y] = s;`,
      undefined,
    ],
    [
      'what the first column computes',
      'float s = a[x * n + y]; if (y == 0) for (int k = 0; k < n; k++) s = exp(s + k); b[x * n + y] = s;',
      'better',
    ],
    [
      'what every eighth row computes',
      'float s = a[x * n + y]; if ((x & 7) == 0) for (int k = 0; k < n; k++) s = exp(s + k); b[x * n + y] = s;',
      'better',
    ],
    ['what is gathered anyway', 'b[x * n + y] = a[a[a[a[y * n + x]]]] + a[a[x]] * a[a[y]];', undefined],
    ['a guard', `if (x < n && y < n) { ${rowFirst} }`, 'better'],
    ['an early return', `if (x >= n || y >= n) return; ${rowFirst}`, 'better'],
    ['a barrier', `${rowFirst} barrier(CLK_GLOBAL_MEM_FENCE); b[x * n + y] += 1;`, 'better'],
    ['an atomic', `${rowFirst} atomic_inc(b);`, 'better'],
  ])('%s', (_, body, expected) => {
    expect(interchangeOf(kernel(body))).toBe(expected);
  });
});

describe('somebody would notice', () => {
  it.each([
    ['printf', `${rowFirst} printf("%d", x);`],
    ['the linear local id', `${rowFirst} b[0] = get_local_linear_id();`],
    ['a reduction', 'b[x * n + y] = work_group_reduce_add(a[x * n + y]);'],
    ['a scan', 'b[x * n + y] = work_group_scan_inclusive_add(a[x * n + y]);'],
    ['an atomic in a loop', `for (int k = 0; k < n; k++) atomic_max(b + k, y); ${rowFirst}`],
    ['volatile memory in a loop', `volatile global int *v = b; while (v[0] < x); ${rowFirst}`],
  ])('%s', (_, body) => {
    expect(interchangeOf(kernel(body), 'wherever possible')).toBeUndefined();
  });

  it('a helper that stays a function and asks for its id', () => {
    const source = `
      __attribute__((noinline)) int at(int n) { return get_global_id(0) * n + get_global_id(1); }
      ${kernel('b[at(n)] = a[x * n + y];')}`;
    const module = compileForTest(source);
    prepareForVectorising(module, { target: wasm, interchange: 'wherever possible', inlineLimit: 0 });
    expect(module.functions.map(({ name }) => name)).toContain('at');
    expect(module.functions.find(({ name }) => name === 'test')!.attributes?.interchange).toBeUndefined();
  });
});

it('is rewritten only if asked for', () => {
  const source = kernel(rowFirst, '__attribute__((reqd_work_group_size(2, 8, 1)))');
  const of = (interchange: Interchange): { queries: string[]; head: string } => {
    const module = compileForTest(source);
    prepareForVectorising(module, { target: wasm, interchange });
    const text = printFunction(module.functions[0]!);
    return { queries: text.match(/query \w+ \d/g)!, head: text.slice(0, text.indexOf('{')) };
  };
  const [marked, done] = [of(false), of('where better')];
  expect(marked.head).toContain('reqd_work_group_size(2, 8, 1) better_interchanged');
  expect(done.head).toContain('reqd_work_group_size(8, 2, 1) interchanged');
  const exchanged = marked.queries.map((query) => query.replace(/\d/, (digit) => String(1 - Number(digit))));
  expect(done.queries.toSorted()).toEqual(exchanged.toSorted());
});

it('is told by the text form', () => {
  for (const word of ['interchanged', 'better_interchanged']) {
    const text = printModule(parseModule(`module address=32\n\nkernel @k() ${word} {\n}\n`));
    expect(text).toContain(`kernel @k() ${word} {`);
    expect(printModule(parseModule(text))).toBe(text);
  }
});

/** Each work-item writes all that it is told. */
const places = kernel(`
  int w = get_global_size(0), i = (y - get_global_offset(1)) * w + x - get_global_offset(0);
  global int *out = b + i * 12;
  out[0] = x; out[1] = y; out[2] = get_local_id(0); out[3] = get_local_id(1);
  out[4] = get_group_id(0); out[5] = get_group_id(1); out[6] = get_local_size(0); out[7] = get_local_size(1);
  out[8] = get_num_groups(0); out[9] = get_num_groups(1); out[10] = get_global_size(1); out[11] = get_work_dim() + a[0] * n;`);

/** Neighbours in both directions through local memory, in a loop with barriers, early ends and all. */
const shared = kernel(`
  local int tile[16][17];
  int lx = get_local_id(0), ly = get_local_id(1), sx = get_local_size(0), sy = get_local_size(1);
  int s = 0;
  for (int k = 0; k < 3; k++) {
    tile[lx][ly] = a[(x * n + y + k) & 255] + s;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j <= lx; j++) s += tile[j][ly] * (k + 1) + tile[lx][(ly + 1) % sy];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (x > y + 4) return;
  b[x * n + y] = s + tile[(lx + 1) % sx][ly];`);

const ranges: TestRange[] = [
  { global: [6, 10], local: [3, 5] },
  { global: [32, 16], local: [4, 16] },
  { global: [16, 48], local: [16, 2], offset: [3, 40] },
  { global: [8, 24, 2], local: [8, 8, 1] },
  { global: [7, 1], local: [7, 1] },
  { global: [12], local: [4] },
];

const ways: readonly WasmOptions[] = [
  { interchange: true },
  { interchange: true, lanes: 'chosen' },
  { interchange: true, lanes: 4 },
  { interchange: true, lanes: 8, rows: 2, groupsAtOnce: 3 },
];

describe.each([
  ['ids and sizes', places],
  ['local memory', shared],
])('%s', (_, source) => {
  it.each(ranges)('%o', (range) => {
    const args = () => [
      value.int(60),
      buffer(Int32Array.from({ length: 256 }, (_, index) => (index * 37) % 101)),
      buffer(new Int32Array(12_000).fill(-1)),
    ];
    const expected = args();
    runOnInterpreter(compileForTest(source), 'test', range, expected);
    for (const way of ways) {
      const actual = args();
      wasmRunner(compileForTest(source), way)('test', range, actual);
      expect(difference(expected, actual), JSON.stringify(way)).toBeUndefined();
    }
  });
});
