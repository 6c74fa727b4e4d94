/**
 * Kernels whose helpers stay functions must leave what they leave on the interpreter, which runs them as they were
 * lowered. Each helper reaches for something that belongs to its caller or to the work-item.
 */
import { expect, it } from 'vitest';
import { buffer, compileForTest, runOnInterpreter, value, wasmRunner } from '../support/run-kernel.ts';

const items = 16;

function expectSame(source: string): void {
  const inputs = Int32Array.from({ length: items }, (_, n) => (n * 37) % 11);
  const range = { global: [items], local: [8] };
  const run = (runner: (args: Parameters<typeof runOnInterpreter>[3]) => void): Int32Array => {
    const output = new Int32Array(items);
    runner([buffer(inputs.slice()), buffer(output), value.int(3), { local: 32 }]);
    return output;
  };
  const expected = run((args) => runOnInterpreter(compileForTest(source), 'k', range, args));
  expect(new Set(expected).size).toBeGreaterThan(2);
  for (const disabled of [false, true]) {
    const module = compileForTest(source);
    const runner = wasmRunner(module, { inlineLimit: 0, disabled });
    expect(module.functions.some((fn) => fn.kind === 'function')).toBe(true);
    expect(run((args) => runner('k', range, args))).toEqual(expected);
  }
}

const head = 'kernel void k(global int *in, global int *out, int n, local int *tile)';

it('private arrays that helpers write live from one barrier to the next', () => {
  expectSame(`
    void fill(int *a, int from) { for (int i = 0; i < 5; i++) a[i] = from * i; }
    int sum(const int *a) { int s = 0; for (int i = 0; i < 5; i++) s += a[i]; return s; }
    ${head} {
      int a[5];
      int x = get_local_id(0);
      fill(a, in[get_global_id(0)]);
      tile[x] = a[2];
      barrier(CLK_LOCAL_MEM_FENCE);
      a[x % 5] += tile[7 - x];
      barrier(CLK_LOCAL_MEM_FENCE);
      out[get_global_id(0)] = sum(a);
    }`);
});

it('ids, arrays of their own, early returns and calls of further helpers', () => {
  expectSame(`
    int inner(int v) { int own[3]; own[v % 3] = v; own[(v + 1) % 3] = v * 2; own[(v + 2) % 3] = 7; return own[1]; }
    int outer(int v) { if (v > 6) return (int)get_global_id(0) * 100; return inner(v) + (int)get_local_id(0); }
    ${head} {
      int r = outer(in[get_global_id(0)]);
      tile[get_local_id(0)] = r;
      barrier(CLK_LOCAL_MEM_FENCE);
      out[get_global_id(0)] = outer(r % 9) * 1000 + tile[7 - get_local_id(0)];
    }`);
});

it('memory is read again after a call, and what a call decides may part work-items', () => {
  expectSame(`
    void bump(global int *p, int by) { p[0] += by; }
    int bound(int n) { return n + (int)get_group_id(0); }
    ${head} {
      int g = get_global_id(0), x = get_local_id(0);
      int before = in[g];
      bump(in + g, 5);
      int after = in[g];
      int total = 0;
      for (int i = 0; i < bound(n); i++) {
        tile[x] = after + i;
        barrier(CLK_LOCAL_MEM_FENCE);
        total += tile[7 - x];
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      out[g] = before * 1000 + total;
    }`);
});

it('vectors, masks and structs travel', () => {
  expectSame(`
    typedef struct { int4 v; int k; } pair;
    pair make(int x) { pair p; p.v = (int4)(x, x + 1, x * 2, -x); p.k = x; return p; }
    int4 pick(int4 mask, pair p) { return select((int4)(p.k), p.v, mask); }
    ${head} {
      int g = get_global_id(0);
      pair p = make(in[g]);
      int4 r = pick(p.v > (int4)(4), p);
      out[g] = r.x + r.y * 10 + r.z * 100 + r.w * 1000;
    }`);
});

it('a helper with more parameters than engines take does not stay a function', () => {
  const names = Array.from({ length: 1030 }, (_, n) => `p${n}`);
  const module = compileForTest(`
    int first(${names.map((name) => `int ${name}`).join(', ')}) { return ${names.at(0)} - ${names.at(-1)}; }
    kernel void k(global int *out) {
      int x = get_global_id(0);
      out[x] = first(${names.map((_, n) => (n === 0 ? 'x' : String(n))).join(', ')});
    }`);
  const output = new Int32Array(4);
  const runner = wasmRunner(module, { inlineLimit: 0 });
  runner('k', { global: [4], local: [4] }, [buffer(output)]);
  expect([...output]).toEqual([-1029, -1028, -1027, -1026]);
});
