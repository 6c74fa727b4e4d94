/** The last lanes of loops that lanes leave at different iterations go on by themselves, and come to the same. */
import { describe, expect, it } from 'vitest';
import { cloneModule } from '../../src/ir/clone.ts';
import { printModule } from '../../src/ir/print.ts';
import { optimise } from '../../src/passes/pipeline.ts';
import { wasm } from '../../src/target/wasm.ts';
import { buffer, compileForTest, runOnInterpreter, value, wasmRunner } from '../support/run-kernel.ts';

/** Bodies that set `result`; `v` is between 0 and 66 and differs by work-item, `n` is the same for all, `in` has `v` of all. */
const bodies: Readonly<Record<string, string>> = {
  'a counter': 'int c = 0; while (c * c < v) c++; result = c;',
  'a way out in the middle': 'int d = 2; for (; d * d <= v; d++) if (v % d == 0) break; result = d;',
  'a return from a helper': 'result = least(v);',
  'two structures around it': `int found = 0;
    for (int a = 1; a < 6; a++) { for (int c = 0; c < v; c++) { if (c * a > 40) goto_out(a, c); found += c; }
      if (found > 300 && (v & 1)) break; found ^= a; } result = found;`,
  'values of several types': `long l = v; short s = (short)v; float f = v; double d = v; bool b = true; uchar u = (uchar)v;
    while (l > 3) { l = l / 2 + (s & 1); s = (short)(s * 3 + 1); f = f * 0.5f + d; d = d - 1.5; b = !b; u = (uchar)(u + 9); }
    result = (int)l + s * 2 + (int)f * 3 + (int)d * 5 + (b ? 7 : 0) + u * 11;`,
  'vectors of the program': `float4 p = (float4)(v, 1, 2, 3); int4 q = (int4)(v);
    while (p.x > 2.0f) { p = p.yzwx * 0.5f + (float4)(p.x * 0.25f); q += (int4)(1, 2, 3, 4); }
    result = (int)(p.x * 100) + q.x + q.w * 3;`,
  'pointers that differ': `global const int *p = in + v % 9; int s = 0;
    while (s < v) { s += *p + 1; p = in + (s & 31); } result = s * 64 + (int)(p - in);`,
  stores: `int at = get_global_id(0); for (int c = 0; c < v; c += 7) { out[at + 64 * (1 + c / 7 % 4)] = c; result = c; }`,
  'a truth that differs':
    'bool odd = v & 1; int c = v; while (c > 2) { odd = odd != (c % 3 == 0); c -= 2; } result = odd * 100 + c;',
  'a loop in it':
    'int s = 0; for (int c = 0; c < v; c++) { for (int k = 0; k < n; k++) s += k * c & 15; s = s > 99 ? s - 99 : s; } result = s;',
  'a loop around it': `int s = 0; for (int k = 0; k < n; k++) { int c = v + k; while (c & 3) c += s & 1 ? 3 : 1; s += c; } result = s;`,
  'a jump back from the middle': `int c = 0, s = 0; while (s < v) { c++; if ((c ^ v) & 1) continue; s += 5; } result = s * 16 + c;`,
  'an entry that few take': 'int c = 0; if (v > 60) while (c < v * 3) c += 1 + (c & 1); result = c;',
  'a switch in it': `int c = v, s = 0; while (c > 1) { switch (c & 3) { case 0: c >>= 2; break; case 1: s += c; c -= 1; break;
    default: c = c / 2; s ^= 5; if (s > 30) c = 0; } s++; } result = s;`,
};

function source(body: string): string {
  return `
int least(int v) { for (int d = 2; d * d <= v; d++) { if (v % d == 0) return d; } return v < 2 ? -7 : v; }
#define goto_out(a, c) { found += (a) * 100 + (c); break; }
kernel void test(int n, global const int *in, global int *out) {
  int v = in[get_global_id(0)], result = -1;
  ${body}
  out[get_global_id(0)] = result;
}`;
}

const count = 64;
const input = Int32Array.from({ length: count }, (_, at) => (at * 29 + 11) % 67);

describe.each(Object.entries(bodies))('%s', (_, body) => {
  const module = compileForTest(source(body));
  const range = { global: [count], local: [32] };
  const run = (how: (args: Parameters<typeof runOnInterpreter>[3]) => void): Int32Array => {
    const out = new Int32Array(count * 5);
    how([value.int(5), buffer(input), buffer(out)]);
    return out;
  };

  it.each([
    [2, 1],
    [4, 2],
    [8, 2],
    [8, 7],
    [16, 5],
  ] as const)('by %s lanes, the last %s of them alone', (lanes, fewLanes) => {
    const expected = run((args) => runOnInterpreter(module, 'test', range, args));
    const runner = wasmRunner(cloneModule(module), { lanes, fewLanes });
    expect(run((args) => runner('test', range, args))).toEqual(expected);
  });

  it('asks how many lanes are left', () => {
    const copy = cloneModule(module);
    optimise(copy, { target: wasm, vectorise: { lanes: 8, fewLanes: 2 } });
    expect(printModule(copy)).toMatch(/= count %/);
  });
});

describe('by what an iteration costs', () => {
  /** The kernel, as text, after vectorisation as the device does it. */
  function vectorText(body: string): string {
    const module = compileForTest(source(body));
    optimise(module, { target: wasm });
    return printModule(module);
  }

  it.each([
    ['divisions', 'int d = 2; while (d * d <= v && v % d) d++; result = d;'],
    [
      'square roots of many',
      'float x = v; int c = 0; while (x > 1.5f) { x = sqrt(x) * 1.1f + sin(x) * 0.25f; c++; } result = c;',
    ],
  ])('%s are expensive', (_, body) => {
    expect(vectorText(body)).toMatch(/= count %/);
  });

  it.each([
    [
      'steps of a point that escapes',
      'float x = 0, c = v * 0.03f - 1.5f; int k = 0; while (x * x < 4.0f && k < n) { x = x * x + c; k++; } result = k;',
    ],
    [
      'loops that all lanes leave together',
      'int s = 0; for (int k = 0; k < n; k++) s += v % (k + 1); result = s;',
    ],
    [
      'loops whose work-items may wait for each other',
      'int d = 2; while (d * d <= v && v % d) { d++; atomic_inc(out + 64); } result = d;',
    ],
    [
      'loops with private arrays',
      'int a[8]; for (int k = 0; k < 8; k++) a[k] = v + k; int d = 2; while (v % (a[d & 7] + 2)) d = d * 5 + v % d; result = d;',
    ],
  ])('%s are not left to single lanes', (_, body) => {
    expect(vectorText(body)).not.toMatch(/= count %/);
  });
});

it('finds the primes', () => {
  const module = compileForTest(`
    int prime(int n) { if (n < 2) return 0; for (int i = 2; i * i <= n; i++) if (n % i == 0) return 0; return 1; }
    kernel void test(global int *out) { int i = get_global_id(0); out[i] = prime(i); }`);
  const out = new Int32Array(4096);
  wasmRunner(module, { lanes: 'chosen' })('test', { global: [4096], local: [64] }, [buffer(out)]);
  const composite = new Set([0, 1]);
  for (let i = 2; i < 64; i += 1) for (let k = i * i; k < 4096; k += i) composite.add(k);
  expect(out).toEqual(Int32Array.from({ length: 4096 }, (_, i) => (composite.has(i) ? 0 : 1)));
});
