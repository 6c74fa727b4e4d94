/**
 * Rows of work-items that run together: what becomes of a matrix product, what is left alone, and that the outcome is
 * that of one work-item after another, for groups whose rows and lanes are no whole numbers of parts.
 */
import { describe, expect, it } from 'vitest';
import { inspect } from '../../src/build/inspect.ts';
import type * as ir from '../../src/ir/ir.ts';
import { parseModule } from '../../src/ir/parse.ts';
import { printFunction, printModule } from '../../src/ir/print.ts';
import { containsLoop } from '../../src/ir/regions.ts';
import { assertValid, verifyModule } from '../../src/ir/verify.ts';
import { walkRegion } from '../../src/ir/walk.ts';
import { optimise } from '../../src/passes/pipeline.ts';
import { wasm } from '../../src/target/wasm.ts';
import { compileForTest, runOnInterpreter, type TestArgument, wasmRunner } from '../support/run-kernel.ts';

const [width, height] = [14, 15];
/** Rows: 5 are 4 and 1, or twice 2 and 1. Work-items in a row: 7 are 4 and 3. */
const range = { global: [width, height], local: [7, 5] };

/** Numbers, as many bytes to be filled, and the size of a row. */
function freshArguments(): TestArgument[] {
  const input = Int32Array.from({ length: width * height * 4 }, (_, at) => (at * 7919) % 103);
  return [
    { buffer: new Uint8Array(input.buffer) },
    { buffer: new Uint8Array(width * height * 16) },
    { bytes: new Uint8Array(Int32Array.of(width).buffer) },
  ];
}

function outputOf(run: (args: TestArgument[]) => void): Uint8Array {
  const args = freshArguments();
  run(args);
  return (args[1] as { buffer: Uint8Array }).buffer;
}

function kernel(body: string, type = 'int'): string {
  return `kernel void test(global const ${type} *in, global ${type} *out, int n) {
    int x = get_global_id(0), y = get_global_id(1), u = get_local_id(0), v = get_local_id(1);
    ${body}
  }`;
}

function itemsOf(module: ir.Module): ir.WorkItemLoop[] {
  const found: ir.WorkItemLoop[] = [];
  walkRegion(module.functions.at(-1)!.body!, (instruction) => {
    if (instruction.op === 'work_item_loop') found.push(instruction);
  });
  return found;
}

const product =
  'float s = 0; for (int k = 0; k < n; k++) s += in[y * n + k] * in[k * n + x]; out[y * n + x] = s;';

