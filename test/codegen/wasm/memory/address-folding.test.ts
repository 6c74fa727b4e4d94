/**
 * Accesses through pointers that were moved by a constant with indices that move them back: what is left of the address without the
 * constant lies before all memory. Each kernel's memory begins where the code has been told that it may, first a buffer, so
 * that nothing is in front of it.
 */
import { expect, it } from 'vitest';
import { compileModule } from '../../../../src/codegen/wasm/module/compile-module.ts';
import { listModule } from '../../../../src/codegen/wasm/module/listing.ts';
import { optimise } from '../../../../src/passes/pipeline.ts';
import { Random } from '../../../support/random.ts';
import {
  buffer,
  compileForTest,
  runOnInterpreter,
  type WasmOptions,
  wasmRunner,
} from '../../../support/run-kernel.ts';

const items = 48;
const elements = 1_000_000;

/** Each writes `b` from the elements of `a` around its middle, through pointers that are moved beyond that, and back. */
const kernels: Readonly<Record<string, string>> = {
  'loads of neighbours': `
    kernel void k(global int *a, global int *b) {
      a += 614400;
      int x = get_global_id(0);
      b[x] = a[x - 307200] + 3 * a[x - 307199];
    }`,
  stores: `
    kernel void k(global int *a, global int *b) {
      int x = get_global_id(0);
      a += 700000;
      b += 700000;
      b[x - 400000] = a[x - 390000] ^ a[x - 700000];
    }`,
  'loads under conditions': `
    kernel void k(global int *a, global int *b) {
      int x = get_global_id(0);
      a += 900000;
      if (a[x - 600000] > 0) b[x] = a[x - 599000];
      else b[x] = (x & 1) ? a[x - 800000] : 5;
    }`,
  'vectors, halves of vectors, and structs': `
    typedef struct { char tag; short values[3]; long most; } record;
    kernel void k(global int *a, global int *b) {
      int x = get_global_id(0);
      global int4 *v = (global int4 *)a + 200000;
      global record *r = (global record *)a + 150000;
      global int *w = b + 800000;
      int4 sum = v[x - 150000] + v[x - 199999];
      vstore3(sum.xyz + vload3(x, a + 300000), 0, w + (x * 4 - 790000));
      w[x * 4 - 789997] = r[x - 140000].values[2];
      r[x - 120000].most = x;
    }`,
  'elements that lie apart': `
    kernel void k(global int *a, global int *b) {
      int x = get_global_id(0);
      global short *s = (global short *)a + 1600000;
      b += 800000;
      b[x * 3 - 800000] = s[x * 37 - 1200000];
      b[x * 3 - 799999] = s[(47 - x) * 5 - 1599999];
      b[x * 3 - 799998] = s[a[x] % 99 - 1500000];
    }`,
  'elements that lie apart, of lanes whose neighbours would be before all memory': `
    kernel void k(global int *a, global int *b) {
      int x = get_global_id(0);
      if (x >= 4) a[(x - 4) * 1000] = x;
      if (x >= 10) b[x] = a[(x - 10) * 900 + 1];
      if (x >= 3) b[(x - 3) * 300000 / 40] += x;
    }`,
  'loops that go on one by one': `
    kernel void k(global int *a, global int *b) {
      int x = get_global_id(0), s = 0;
      a += 800000;
      for (int i = a[x - 800000] % 7; s < 5000 && i < 90 + x; i++) s += a[i - 500000] % 100;
      for (int i = 0; i < x; i++) s ^= a[i * 1000 - 700000 + x];
      b[x] = s;
    }`,
  'pointers that walk': `
    kernel void k(global int *a, global int *b) {
      int x = get_global_id(0), s = 0;
      global int *p = a + 900000;
      p += x - 890000;
      for (int i = 0; i < 30; i++, p += 20000) s += *p * i;
      global int *q = a + 500000 - (x + 1) * 8000;
      do s -= q[8]; while ((q -= 1000) > a + 90000);
      b[x] = s;
    }`,
  atomics: `
    kernel void k(volatile global int *a, volatile global int *b) {
      int x = get_global_id(0);
      a += 600000;
      b += 600000;
      b[x - 500000] = atomic_add(&a[x - 599000], 3) + atomic_min(a + x - 598000, 40) + atomic_xchg(&b[x - 400000], x);
    }`,
  'private arrays': `
    kernel void k(global int *a, global int *b) {
      int own[300000];
      int x = get_global_id(0);
      for (int i = 0; i < 40; i++) own[i * 7000 + x] = a[i + x];
      int *p = own + 290000;
      int s = 0;
      for (int i = 0; i < 40; i++) s = s * 3 + p[i * 7000 + x - 290000];
      b[x] = s + p[(x & 3) * 7000 + x - 290000];
    }`,
  'local arrays': `
    kernel void k(global int *a, global int *b) {
      local int tile[12000];
      int x = get_global_id(0), l = get_local_id(0), n = get_local_size(0);
      local int *p = tile + 11900;
      for (int i = 0; i < 10; i++) p[i * 1000 + l - 11900] = a[x + i];
      barrier(CLK_LOCAL_MEM_FENCE);
      int s = 0;
      for (int i = 0; i < 10; i++) s = s * 3 + p[i * 1000 - 11900 + (n - 1 - l)];
      b[x] = s;
    }`,
  'pointers that lie in memory': `
    kernel void k(global int *a, global int *b) {
      global int *table[4];
      int x = get_global_id(0), s = 0;
      for (int i = 0; i < 4; i++) table[i] = a + 100000 * i + 400000;
      for (int i = 0; i < 4; i++) s = s * 5 + table[(i + x) & 3][x - 390000];
      b[x] = s;
    }`,
};

