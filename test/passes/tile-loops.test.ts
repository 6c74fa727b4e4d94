/** Long loops cut into strips: what becomes of one, which stay whole, and that nothing else changes. */
import { describe, expect, it } from 'vitest';
import { cloneModule } from '../../src/ir/clone.ts';
import type * as ir from '../../src/ir/ir.ts';
import { printFunction } from '../../src/ir/print.ts';
import { assertValid } from '../../src/ir/verify.ts';
import { walkRegion } from '../../src/ir/walk.ts';
import { tileLoops } from '../../src/passes/ndrange/tile-loops.ts';
import { optimise } from '../../src/passes/pipeline.ts';
import { formWorkItemLoops } from '../../src/passes/workgroup/form-work-item-loops.ts';
import { openclC } from '../../src/target/opencl-c.ts';
import { buffer, compileForTest, runOnInterpreter, value, wasmRunner } from '../support/run-kernel.ts';
import { randomKernel } from './random-kernel.ts';
import { numbers, outputOf } from './run-stages.ts';

/** A kernel as the pass gets it. */
function prepared(source: string): ir.Module {
  const module = compileForTest(source);
  optimise(module, { target: openclC });
  return module;
}

function barriers(module: ir.Module): number {
  let count = 0;
  walkRegion(module.functions.at(-1)!.body!, ({ op }) => {
    if (op === 'barrier') count += 1;
  });
  return count;
}

const kernel = (body: string): string => `kernel void test(int n, global float *a, global float *b) {
  int x = get_global_id(0), y = get_global_id(1);
  ${body}
}`;
const sum = 'float s = 0; for (int k = 0; k < n; k++) s += a[k * n + x]; b[x] = s;';

it('writes strips, and a barrier between them', () => {
  const module = prepared(kernel(sum));
  tileLoops(module.functions[0]!, 32, openclC.cache, 16);
  assertValid(module, 'tile-loops');
  const text = printFunction(module.functions[0]!);
  expect(text.slice(text.indexOf('  %s ='), text.indexOf('  store'))).toMatchInlineSnapshot(`
    "  %s = constant 0.0 : f32
      %2 = constant 2 : i32
      %x = query global_id 0 : i32
      %s.1 = loop @L0 (%s.2: f32 = %s, %k: i32 = %0) : f32 {
        %3 = slt %k, %n : bool
        if %3 {
          yield
        } else {
          break @L0 %s.2
        }
        %4 = isub %n, %k : i32
        %5 = constant 16 : i32
        %6 = ugt %4, %5 : bool
        %7 = iadd %k, %5 : i32
        %8 = select %6, %7, %n : i32
        %s.3, %k.1 = loop @L1 (%s.4: f32 = %s.2, %k.2: i32 = %k) : f32, i32 {
          %9 = slt %k.2, %n : bool
          %10 = slt %k.2, %8 : bool
          if %10 {
            yield
          } else {
            break @L1 %s.4, %k.2
          }
          %11 = imul %k.2, %n : i32
          %12 = iadd %11, %x : i32
          %13 = shl %12, %2 : i32
          %14 = offset %a, %13 : ptr<global>
          %15 = load %14 align=4 : f32
          %s.5 = fadd contract %s.4, %15 : f32
          %k.3 = iadd %k.2, %1 : i32
          continue @L1 %s.5, %k.3
        }
        barrier ()
        continue @L0 %s.3, %8
      }
      %16 = shl %x, %2 : i32
      %17 = offset %b, %16 : ptr<global>
    "
  `);
});