const cases: readonly { name: string; source: string }[] = [
  { name: 'a matrix product', source: kernel(product, 'float') },
  {
    name: 'a guard of rows and columns',
    source: kernel(`if (x < n - 1 && y < 13) { ${product} }`, 'float'),
  },
  {
    name: 'the triangle under the diagonal',
    source: kernel(`if (x < y) return; ${product} out[at(y, x)] = s;`, 'float').replace(
      'kernel void',
      '#define at(x, y) (14 * 15 + (y) * 14 + (x))\nkernel void',
    ),
  },
  {
    name: 'a strip around the diagonal',
    source: kernel(
      'int s = 0; if (x - y < 4 && y <= x + 2) for (int k = 0; k < n; k++) s += in[k * n + x] * in[y * n + k]; out[y * n + x] = s;',
    ),
  },
  {
    name: 'a way out for rows',
    source: kernel('if (y >= 11 || y < 2) return; out[y * n + x] = in[x] + in[y];'),
  },
  {
    name: 'a border that is treated in another way',
    source: kernel(`int at = y * n + x;
      if (x == 0 || y == 0 || x == n - 1 || y == 13) { out[at] = in[at]; return; }
      out[at] = in[at - n] + 3 * in[at] + 5 * in[at + n] - in[at - 1];`),
  },
  {
    name: 'a border told by what it is not',
    source: kernel(`int at = y * n + x;
      if (x != n - 1 && y != 3) out[at] = in[at] + 5 * in[at + n]; else if (x < 9) out[at] = y; else out[at] = in[at] + 1;`),
  },
  {
    name: 'rows that part',
    source: kernel(`int s = 0; if (y & 1) s = in[y]; else s = in[x] * 2;
      for (int k = 0; k < y; k++) s += in[k * n + x]; out[y * n + x] = s;`),
  },
  {
    name: 'a switch, and loops that rows leave at different times',
    source: kernel(`int s = 0;
      for (int k = 0; k < 20; k++) {
        switch ((in[k] + y) & 3) { case 0: s += in[x]; case 1: s ^= y; break; default: s -= k; }
        for (int j = 0; j < 9; j++) { if (in[y + j] > 80) break; s += j * in[x + j]; }
      }
      out[y * n + x] = s;`),
  },
  {
    name: 'rows that go on early',
    source: kernel(`int s = 0;
      for (int k = 0; k < 20; k++) { if (((k + y) & 3) == 1) continue; s += in[k * n + x]; }
      out[y * n + x] = s;`),
  },
  {
    name: 'what rows have in common though it comes of the row',
    source: kernel('int k = n - y; out[y * n + x] = in[x] * (k + y) + in[y];'),
  },
  {
    name: 'neighbouring rows',
    source: kernel(`int s = 0;
      for (int j = -1; j <= 1; j++) for (int i = -1; i <= 1; i++) s += in[(y + 1 + j) * n + x + 1 + i];
      out[y * n + x] = s;`),
  },
  {
    name: 'values across barriers',
    source:
      kernel(`local int t[5][7]; local int all; long w = (long)x << y; bool odd = in[y] & 1; int4 f = (int4)(x, y, u, v);
      if (u == 0 && v == 0) all = 0;
      t[v][u] = in[y * n + x];
      barrier(CLK_LOCAL_MEM_FENCE);
      int s = 0;
      for (int k = 0; k < 5; k++) s += t[k][u] * t[v][k];
      atomic_add(&all, s);
      barrier(CLK_LOCAL_MEM_FENCE);
      out[y * n + x] = s + all + (int)(w >> 3) + (odd ? f.x : f.w) + t[4 - v][6 - u];`),
  },
  {
    name: 'private arrays across barriers',
    source: kernel(`local int t[5]; int own[6]; for (int k = 0; k < 6; k++) own[(k + in[y]) % 6u] = k * x;
      t[v] = 3 * v;
      barrier(CLK_LOCAL_MEM_FENCE);
      int s = t[4 - v]; for (int k = 0; k < 6; k++) s += own[(k + in[x]) % 6u]; out[y * n + x] = s;`),
  },
  {
    name: 'stores to one place, pixels and other offsets',
    source: kernel(
      `out[n * 15 + 5] = 9; int4 p = vload4(y * n + x, in); vstore4(p.wzyx + y, y * n + x, out);`,
    ),
  },
  {
    name: 'numbers of work-items in their group',
    source: `kernel void test(global const int *in, global int *out, int n) {
      local int t[35]; size_t i = get_local_id(1) * get_local_size(0) + get_local_id(0);
      t[i] = in[get_global_id(1) * n + get_global_id(0)]; barrier(CLK_LOCAL_MEM_FENCE);
      out[get_global_id(1) * n + get_global_id(0)] = t[34 - i] + (int)i;
    }`,
  },
];

describe.each(cases)('rows together: $name', ({ source }) => {
  const expected = outputOf((args) => runOnInterpreter(compileForTest(source), 'test', range, args));

  it.each([
    [4, 4],
    [2, 2],
    [8, 3],
  ] as const)('%i lanes, %i rows', (lanes, rows) => {
    const module = compileForTest(source);
    optimise(module, { verify: assertValid, target: wasm, vectorise: { lanes, rows } });
    const again = parseModule(printModule(module), 'again.ir');
    assertValid(again, 'reading what was printed');
    expect(outputOf((args) => runOnInterpreter(again, 'test', range, args))).toEqual(expected);
    const run = wasmRunner(compileForTest(source), { lanes, rows });
    expect(outputOf((args) => run('test', range, args))).toEqual(expected);
  });
});

