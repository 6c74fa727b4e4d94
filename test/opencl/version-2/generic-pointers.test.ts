// Generic pointers (OpenCL 2.0, 6.5.5 and 6.13.9): functions that do not care where their arguments point to, pointers whose
// space is only known when the kernel runs, and the functions that ask for it.
import { describe, expect, it } from 'vitest';
import { printModule } from '../../../src/ir/print.ts';
import { optimise } from '../../../src/passes/pipeline.ts';
import { expectEverywhere } from '../../support/opencl-2.ts';
import { compileForTest } from '../../support/run-kernel.ts';

const range = { global: [32], local: [16] };

describe('generic pointers', () => {
  it('one function serves pointers to global, local and private memory', () => {
    const source = `
      int sum(const int *p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }
      kernel void k(global int *out, local int *l) {
        int x = get_local_id(0);
        int own[4] = { x, x + 1, x + 2, x + 3 };
        l[x] = x;
        out[get_global_id(0)] = 7 * x;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        global int *mine = out + get_global_id(0);
        int total = sum(own, 4) + 100 * sum(l, 16) + sum(mine, 1) * 100000;
        barrier(CLK_GLOBAL_MEM_FENCE);
        out[get_global_id(0)] = total;
      }`;
    const expected = Int32Array.from({ length: 32 }, (_, g) => {
      const x = g % 16;
      return 4 * x + 6 + 100 * 120 + 7 * x * 100000;
    });
    expectEverywhere(source, range, expected, () => [{ local: 64 }]);
  });

  it('a pointer may lead to another space in each work-item', () => {
    const source = `
      void put(int *p, int v) { *p = v; }
      kernel void k(global int *out, local int *l) {
        int x = get_local_id(0);
        int own = -1;
        l[x] = -2;
        out[get_global_id(0)] = -3;
        int *p;
        if (x % 3 == 0) p = &own;
        else if (x % 3 == 1) p = l + x;
        else p = out + get_global_id(0);
        put(p, 5 + x);
        barrier(CLK_LOCAL_MEM_FENCE);
        int kept = out[get_global_id(0)];
        out[get_global_id(0)] = own * 10000 + l[x] * 100 + kept;
      }`;
    const expected = Int32Array.from({ length: 32 }, (_, g) => {
      const x = g % 16;
      const [own, local, kept] = [0, 1, 2].map((part) => (x % 3 === part ? 5 + x : -1 - part)) as [
        number,
        number,
        number,
      ];
      return own * 10000 + local * 100 + kept;
    });
    expectEverywhere(source, range, expected, () => [{ local: 64 }]);
  });

  it('pointers keep their space in memory', () => {
    const source = `
      struct place { int *at; int n; };
      int first(struct place *p) { return p->at[p->n]; }
      kernel void k(global int *out) {
        local int shared[16];
        int own[2] = { 11, 12 };
        int x = get_local_id(0);
        shared[x] = 100 + x;
        barrier(CLK_LOCAL_MEM_FENCE);
        struct place places[2] = { { own, 1 }, { shared, 3 } };
        out[get_global_id(0)] = first(places + (x & 1));
      }`;
    const expected = Int32Array.from({ length: 32 }, (_, g) => (g & 1 ? 103 : 12));
    expectEverywhere(source, range, expected);
  });

  const spaces = (space: string): string => `
    int spaceOf(int *p) {
      return (to_global(p) ? 1 : 0) + (to_local(p) ? 2 : 0) + (to_private(p) ? 4 : 0) + 8 * get_fence(p);
    }
    kernel void k(global int *out, local int *l, int n) {
      local int shared[16];
      int own[4] = { n, n, n, n };
      int x = get_local_id(0);
      l[x] = shared[x] = 1;
      ${space}
      barrier(CLK_LOCAL_MEM_FENCE);
      out[get_global_id(0)] = spaceOf(p);
    }`;
  const global = 1 + 8 * 2;
  const local = 2 + 8 * 1;
  it.each([
    ['known: global', 'int *p = out;', () => global],
    ['known: local', 'int *p = l + 3;', () => local],
    ['known: private', 'int *p = own;', () => 4],
    [
      'from all',
      'int *p = x < 4 ? own + (x & 3) : (int *)(x < 8 ? l + x : x < 12 ? shared + x : (int *)out);',
      (x: number) => (x < 4 ? 4 : x < 12 ? local : global),
    ],
    [
      'from memory',
      'int *all[3]; all[0] = own; all[1] = shared + x; all[2] = out + x; int *p = all[(x + n) % 3];',
      (x: number) => [4, local, global][(x + 1) % 3]!,
    ],
  ] as const)('to_global, to_local, to_private and get_fence: %s', (_, space, meaning) => {
    const expected = Int32Array.from({ length: 32 }, (_, g) => meaning(g % 16));
    expectEverywhere(spaces(space), range, expected, () => [
      { local: 64 },
      { bytes: new Uint8Array(Int32Array.of(1).buffer) },
    ]);
  });

  it('casts, comparisons and choices across spaces', () => {
    const source = `
      kernel void k(global int *out, local int *l) {
        size_t g = get_global_id(0);
        int own = 3;
        int *p = &own, *q = out + g;
        global int *back = (global int *)q;
        *back = 1;
        int *either = g & 1 ? p : out + g;
        *either += 5;
        out[g] += 100 * (p == q) + 1000 * (back == q) + 10000 * (either == &own) + own;
        if (p == 0 || !q) out[g] = -1;
      }`;
    const expected = Int32Array.from({ length: 32 }, (_, g) => (g & 1 ? 1 + 1000 + 10000 + 8 : 6 + 1000 + 3));
    expectEverywhere(source, range, expected, () => [{ local: 64 }]);
  });

  it.each([
    [
      'constant pointers do not convert',
      'constant int c = 1; void f(int *p); void g(void) { f(&c); }',
      /passing '__constant int \*' to parameter of type '__generic int \*' changes address space of pointer/,
    ],
    [
      'nor are they cast',
      'constant int c = 1; int *g(void) { return (int *)&c; }',
      /casting '__constant int \*' to type '__generic int \*' changes address space/,
    ],
    [
      'a generic pointer does not become a global one by itself',
      'void f(int *p) { global int *q = p; }',
      /initializing '__global int \*' with an expression of type '__generic int \*' changes address space/,
    ],
    [
      'pointers to different spaces do not meet',
      'void f(global int *p, local int *q, int c) { int *r = c ? p : q; }',
      /non-overlapping address spaces/,
    ],
    ['kernels take none', 'kernel void f(int *p) {}', /pointer arguments to kernel functions must reside in/],
    [
      'to_global of a constant pointer',
      'void f(constant int *p) { to_global(p); }',
      /no matching function for call to 'to_global'/,
    ],
  ])('%s', (_, source, message) => {
    expect(() => compileForTest(source, '-cl-std=CL2.0')).toThrow(message);
  });

  it('are not there before version 2.0', () => {
    expect(() => compileForTest('void f(global int *p) { int *q = p; }')).toThrow(/changes address space/);
    expect(() => compileForTest('void f(generic int *p) {}')).toThrow(/does not support the 'generic'/);
    expect(() => compileForTest('int to_global; kernel void f(global int *p) { *p = ctz(1); }')).toThrow(
      /ctz/,
    );
  });

  it('are resolved when the kernel is compiled where that is possible', () => {
    const module = compileForTest(
      `float dot4(const float *a, const float *b) {
         float s = 0; for (int i = 0; i < 4; i++) s += a[i] * b[i]; return s; }
       kernel void k(global float *out, local float *l) {
         float own[4] = { 1, 2, 3, 4 };
         const float *p = own;
         for (int i = 0; i < 3; i++) { *out += dot4(p, out) + (to_local(l + i) ? 1 : 2); p = own; }
       }`,
      '-cl-std=CL2.0',
    );
    optimise(module);
    expect(printModule(module)).not.toMatch(/generic|in_space|variable/);
  });
});
