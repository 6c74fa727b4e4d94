/** How threads become wavefronts, and what those cost. */
import { describe, expect, it } from 'vitest';
import { compileR600 } from '../../src/codegen/r600/compile.ts';
import { InputCache } from '../../src/model/cache.ts';
import { cards } from '../../src/model/cards.ts';
import { assumedCounts, totalCost } from '../../src/model/counts.ts';
import { divergence, wavefrontCounts } from '../../src/model/divergence.ts';
import { coverage, rasterise } from '../../src/model/rasterise.ts';
import { modelRun } from '../../src/model/run.ts';
import { chip, kernelOf } from '../support/r600.ts';

describe('rasterisation', () => {
  it('makes a wavefront of each block of 8 x 8, quad by quad', () => {
    const waves = rasterise(16, 16);
    expect(waves.length).toBe(4);
    expect(waves[0]!.slice(0, 6)).toEqual([
      [0, 0],
      [1, 0],
      [0, 1],
      [1, 1],
      [2, 0],
      [3, 0],
    ]);
    const corners = waves.map((wave) => [wave[0], wave[63]]);
    expect(corners).toEqual([
      [
        [0, 0],
        [7, 7],
      ],
      [
        [8, 0],
        [15, 7],
      ],
      [
        [8, 8],
        [15, 15],
      ],
      [
        [0, 8],
        [7, 15],
      ],
    ]);
  });

  it('packs a domain of height two as 32 x 2', () => {
    const [first, second] = rasterise(64, 2);
    expect(first!.length).toBe(64);
    expect(Math.max(...first!.map((place) => place![0]))).toBe(31);
    expect(second![0]).toEqual([32, 0]);
  });

  it('leaves half of the threads idle in a domain of height one', () => {
    expect(coverage(rasterise(128, 1))).toBe(0.5);
    expect(coverage(rasterise(128, 2))).toBe(1);
  });

  it('gives every position once', () => {
    for (const [width, height] of [
      [13, 7],
      [1, 9],
      [30, 2],
      [17, 17],
    ] as const) {
      const places = rasterise(width, height)
        .flat()
        .flatMap((place) => (place ? [place.join()] : []));
      expect(new Set(places).size).toBe(places.length);
      expect(places.length).toBe(width * height);
    }
  });
});

describe('divergence', () => {
  it('is the sum of both sides, and the longest loop', () => {
    // Two threads take one side each of a branch: two times t (guide, 1.2.3, example 1).
    expect(
      divergence(
        [
          [1, 1, 0],
          [1, 0, 1],
        ],
        [0, 1, 1],
      ),
    ).toBe(2);
    // 63 threads turn once, one a hundred times: 100 t (example 2).
    const threads = Array.from({ length: 64 }, (_, index) => [index === 63 ? 100 : 1]);
    expect(wavefrontCounts(threads)).toEqual([100]);
  });
});

describe('the input cache', () => {
  const shape = { bytes: 1024, lineBytes: 64, ways: 16, isPerSimd: false };

  it('has a line of a linear buffer after the first of its elements', () => {
    const cache = new InputCache(shape);
    for (let index = 0; index < 64; index += 1) cache.linear(0, index * 4, 4);
    expect(cache.result).toEqual({ fetches: 64, hits: 60, hitRate: 60 / 64 });
  });

  it('has a square of a tiled texture', () => {
    const cache = new InputCache(shape);
    // 8 x 8 floats are four squares of 4 x 4.
    for (let y = 0; y < 8; y += 1) for (let x = 0; x < 8; x += 1) cache.tiled(0, x, y, 4);
    expect(cache.result.hits).toBe(60);
  });

  it('forgets what was used longest ago', () => {
    const cache = new InputCache(shape);
    for (let line = 0; line < 17; line += 1) cache.linear(0, line * 64, 4);
    cache.linear(0, 64 * 16, 4);
    cache.linear(0, 0, 4);
    expect(cache.result.hits).toBe(1);
  });
});

describe('a run', () => {
  const rv670 = cards.find(({ name }) => name === 'HD 3870')!;

  it('counts a loop as often as it turns', () => {
    const source = `kernel void sum(global const float *restrict x, global float *y, int n) {
      float s = 0;
      for (int k = 0; k < n; k++) s += x[k];
      y[get_global_id(0)] = s;
    }`;
    const program = compileR600(kernelOf(source), chip('RV670'));
    const run = modelRun(program, rv670, { width: 64, height: 64, constant: () => 10 });
    expect(run.isSimulated).toBe(true);
    expect(run.cost.fetches).toBe(10);
    expect(run.divergence).toBe(1);
    // All threads read the same ten floats: one line, once.
    expect(run.cache.fetches - run.cache.hits).toBe(1);
    expect(totalCost(program, assumedCounts(program, 7)).fetches).toBe(7);
  });

  it('pays for both sides where neighbours differ', () => {
    const source = `kernel void pick(global float *y) {
      int i = get_global_id(0);
      float v = i;
      if (i & 1) { for (int k = 0; k < 40; k++) v = v * v + 0.5f; }
      y[i] = v;
    }`;
    const program = compileR600(kernelOf(source), chip('RV670'));
    const run = modelRun(program, rv670, { width: 64, height: 64 });
    expect(run.divergence).toBeGreaterThan(1.5);
  });
});