describe('cuts', () => {
  const cuts = (body: string): number => {
    const module = prepared(kernel(body));
    tileLoops(module.functions[0]!, 32, openclC.cache);
    return barriers(module);
  };
  it('loops that read another line in each iteration', () => {
    expect(cuts(sum)).toBe(1);
    expect(cuts('float s = 0; for (int k = 0; k < n; k++) s += a[k * 16 + x]; b[x] = s;')).toBe(1);
    expect(cuts('float s = 0; for (int k = 0; k < n; k++) s += a[k * 15]; b[x] = s;')).toBe(0);
    expect(cuts('float s = 0; for (int k = 0; k < n; k++) s += a[x * n + k]; b[x] = s;')).toBe(0);
    expect(cuts('float s = 0; for (int k = 0; k < n; k++) s += a[(k * n + x) * 8]; b[x] = s;')).toBe(0);
  });
  it('those inside of others', () => {
    const inner = 'float s = 0; for (int k = 0; k < n; k++) s += a[k * n + j] * a[x + k]; b[x * n + j] = s;';
    expect(cuts(`for (int j = 0; j < n; j++) { ${inner} }`)).toBe(1);
  });
  it('those that compute much with what they keep', () => {
    const much = 'float16 v = a[k * n + x]; s += v * v * (v - 2) + (v + 1) * (v + 3);';
    expect(cuts(`float16 s = 0; for (int k = 0; k < n; k++) { ${much} } b[x] = s.s3 + s.s5;`)).toBe(1);
  });
  it('into shorter strips where an iteration reads in many lines', () => {
    const lengthOf = (body: string): string | undefined => {
      const module = prepared(kernel(body));
      tileLoops(module.functions[0]!, 32, openclC.cache, 128);
      return /isub %n.*\n.*constant (\d+) : i32\n *%\d+ = ugt/.exec(printFunction(module.functions[0]!))?.[1];
    };
    expect(lengthOf(sum)).toBe('128');
    const four = 's += a[k * n + x] + a[k * n * 2 + x] * a[k * n * 3 + x] + a[k * n * 4 + x];';
    expect(lengthOf(sum.replace('s += a[k * n + x];', four))).toBe('32');
  });
  it('none that work-items leave at different iterations, or may not come to', () => {
    expect(cuts('float s = 0; for (int k = 0; k < x; k++) s += a[k * n + x]; b[x] = s;')).toBe(0);
    expect(cuts(`if (n > 3) { ${sum} }`)).toBe(1);
    expect(cuts(`if (n < 3) return; ${sum}`)).toBe(1);
    expect(cuts(sum.replace('s += a[k * n + x];', '{ if (s > 9) break; s += a[k * n + x]; }'))).toBe(0);
  });
  it('those that guards keep work-items out of', () => {
    expect(cuts(`if (x < n) { ${sum} }`)).toBe(1);
    expect(cuts(`if (x >= n) return; ${sum}`)).toBe(1);
    expect(cuts(`if (x >= n) { b[x] = 1; return; } if (y == 3) return; ${sum} b[y] = 2;`)).toBe(1);
    expect(cuts(`if (x < n) { b[y] = 4; if (x < y) { ${sum} } }`)).toBe(1);
    expect(cuts(`if (x < n) { { ${sum} } { ${sum.replace('n + x', 'n + x + 1')} } }`)).toBe(2);
    expect(cuts(`if (x < n) { ${sum} } else b[x] = 1;`)).toBe(1);
    // with more to it than a guard
    expect(cuts(`if (x < n) { ${sum} } else { ${sum} }`)).toBe(0);
    expect(cuts(`for (int j = 0; j < x; j++) { ${sum} }`)).toBe(0);
    // with a bound, or a condition, that is not known without it
    expect(cuts(`if (x < n) { int m = b[0]; ${sum.replace('k < n', 'k < m')} }`)).toBe(0);
    expect(cuts(`if (x < n) { if (b[x] > 3) { ${sum} } }`)).toBe(0);
    // with a bound that is far away where nobody comes in
    const unsigned = (bound: string) =>
      sum.replace('int k', 'uint k').replace('k < n', `k < (uint)n ${bound}`);
    expect(cuts(`if (x < n) { ${unsigned('- 1')} }`)).toBe(0);
    expect(cuts(`if (x < n) { ${unsigned('+ 1')} }`)).toBe(1);
    expect(cuts(unsigned('- 1'))).toBe(1);
    expect(cuts(`if (x < n) { b[x] = 3; barrier(1); ${sum} }`)).toBe(1);
  });
  it('none that are short, or keep much for each work-item', () => {
    expect(cuts(sum.replace('k < n', 'k < 200'))).toBe(0);
    expect(cuts(sum.replace('k < n', 'k < 300'))).toBe(1);
    expect(cuts('float16 s = 0; for (int k = 0; k < n; k++) s += a[k * n + x]; b[x] = s.s3;')).toBe(0);
    const own = 'float own[2000]; for (int k = 0; k < n; k++) own[k & 1023] = a[k * n + x];';
    expect(cuts(`${own} b[x] = own[n];`)).toBe(0);
  });
});

