/**
 * Two things with two names: `--check` and MILLRACE_CHECK look at memory while kernels run, `--strict` lets Millrace's compiler refuse what
 * a driver's would take.
 */
import { spawnSync } from 'node:child_process';
import { compile, devices } from 'millrace';
import { afterAll, describe, expect, it } from 'vitest';
import { folderWith, start } from './millrace.ts';
import { WarmCommand } from './warm.ts';

/** Work-item 3 writes behind the end of four ints. */
const beyond = 'kernel void beyond(global int *x) { x[get_global_id(0) + 1] = 1; }\n';
const within = 'kernel void within(global int *x) { x[get_global_id(0)] = 1; }\n';
const package_ = new URL('../../dist/index.js', import.meta.url).href;
const host = `import { compile } from ${JSON.stringify(package_)};
const [, , source, end] = process.argv;
const program = await compile(source);
const data = new Int32Array(4);
await program.kernel(program.kernelNames[0])({ global: [4], local: [4] }, data);
program.release();
console.log('done');
if (end === 'exit') process.exit(0);
if (end === 'seven') process.exitCode = 7;
if (end === 'throw') throw new Error('own');
`;
const folder = folderWith({ 'beyond.cl': beyond, 'within.cl': within, 'host.mjs': host });
const millrace = (...args: string[]) => start(folder, args).ended;
/** For commands that run nothing. */
const shared = new WarmCommand(folder);
afterAll(() => shared.close());
/** A driver's device, if there is one here. */
const driver = devices().find(({ id }) => id !== 'wasm' && id !== 'interpreter');

describe('millrace run --check', () => {
  it('looks at the memory of a kernel, as millrace check does', async () => {
    const args = ['-g', '4', '-l', '4', '-a', 'zeros:4'];
    const run = await millrace('run', '--check', 'beyond.cl', ...args);
    expect(run.code).toBe(1);
    expect(run.stderr).toContain("beyond.cl:1:37: error: write of 4 bytes at byte 16 of 'x', which has 16");
    expect(run.stdout).toContain('x: int[4] = 0, 1, 1, 1');
    expect(run.stdout).toMatch(/\n1 found\n$/);
    const check = await millrace('check', 'beyond.cl', ...args);
    expect(check).toMatchObject({ code: 1, stdout: '1 found\n' });
    expect(run.stderr).toContain(check.stderr);
    const right = await millrace('run', '--check', 'within.cl', ...args);
    expect(right).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/x: int\[4\] = 1, 1, 1, 1 .*\nnothing found\n$/),
    });
    expect((await millrace('run', 'within.cl', ...args)).stdout).not.toContain('found');
  });

  it('says what it is not', async () => {
    const { code, stderr } = await millrace('run', '--check', '-d', 'wasm', 'within.cl', '-a', 'zeros:4');
    expect(code).toBe(2);
    expect(stderr).toContain('leave --device out');
    expect(stderr).toContain('--strict');
  });
});

describe('--strict', () => {
  it('is --check by its earlier name where nothing looks at memory, with a note', async () => {
    const strict = await shared.run('compile', '--strict', 'within.cl');
    expect(strict).toMatchObject({ code: 0, stderr: '', stdout: 'within.cl: no errors, 1 kernel: within\n' });
    const former = await shared.run('compile', '--check', 'within.cl', 'beyond.cl');
    expect(former.stdout).toBe(`${strict.stdout}beyond.cl: no errors, 1 kernel: beyond\n`);
    expect(former.code).toBe(0);
    // Once.
    expect(former.stderr).toBe(
      'millrace: --check is called --strict now; millrace check and millrace run --check look at memory\n',
    );
    const { stdout } = await shared.run('compile', '--help');
    expect(stdout).toContain('--strict');
    expect(stdout).not.toContain('--check');
    expect((await shared.run('run', '--help')).stdout).toMatch(/--check +look at every access to memory/);
  });

  it.skipIf(!driver)("refuses what a driver's compiler takes", async () => {
    const source = 'kernel void k(global int *x) { __builtin_assume(x != 0); x[0] = 1; }';
    (await compile(source, { device: driver })).release();
    for (const options of [{ strict: true }, { check: true }, { options: '-millrace-strict' }])
      await expect(compile(source, { device: driver, ...options })).rejects.toThrow('__builtin_assume');
    (await compile(source, { device: driver, strict: false, check: true })).release();
  });
});

describe('MILLRACE_CHECK=1', () => {
  const run = (source: string, end = '', check = '1') =>
    spawnSync(process.execPath, ['host.mjs', source, end], {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], MILLRACE_CACHE: '0', MILLRACE_CHECK: check },
    });

  it.each([
    ['that ends by itself', ''],
    ['that calls process.exit(0)', 'exit'],
  ])('lets a program %s fail if something was found', (_, end) => {
    const { status, stdout, stderr } = run(beyond, end);
    expect({ status, stdout }).toEqual({ status: 1, stdout: 'done\n' });
    expect(stderr).toContain("write of 4 bytes at byte 16 of 'x', which has 16");
    expect(run(within, end)).toMatchObject({ status: 0, stderr: '' });
    expect(run(beyond, end, '0')).toMatchObject({ status: 0, stderr: '' });
  });

  it('leaves the exit code of one that fails by itself', () => {
    expect(run(beyond, 'seven').status).toBe(7);
    expect(run(beyond, 'throw')).toMatchObject({ status: 1, stderr: expect.stringContaining('Error: own') });
  });
});
