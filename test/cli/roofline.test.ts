/** `millrace analyze --roofline` as a user types it. What it measures differs from run to run, what it counts does not. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderWith, start } from './millrace.ts';

const saxpy = `kernel void saxpy(float a, global const float *x, global float *y) {
  size_t i = get_global_id(0);
  y[i] += a * x[i];
}`;

describe('millrace analyze --roofline', () => {
  const folder = folderWith({ 'saxpy.cl': saxpy, 'k.il': 'il_ps_2_0\nend\n' });
  const run = (...args: readonly string[]) => {
    const env = { MILLRACE_CACHE: '1', MILLRACE_CACHE_DIR: join(folder, 'cache') };
    return start(folder, ['analyze', '--roofline', ...args], env).ended;
  };

  it('prints and draws where a launch stands, and keeps the peaks', async () => {
    const args = ['saxpy.cl', '-g', '65536', '-a', 'a=2', '-a', 'x=ones'];
    const first = await run(...args, '--svg', 'roof.svg');
    expect(first).toMatchObject({ code: 0, stderr: 'guessed: --arg y=like:x\n' });
    expect(first.stdout).toContain('2 floating-point and ');
    expect(first.stdout).toContain('8 bytes loaded, 4 stored');
    expect(first.stdout).toMatch(/attained \d\S* GFLOP\/s/);
    expect(readFileSync(join(folder, 'roof.svg'), 'utf8')).toMatch(/^<svg .*<\/svg>\n$/s);
    const peaks = /peaks.*/.exec(first.stdout)![0];
    const second = JSON.parse((await run(...args, '--json')).stdout);
    expect(second).toMatchObject({
      kernel: 'saxpy',
      counts: { floatOperations: 131_072, bytesLoaded: 524_288, bytesStored: 262_144, bufferBytes: 524_288 },
    });
    expect(second.seconds).toBeGreaterThan(0);
    // The same to three figures, which two measurements would hardly be.
    expect(peaks).toContain(Number((second.peaks.memoryBytes / 1e9).toPrecision(3)));
    const again = await run(...args, '--json', '--remeasure');
    expect(again.stderr).toMatch(/peaks measured again(.*\n){2}.*(kept instead of|stays)/);
    for (const [name, value] of Object.entries(JSON.parse(again.stdout).peaks))
      if (typeof value === 'number') expect(value).toBeGreaterThanOrEqual(second.peaks[name]);
  });

  it('says what it cannot do', async () => {
    expect(await run('k.il')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--roofline runs kernels in OpenCL C'),
    });
    const { ended } = start(folder, ['analyze', 'saxpy.cl', '--remeasure']);
    expect(await ended).toMatchObject({ code: 2, stderr: expect.stringContaining('--remeasure is for') });
    // Further than the end of x.
    const beyond = await run(
      'saxpy.cl',
      '-g',
      '64',
      '-a',
      'a=1',
      '-a',
      'x=ones:8',
      '-a',
      'y=ones:64',
      '--svg',
      'no.svg',
    );
    expect(beyond).toMatchObject({ code: 1, stderr: expect.stringContaining('cannot be counted') });
    expect(existsSync(join(folder, 'no.svg'))).toBe(false);
  });
});
