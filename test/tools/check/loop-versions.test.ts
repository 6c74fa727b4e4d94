/**
 * Loops whose accesses are looked at before they begin, and reads that are looked at with the write behind them: what is wrong
 * must be found as if each access were looked at. The reports are written by hand.
 */
import { beforeAll, expect, it } from 'vitest';
import { type KernelArgument, local } from '../../../src/api/javascript/arguments.ts';
import { compile, type Program } from '../../../src/api/javascript/compile.ts';
import { type FoundReport, startChecking } from '../../../src/tools/check/index.ts';

let found: FoundReport[] = [];

beforeAll(() => {
  startChecking({ report: (report) => found.push(report), timeout: 2000 });
});

/** The reports of launches of the only kernel by two groups of four; what the launches are given is in `lists`. */
async function check(source: string, ...lists: readonly (readonly KernelArgument[])[]): Promise<string[][]> {
  const program: Program = await compile(source, { name: 'k.cl' });
  try {
    const results: string[][] = [];
    for (const args of lists) {
      found = [];
      await program.kernel('f')({ global: [8], local: [4] }, ...args);
      results.push(found.map(({ kind, place, count }) => `${kind} at ${place?.line}, ${count} times`));
    }
    return results;
  } finally {
    program.release();
  }
}

const ints = (count: number): Int32Array => new Int32Array(count);

it('the first and the last turn decide, whatever the counter does between', async () => {
  const source = `kernel void f(global int *out, global const int *in, int from, int to) {
    int sum = 0;
    for (int k = from; k < to; k += 3)
      sum += in[2 * k + 1];
    out[get_global_id(0)] = sum;
  }`;
  const args = (from: number, to: number) => [ints(8), ints(16), from, to];
  // Turns 0, 3 and 6 read up to element 13; turn 9 would read element 19. From -3 on, turn -3 reads element -5.
  expect(await check(source, args(0, 9), args(0, 10), args(-3, 7), args(5, 5), args(9, 0))).toEqual([
    [],
    ['out-of-bounds at 4, 8 times'],
    ['out-of-bounds at 4, 8 times'],
    [],
    [],
  ]);
});

it('numbers that wrap around are no places inside', async () => {
  const source = `kernel void f(global int *out, global const int *in, int step, uint to) {
    int sum = 0;
    for (uint k = 0; k < to; k++)
      sum += in[k * step];
    out[get_global_id(0)] = sum;
  }`;
  // Of 2^29 and 2^31 elements the addresses wrap around: turn 1 is far outside, turns 0 and, of the second, 2 are at element 0.
  expect(await check(source, [ints(8), ints(4), 1 << 30, 1], [ints(8), ints(4), 1 << 29, 2])).toEqual([
    [],
    ['out-of-bounds at 4, 8 times'],
  ]);
});

it('stores in loops, and the work-item that goes too far', async () => {
  const source = `kernel void f(global int *out, int n) {
    for (int k = 0; k < n; k++)
      out[get_global_id(0) * n + k] = k;
  }`;
  expect(await check(source, [ints(24), 3], [ints(23), 3])).toEqual([[], ['out-of-bounds at 3, 1 times']]);
  expect(found[0]).toMatchObject({ workItem: { global: [7, 0, 0] }, object: { name: 'out', offset: 92 } });
});

it('local memory that is not all written', async () => {
  const source = `kernel void f(global int *out, local int *t, int n) {
    int l = get_local_id(0), sum = 0;
    if (l < n) t[l] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 4; k++)
      sum += t[k];
    out[get_global_id(0)] = sum;
  }`;
  expect(await check(source, [ints(8), local(16), 4], [ints(8), local(16), 3])).toEqual([
    [],
    ['uninitialised at 6, 8 times'],
  ]);
});

it('reads of one that is written under another name', async () => {
  const source = `kernel void f(global int *out, global const int *in) {
    int sum = 0;
    for (int k = 0; k < 8; k++)
      sum += in[k];
    out[get_global_id(0)] = sum + 1;
  }`;
  const program = await compile(source, { name: 'k.cl' });
  const both = program.buffer(new Int32Array(8));
  found = [];
  await program.kernel('f')({ global: [8], local: [4] }, both, both);
  program.release();
  expect(found[0]).toMatchObject({ kind: 'data-race', place: { line: 4 } });
});

it('what is read and written at once', async () => {
  const source = `kernel void f(global int *out, local int *t, int way) {
    int l = get_local_id(0);
    if (way != 1) t[l] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    t[way == 2 ? l / 2 : l] += way == 3 ? 0 : 1;
    if (way == 3 && l == 1)
      t[0] = 9;
    if (way == 4 && l == 1)
      t[0] = 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[l];
  }`;
  const args = (way: number) => [ints(8), local(16), way];
  expect(await check(source, args(0), args(1), args(2), args(3), args(4))).toEqual([
    [],
    ['uninitialised at 5, 8 times'],
    // Of the second read and the second write, by two work-items of each group.
    ['data-race at 5, 4 times', 'data-race at 5, 4 times'],
    // Adding nothing is a read all the same.
    ['data-race at 7, 2 times'],
    // What was there already.
    [],
  ]);
});
