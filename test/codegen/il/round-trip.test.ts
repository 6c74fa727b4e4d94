/**
 * OpenCL C to IL and back: what a kernel computes as IL, read by our front end for IL, is what it computes itself. Each program runs on the
 * interpreter and as WebAssembly, and the kernel itself on the interpreter, from what the front end delivers.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { generateKernel } from '../../../conformance/generator/generate.ts';
import { compileIl } from '../../../src/build/compile-il.ts';
import { kernelsAsIl } from '../../../src/build/kernels-as-il.ts';
import type { IlProgram } from '../../../src/codegen/il/write-il.ts';
import { compileOpenCL } from '../../../src/opencl/compile.ts';
import { renderDiagnostics } from '../../../src/source/render.ts';
import { runIl } from '../../il/lower/run-il.ts';
import {
  compileForTest,
  runOnInterpreter,
  type TestArgument,
  type TestRange,
} from '../../support/run-kernel.ts';

/** The program of the first kernel. */
function written(
  source: string,
  groupSize: readonly [number, number, number],
): { program: IlProgram | undefined; log: string } {
  const { kernels, diagnostics } = kernelsAsIl(compileForTest(source), { groupSize, localBytes: 1024 });
  return { program: kernels[0]!.program, log: renderDiagnostics(diagnostics.list) };
}

/** The words of cb0 and cb1. */
function constantsOf(
  program: IlProgram,
  range: TestRange,
  args: readonly TestArgument[],
): Record<number, Uint32Array> {
  const three = (list: readonly number[] | undefined, otherwise: number): number[] =>
    [0, 1, 2].map((dimension) => list?.[dimension] ?? otherwise);
  const [global, local] = [three(range.global, 1), three(range.local, 1)];
  const groups = global.map((size, dimension) => size / local[dimension]!);
  const launch = Uint32Array.from([...global, 0, ...local, 0, ...groups, 0, 0, 0, 0, range.global.length]);
  const own = new Uint32Array(Math.max(1, program.constants) * 4);
  program.arguments.forEach((argument, index) => {
    const given = args[index]!;
    if (argument.kind === 'constants' && 'bytes' in given) {
      new Uint8Array(own.buffer).set(given.bytes.subarray(0, argument.bytes), argument.element * 16);
    }
  });
  return program.constants > 0 ? { 0: launch, 1: own } : { 0: launch };
}

/** Runs a kernel both ways, and compares its buffers. */
function compare(source: string, kernel: string, range: TestRange, args: readonly TestArgument[]): string {
  const [x = 1, y = 1, z = 1] = range.local;
  const { program, log } = written(source, [x, y, z]);
  if (!program) throw new Error(log);
  const copies = args.map((argument) =>
    'buffer' in argument ? { buffer: argument.buffer.slice() } : argument,
  );
  runOnInterpreter(compileForTest(source), kernel, range, copies);
  const uavs: Record<number, Uint8Array> = {};
  program.arguments.forEach((argument, index) => {
    const given = args[index]!;
    if (argument.kind === 'uav' && 'buffer' in given) uavs[argument.id] = given.buffer.slice();
  });
  const groups = [0, 1, 2].map((dimension) => (range.global[dimension] ?? 1) / [x, y, z][dimension]!);
  runIl(program.text, { groups, constants: constantsOf(program, range, args), uavs });
  program.arguments.forEach((argument, index) => {
    const copy = copies[index]!;
    if (argument.kind !== 'uav' || !('buffer' in copy)) return;
    expect(Array.from(uavs[argument.id]!), `argument ${index} of\n${source}\n${program.text}`).toEqual(
      Array.from(copy.buffer),
    );
  });
  return program.text;
}

