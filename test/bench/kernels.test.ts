/** The bench's frame: right results are timed, wrong ones are not; medians, ratios, table and chart. Needs the built dist/. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { benchDevices } from '../../bench/frame/bench-device.ts';
import type { BenchKernel } from '../../bench/frame/bench-kernel.ts';
import { drawChart } from '../../bench/frame/chart.ts';
import { near } from '../../bench/frame/checks.ts';
import { kernelsCalled } from '../../bench/frame/kernels-part.ts';
import {
  geometricMean,
  type KernelResult,
  measureKernel,
  ratioOf,
} from '../../bench/frame/measure-kernels.ts';
import { NoBuildError, otherCheckout } from '../../bench/frame/other-checkout.ts';
import { tableHead, tableRow } from '../../bench/frame/table.ts';
import { benchKernels } from '../../bench/kernels/index.ts';

const options = { size: 'quick', rounds: 3 } as const;

describe('kernels', () => {
  it('have names of their own, and are found by a part of them', () => {
    expect(new Set(benchKernels.map(({ name }) => name)).size).toBe(benchKernels.length);
    expect(kernelsCalled(['gemm']).map(({ name }) => name)).toEqual(['gemm']);
    expect(kernelsCalled(['histogram']).map(({ name }) => name)).toEqual([
      'histogram 256',
      'histogram RGB',
      'histogram 16, local',
      'histogram 8, private',
    ]);
    expect(kernelsCalled(['nothing'])).toEqual([]);
  });

  it('are right and timed: one launch, several, restored buffers, local memory', { timeout: 60_000 }, () => {
    const [device] = benchDevices(['wasm']);
    for (const name of ['reduction', 'histogram 256', 'jacobi1d']) {
      const { devices, failures } = measureKernel(kernelsCalled([name])[0]!, [device!], options);
      expect(failures, name).toEqual({});
      expect(devices[0]!.rounds).toHaveLength(3);
      expect(devices[0]!.event).toBeGreaterThan(0);
      expect(devices[0]!.wall).toBeGreaterThanOrEqual(devices[0]!.event / 2);
    }
    device!.release();
  });

  it('that give wrong results or do not compile are failures, not figures', () => {
    const [device] = benchDevices(['wasm']);
    const kernel = (statement: string): BenchKernel => ({
      name: 'doubled',
      source: `kernel void doubled(global int *a) { a[get_global_id(0)] ${statement}; }`,
      prepare: () => ({
        size: '4',
        buffers: { a: Int32Array.of(1, 2, 3, 4) },
        restored: ['a'],
        launches: [{ kernel: 'doubled', global: [4], arguments: ['a'] }],
        work: { unit: 'GB/s', amount: 32 },
        check: (result) => near(result('a', Int32Array), (index) => 2 * (index + 1)),
      }),
    });
    expect(measureKernel(kernel('*= 2'), [device!], options).failures).toEqual({});
    const wrong = measureKernel(kernel('*= 3'), [device!], options);
    expect(wrong.failures).toEqual({ Millrace: 'wrong result: element 0 is 3, not 2' });
    expect(wrong.devices).toEqual([]);
    expect(measureKernel(kernel('= q'), [device!], options).failures['Millrace']).toContain("identifier 'q'");
    device!.release();
  });
});

describe('results', () => {
  const result = (name: string, ours: number, theirs: number | undefined): KernelResult => ({
    name,
    size: '1M',
    work: { unit: 'GB/s', amount: 8e6 },
    failures: theirs === undefined ? { PoCL: 'it does not build' } : {},
    devices: [
      { device: 'Millrace', options: '', event: ours, wall: ours + 1, rounds: [ours] },
      ...(theirs === undefined
        ? []
        : [{ device: 'PoCL', options: '', event: theirs, wall: theirs, rounds: [theirs] }]),
    ],
  });
  const results = [result('first', 2, 8), result('second <b>', 4, 1), result('third', 1, undefined)];

  it('are compared by event times', () => {
    expect(results.map((each) => ratioOf(each, 'PoCL'))).toEqual([4, 0.25, undefined]);
    expect(geometricMean([4, 0.25])).toBeCloseTo(1);
  });

  it('are shown in a table with units', () => {
    const devices = ['Millrace', 'PoCL'];
    expect([tableHead(devices), ...results.map((each) => tableRow(each, devices))]).toMatchInlineSnapshot(`
      [
        "kernel                  size                  Millrace ms    (wall)                      PoCL ms    (wall)                   PoCL / ours",
        "first                   1M                           2.00    (3.00)   4.00  GB/s            8.00    (8.00)   1.00  GB/s             4.00",
        "second <b>              1M                           4.00    (5.00)   2.00  GB/s            1.00    (1.00)   8.00  GB/s             0.25  <",
        "third                   1M                           1.00    (2.00)   8.00  GB/s          failed                                       -",
      ]
    `);
  });

  it('are drawn as a chart', () => {
    const svg = drawChart({
      size: 'full',
      rounds: 7,
      devices: { Millrace: 'OpenCL 1.2 Millrace', PoCL: 'PoCL 3.1' },
      kernels: results,
      geometricMeans: { PoCL: 1 },
    });
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" [^>]*>\n[\s\S]*<\/svg>\n$/);
    expect(svg).toContain('Millrace against PoCL 3.1: times as fast, 2 kernels, geometric mean 1.00');
    // From 1/4 to 4 the scale is 570 wide: bars from the line of 1, two of four steps each way.
    const one = Number(/<text x="([\d.]+)"[^>]*>1<\/text>/.exec(svg)![1]);
    expect(svg).toContain(`<rect x="${one.toFixed(1)}" y="56" width="285.0"`);
    expect(svg).toContain(`<rect x="${(one - 285).toFixed(1)}" y="74" width="285.0"`);
    expect(svg).toContain('second &lt;b>');
    expect(svg).not.toContain('third');
  });
});

describe('another checkout', () => {
  it('is a device beside ours, called by its commit', { timeout: 60_000 }, async () => {
    const [ours] = benchDevices(['wasm']);
    const other = await otherCheckout(fileURLToPath(new URL('../..', import.meta.url)));
    expect(other.isOurs).toBe(false);
    expect(other.name).not.toBe('Millrace');
    const result = measureKernel(kernelsCalled(['saxpy'])[0]!, [ours!, other], options);
    expect(result.failures).toEqual({});
    expect(result.devices.map(({ device }) => device)).toEqual(['Millrace', other.name]);
    expect(ratioOf(result, other.name)).toBeGreaterThan(0);
    for (const device of [ours!, other]) device.release();
  });

  it('that has no build is an error with what to do', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'millrace-bench-'));
    await expect(otherCheckout(folder)).rejects.toThrow(NoBuildError);
    await expect(otherCheckout(folder)).rejects.toThrow("run 'npm ci && npm run build' in");
    rmSync(folder, { recursive: true });
  });
});
