/**
 * `millrace/kernels` alone: programs with everything that kernels may have are loaded from binaries and run where there is no front end. The
 * application is bundled as for a page and run in Node with MILLRACE_REST=apart, so that parts of the code generator are loaded as there.
 */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildBinary } from '../../src/build/build-binary.ts';
import { buildIl } from '../../src/build/build-il.ts';

/** Each kernel k sets p[0] to 7. */
const programs: Readonly<Record<string, readonly [source: string, options: string]>> = {
  plain: ['kernel void k(global int *p) { p[0] = 7; }', ''],
  'not optimised': ['kernel void k(global int *p) { p[0] = 7; }', '-cl-opt-disable -g -w'],
  options: [
    'kernel void k(global int *p) { p[0] = N; }',
    '-D N=7 -cl-fast-relaxed-math -cl-std=CL1.2 -cl-kernel-arg-info',
  ],
  double: ['kernel void k(global int *p) { p[0] = (int)round(sin(0.0) + pow(7.0, 1.0)); }', ''],
  vectors: [
    'kernel void k(global int *p) { int4 v = (int4)(1, 2, 3, 1); p[0] = v.x + v.y + v.z + v.w; }',
    '',
  ],
  structs: [
    'typedef struct { int a[4]; } s; kernel void k(global int *p) { s t; for (int i = 0; i < 4; i++) t.a[i] = i; p[0] = t.a[3] + 4; }',
    '',
  ],
  atomics: [
    'kernel void k(global int *p) { p[0] = 0; atomic_add(p, 3); atomic_xchg(p + 1, atomic_add(p, 4)); }',
    '',
  ],
  barriers: [
    'kernel void k(global int *p) { local int l; if (get_local_id(0) == 0) l = 7; barrier(CLK_LOCAL_MEM_FENCE); p[0] = l; }',
    '',
  ],
  half: [
    '#pragma OPENCL EXTENSION cl_khr_fp16 : enable\nkernel void k(global int *p) { half h = 3.5h; p[0] = (int)(h + h); }',
    '',
  ],
  printf: ['kernel void k(global int *p) { printf("%d\\n", 7); p[0] = 7; }', ''],
  'a launch from a kernel': [
    'kernel void k(global int *p) { enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{ p[0] = 7; }); }',
    '-cl-std=CL2.0',
  ],
  'variables of the program': [
    'global int seven = 7; kernel void k(global int *p) { p[0] = seven; }',
    '-cl-std=CL2.0',
  ],
  'work-group functions': [
    'kernel void k(global int *p) { p[0] = work_group_reduce_add(7); }',
    '-cl-std=CL2.0',
  ],
  switches: [
    'kernel void k(global int *p) { int n = 0; again: switch (p[1]) { case 0: n = 6; break; default: n = 1; } if (n++ < 6) goto again; p[0] = n; }',
    '',
  ],
};

const application = `
import { loadProgram, sampler } from 'millrace/kernels';
import { ilKernel } from 'millrace/il-kernel';
import { readFileSync } from 'node:fs';
const { programs, il, image } = JSON.parse(readFileSync('programs.json', 'utf8'));
const results = {};
for (const [name, binary] of Object.entries(programs)) {
  try {
    const program = await loadProgram(binary, { print: () => undefined });
    if (name === 'a launch from a kernel') program.deviceQueue();
    const p = new Int32Array(4);
    await program.kernel('k')({ global: [1] }, p);
    results[name] = p[0];
  } catch (error) {
    results[name] = error.message;
  }
}
const images = await loadProgram(image);
const p = new Int32Array(1);
const picture = { width: 1, height: 1, data: Uint8Array.of(7, 0, 0, 0), order: 'RGBA', type: 'UNSIGNED_INT8' };
await images.kernel('k')({ global: [1] }, picture, sampler({}), p);
results.images = p[0];
const main = ilKernel(await loadProgram(il.binary), il.program);
const o0 = new Float32Array(4);
await main({ domain: [1, 1] }, { o0, cb0: Float32Array.of(7, 1, 1, 1) });
results.il = o0[0];
console.log(JSON.stringify(results));
process.exit();
`;

let folder = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-kernels-'));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(resolve('.'), join(folder, 'node_modules/millrace'));
  const binaryOf = (source: string, options: string): string => {
    const { binary, log } = buildBinary([{ name: 'k.cl', content: source }], { options, addressBits: 32 });
    if (!binary) throw new Error(log);
    return Buffer.from(binary).toString('base64');
  };
  const image = binaryOf(
    'kernel void k(read_only image2d_t i, sampler_t s, global int *p) { p[0] = read_imageui(i, s, (int2)(0, 0)).x; }',
    '',
  );
  const built = buildIl('il_ps_2_0\ndcl_output_generic o0\ndcl_cb cb0[1]\nmov o0, cb0[0]\nend\n');
  const il = {
    binary: Buffer.from(built.binary!).toString('base64'),
    program: { ...built.program, elementBytes: {} },
  };
  const all = Object.fromEntries(
    Object.entries(programs).map(([name, [source, options]]) => [name, binaryOf(source, options)]),
  );
  writeFileSync(join(folder, 'programs.json'), JSON.stringify({ programs: all, il, image }));
  await build({
    stdin: { contents: application, resolveDir: folder, sourcefile: 'application.js' },
    absWorkingDir: folder,
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    external: ['node:*'],
    logLevel: 'error',
  });
  for (const file of ['worker.js', 'processor.js']) copyFileSync(join('dist', file), join(folder, file));
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true }));

it('runs every kind of kernel without a front end', () => {
  expect(readdirSync(folder).filter((file) => /front-end|reader/.test(file))).toEqual([]);
  const env = { ...process.env, MILLRACE_REST: 'apart', MILLRACE_CACHE: '0' };
  const stdout = execFileSync(process.execPath, ['stdin.mjs'], { cwd: folder, env, encoding: 'utf8' });
  const names = [...Object.keys(programs), 'images', 'il'];
  expect(JSON.parse(stdout)).toEqual(Object.fromEntries(names.map((name) => [name, 7])));
});