const counted = [
  { name: 'signed, from elsewhere', head: 'int k = -5; k < n - 9; k++' },
  { name: 'unsigned', head: 'uint k = 3; k < (uint)n; k++' },
  { name: 'with longer steps', head: 'int k = 0; k < n; k += 3' },
  { name: 'to the last number there is', head: 'uint k = 0xfffffffeu - (uint)n; k < 0xffffffffu; k++' },
];

it.each(counted)('$name, to the same sums', ({ head }) => {
  const source = `kernel void test(int n, global const int *in, global int *out) {
    int x = get_global_id(0), s = 0, t = 1;
    for (${head}) { s += in[((k * n + x) & 1023)] * (int)k; t ^= s; }
    out[x] = s ^ t;
  }`;
  const input = numbers(1024);
  const range = { global: [14], local: [7] };
  // No iteration, less than a strip, whole strips, and more than that.
  for (const n of [0, 1, 100, 128, 256, 300]) {
    const [expected, actual] = [new Int32Array(14), new Int32Array(14)];
    const given = (out: Int32Array) => [value.int(n), buffer(input), buffer(out)];
    runOnInterpreter(compileForTest(source), 'test', range, given(expected));
    wasmRunner(compileForTest(source), { lanes: 4 })('test', range, given(actual));
    expect(actual, `${n}`).toEqual(expected);
  }
});

const loop = (what: string): string => `for (int k = 0; k < n; k++) ${what}`;
const sums = loop('s += in[k * 16 + x] * (k + y);');
const guarded = [
  { name: 'a guard', body: `if (x < 5 && y < 1) { ${sums} out[at] = s; }` },
  { name: 'the other side of one', body: `if (x > 4 || y > n) { } else { ${sums} out[at] = s; }` },
  { name: 'one that nobody passes', body: `if (x > 70) { ${sums} out[at] = s; }` },
  { name: 'an early return', body: `if (x < y) return; ${sums} out[at] = s;` },
  {
    name: 'several, with effects',
    body: `if (x < y) { out[at] = 7; return; } out[at] = 9; if (x == 6) return; ${sums} out[at] += s;`,
  },
  {
    name: 'a guard in a guard, with values that outlive the loop',
    body: `int v = 3; if (x < 6) { v = in[x + 1]; s = in[y]; if (y != 1) { int w = in[v & 7]; ${sums} s ^= w; out[at] = s; } out[at] -= v; }`,
  },
  {
    name: 'a guard around two loops',
    body: `if (x < 6) { int v = in[x]; ${sums} int t = s * v; ${loop('t ^= in[k * 16 + x];')} out[at] = s * 3 + t + v; }`,
  },
  { name: 'a guard that gives a value', body: `if (x < 6) { ${sums} } else s = in[y]; out[at] = s;` },
  { name: 'a guard in a loop', body: `for (int j = 1; j < 4; j++) if (x > j) { ${sums} out[at] += s * j; }` },
  { name: 'a guard after a barrier', body: `out[at] = 4; barrier(2); if (x > y) { ${sums} out[at] += s; }` },
  { name: 'stores in the loop', body: `if (x < 5) { out[at] = x; ${loop('out[at] += in[k * 16 + y];')} }` },
];

