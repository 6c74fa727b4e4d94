/**
 * Rows and counters that begin at `id / width` and `id % width`: vectors assume that their work-items are neighbours in one row, and are
 * right where they are not.
 */
import { inspect } from 'millrace';
import { describe, expect, it } from 'vitest';
import { buffer, compileForTest, value, wasmRunner } from '../support/run-kernel.ts';

const strided = `
kernel void test(global const int *in, global int *out, int width, int count) {
  int id = get_global_id(0);
  int sum = 0;
  for (int i = id % width; i < count; i += width) sum += in[i] * (i + 1);
  out[id] = sum;
}`;

const rows = `
kernel void test(global const int *in, global int *out, int width, int count, local int *tile) {
  int id = get_global_id(0), l = get_local_id(0);
  int row = id / width;
  int sum = 0;
  for (int k = 0; k < count; k++) {
    tile[l] = in[row * count + k];
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += tile[l ^ 1] * in[row * count + k];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[id] = sum;
}`;

const items = 64;
const input = (length: number): Int32Array => Int32Array.from({ length }, (_, at) => ((at * 7919) % 23) - 9);
const vectorsOf = (source: string): string => String(inspect(source, { emit: 'vectors' }).output);

describe.each([4, 8, 16] as const)('%s lanes', (lanes) => {
  it.each([1, 2, 3, 5, 8, 16, 17, 32, 64, 100])('counters that begin at id %% %s', (width) => {
    const count = 203;
    const values = input(count);
    const out = new Int32Array(items);
    const args = [buffer(values), buffer(out), value.int(width), value.int(count)];
    wasmRunner(compileForTest(strided), { lanes })('test', { global: [items], local: [32] }, args);
    const expected = Array.from(out, (_, id) => {
      let sum = 0;
      for (let i = id % width; i < count; i += width) sum += values[i]! * (i + 1);
      return sum;
    });
    expect([...out]).toEqual(expected);
  });

  it.each([1, 2, 3, 5, 8, 16, 32, 100])('rows of id / %s behind barriers', (width) => {
    const count = 6;
    const values = input(items * count);
    const out = new Int32Array(items);
    const args = [buffer(values), buffer(out), value.int(width), value.int(count), { local: 32 * 4 }];
    wasmRunner(compileForTest(rows), { lanes })('test', { global: [items], local: [32] }, args);
    const at = (id: number, k: number): number => values[Math.floor(id / width) * count + k]!;
    const expected = Array.from(out, (_, id) =>
      Array.from({ length: count }, (_, k) => at(id ^ 1, k) * at(id, k)).reduce((sum, one) => sum + one, 0),
    );
    expect([...out]).toEqual(expected);
  });
});

it('a divisor of zero in a loop that does not run ends nothing', () => {
  const guarded = `
kernel void test(global const int *in, global int *out, int width) {
  int id = get_global_id(0);
  int sum = 0;
  if (width != 0) for (int k = 0; k < 4; k++) sum += in[(id / width) * 4 + k] + in[id % width];
  out[id] = sum;
}`;
  for (const width of [0, 4]) {
    const values = input(4 * items);
    const out = new Int32Array(items);
    const args = [buffer(values), buffer(out), value.int(width)];
    wasmRunner(compileForTest(guarded), { lanes: 8 })('test', { global: [items], local: [32] }, args);
    const expected = Array.from(out, (_, id) => {
      if (width === 0) return 0;
      const row = Math.floor(id / width) * 4;
      return [0, 1, 2, 3].reduce((sum, k) => sum + values[row + k]! + values[id % width]!, 0);
    });
    expect([...out]).toEqual(expected);
  }
});

it('neighbours are assumed: their loads are no gathers', () => {
  expect(vectorsOf(strided)).toMatch(/load +consecutive or scattered in\[i\]/);
  expect(vectorsOf(rows)).toMatch(/load +uniform +in\[row \* count \+ k\]/);
});

it('volatile neighbours in local memory are one access of a vector, in global memory one each', () => {
  const source = (space: string): string => `
kernel void test(${space} volatile int *t, global int *out) {
  int l = get_local_id(0);
  t[l] = l * 3;
  out[get_global_id(0)] = t[l] + 1;
}`;
  expect(vectorsOf(source('local'))).toMatch(/store +consecutive +t\[l\] = l \* 3/);
  expect(vectorsOf(source('global'))).toMatch(/store +lane by lane +t\[l\] = l \* 3/);
  const out = new Int32Array(items);
  const module = compileForTest(source('local'));
  wasmRunner(module, { lanes: 8 })('test', { global: [items], local: [32] }, [{ local: 128 }, buffer(out)]);
  expect([...out]).toEqual(Array.from(out, (_, id) => (id % 32) * 3 + 1));
});