describe('a run of groups', () => {
  const hd4870 = cards.find(({ name }) => name === 'HD 4870')!;
  const compiled = (source: string, size = '') => {
    const kernel = kernelOf(size === '' ? source : source.replace('kernel void', `kernel ${size} void`));
    return compileR600(kernel, chip('RV770'));
  };
  const copy =
    'kernel void copy(global const float *restrict x, global float *y, int n) { int i = get_global_id(1) * n + get_global_id(0); y[i] = x[i]; }';

  it('has wavefronts of the threads of one group, row by row', () => {
    const square = '__attribute__((reqd_work_group_size(8, 8, 1)))';
    const options = { width: 256, height: 256, constant: () => 256, samples: 1 };
    const run = modelRun(compiled(copy, square), hd4870, { ...options, group: [8, 8, 1] });
    // eight rows of 32 bytes, each in a line of its own; 64 in a row are four lines
    expect(run.cache).toMatchObject({ fetches: 64, hits: 56 });
    const row = modelRun(compiled(copy), hd4870, { ...options, group: [64, 1, 1] });
    expect(row.cache).toMatchObject({ fetches: 64, hits: 60 });
  });

  it('pays for the lanes that a group leaves idle', () => {
    const program = compiled(copy);
    const run = (x: number) => modelRun(program, hd4870, { width: 3840, height: 16, group: [x, 1, 1] });
    const [full, quarter, half] = [run(64), run(16), run(96)];
    expect(full.coverage).toBe(1);
    // one wavefront of 64 for 16 threads; two for 96
    expect(quarter.coverage).toBe(0.25);
    expect(half.coverage).toBe(0.75);
    expect(quarter.estimate.alu).toBeCloseTo(4 * full.estimate.alu, 12);
    expect(quarter.wavefronts).toBe((3840 * 16) / 16);
  });

  const shared = (bytes: number): string => `kernel __attribute__((reqd_work_group_size(64, 1, 1)))
    void turn(global const float *restrict x, global float *y) {
      local float tile[${bytes / 4}];
      int i = get_local_id(0);
      tile[i] = x[get_global_id(0)];
      barrier(CLK_LOCAL_MEM_FENCE);
      float s = 0;
      for (int k = 0; k < 8; k++) s += tile[(i + k) & 63];
      y[get_global_id(0)] = s;
    }`;

  it('has as many wavefronts at a time as local memory allows', () => {
    const run = (bytes: number) => modelRun(compiled(shared(bytes)), hd4870, { width: 4096, height: 1 });
    expect(run(16384).active).toBe(1);
    expect(run(4096).active).toBe(4);
    expect(run(16384).seconds).toBeGreaterThan(run(4096).seconds);
  });

  it('brings nothing from memory that a group shares', () => {
    const run = modelRun(compiled(shared(256)), hd4870, { width: 4096, height: 1 });
    // a float from memory and eight from the group; a line of 64 bytes has sixteen floats
    expect(run.cost.fetches).toBeGreaterThanOrEqual(9);
    expect(run.bytesFromMemory).toBe(4);
    expect(run.cost.memoryBits).toBe(64);
  });

  it('counts the third dimension of a grid', () => {
    const program = compiled(copy);
    const [flat, deep] = [1, 5].map((depth) => modelRun(program, hd4870, { width: 64, height: 4, depth }));
    expect(deep!.threads).toBe(5 * flat!.threads);
    expect(deep!.estimate.alu).toBeCloseTo(5 * flat!.estimate.alu, 12);
  });
});

describe('quads at the edge', () => {
  it.each([
    [65, 65, (65 * 65) / (66 * 66)],
    [1000, 1, 0.5],
    [1023, 2, 1023 / 1024],
    [64, 64, 1],
  ])('of a domain of %i x %i', (width, height, expected) => {
    const program = compileR600(
      kernelOf('kernel void k(global float *y) { y[get_global_id(0)] = 1.0f; }'),
      chip('RV670'),
      { kind: 'pixel' },
    );
    const card = cards.find(({ name }) => name === 'HD 3870')!;
    expect(modelRun(program, card, { width, height }).coverage).toBeCloseTo(expected, 12);
    expect(coverage(rasterise(width, height))).toBeCloseTo(expected, 12);
  });
});
