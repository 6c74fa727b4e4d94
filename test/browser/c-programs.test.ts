/** Programs in C in a page: they print what they print in Node and, where another implementation was asked, there. */
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileHost } from 'millrace/c-host';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileC, hasClang } from '../support/clang.ts';
import { chromiumPath, startChromium } from './chromium.ts';
import type { StaticServer } from './server.ts';
import { openPage, startSite, type TestPage } from './site.ts';

const folder = 'test/chost/programs';
/** With threads, which a page has, too: their names with their arguments. */
const threaded: Readonly<Record<string, readonly string[]>> = { library: [], queues: ['50'], waits: [] };
const listings = [
  'saxpy',
  'queries',
  'rectangles',
  'events',
  'binaries',
  'bitonic_sort',
  'regressions',
  'files',
];

/** Programs that show what a page gives them. */
const others: Readonly<Record<string, string>> = {
  surroundings: `#include <stdio.h>
    #include <stdlib.h>
    #include <time.h>
    int main(int argc, char **argv) {
      char line[80] = "";
      FILE *in = fopen("data/in.txt", "r"), *out = fopen("/results/out.txt", "w");
      if (!in || !fgets(line, sizeof line, in) || !out) return 1;
      fprintf(out, "%s and %s", argv[argc - 1], line);
      fclose(out);
      int a, b;
      while (scanf("%d %d", &a, &b) == 2) printf("%d\\n", a + b);
      fprintf(stderr, "%d\\n", time(NULL) > 1700000000);
      return 7;
    }`,
  endless: '#include <stdio.h>\nint main(void) { puts("begun"); fflush(stdout); for (;;); }',
  spinning: `#include <CL/cl.h>
    #include <stdio.h>
    const char *text = "kernel void spin(global volatile int *a) { while (a[0] == 0) ; }";
    int main(void) {
      cl_device_id device;
      clGetDeviceIDs(NULL, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
      cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
      cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
      cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
      clBuildProgram(program, 0, NULL, NULL, NULL, NULL);
      cl_kernel kernel = clCreateKernel(program, "spin", NULL);
      int zero = 0;
      cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 4, &zero, NULL);
      clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
      size_t count = 4;
      cl_event event;
      cl_int status;
      clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &count, NULL, 0, NULL, &event);
      clFinish(queue);
      clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
      printf("%d\\n", status);
      return 0;
    }`,
  wild: 'int main(void) { return *(volatile int *)0xfffffff0; }',
};

describe.skipIf(chromiumPath === undefined)('programs in C in a page (need Chromium)', () => {
  let browser: Browser;
  let site: StaticServer;
  let test: TestPage;
  beforeAll(async () => {
    const modules = new Map<string, Uint8Array>();
    for (const name of listings)
      modules.set(`/${name}.wasm`, compile(readFileSync(`${folder}/${name}.c`, 'utf8')));
    for (const name of [...Object.keys(threaded), 'stops'])
      modules.set(`/threads-${name}.wasm`, compile(readFileSync(`test/chost/threads/${name}.c`, 'utf8')));
    for (const [name, source] of Object.entries(others)) modules.set(`/${name}.wasm`, compile(source));
    if (hasClang) {
      const file = join(mkdtempSync(join(tmpdir(), 'millrace-page-')), 'clang.wasm');
      compileC(`${folder}/events.c`, file, ['-O1']);
      modules.set('/clang.wasm', readFileSync(file));
    }
    [browser, site] = await Promise.all([startChromium(), startSite(true, [], modules)]);
    test = await openPage(browser, site);
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });

  const ended = (name: string) => ({
    stdout: readFileSync(`${folder}/${name}.expected`, 'latin1'),
    stderr: '',
    exitCode: 0,
    files: {},
  });

  it.each(listings)('%s', async (name) => {
    expect(await test.program(`/${name}.wasm`)).toEqual(ended(name));
  });

  it.skipIf(!hasClang)('compiled by clang', async () => {
    expect(await test.program('/clang.wasm')).toEqual(ended('events'));
  });

  it('see what they are given and leave files', async () => {
    const found = await test.program('/surroundings.wasm', {
      args: ['name', 'argument'],
      stdin: '1 2 30\n40',
      files: { 'data/in.txt': 'input', 'results/old.txt': 'old' },
    });
    expect(found).toEqual({
      stdout: '3\n70\n',
      stderr: '1\n',
      exitCode: 7,
      files: { 'data/in.txt': 'input', 'results/old.txt': 'old', 'results/out.txt': 'argument and input' },
    });
  });

  it('are heard while they run, and can be ended', async () => {
    expect(await test.program('/endless.wasm', { endsAtOutput: true })).toEqual({
      stdout: 'begun\n',
      stderr: '',
      exitCode: 137,
      reason: 'it was ended from outside',
      files: {},
    });
  });

  it('have kernels stopped that run too long', async () => {
    expect(await test.program('/spinning.wasm', { timeout: 300 })).toMatchObject({
      // CL_OUT_OF_RESOURCES
      stdout: '-5\n',
      exitCode: 0,
      failures: ['the kernel was stopped: it ran longer than the time-out of 300 ms'],
    });
  });

  it.each(Object.entries(threaded))('with threads: %s', async (name, args) => {
    const { stdout, ...rest } = await test.program(`/threads-${name}.wasm`, { args: [name, ...args] });
    expect(rest).toEqual({ stderr: '', exitCode: 0, files: {} });
    expect(stdout.trimEnd().split('\n')).toEqual(expectedOfThreads[name]);
  });

  it('with threads end as one of them says', async () => {
    const run = (how: string) => test.program('/threads-stops.wasm', { args: ['stops', how] });
    expect(await run('exit')).toMatchObject({ stdout: 'begins\n', exitCode: 7 });
    expect(await run('trap')).toMatchObject({
      stdout: 'begins\n',
      exitCode: 134,
      reason: 'it used a pointer to where there is no memory',
    });
  });

  it('say why they are stopped', async () => {
    expect(await test.program('/wild.wasm')).toMatchObject({
      exitCode: 134,
      reason: 'it used a pointer to where there is no memory',
    });
  });

  it('report no errors', () => {
    expect(site.missing).toEqual([]);
    expect(test.errors).toEqual([]);
  });
});

/** As test/chost/threads.test.ts says. */
const expectedOfThreads: Readonly<Record<string, readonly string[]>> = {
  library: [
    'sums 160000 160000 160000',
    'pair 10000 10000, torn 0',
    'results 3600, destroyed 36, once 1',
    'taken 500500',
    'posted, -1 1',
    'timed 1, busy 1',
    'recursive 0 0 0 0 1',
    'c11 0 0 42 1',
  ],
  queues: ['calls 4008, failures 0, squares 140, shared 0 0'],
  waits: [
    'read 0',
    'value 7, told 1',
    'finish 0',
    'wait 0',
    'failed -14',
    ...Array(3).fill('native 0'),
    'finish 0, native runs 3',
  ],
};

function compile(text: string): Uint8Array {
  const read = (path: string): string | undefined => {
    try {
      return readFileSync(join(folder, path), 'utf8');
    } catch {
      return undefined;
    }
  };
  const { bytes, log } = compileHost([{ name: 'host.c', text }], { files: { read } });
  if (!bytes) throw new Error(log);
  return bytes;
}
