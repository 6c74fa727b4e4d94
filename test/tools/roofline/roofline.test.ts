/** Counts of launches against counts by hand; the report and the picture of one. */
import { describe, expect, it } from 'vitest';
import { type KernelArgument, local } from '../../../src/api/javascript/arguments.ts';
import type { LaunchRange } from '../../../src/api/javascript/kernel.ts';
import { rooflineSvg } from '../../../src/tools/roofline/chart.ts';
import { CountError, compileForCounting } from '../../../src/tools/roofline/count-launch.ts';
import { betterPeaks, readPeaks, remeasuredText } from '../../../src/tools/roofline/kept-peaks.ts';
import { rooflineOf, rooflineRows, rooflineText } from '../../../src/tools/roofline/report.ts';
import { spread } from '../../../src/tools/roofline/spread.ts';

async function count(source: string, range: LaunchRange, ...args: readonly KernelArgument[]) {
  const { program, count } = await compileForCounting(source);
  try {
    await program.kernel(program.kernelNames[0]!)(range, ...args);
    return count();
  } finally {
    program.release();
  }
}

const floats = (length: number): Float32Array => new Float32Array(length);

describe('the counts of a launch', () => {
  it('of saxpy: 2 operations, 8 bytes loaded and 4 stored an item', async () => {
    const source = `kernel void saxpy(float a, global const float *x, global float *y) {
      size_t i = get_global_id(0);
      y[i] += a * x[i];
    }`;
    const y = new Float32Array(64).fill(3);
    const counts = await count(source, { global: [64], local: [16] }, 2, floats(64).fill(1), y);
    expect(counts).toMatchObject({
      floatOperations: 128,
      bytesLoaded: 512,
      bytesStored: 256,
      bufferBytes: 512,
      workItems: 64,
      sampledItems: 64,
    });
    // It was counted, not run.
    expect([...y]).toEqual(new Array(64).fill(3));
  });

  it('of a matrix product: 2n operations and 8n + 4 bytes an item', async () => {
    const source = `kernel void multiply(global const float *a, global const float *b, global float *c, int n) {
      int x = get_global_id(0), y = get_global_id(1);
      float sum = 0;
      for (int k = 0; k < n; k++) sum += a[y * n + k] * b[k * n + x];
      c[y * n + x] = sum;
    }`;
    const n = 12;
    const matrix = () => floats(n * n);
    const range = { global: [n, n], local: [4, 4] };
    const counts = await count(source, range, matrix(), matrix(), matrix(), n);
    expect(counts).toMatchObject({
      floatOperations: n * n * 2 * n,
      bytesLoaded: n * n * 8 * n,
      bytesStored: n * n * 4,
      bufferBytes: 3 * n * n * 4,
    });
  });

  it('has lanes, fused operations, integers; not signs, comparisons, local memory, tables', async () => {
    // By lanes: fma 8, sqrt 4; fabs, the minus and the comparison 0. Of integers: add, xor, shift (and indices).
    const source = `constant int table[4] = {1, 2, 3, 4};
    kernel void mixed(global float4 *v, global int *n, local int *kept) {
      float4 x = v[0];
      x = sqrt(fma(x, x, x));
      if (x.x > 1.0f) x = -fabs(x);
      v[0] = x;
      kept[0] = table[n[0] & 3];
      n[1] = ((n[0] + 5) ^ kept[0]) << 2;
    }`;
    const counts = await count(source, { global: [1] }, floats(4).fill(1), new Int32Array(2), local(4));
    expect(counts).toMatchObject({ floatOperations: 12, bytesLoaded: 24, bytesStored: 20 });
    const without = source.replace('((n[0] + 5) ^ kept[0]) << 2', 'n[0] + kept[0] * 0');
    expect(without).not.toBe(source);
    // Three operations instead of two or fewer: the index computations are the same but for one.
    const other = await count(without, { global: [1] }, floats(4).fill(1), new Int32Array(2), local(4));
    expect(counts.integerOperations).toBeGreaterThan(other.integerOperations);
  });

  it('has atomic operations as a load and a store, and groups with barriers', async () => {
    const source = `kernel void total(global int *sum, local int *kept) {
      kept[get_local_id(0)] = 1;
      barrier(CLK_LOCAL_MEM_FENCE);
      if (get_local_id(0) == 0) atomic_add(sum, kept[get_local_size(0) - 1]);
    }`;
    const range = { global: [32], local: [8] };
    const counts = await count(source, range, new Int32Array(1), local(32));
    expect(counts).toMatchObject({ floatOperations: 0, bytesLoaded: 16, bytesStored: 16 });
  });

  it('are scaled from some groups to all', async () => {
    const source = `kernel void spin(global float *out, int turns) {
      float x = 0;
      for (int turn = 0; turn < turns; turn++) x += 1.5f;
      out[get_global_id(0)] = x;
    }`;
    const range = { global: [4096], local: [64] };
    const counts = await count(source, range, floats(4096), 5000);
    expect(counts.sampledItems).toBeLessThan(4096);
    expect(counts.floatOperations).toBeCloseTo(4096 * 5000);
    expect(counts.bytesStored).toBeCloseTo(4096 * 4);
  });

  it('fails with words for a kernel that does something wrong', async () => {
    const source = 'kernel void out(global int *a) { a[get_global_id(0) + 100] = 1; }';
    await expect(count(source, { global: [1] }, new Int32Array(4))).rejects.toThrow(CountError);
  });

  it.each([1, 2, 7, 64, 1000])('takes %i groups in an order that leaves none out', (groups) => {
    const order = [...spread(groups)];
    expect([...order].sort((a, b) => a - b)).toEqual(Array.from({ length: groups }, (_, index) => index));
  });
});

