/**
 * Bun and Deno run Millrace as Node does: threads, times, blocking calls, programs in C, the cache, the command line (docs/javascript.md). Both
 * come from npm, into a folder of their own that stays; where they cannot be had the tests are skipped, and say why.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { npmPackages } from '../support/npm-packages.ts';

const run = promisify(execFile);
const versions = { bun: '1.4.5', deno: '2.9.6' } as const;
const { folder, missing } = await npmPackages('engines', versions);
if (missing !== undefined) console.log(`skipped: Bun and Deno are not to be had here: ${missing}`);

const temporary = mkdtempSync(join(tmpdir(), 'millrace-engines-'));
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

interface Report {
  readonly threads: number;
  readonly times: { value: number; host: number; device: number; whole: number; isOrdered: boolean };
  readonly blocking: { value: number; device: number };
  readonly hostInC: { exitCode: number; out: string };
  readonly cached: number;
}

describe.skipIf(missing !== undefined).each([
  ['bun', []],
  ['deno', ['run', '-A']],
] as const)('%s', (name, before) => {
  const engine = join(folder, 'node_modules', '.bin', name);
  const env = {
    ...process.env,
    MILLRACE_CACHE: '1',
    MILLRACE_CACHE_DIR: join(temporary, name),
    MILLRACE_THREADS: '2',
  };
  const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));

  it('runs kernels on threads, with times on one clock, and programs in C', {
    timeout: 180_000,
  }, async () => {
    const { stdout } = await run(engine, [...before, file('program.mjs')], { env });
    const { threads, times, blocking, hostInC, cached } = JSON.parse(stdout) as Report;
    expect(threads).toBe(2);
    expect(times).toMatchObject({ value: 2, isOrdered: true });
    // What the device was about is part of what the host saw; both clocks round.
    expect(times.device).toBeGreaterThan(0);
    expect(times.device).toBeLessThanOrEqual(times.whole);
    expect(times.whole).toBeLessThan(times.host + 2);
    expect(blocking.value).toBe(2);
    expect(blocking.device).toBeGreaterThan(0);
    expect(hostInC).toEqual({ exitCode: 3, out: 'hello\n' });
    expect(cached).toBeGreaterThan(0);
  });

  it('runs the command line', { timeout: 180_000 }, async () => {
    const kernel = join(temporary, `${name}.cl`);
    writeFileSync(kernel, 'kernel void f(global int *x) { x[get_global_id(0)] += 7; }');
    const args = [...before, file('../../dist/millrace.js'), 'compile', kernel, '--emit', 'ir'];
    const { stdout } = await run(engine, args, { env });
    expect(stdout).toContain('@f');
  });
});