const bytes = (array: ArrayBufferView): { buffer: Uint8Array } => ({
  buffer: new Uint8Array(array.buffer, array.byteOffset, array.byteLength),
});
const value = (array: ArrayBufferView): { bytes: Uint8Array } => ({
  bytes: new Uint8Array(array.buffer, array.byteOffset, array.byteLength),
});
const ramp = (count: number): Int32Array => Int32Array.from({ length: count }, (_, index) => index * 3 - 20);
const floats = (count: number): Float32Array =>
  Float32Array.from({ length: count }, (_, index) => index / 4 - 3);
const doubles = (count: number): Float64Array =>
  Float64Array.from({ length: count }, (_, index) => index / 3 - 2);
const longs = (count: number): BigInt64Array =>
  BigInt64Array.from({ length: count }, (_, index) => BigInt(index * 7 - 40) * 0x123456789n);

const range = { global: [16], local: [8] };

describe('kernels', () => {
  it.each<[string, string, TestArgument[], TestRange?]>([
    [
      'scale',
      'kernel void scale(global float *x, float f, int n) { int i = get_global_id(0); if (i < n) x[i] *= f; }',
      [bytes(floats(16)), value(Float32Array.of(2.5)), value(Int32Array.of(13))],
    ],
    [
      'k',
      'kernel void k(global float4 *x, float4 f) { int i = get_global_id(0); x[i] = x[i].wzyx * f + (float4)(1, 2, 3, 4); }',
      [bytes(floats(64)), value(Float32Array.of(1, 2, 3, 4))],
    ],
    [
      'k',
      'kernel void k(global int *x) { int i = get_global_id(0); x[i] = x[i] / 7 + x[i] % 5 * (x[i] >> 1) - (x[i] << 3); }',
      [bytes(ramp(16))],
    ],
    [
      'k',
      'kernel void k(global uint *x) { int i = get_global_id(0); x[i] = (x[i] / 7u) ^ (x[i] % 9u) ^ (x[i] >> 3) ^ rotate(x[i], 5u) ^ clz(x[i]) ^ popcount(x[i]) ^ mul_hi(x[i], 77777777u); }',
      [bytes(ramp(16))],
    ],
    [
      'k',
      'kernel void k(global char *x, global uchar *y, global short *z) { int i = get_global_id(0); x[i] = x[i] * 3 / 2; y[i] = y[i] / 3 + (y[i] >> 1); z[i] -= x[i] * y[i]; }',
      [bytes(Int8Array.from(ramp(16))), bytes(Uint8Array.from(ramp(16))), bytes(Int16Array.from(ramp(16)))],
    ],
    [
      'k',
      'kernel void k(global long *x, long a) { int i = get_global_id(0); x[i] = (x[i] + a) * 3 - (x[i] >> 5) + (x[i] << (i & 63)) + x[i] / 11 + (x[i] < a ? 1 : x[i] % 13); }',
      [bytes(longs(16)), value(BigInt64Array.of(-99n))],
    ],
    [
      'k',
      'kernel void k(global double *x, double a) { int i = get_global_id(0); x[i] = fma(x[i], a, 1.0) / (x[i] * x[i] + 0.5) - sqrt(fabs(x[i])) + (x[i] < a ? 1 : 2) + (int)x[i] + (float)a; }',
      [bytes(doubles(16)), value(Float64Array.of(0.75))],
    ],
    [
      'sum',
      'kernel void sum(global int *x, local int *t) { int l = get_local_id(0); t[l] = x[get_global_id(0)]; barrier(CLK_LOCAL_MEM_FENCE); for (int s = get_local_size(0) / 2; s > 0; s /= 2) { if (l < s) t[l] += t[l + s]; barrier(CLK_LOCAL_MEM_FENCE); } if (l == 0) x[get_group_id(0)] = t[0]; }',
      [bytes(ramp(16)), { local: 64 }],
    ],
    [
      'k',
      'kernel void k(global int *x) { local int n; if (get_local_id(0) == 0) n = 5; barrier(CLK_LOCAL_MEM_FENCE); atomic_add(&n, (int)get_local_id(0)); barrier(CLK_LOCAL_MEM_FENCE); atomic_max(&x[0], n); atomic_inc(&x[1]); atomic_xor(&x[2], 1 << get_global_id(0)); }',
      [bytes(ramp(16))],
    ],
    [
      'k',
      'constant int t[5] = {3, 1, 4, 1, 5}; kernel void k(global int *x, int n) { int a[8]; int i = get_global_id(0); for (int j = 0; j < 8; j++) a[j] = x[j] * t[j % 5]; for (int j = 0; j < n; j++) a[(i + j) & 7] ^= a[j & 7]; barrier(CLK_GLOBAL_MEM_FENCE); x[16 + i] = a[i & 7] + a[(i * 3) & 7]; }',
      [bytes(ramp(32)), value(Int32Array.of(11))],
    ],
    [
      'k',
      'kernel void k(global int *x) { int i = get_global_id(0); int s = 0; for (int a = 0; a < 9; a++) { for (int b = 0; b < 9; b++) { if (a * b == i) goto out; if (b > a + i) break; if ((a ^ b) == 3) continue; s += a * b + 1; } switch (a + i) { case 3: s += 7; case 4: s ^= 5; break; case 9: s *= 2; default: s -= 1; } } out: x[i] = s; }',
      [bytes(ramp(16))],
    ],
    [
      'k',
      'struct P { int a; float b[3]; uchar c; }; kernel void k(global float *x, struct P p) { int i = get_global_id(0); x[i] = p.a + p.b[i % 3] * p.c; }',
      [
        bytes(floats(16)),
        value(
          new Uint8Array([
            ...new Uint8Array(Int32Array.of(4).buffer),
            ...new Uint8Array(Float32Array.of(1, 2, 4).buffer),
            9,
            0,
            0,
            0,
          ]),
        ),
      ],
    ],
    [
      'k',
      'kernel void k(global float *x) { int i = get_global_id(0); x[i] = sin(x[i]) + exp(x[i]) + pow(fabs(x[i]) + 1, 1.5f) + floor(x[i]) + rint(x[i]) + fmin(x[i], 0.5f) + atan2(x[i], 2.0f); }',
      [bytes(floats(16))],
    ],
    [
      'k',
      'kernel void k(global int *x) { int i = get_global_id(1) * get_global_size(0) + get_global_id(0); x[i] = get_local_id(0) + 10 * get_local_id(1) + 100 * get_group_id(0) + 1000 * get_group_id(1) + 10000 * get_num_groups(0) + get_work_dim(); }',
      [bytes(ramp(32))],
      { global: [8, 4], local: [4, 2] },
    ],
    [
      'k',
      'kernel void k(global int *x) { int i = get_global_id(0); if (i == 3) return; if (i > 9) { x[i] = 1; return; } x[i] = 2; }',
      [bytes(ramp(16))],
    ],
    [
      'k',
      'kernel void k(global const char *x, global int *y) { int i = get_global_id(0); y[i] = as_int(vload4(i, x)) + convert_int4(vload4(i, x)).y; }',
      [bytes(Int8Array.from(ramp(64))), bytes(ramp(16))],
    ],
  ])('%s: %s', (kernel, source, args, where = range) => {
    const text = compare(source, kernel, where, args);
    expect(text).toMatch(/^il_cs_2_0\ndcl_num_thread_per_group/);
  });
});

