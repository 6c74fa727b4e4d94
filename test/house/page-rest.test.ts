// Pages load the rest of the compiler (src/parts/rest.ts) when they meet a program that needs it. An application is bundled in chunks as
// for a page and run in Node with MILLRACE_REST=apart, once with all files and once without those of the rest.
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compileOpenCL } from '../../src/opencl/compile.ts';

const application = `
import { compile, local } from 'millrace';

const [, , source, kernel, ...words] = process.argv;
try {
  const program = await compile(source, { name: 'page.cl' });
  const x = Float32Array.from({ length: 64 }, (_, index) => index);
  const y = new Float32Array(64).fill(1);
  const given = { x, y, local: local(64) };
  await program.kernel(kernel)({ global: [64], local: [16] }, ...words.map((word) => given[word] ?? Number(word)));
  console.log(JSON.stringify([...y.slice(0, 4)]));
} catch (error) {
  console.log((error.log ?? error.message).trim());
}
process.exit();
`;

let folder = '';
let restFiles: readonly string[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-rest-'));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(resolve('.'), join(folder, 'node_modules/millrace'));
  const { metafile } = await build({
    stdin: { contents: application, resolveDir: folder, sourcefile: 'application.js' },
    absWorkingDir: folder,
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    metafile: true,
    logLevel: 'error',
  });
  for (const file of ['worker.js', 'processor.js']) copyFileSync(join('dist', file), join(folder, file));
  restFiles = Object.entries(metafile.outputs)
    .filter(([, { entryPoint = '' }]) => /rest-of-[a-z-]+\.js$/.test(entryPoint))
    .map(([path]) => join(folder, path));
});

afterAll(() => rmSync(folder, { recursive: true }));

function run(source: string, kernel: string, ...words: readonly string[]): string {
  const env = { ...process.env, MILLRACE_REST: 'apart', MILLRACE_THREADS: '2' };
  const page = join(folder, 'stdin.mjs');
  return execFileSync(process.execPath, [page, source, kernel, ...words], { env, encoding: 'utf8' }).trim();
}

function runWithout(source: string, kernel: string, ...words: readonly string[]): string {
  const texts = restFiles.map((file) => readFileSync(file));
  for (const file of restFiles) rmSync(file);
  try {
    return run(source, kernel, ...words);
  } finally {
    for (const [index, file] of restFiles.entries()) writeFileSync(file, texts[index]!);
  }
}

const saxpy = `kernel void saxpy(float a, global const float* x, global float* y) {
  size_t i = get_global_id(0);
  y[i] = a * x[i] + y[i];
}`;
const guarded = `__kernel void scale(__global const float *x, __global float *y, const float factor, const int n) {
  int i = get_global_id(0);
  if (i < n) y[i] = x[i] * factor;
}`;
const reduction = `__kernel void total(__global const float* x, __global float* y, __local float* part) {
  int i = get_local_id(0);
  part[i] = x[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int step = get_local_size(0) / 2; step > 0; step >>= 1) {
    if (i < step) part[i] += part[i + step];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (i == 0) y[get_group_id(0)] = part[0];
}`;

describe('a page that compiles', () => {
  test('has files of the rest', () => expect(restFiles).toHaveLength(3));

  test.each([
    ['a kernel of one line', saxpy, ['saxpy', '2', 'x', 'y'], [1, 3, 5, 7]],
    ['one that is guarded', guarded, ['scale', 'x', 'y', '3', '2'], [0, 3, 1, 1]],
    ['one with local memory and barriers', reduction, ['total', 'x', 'y', 'local'], [120, 376, 632, 888]],
  ] as const)('%s, needs nothing of the rest', (_, source, [kernel, ...words], values) => {
    expect(runWithout(source, kernel, ...words)).toBe(JSON.stringify(values));
  });

  const several = (body: string) => `kernel void k(global const float* x, global float* y) {
  size_t i = get_global_id(0);
  ${body}
}`;
  const point = 'struct point { int a; float b; } p = { 1, 2.5f }; y[i] = p.a + p.b;';
  test.each([
    ['a switch', several('switch (i) { case 1: y[i] = 5; break; default: y[i] = 7; }'), [7, 5, 7, 7]],
    ['a structure', several(point), [3.5, 3.5, 3.5, 3.5]],
    ['vectors', several('float4 v = (float4)(x[i], 1, 2, 3); y[i] = dot(v, v.wzyx);'), [4, 10, 16, 22]],
    ['half', several('y[i] = vload_half(i, (global const half*)x);'), [0, 0, 0, 1.875]],
    [
      'atomics',
      several('if (i == 0) atomic_add((volatile global int*)y, 1); else y[i] = 2;'),
      [1 + 2 ** -23, 2, 2, 2],
    ],
    ['double', several('y[i] = (float)((double)x[i] / 4);'), [0, 0.25, 0.5, 0.75]],
    ['a function of the library', several('y[i] = round(exp2(x[i]));'), [1, 2, 4, 8]],
    [
      'five kernels',
      [1, 2, 3, 4].map((n) => `kernel void k${n}(global float* y) { y[0] = ${n}; }\n`).join('') +
        several('y[i] = x[i];'),
      [0, 1, 2, 3],
    ],
  ] as const)('loads it for %s, and the result is right', (_, source, values) => {
    expect(runWithout(source, 'k', 'x', 'y')).toMatch(/^the rest of .* cannot be loaded: /);
    expect(run(source, 'k', 'x', 'y')).toBe(JSON.stringify(values));
  });

  test('loads it for what is wrong, and says of it what the compiler says as a whole', () => {
    const wrong = 'kernel void k(global float* y) {\n  y[0] = z;\n  thread = 3\n}\n#error end\n';
    const { log } = compileOpenCL(wrong, { name: 'page.cl' });
    expect(log).toContain("undeclared identifier 'z'");
    expect(run(wrong, 'k', 'y')).toBe(log.trim());
  });
});
