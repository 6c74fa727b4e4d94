/**
 * Programs for Node that a bundler has made one file of: the threads' files lie nowhere, and need not. Bundlers are esbuild and, from
 * npm, webpack.
 */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { npmPackages } from '../support/npm-packages.ts';

/** The short form, and the API's blocking calls, which cannot wait for code to be loaded. */
const kernels = `
import { compile } from 'millrace';
import { createContext } from 'millrace/opencl';
async function main() {
  const program = await compile('kernel void twice(global int *a) { a[get_global_id(0)] *= 2; }');
  const a = Int32Array.of(1, 2, 3);
  await program.kernel('twice')({ global: [3] }, a);
  program.release();
  const context = createContext();
  const queue = context.createCommandQueue();
  const api = context.createProgram('kernel void seven(global int *a) { a[get_global_id(0)] = 7; }');
  api.build();
  const buffer = context.createBuffer(0, 12);
  const kernel = api.createKernel('seven');
  kernel.setArg(0, buffer);
  queue.enqueueNDRangeKernel(kernel, 1, null, [3], null);
  const b = new Int32Array(3);
  queue.enqueueReadBuffer(buffer, true, 0, 12, b);
  context.release();
  console.log(a.join(), b.join());
}
main();`;

/** A program in C, on a thread whose file is too large to be in the bundle twice. */
const program = `
import { compileHost, startProgram } from 'millrace/c-host';
const text = \`#include <CL/cl.h>
int main(void) {
  cl_device_id device;
  clGetDeviceIDs(NULL, CL_DEVICE_TYPE_DEFAULT, 1, &device, NULL);
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
  return clFinish(clCreateCommandQueue(context, device, 0, NULL)) == 0 ? 40 + 2 : 1;
}\`;
startProgram(compileHost([{ name: 'host.c', text }]).bytes).ended.then(
  ({ exitCode }) => console.log(exitCode),
  (error) => console.log(error.message),
);`;

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'millrace-server-'));
  const installed = join(root, 'node_modules/millrace');
  await cp('dist', join(installed, 'dist'), { recursive: true });
  await cp('package.json', join(installed, 'package.json'));
  await writeFile(join(root, 'kernels.mjs'), kernels);
  await writeFile(join(root, 'program.mjs'), program);
});
afterAll(() => rm(root, { recursive: true, force: true }));

const run = async (file: string): Promise<string> =>
  (await promisify(execFile)(process.execPath, [file], { cwd: root })).stdout.trim();

/** A bundle of its own folder. */
async function bundle(entry: string, format: 'esm' | 'cjs'): Promise<string> {
  const outfile = join(root, `${format}-${entry}`, `main.${format === 'esm' ? 'mjs' : 'cjs'}`);
  const entryPoints = [join(root, `${entry}.mjs`)];
  await build({ entryPoints, outfile, bundle: true, format, platform: 'node', logLevel: 'silent' });
  return outfile;
}

describe.each(['esm', 'cjs'] as const)('a bundle of esbuild in format %s', (format) => {
  it('runs kernels with nothing beside it', async () => {
    expect(await run(await bundle('kernels', format))).toBe('2,4,6 7,7,7');
  });

  it('says which file programs in C lack, and what to do', async () => {
    const message = await run(await bundle('program', format));
    const where = format === 'esm' ? `${root}/esm-program/program.js` : 'program.js, beside a bundle';
    expect(message).toContain(where);
    expect(message).toContain("keep Millrace out of the bundle (external: ['millrace'])");
    expect(message).toContain('node_modules/millrace/dist/program.js');
  });
});

it('a bundle of esbuild runs programs in C with the one file beside it', async () => {
  const outfile = await bundle('program', 'esm');
  const folder = join(root, 'copied');
  await mkdir(folder);
  await cp(outfile, join(folder, 'main.mjs'));
  await cp('dist/program.js', join(folder, 'program.js'));
  expect(await run(join(folder, 'main.mjs'))).toBe('42');
});

const { folder, missing } = await npmPackages('webpack', { webpack: '5.112.2' });
if (missing !== undefined) console.log(`skipped: webpack is not to be had here: ${missing}`);

describe.skipIf(missing !== undefined)('a bundle of webpack', { timeout: 180_000 }, () => {
  interface Outcome {
    readonly hasErrors: boolean;
    readonly text: string;
  }

  /** The file that webpack makes of an application, with these options besides. */
  async function bundled(entry: string, name: string, options: object): Promise<string> {
    const webpack = createRequire(join(folder, 'package.json'))('webpack') as (
      options: object,
      done: (
        error: Error | null,
        stats: { hasErrors(): boolean; toString(options: object): string } | undefined,
      ) => void,
    ) => void;
    const { hasErrors, text } = await new Promise<Outcome>((done, failed) => {
      const all = {
        mode: 'production',
        // Takes long, and changes nothing here.
        optimization: { minimize: false },
        target: 'node20',
        context: root,
        entry: resolve(root, `${entry}.mjs`),
        output: { path: join(root, name), filename: 'main.mjs', module: true },
        experiments: { outputModule: true },
        ...options,
      };
      webpack(all, (error, stats) => {
        if (stats === undefined) failed(error);
        else done({ hasErrors: stats.hasErrors(), text: stats.toString({ all: false, errors: true }) });
      });
    });
    if (hasErrors) throw new Error(text);
    return join(root, name, 'main.mjs');
  }

  it('runs kernels and programs in C, whose files it brings along', async () => {
    expect(await run(await bundled('kernels', 'webpack-kernels', {}))).toBe('2,4,6 7,7,7');
    expect(await run(await bundled('program', 'webpack-program', {}))).toBe('42');
  });

  it('runs kernels in CommonJS', async () => {
    const output = { path: join(root, 'webpack-cjs'), filename: 'main.cjs' };
    await bundled('kernels', 'webpack-cjs', { output, experiments: {} });
    expect(await run(join(root, 'webpack-cjs/main.cjs'))).toBe('2,4,6 7,7,7');
  });

  it('leaves Millrace out where it is told to', async () => {
    const externals = { millrace: 'module millrace', 'millrace/opencl': 'module millrace/opencl' };
    const file = await bundled('kernels', 'webpack-external', { externals });
    expect(await readdir(join(root, 'webpack-external'))).toEqual(['main.mjs']);
    expect(await run(file)).toBe('2,4,6 7,7,7');
  });
});