const ways: Readonly<Record<string, WasmOptions>> = {
  'one by one': {},
  'as the device vectorises': { lanes: 'chosen' },
  'vectorised by 8': { lanes: 8 },
  'not optimised': { disabled: true },
};

const range = { global: [items], local: [16] };

it.each(Object.entries(kernels))('%s', (_name, source) => {
  const random = new Random(17);
  const a = Int32Array.from({ length: elements }, () => random.below(1000) - 300);
  const run = (launch: (args: { buffer: Uint8Array }[]) => void): Int32Array[] => {
    const arrays = [a.slice(), new Int32Array(elements)];
    launch(arrays.map(buffer));
    return arrays;
  };
  const module = () => compileForTest(source);
  const expected = run((args) => runOnInterpreter(module(), 'k', range, args));
  expect(expected[1]!.some((value) => value !== 0)).toBe(true);
  for (const lowestAddress of [1 << 20, 65536, 1024]) {
    for (const [name, way] of Object.entries(ways)) {
      const where = `${name}, with memory from ${lowestAddress} on`;
      const actual = run((args) => {
        const kernel = wasmRunner(module(), { ...way, lowestAddress });
        expect(() => kernel('k', range, args), where).not.toThrow();
      });
      for (const [index, array] of actual.entries()) {
        expect(Buffer.compare(bytesOf(array), bytesOf(expected[index]!)), `${where}, argument ${index}`).toBe(
          0,
        );
      }
    }
  }
});

function bytesOf({ buffer }: Int32Array): Uint8Array {
  return new Uint8Array(buffer);
}

/** The offsets of a kernel's loads from `a`. */
function offsetsOf(source: string, lowestAddress?: number): number[] {
  const module = compileForTest(source);
  optimise(module, {});
  const options = { shared: false, ...(lowestAddress ? { lowestAddress } : {}) };
  const text = listModule(compileModule(module, options).bytes);
  return [...text.matchAll(/f32\.load offset=(\d+)/g)].map(([, offset]) => Number(offset));
}

it('constants are folded where that is safe, so that usual kernels pay nothing', () => {
  const neighbours = `kernel void k(global float *a, global float *b) {
    int x = get_global_id(0);
    b[x] = a[x] + a[x + 1] + a[x + 2];
  }`;
  expect(offsetsOf(neighbours)).toEqual([4, 8]);
  expect(offsetsOf(neighbours, 1024)).toEqual([4, 8]);
  // Behind what was computed as far as memory is empty at its beginning, behind an object's start without a limit.
  const moved = `kernel void k(global float *a, global float *b) {
    int x = get_global_id(0);
    a += 200000;
    b[x] = a[x] + a[0];
  }`;
  expect(offsetsOf(moved)).toEqual([800000, 800000]);
  expect(offsetsOf(moved, 1024)).toEqual([800000]);
});
