/** A worker whose threads the page starts: kernels, one that is ended, and a program in C, whose threads come from the page, too. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileHost } from 'millrace/c-host';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, startChromium, waitUntil } from './chromium.ts';
import { type StaticServer, startServer } from './server.ts';

const folder = 'test/chost/programs';

const pageScript = `
  import { keepThreads } from '/dist/threads.js';
  const worker = new Worker('/host.js', { type: 'module' });
  const threads = keepThreads();
  worker.postMessage(threads.port, [threads.port]);
  globalThis.said = [];
  worker.onmessage = ({ data }) => said.push(data);
  globalThis.ask = (name) => worker.postMessage(name);
  globalThis.end = () => (worker.terminate(), threads.close());
`;

const host = `
  import { compile } from '/dist/index.js';
  import { startProgram } from '/dist/c-host.js';
  import { delegateThreadsTo } from '/dist/threads.js';

  globalThis.Worker = class { constructor() { throw new Error('it starts threads itself'); } };
  const tasks = {
    async kernels() {
      const program = await compile('kernel void k(global int *a) { a[get_global_id(0)] += get_global_id(0); }');
      const sums = Int32Array.of(10, 20, 30);
      await program.kernel('k')({ global: [3] }, sums);
      return [...sums];
    },
    async endless() {
      const source = 'kernel void e(global volatile int *a) { while (a[0] == 0) a[1] += 1; }';
      const program = await compile(source, { timeout: 1000 });
      const run = (a) => program.kernel('e')({ global: [1] }, a).then(() => 'ends', ({ name }) => name);
      return [await run(new Int32Array(2)), await run(Int32Array.of(1, 0))];
    },
    program: () => run('saxpy'),
    spinning: () => run('spinning'),
  };
  async function run(name) {
    const bytes = new Uint8Array(await (await fetch('/' + name + '.wasm')).arrayBuffer());
    let text = '';
    const decoder = new TextDecoder();
    const stdout = (piece) => {
      text += decoder.decode(piece);
      if (text === 'begun\\n') postMessage(text);
    };
    const { exitCode, stopped } = await startProgram(bytes, { stdout }).ended;
    return { text, exitCode, stopped };
  }
  const answer = async ({ data: name }) =>
    postMessage(await tasks[name]().catch((error) => String(error.stack)));
  onmessage = async ({ data: port }) => {
    onmessage = answer;
    await delegateThreadsTo(port);
    postMessage('connected');
  };
`;

/** Ends only with its thread, and has the device's threads started before. */
const spinning = `#include <CL/cl.h>
  #include <stdio.h>
  int main(void) {
    cl_device_id device;
    clGetDeviceIDs(NULL, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, 4, NULL, NULL);
    int seven = 7;
    clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, 4, &seven, 0, NULL, NULL);
    puts("begun");
    fflush(stdout);
    for (;;);
  }`;

function compile(text: string): Uint8Array {
  const read = (path: string) => {
    const file = join(folder, path);
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  };
  const { bytes, log } = compileHost([{ name: 'host.c', text }], { files: { read } });
  if (!bytes) throw new Error(log);
  return bytes;
}

describe.skipIf(chromiumPath === undefined)('a worker whose threads the page starts (needs Chromium)', () => {
  let browser: Browser;
  let server: StaticServer;
  let page: Page;
  let heard = 0;
  const errors: string[] = [];
  beforeAll(async () => {
    const files = new Map<string, string | Uint8Array>([
      [
        '/index.html',
        '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/page.js"></script>',
      ],
      ['/page.js', pageScript],
      ['/host.js', host],
      ['/saxpy.wasm', compile(readFileSync(join(folder, 'saxpy.c'), 'utf8'))],
      ['/spinning.wasm', compile(spinning)],
    ]);
    server = await startServer({ folders: { dist: 'dist' }, files, isolated: true });
    browser = await startChromium();
    page = await browser.newPage();
    page.on('pageerror', (error) => errors.push(String(error)));
    await page.goto(server.origin);
    expect(await next()).toBe('connected');
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  /** What the worker says next. */
  async function next(): Promise<unknown> {
    await waitUntil(page, `globalThis.said?.length > ${heard}`);
    heard += 1;
    return page.evaluate(`said[${heard - 1}]`);
  }

  async function ask(name: string): Promise<unknown> {
    await page.evaluate(`ask('${name}')`);
    return next();
  }

  /** Files of the threads that run; Playwright lists those that the page has started. */
  const running = () => page.workers().map((worker) => worker.url().replace(/^.*\//, ''));

  it('runs kernels', async () => {
    expect(await ask('kernels')).toEqual([10, 21, 32]);
    expect(running()).toEqual(expect.arrayContaining(['host.js', 'processor.js', 'worker.js']));
  });

  it('has a thread ended that does not end by itself, and another started', async () => {
    expect(await ask('endless')).toEqual(['CL_OUT_OF_RESOURCES', 'ends']);
  });

  it('runs programs in C', async () => {
    const text = readFileSync(join(folder, 'saxpy.expected'), 'utf8');
    expect(await ask('program')).toEqual({ text, exitCode: 0, stopped: undefined });
    expect(running()).not.toContain('program.js');
  });

  it('ends with all of them', async () => {
    expect(await ask('spinning')).toBe('begun\n');
    expect(running()).toContain('program.js');
    await page.evaluate('end()');
    await expect.poll(running).toEqual([]);
    expect(errors).toEqual([]);
    expect(server.missing).toEqual([]);
  });
});