describe('the report and the picture', () => {
  const peaks = {
    machine: 'a <machine>',
    threads: 2,
    floatOperations: 100e9,
    integerOperations: 50e9,
    memoryBytes: 10e9,
    cacheBytes: 40e9,
    measured: '2026-11-22T14:00:00.000Z',
  };
  const counts = {
    floatOperations: 2e6,
    integerOperations: 3e6,
    bytesLoaded: 8e6,
    bytesStored: 4e6,
    bufferBytes: 8e6,
    workItems: 1e6,
    sampledItems: 1e6,
  };

  it('say what bounds the launch, and how near it is', () => {
    expect(rooflineText(rooflineOf('saxpy', counts, 2.4e-3, peaks))).toMatchInlineSnapshot(`
      "machine    a <machine>, 2 threads, measured 2026-11-22
        peaks    100 GFLOP/s, 50 G integer operations/s, memory 10 GB/s, caches 40 GB/s
      kernel     saxpy: 1000000 work-items in 2.4 ms (the fastest launch)
        an item  2 floating-point and 3 integer operations, 8 bytes loaded, 4 stored
        operations a byte: 0.167 asked for, 0.167 of memory
        attained 0.833 GFLOP/s, memory 5 GB/s, caches 5 GB/s
        bound    memory, at 50% of that roof
      "
    `);
  });

  it('shows the launch where the axes say', () => {
    const svg = rooflineSvg(rooflineOf('saxpy', counts, 2.4e-3, peaks))!;
    expect(svg).toContain('a &#60;machine&#62;');
    // Twice, as memory and caches have the same bytes to bring: 1/6 on an axis from 0.01 to 100, 0.833 on one from 0.1 to 1000.
    const x = 64 + ((Math.log10(1 / 6) + 2) / 4) * (640 - 20 - 64);
    const y = 420 - 48 - ((Math.log10(2 / 2.4) + 1) / 4) * (420 - 48 - 44);
    expect(svg.split(`cx="${x.toFixed(1)}" cy="${y.toFixed(1)}"`)).toHaveLength(3);
  });

  it('is a table: what each roof allows, what was attained, operations a byte', () => {
    const rows = rooflineRows(rooflineOf('saxpy', counts, 2.4e-3, peaks));
    expect(rows.map(({ roof, ...row }) => [roof, row.peak, row.attained, row.share, row.intensity])).toEqual([
      ['arithmetic', '100 GFLOP/s', '0.833 GFLOP/s', '1%', ''],
      ['memory', '10 GB/s', '5 GB/s', '50%', '0.167'],
      ['caches', '40 GB/s', '5 GB/s', '13%', '0.167'],
    ]);
    expect(rows.map(({ isBound }) => isBound)).toEqual([false, true, false]);
  });

  it('keeps the better of each figure when peaks are measured again', () => {
    const now = { ...peaks, memoryBytes: 12e9, cacheBytes: 30e9, measured: '2026-11-23T09:00:00.000Z' };
    expect(betterPeaks(peaks, now)).toEqual({ ...now, cacheBytes: 40e9 });
    expect(betterPeaks(now, peaks)).toEqual({ ...peaks, memoryBytes: 12e9 });
    expect(betterPeaks(peaks, { ...now, memoryBytes: 9e9 })).toEqual(peaks);
    expect(betterPeaks(peaks, { ...now, threads: 4 })).toEqual({ ...now, threads: 4 });
    expect(remeasuredText({ before: peaks, now, peaks: betterPeaks(peaks, now) })).toMatchInlineSnapshot(`
      "peaks measured again, of each figure the better is kept:
        floats   100 GFLOP/s; 100 GFLOP/s stays, which is no less
        integers 50 G integer operations/s; 50 G integer operations/s stays, which is no less
        memory   12 GB/s, kept instead of 10 GB/s
        caches   30 GB/s; 40 GB/s stays, which is no less
      "
    `);
  });

  it('reads peaks only out of what is some', () => {
    expect(readPeaks(JSON.stringify(peaks))).toEqual(peaks);
    for (const text of [
      '',
      '[]',
      'null',
      JSON.stringify({ ...peaks, memoryBytes: '10' }),
      '{"machine": "a"}',
    ])
      expect(readPeaks(text)).toBeUndefined();
  });

  it('has no picture of a launch without operations', () => {
    const copy = { ...counts, floatOperations: 0, integerOperations: 0 };
    expect(rooflineSvg(rooflineOf('copy', copy, 1e-3, peaks))).toBeUndefined();
  });
});
