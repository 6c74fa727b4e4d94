/** What programs of the short form share, and what becomes of it: release, time-outs, many programs, the end of a process. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { compile, devices } from 'millrace';
import { describe, expect, it } from 'vitest';

const wasm = devices().find(({ id }) => id === 'wasm')!;
const add = (n: number) =>
  `kernel void add(global int *x) { for (int i = 0; i < 1000; i++) x[get_global_id(0)] += ${n}; }`;

describe('a released program', () => {
  it('still finishes the calls under way, and its successor works at once', async () => {
    const first = await compile(add(1));
    const data = new Int32Array(100_000);
    const kernel = first.kernel('add');
    const calls = [kernel({ global: [data.length] }, data), kernel({ global: [data.length] }, data)];
    first.release();
    const second = await compile(add(2));
    const other = new Int32Array(10);
    await second.kernel('add')({ global: [10] }, other);
    expect(other).toEqual(new Int32Array(10).fill(2000));
    await Promise.all(calls);
    // Both calls copied the array in when they were made.
    expect(data).toEqual(new Int32Array(100_000).fill(1000));
    second.release();
  });

  it('takes its buffers along, and others keep theirs', async () => {
    const [first, second] = await Promise.all([compile(add(1)), compile(add(2))]);
    const [mine, other] = [first.buffer(new Int32Array(4)), second.buffer(new Int32Array(4))];
    await first.kernel('add')({ global: [4] }, other);
    first.release();
    await expect(mine.read(Int32Array)).rejects.toMatchObject({ name: 'CL_INVALID_MEM_OBJECT' });
    await second.kernel('add')({ global: [4] }, other);
    expect([...(await other.read(Int32Array))]).toEqual([3000, 3000, 3000, 3000]);
    second.release();
    first.release();
  });
});

it('programs with the same time-out go on after a kernel that was stopped', async () => {
  // The other's kernel has no more time, and its threads may be held up by the system.
  const timeout = 1000;
  const endless = await compile('kernel void f(global volatile int *x) { while (x[0] == 0); }', { timeout });
  const good = await compile(add(1), { timeout });
  const data = new Int32Array(8);
  for (let round = 1; round <= 2; round += 1) {
    const stopped = endless.kernel('f')({ global: [8] }, new Int32Array(1));
    const behind = good.kernel('add')({ global: [8] }, data);
    await expect(stopped).rejects.toThrow(/time-out of 1000 ms/);
    await behind;
    expect(data[7]).toBe(round * 1000);
  }
  endless.release();
  good.release();
});

it('the interpreter device stops a kernel at the time-out, and knows its local memory', async () => {
  const device = devices().find(({ id }) => id === 'interpreter')!;
  const source = `kernel void endless(global volatile int *x) { while (x[0] == 0); }
    kernel void big(global int *x, local int *l) { local int t[8192]; t[0] = 1; l[0] = t[0]; x[0] = l[0] + 1; }`;
  const program = await compile(source, { device, timeout: 1000 });
  const x = new Int32Array(1);
  const endless = program.kernel('endless')({ global: [4], local: [2] }, x);
  await expect(endless).rejects.toThrow(/'endless' failed: it ran longer than the time-out of 1000 ms/);
  const { local } = await import('millrace');
  const big = program.kernel('big');
  await big({ global: [1] }, x, local(32768));
  expect(x[0]).toBe(2);
  await expect(big({ global: [1] }, x, local(32772))).rejects.toMatchObject({ name: 'CL_OUT_OF_RESOURCES' });
  program.release();
});

it('thousands of programs leave nothing behind', { timeout: 600_000 }, async () => {
  const { MILLRACE_STRESS = '1' } = process.env;
  const count = 200 * Number(MILLRACE_STRESS);
  const keeper = await compile(add(0), { device: wasm });
  const sizes: number[] = [];
  for (let round = 0; round < count; round += 1) {
    const program = await compile(`kernel void f(global int *x) { x[0] = ${round}; }`, { device: wasm });
    const buffer = program.buffer(1024);
    void program
      .kernel('f')({ global: [1] }, buffer)
      .catch(() => {});
    expect((await buffer.read(Int32Array))[0]).toBe(round);
    // The address of a new buffer shows whether those of old programs are used again.
    sizes.push(buffer.map(Int32Array).byteOffset);
    program.release();
  }
  // A leak of one buffer a round is 1 KiB x 100; how many are on their way back at a moment depends on the threads.
  const leaked = Math.max(...sizes.slice(100)) - Math.max(...sizes.slice(0, 100));
  expect(leaked).toBeLessThan(32 * 1024);
  keeper.release();
});

it('a process ends by itself with a program in its hands', async () => {
  const code = `import { compile } from 'millrace';
    const program = await compile('kernel void f(global int *x) { x[0] = 42; }');
    const x = new Int32Array(1);
    await program.kernel('f')({ global: [1] }, x);
    console.log(x[0]);`;
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], { timeout: 20_000 });
  expect((await run).stdout.trim()).toBe('42');
});