describe('integers of 64 bits', () => {
  it('are counted, rotated, switched over and converted', () => {
    const numbers = [
      0n,
      1n,
      -1n,
      5n,
      1n << 24n,
      (1n << 24n) + 1n,
      (1n << 53n) + 1n,
      -(1n << 54n) - 3n,
      0x7fffffffffffffffn,
    ];
    const edges = [
      ...numbers,
      -(1n << 63n),
      0x7fffffbfffffffffn,
      0x7fffff4000000000n,
      0x4000004000000001n,
      0x123456789abcdefn,
      1n << 40n,
      -77n,
    ];
    const source = `kernel void k(global long *x, global float *f, global double *d, global ulong *u) {
  int i = get_global_id(0);
  long v = x[i];
  f[i] = v; f[i + 16] = (ulong)v; d[i] = v; d[i + 16] = (ulong)v;
  u[i] = rotate((ulong)v, (ulong)(i * 5)) ^ clz(v) ^ popcount(v);
  switch (v) { case 5: u[i] += 9; break; case -1L: u[i] += 10; break; case 0x10000000000L: u[i] = 4; }
  x[i] = (long)(d[i] / 3) + (long)(f[i] / 1000);
}`;
    compare(source, 'k', { global: [16], local: [8] }, [
      bytes(BigInt64Array.from(edges)),
      bytes(new Float32Array(32)),
      bytes(new Float64Array(32)),
      bytes(new BigUint64Array(16)),
    ]);
  });
});