it.each([
  ['in whole parts', 8, 4],
  ['in no whole rows', 8, 3],
  ['in no whole vectors', 6, 4],
  ['of one row', 8, 1],
])('groups of the size that the kernel demands, %s', (_, across, down) => {
  const attribute = `__attribute__((reqd_work_group_size(${across}, ${down}, 2)))`;
  const source = `${attribute} kernel void test(global const int *in, global int *out, int n) {
    local int t[8][8];
    int x = get_local_id(0), y = get_local_id(1), z = get_local_id(2), i = (z * ${down} + y) * ${across} + x;
    t[y][x] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    int s = i;
    for (int k = 0; k < ${down}; k++) s += t[k][x] * in[y + k];
    if (z == 1) out[i + get_group_id(0) * 64] = s;
  }`;
  const groups = { global: [across * 2, down, 2], local: [across, down, 2] };
  const fresh = (): TestArgument[] => [
    { buffer: new Uint8Array(Int32Array.from({ length: 64 }, (_, at) => at * at).buffer) },
    { buffer: new Uint8Array(128 * 4) },
    { bytes: new Uint8Array(4) },
  ];
  // The two slices write the same tile, so that one of them decides; the interpreter takes them in order.
  const expected = fresh();
  runOnInterpreter(compileForTest(source.replace('in[i];', 'in[y * 8 + x];')), 'test', groups, expected);
  const actual = fresh();
  wasmRunner(compileForTest(source.replace('in[i];', 'in[y * 8 + x];')), { lanes: 4, rows: 2 })(
    'test',
    groups,
    actual,
  );
  expect(actual[1]).toEqual(expected[1]);
});

it('shares the loads of a column and keeps a sum for each row', () => {
  const source = `kernel void multiply(int n, global const float *a, global const float *b, global float *c) {
    int x = get_global_id(0), y = get_global_id(1);
    float sum = 0;
    for (int k = 0; k < 100; k++) sum += a[y * n + k] * b[k * n + x];
    c[y * n + x] = sum;
  }`;
  const module = compileForTest(source);
  let text = '';
  optimise(module, {
    target: wasm,
    vectorise: { rows: 2 },
    after: (pass, current) => {
      if (pass === 'thread-coarsening') text = printFunction(current.functions[0]!);
    },
  });
  expect(text.slice(text.indexOf('  } coarse'))).toMatchInlineSnapshot(`
    "  } coarse 2 {
        %x.1 = query global_id 0 : i32
        %20 = shl %x.1, %3 : i32
        %21 = offset %b, %20 : ptr<global>
        %y.1 = query global_id 1 : i32
        %22 = imul %y.1, %n : i32
        %23 = shl %22, %3 : i32
        %24 = offset %a, %23 : ptr<global>
        %y.1.1 = iadd %y.1, %1 : i32
        %25 = imul %y.1.1, %n : i32
        %26 = shl %25, %3 : i32
        %27 = offset %a, %26 : ptr<global>
        %sum.4, %sum.1.1 = loop @L1 (%sum.5: f32 = %sum, %sum.1.2: f32 = %sum, %k.2: i32 = %0) : f32, f32 {
          %28 = slt %k.2, %2 : bool
          if %28 {
            yield
          } else {
            break @L1 %sum.5, %sum.1.2
          }
          %29 = shl %k.2, %3 : i32
          %30 = imul %k.2, %n : i32
          %31 = shl %30, %3 : i32
          %32 = offset %21, %31 : ptr<global>
          %33 = load %32 align=4 : f32
          %k.3 = iadd %k.2, %1 : i32
          %34 = offset %24, %29 : ptr<global>
          %35 = load %34 align=4 : f32
          %36 = fmul contract %35, %33 : f32
          %sum.6 = fadd contract %sum.5, %36 : f32
          %37 = offset %27, %29 : ptr<global>
          %38 = load %37 align=4 : f32
          %39 = fmul contract %38, %33 : f32
          %sum.1.3 = fadd contract %sum.1.2, %39 : f32
          continue @L1 %sum.6, %sum.1.3, %k.3
        }
        %40 = offset %c, %23 : ptr<global>
        %41 = offset %40, %20 : ptr<global>
        %42 = offset %c, %26 : ptr<global>
        %43 = offset %42, %20 : ptr<global>
        store %41, %sum.4 align=4
        store %43, %sum.1.1 align=4
        yield
      }
      return
    }
    "
  `);
});

