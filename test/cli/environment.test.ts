/** Variables of the environment whose values mean nothing: the command refuses them, all in the same words. */
import { rmSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { checkEnvironment } from '../../src/cli/environment.ts';
import { folderWith, start } from './millrace.ts';

const folder = folderWith({ 'k.cl': 'kernel void k(global int *p) { p[0] = 7; }' });
afterAll(() => rmSync(folder, { recursive: true }));

describe('a variable', () => {
  it.each([
    ['MILLRACE_CHECK', 'yes', '0 or 1'],
    ['MILLRACE_CACHE', 'no', '0 or 1'],
    ['MILLRACE_TIERS', 'foo', '0, 1 or exact'],
    ['MILLRACE_VECTORISE', 'foo', '0, 1, LANES, v, xROWS, LANESxROWS or vxROWS'],
    ['MILLRACE_WEBGPU_TRY', 'arena,foo', 'arena, hidden or both with a comma between'],
    ['MILLRACE_REST', 'together', 'apart'],
    ...['abc', '0', '-3', '1.5', '257', '1000000'].map(
      (text) => ['MILLRACE_THREADS', text, 'a whole number from 1 to 256'] as const,
    ),
  ] as const)('%s=%s is refused', (name, value, shown) => {
    expect(() => checkEnvironment({ [name]: value })).toThrow(`${name}=${value}: write ${shown}`);
  });

  it('is taken with every value that the documents have', () => {
    const fine = {
      MILLRACE_AVX512: ['0'],
      MILLRACE_CACHE: ['0', '1', 'off'],
      MILLRACE_CHECK: ['1', '0', ''],
      MILLRACE_THREADS: ['1', '16', '99', '199', '256'],
      MILLRACE_TIERS: ['0', 'exact'],
      MILLRACE_VECTORISE: ['0', '1', '8', 'x1', '8x4', 'v', 'vx4'],
      MILLRACE_WEBGPU_TRY: ['arena,hidden'],
      MILLRACE_PROFILE: ['trace.json'],
    };
    for (const [name, values] of Object.entries(fine))
      for (const value of values) checkEnvironment({ [name]: value });
  });
});

describe('millrace', () => {
  it('does nothing with such a variable', async () => {
    const args = ['run', 'k.cl', '-g', '1'];
    expect(await start(folder, args, { MILLRACE_THREADS: '257' }).ended).toEqual({
      code: 2,
      signal: null,
      stdout: '',
      stderr: 'millrace: MILLRACE_THREADS=257: write a whole number from 1 to 256\n',
    });
  });

  it('prints its help all the same', async () => {
    expect(await start(folder, ['run', '--help'], { MILLRACE_CHECK: 'yes' }).ended).toMatchObject({
      code: 0,
      stderr: '',
    });
  });
});