it.each(guarded)('$name around a loop, to the same results', ({ body }) => {
  const source = `kernel void test(int n, global const int *in, global int *out) {
    int x = get_global_id(0), y = get_global_id(1), s = 1, at = y * 10 + x;
    ${body}
  }`;
  const cutModule = prepared(source);
  tileLoops(cutModule.functions[0]!, 32, openclC.cache);
  expect(printFunction(cutModule.functions[0]!)).toContain('ugt %');
  assertValid(cutModule, 'tile-loops');
  const input = numbers(5000);
  const range = { global: [10, 2], local: [5, 2] };
  for (const n of [0, 128, 300]) {
    const [expected, actual] = [new Int32Array(20), new Int32Array(20)];
    const given = (out: Int32Array) => [value.int(n), buffer(input), buffer(out)];
    runOnInterpreter(compileForTest(source), 'test', range, given(expected));
    wasmRunner(compileForTest(source), { lanes: 4 })('test', range, given(actual));
    expect(actual, `${n}`).toEqual(expected);
  }
});

it('leaves contextArrays to the work-items that a guard lets in', () => {
  const module = prepared(kernel(`if (x < n) { ${sum} }`));
  tileLoops(module.functions[0]!, 32, openclC.cache);
  formWorkItemLoops(module.functions[0]!, 32);
  assertValid(module, 'form-work-item-loops');
  const text = printFunction(module.functions[0]!);
  const [start, ...guards] = text.split(/^ *if %\d+ \{\n(?= *%s)/m);
  expect(start).not.toContain('context_read');
  expect(guards).toHaveLength(2);
  expect(guards[0]).toMatch(/^ *%s\S* = context_read \$s : f32\n *%s.*loop/);
});

describe('random kernels do the same', () => {
  for (let seed = 1; seed <= 60; seed += 1) {
    it(`seed ${seed}`, () => {
      const module = randomKernel(seed);
      const range = { global: [4, 2], local: [2, 2] };
      const given = { input: numbers(128, seed), n: seed % 7 };
      const expected = outputOf(module, range, given);
      const copy = cloneModule(module);
      optimise(copy, { target: openclC });
      tileLoops(copy.functions[0]!, copy.addressBits, openclC.cache, 2);
      assertValid(copy, 'tile-loops');
      formWorkItemLoops(copy.functions[0]!, copy.addressBits);
      expect(outputOf(copy, range, given)).toEqual(expected);
    });
  }
});

it('looks once at what many values under a guard come from', () => {
  const steps = Array.from({ length: 48 }, (_, at) => `s = s > ${at * 5} ? s - ${at} : s * 3 + x;`).join(
    '\n',
  );
  const source = `kernel void test(global const int *in, global int *out, int n, int height) {
    int x = get_global_id(0), s = x;
    if (x < n) {
      ${steps}
      for (int k = 0; k < height; k++) s += in[k * 64 + x];
      out[x] = s;
    }
  }`;
  const input = Int32Array.from({ length: 64 * 4 }, (_, at) => at * 7);
  const output = new Int32Array(64);
  const args = [buffer(input), buffer(output), value.int(50), value.int(4)];
  wasmRunner(compileForTest(source), { lanes: 'chosen' })('test', { global: [64], local: [64] }, args);
  const expected = Array.from({ length: 64 }, (_, x) => {
    if (x >= 50) return 0;
    let s = x;
    for (let at = 0; at < 48; at += 1) s = s > at * 5 ? s - at : s * 3 + x;
    for (let k = 0; k < 4; k += 1) s += input[k * 64 + x]!;
    return s;
  });
  expect([...output]).toEqual(expected);
});