describe('what pays', () => {
  const rowsOf = (source: string): readonly (number | undefined)[] => {
    const module = compileForTest(source);
    optimise(module, { target: wasm });
    const all = itemsOf(module);
    // Where a long loop is cut, what is before and behind it are regions of their own.
    const looping = all.filter(({ regions }) => containsLoop(regions[0]!));
    return (looping.length > 0 ? looping : all).map(({ rows }) => rows);
  };
  it('is sharing', () => {
    const stencil = `out[at] = in[(y - 1) * n + x] * in[(y - 1) * n + x + 1] + in[y * n + x] * in[y * n + x + 1] +
      in[(y + 1) * n + x] * in[(y + 1) * n + x + 1];`;
    const border = 'int at = y * n + x; if (x == 0 || y == 0 || x == n - 1 || y == n - 1)';
    expect(rowsOf(kernel(`${border} return; ${stencil}`, 'float'))).toEqual([4]);
    expect(rowsOf(kernel(`${border} out[at] = in[at]; else ${stencil}`, 'float'))).toEqual([4]);
    const neighbours = 'out[at] = in[at] + in[at - 1] + in[at + 1] + in[at - n] + in[at + n];';
    expect(rowsOf(kernel(`${border} out[at] = 0; else ${neighbours}`, 'float'))).toEqual([4]);
    expect(rowsOf(kernel(`int at = y * n + x; if (x > 0 && y > n / 2) ${stencil}`, 'float'))).toEqual([
      undefined,
    ]);
    expect(rowsOf(kernel(product, 'float'))).toEqual([4]);
    expect(rowsOf(kernel(`if (x < n && y < n) { ${product} }`, 'float'))).toEqual([4]);
    expect(rowsOf(kernel(`if (x < y) return; ${product}`, 'float'))).toEqual([4]);
    expect(rowsOf(kernel('out[y * n + x] = in[y * n + x] + 1;'))).toEqual([undefined]);
    expect(rowsOf(kernel('for (int k = 0; k < y; k++) out[y * n + x] += in[k * n + x];'))).toEqual([
      undefined,
    ]);
  });
  it('is so many rows as the cache has room for', () => {
    const column = (reach: number, row = (moved: string) => moved): string => {
      const rows = Array.from(
        { length: 2 * reach + 1 },
        (_, at) => `in[${row(`(y + ${at - reach})`)} * n + x]`,
      );
      return kernel(`out[y * n + x] = ${rows.join(' + ')};`, 'float');
    };
    // Four rows read two more on each side of them, or three more.
    expect(rowsOf(column(2))).toEqual([4]);
    expect(rowsOf(column(3))).toEqual([2]);
    const clamped = (moved: string): string => `clamp(${moved}, 0, n - 1)`;
    expect(rowsOf(column(2, clamped))).toEqual([4]);
    expect(rowsOf(column(3, clamped))).toEqual([2]);
  });
  it('is filling tiles', () => {
    const transposed = (fill: string): string =>
      kernel(`local int tile[16][16]; ${fill} barrier(1); out[y * n + x] = tile[u][v];`);
    expect(rowsOf(transposed('tile[v][u] = in[y * n + x];'))).toEqual([4, undefined]);
    expect(rowsOf(transposed('tile[v][u] = in[y * n + x] + 1;'))).toEqual([undefined, undefined]);
    expect(rowsOf(transposed('tile[v][u] = in[y * n + x]; out[x] = y;'))).toEqual([undefined, undefined]);
  });
  it('is what fits in the registers', () => {
    const sums = (count: number): string => {
      const each = Array.from({ length: count }, (_, at) => at);
      return kernel(
        `float ${each.map((at) => `s${at} = 0`).join()};
        for (int k = 0; k < n; k++) { float b = in[k * n + x]; ${each.map((at) => `s${at} += in[y * n + k + ${at}] * b;`).join(' ')} }
        out[y * n + x] = ${each.map((at) => `s${at}`).join(' * ')};`,
        'float',
      );
    };
    expect(rowsOf(sums(1))).toEqual([4]);
    expect(rowsOf(sums(2))).toEqual([2]);
    expect(rowsOf(sums(4))).toEqual([undefined]);
  });
  it('leaves rows apart that a guard keeps out whole', () => {
    const update = 'out[y * n + x] -= out[y * n] * out[x];';
    expect(rowsOf(kernel(`if (x > n && y > n) ${update}`, 'float'))).toEqual([undefined]);
  });
  it('asks for rows in the group', () => {
    const one = kernel(product, 'float').replace(
      'kernel',
      '__attribute__((reqd_work_group_size(64, 1, 1))) kernel',
    );
    expect(rowsOf(one)).toEqual([undefined]);
  });
});