describe('generated kernels', () => {
  it('compute the same, or IL has no words for them', { timeout: 300_000 }, async () => {
    const refused = new Map<string, number>();
    let compared = 0;
    for (let seed = 1; seed <= Number(process.env['MILLRACE_IL_SEEDS'] ?? 60); seed += 1) {
      // The runner's messages want an answer now and then.
      await new Promise((resolve) => setImmediate(resolve));
      const { source, kernel, range: launch, arguments: args } = generateKernel(seed, { size: 'small' });
      if (launch.offset.some((offset) => offset !== 0)) continue;
      const divides = launch.global.every((size, dimension) => size % (launch.local[dimension] ?? 1) === 0);
      if (!divides || !compileOpenCL(source, {}).module) continue;
      const { log } = written(source, [1, 1, 1]);
      if (log !== '') {
        const reason = /error: (.*)/.exec(log)?.[1]?.replace(/'[^']*'/g, '') ?? log;
        refused.set(reason, (refused.get(reason) ?? 0) + 1);
        continue;
      }
      try {
        compare(source, kernel, launch, args as TestArgument[]);
      } catch (error) {
        throw new Error(`seed ${seed}: ${String((error as Error).message).slice(0, 6000)}`);
      }
      compared += 1;
    }
    expect(compared, JSON.stringify([...refused])).toBeGreaterThan(5);
  });
});

describe("the samples' kernels", () => {
  it('are programs that our front end reads, or IL has no words for them', { timeout: 300_000 }, async () => {
    const files = readdirSync('samples', { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.cl'),
    );
    let read = 0;
    const refused: string[] = [];
    for (const file of files) {
      await new Promise((resolve) => setImmediate(resolve));
      const { module } = compileOpenCL(readFileSync(join('samples', file), 'utf8'), { name: file });
      // those whose hosts define something for them
      if (!module) continue;
      const { kernels, diagnostics } = kernelsAsIl(module);
      refused.push(...diagnostics.list.map(({ message }) => message));
      for (const { name, program } of kernels) {
        if (!program) continue;
        expect(compileIl(program.text, { name: 'x.il' }).log, `${file}: ${name}`).toBe('');
        read += 1;
      }
    }
    expect(read).toBeGreaterThan(refused.length);
  });
});

describe('what IL cannot say', () => {
  it.each([
    [
      'kernel void k(read_only image2d_t x) { }',
      "x.cl:1:13: error: kernel 'k': the parameter 'x': images are not written as IL",
    ],
    [
      'kernel void k(global int *x) { printf("%d", x[0]); }',
      "x.cl:1:32: error: kernel 'k': IL does not print",
    ],
    [
      'kernel void k(global int *x, global int *y, int n) {\n global int *p = n > 2 ? x : y;\n p[0] = 1; }',
      'a pointer may lead to one of several buffers',
    ],
    ['kernel void k(global long *x) { x[0] = mul_hi(x[0], 77L); }', 'IL has no smulhi of 64 bits'],
  ])('%s', (source, message) => {
    const { module } = compileOpenCL(source, { name: 'x.cl' });
    const { diagnostics } = kernelsAsIl(module!);
    expect(renderDiagnostics(diagnostics.list)).toContain(message);
  });
});
