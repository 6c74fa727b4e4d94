/** Who runs strangers' kernels on Millrace's own devices does not want libraries of the machine loaded for it. */
import { execFileSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadDriver } from '../../src/devices/icd/driver.ts';
import { folderWith, start } from './millrace.ts';

const folder = folderWith({
  'k.cl': 'kernel void k(global int *p) { p[get_global_id(0)] = 7; }',
  'host.c': `#include <CL/cl.h>
#include <stdio.h>
int main(void) { cl_uint n; clGetPlatformIDs(0, 0, &n); printf("%u platforms\\n", n); return 0; }`,
});
const mark = join(folder, 'loaded');

/** A loader that leaves a mark where it is loaded. */
function makeTrap(): string {
  const driver = loadDriver();
  if (process.platform !== 'linux') return ' (SKIPPED: the trap is for Linux)';
  // Without the package koffi nothing would ever be loaded.
  if (typeof driver === 'string' && driver.includes('koffi')) return ` (SKIPPED: ${driver})`;
  try {
    execFileSync('cc', ['-shared', '-fPIC', '-o', join(folder, 'libOpenCL.so.1'), '-x', 'c', '-'], {
      input: `#include <stdio.h>
__attribute__((constructor)) static void mark(void) { FILE *f = fopen("${mark}", "w"); if (f) fclose(f); }`,
    });
    return '';
  } catch {
    return ' (SKIPPED: there is no C compiler)';
  }
}

const skipped = makeTrap();

async function loads(...args: string[]): Promise<boolean> {
  rmSync(mark, { force: true });
  const { code, stderr } = await start(folder, args, { LD_LIBRARY_PATH: folder }).ended;
  expect(code, stderr).toBe(0);
  return existsSync(mark);
}

describe.skipIf(skipped !== '')(`what loads libOpenCL${skipped}`, () => {
  it('is a list of all devices', async () => {
    expect(await loads('devices')).toBe(true);
    expect(await loads('run', '--drivers', 'host.c')).toBe(true);
  });

  it.each([
    ['run k.cl -g 4'],
    ['run k.cl -g 4 --check'],
    ['run k.cl -g 4 --device interpreter'],
    ['run k.cl -g 4 --device wasm'],
    ['run k.cl -g 4 --profile'],
    ['check k.cl -g 4'],
    ['compile k.cl --check'],
    ['compile k.cl --emit wat'],
    ['build k.cl -o k.bin'],
    ['run host.c'],
    ['analyze k.cl'],
  ])('is not millrace %s', async (line) => {
    expect(await loads(...line.split(' '))).toBe(false);
  });
});