it('is checked', () => {
  const complaints = (body: string): readonly string[] =>
    verifyModule(
      parseModule(
        `module address=32\nkernel @k() work-group {\n context_array $s : i32\n${body}\n return\n}\n`,
        'k.ir',
      ),
    );
  expect(
    complaints('work_item_loop {\n yield\n } coarse 2 {\n %a = context_read $s row 1 : i32\n yield\n }'),
  ).toEqual([]);
  expect(
    complaints(
      'work_item_loop {\n yield\n } vector 4 {\n yield\n } coarse 2 {\n %a = context_read $s row 1 : i32x4\n yield\n }',
    ),
  ).toEqual([]);
  expect(
    complaints(
      'work_item_loop {\n yield\n } coarse 2 {\n %a = context_read $s row 2 : i32\n yield\n }',
    ).join(),
  ).toContain('row 2 of 2');
  expect(complaints('work_item_loop {\n %a = context_read $s row 1 : i32\n yield\n }').join()).toContain(
    'row 1 of 1',
  );
  expect(complaints('work_item_loop {\n yield\n } coarse 1 {\n yield\n }').join()).toContain('1 rows');
});

it('does rows that cross a border at its sides one after another', () => {
  const source = kernel(
    `int at = y * n + x; if (x == 0 || y == 0 || x == n - 1) return; out[at] = in[at - 1] + in[at + 1];`,
  );
  const module = compileForTest(source);
  optimise(module, { target: wasm, vectorise: { lanes: 8, rows: 2 } });
  const stores: string[] = [];
  walkRegion(itemsOf(module)[0]!.regions.at(-1)!, ({ op }) => {
    if (op.endsWith('store')) stores.push(op);
  });
  // Two rows together and, where one does not pass, apart; where lanes part, only apart, with all lanes or some.
  const apart = ['store', 'masked_store'];
  expect(stores).toEqual(['store', 'store', 'store', 'store', ...apart, ...apart]);
});

it('tells people what it did', () => {
  const source = `kernel void multiply(int n, global const float *a, global const float *b, global float *c) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int k = 0; k < 100; k++) sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;
}
`;
  expect(inspect(source, { name: 'multiply.cl', emit: 'vectors' }).output).toMatchInlineSnapshot(`
    "kernel multiply
      work-items from multiply.cl:2: 8 at once, 4 rows together
        4:12     loop    uniform                  k
        4:12     if      uniform                  k
        4:40     load    uniform                  a[y * n + k]
        4:55     load    consecutive, once for 4 rows b[k * n + x]
        5:3      store   consecutive              c[y * n + x] = sum
    "
  `);
});
