/**
 * A user's application, with Millrace as a package in its node_modules, through Vite (its server and its build) and
 * esbuild: the threads' files must be found wherever the bundler puts the rest.
 */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build as esbuild } from 'esbuild';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, startChromium, waitUntil } from './chromium.ts';
import { startServer } from './server.ts';

const html = '<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><body>';
// Besides, a program in C, whose thread has the device's threads started from files that it does not find itself.
const main = `
import { compile, devices } from 'millrace';
import { compileHost, startProgram } from 'millrace/c-host';
import { createContext } from 'millrace/opencl';
const program = await compile('kernel void twice(global int *a) { a[get_global_id(0)] *= 2; }');
const a = Int32Array.from({ length: 1000 }, (_, i) => i);
await program.kernel('twice')({ global: [1000] }, a);
const queue = createContext().createCommandQueue();
await queue.ready();
const host = \`#include <CL/cl.h>
int main(void) {
  cl_device_id device;
  clGetDeviceIDs(NULL, CL_DEVICE_TYPE_DEFAULT, 1, &device, NULL);
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
  return clFinish(clCreateCommandQueue(context, device, 0, NULL)) == 0 ? 40 + 2 : 1;
}\`;
const { exitCode } = await startProgram(compileHost([{ name: 'host.c', text: host }]).bytes).ended;
globalThis.report = { exitCode, right: a.every((value, i) => value === 2 * i), threads: devices()[0].info.maxComputeUnits };
`;

/** The same without a program in C, whose thread has a file that no bundle has. */
const kernelOnly = `
import { compile, devices } from 'millrace';
compile('kernel void twice(global int *a) { a[get_global_id(0)] *= 2; }').then(async (program) => {
  const a = Int32Array.from({ length: 1000 }, (_, i) => i);
  await program.kernel('twice')({ global: [1000] }, a);
  globalThis.report = { right: a.every((value, i) => value === 2 * i), threads: devices()[0].info.maxComputeUnits };
});
`;

const headers = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

describe.skipIf(chromiumPath === undefined)(
  'an application with a bundler (needs Chromium)',
  {
    timeout: 120_000,
  },
  () => {
    let browser: Browser;
    let root: string;
    beforeAll(async () => {
      browser = await startChromium();
      root = await mkdtemp(join(tmpdir(), 'millrace-app-'));
      const installed = join(root, 'node_modules/millrace');
      await cp('dist', join(installed, 'dist'), { recursive: true });
      await cp('package.json', join(installed, 'package.json'));
      await writeFile(
        join(root, 'package.json'),
        '{ "type": "module", "dependencies": { "millrace": "*" } }',
      );
      await writeFile(join(root, 'main.js'), main);
      await writeFile(join(root, 'index.html'), `${html}<script type="module" src="/main.js"></script>`);
    });
    afterAll(async () => {
      await browser?.close();
      if (root !== undefined) await rm(root, { recursive: true, force: true });
    });

    /** What the application reports at an address. */
    async function visit(address: string): Promise<unknown> {
      const page = await browser.newPage();
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(String(error)));
      await page.goto(address);
      await waitUntil(page, 'globalThis.report !== undefined').catch((error) => {
        throw new Error([...errors, String(error)].join('\n'));
      });
      const report = await page.evaluate('report');
      await page.close();
      return report;
    }

    async function visitFolder(folder: string): Promise<unknown> {
      // The built index.html lies at the top, its scripts wherever the bundler put them.
      const server = await startServer({ folders: { '': folder }, isolated: true });
      try {
        return await visit(server.origin);
      } finally {
        await server.close();
      }
    }

    const right = { exitCode: 42, right: true, threads: expect.any(Number) };

    it('runs from a build of Vite', async () => {
      const { build } = await import('vite');
      const outDir = join(root, 'built');
      await build({
        root,
        configFile: false,
        logLevel: 'silent',
        build: { outDir, chunkSizeWarningLimit: 4096 },
      });
      expect(await visitFolder(outDir)).toEqual(right);
    });

    // Else it packs what packages import into files of its own, far from the threads' files.
    it.each([
      ['as it is', {}],
      ['when it leaves Millrace as it is', { exclude: ['millrace'] }],
    ])("runs on Vite's server, %s", async (_, optimizeDeps) => {
      const { createServer } = await import('vite');
      const server = await createServer({
        root,
        configFile: false,
        logLevel: 'silent',
        optimizeDeps,
        server: { headers, host: '127.0.0.1', port: 0, ws: false },
      });
      await server.listen();
      try {
        expect(await visit(server.resolvedUrls!.local[0]!)).toEqual(right);
      } finally {
        await server.close();
      }
    });

    it('runs from a bundle of esbuild with the files of the threads beside it', async () => {
      const folder = join(root, 'bundled');
      await mkdir(folder);
      await esbuild({ entryPoints: [join(root, 'main.js')], bundle: true, format: 'esm', outdir: folder });
      for (const file of ['worker.js', 'processor.js', 'program.js']) {
        await cp(join(root, 'node_modules/millrace/dist', file), join(folder, file));
      }
      await cp(join(root, 'index.html'), join(folder, 'index.html'));
      expect(await visitFolder(folder)).toEqual(right);
    });

    it.each(['esm', 'iife'] as const)(
      'runs kernels from one file of esbuild, in format %s',
      async (format) => {
        const folder = join(root, `one-file-${format}`);
        await mkdir(folder);
        await writeFile(join(root, 'kernel.js'), kernelOnly);
        const outfile = join(folder, 'main.js');
        const entryPoints = [join(root, 'kernel.js')];
        await esbuild({ entryPoints, outfile, bundle: true, format, logLevel: 'error' });
        await cp(join(root, 'index.html'), join(folder, 'index.html'));
        expect(await visitFolder(folder)).toEqual({ right: true, threads: expect.any(Number) });
      },
    );

    it('is checked and profiled by words in the environment, bundled for Node, too', async () => {
      const folder = join(root, 'for-node');
      const source = 'kernel void beyond(global int *a) { a[get_global_id(0) + 3] = 1; }';
      await writeFile(
        join(root, 'node.js'),
        `import { compile } from 'millrace';
        const program = await compile('${source}');
        await program.kernel('beyond')({ global: [1] }, new Int32Array(2));`,
      );
      await esbuild({
        entryPoints: [join(root, 'node.js')],
        bundle: true,
        format: 'esm',
        platform: 'node',
        outdir: folder,
      });
      const env = { ...process.env, MILLRACE_CHECK: '1', MILLRACE_PROFILE: '1' };
      const run = promisify(execFile)(process.execPath, [join(folder, 'node.js')], { env });
      // What was found makes the exit code 1.
      const { code, stderr } = (await run.catch((error: unknown) => error)) as {
        code?: number;
        stderr: string;
      };
      expect(code).toBe(1);
      expect(stderr).toContain("write of 4 bytes at byte 12 of 'a', which has 8");
      expect(stderr).toMatch(/beyond +1 /);
    });
  },
);
