/** How many work-items there are where nobody said so: as many as all data has, and no guess where data differs. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { writePicture } from '../../src/cli/picture.ts';
import { folderWith } from './millrace.ts';
import { WarmCommand } from './warm.ts';

const folder = folderWith({
  'add.cl':
    'kernel void add(global const int *a, global int *b, int c) { int i = get_global_id(0); b[i] = a[i] + c; }',
  'filter.cl': `kernel void filter(constant int *weights, global const int *a, global int *b) {
  int i = get_global_id(0);
  b[i] = weights[i % 2] * a[i];
}`,
  'shrink.cl':
    'kernel void shrink(global const uchar4 *in, global uchar4 *out) { out[get_global_id(0)] = in[2 * get_global_id(0)]; }',
});
writePicture(join(folder, 'in.png'), { width: 4, height: 2, data: new Uint8Array(32) });
const shared = new WarmCommand(folder);
afterAll(() => {
  shared.close();
  rmSync(folder, { recursive: true });
});

describe('without --global', () => {
  it.each([
    [['add.cl', '-a', 'a=range:1000000', '-a', 'b=zeros:4', '-a', 'c=1'], 'a has 1000000 elements, b 4'],
    [['add.cl', '-a', 'a=ones:1', '-a', 'b=zeros:4', '-a', 'c=1'], 'a has 1 element, b 4'],
    [['shrink.cl', '-i', 'in.png', '-a', 'out=zeros:2x1'], 'in has 4 x 2 elements, out 2 x 1'],
    [['shrink.cl', '-i', 'in.png', '-a', 'out=zeros:2x4'], 'in has 4 x 2 elements, out 2 x 4'],
    [['shrink.cl', '-i', 'in.png', '-a', 'out=zeros:2'], 'in has 4 x 2 elements, out 2'],
  ])('data that differs is no guess: %j', async (words, said) => {
    expect(await shared.run('run', ...words)).toEqual({
      code: 2,
      signal: null,
      stdout: '',
      stderr: `millrace: ${said}: say how many work-items to run, as in --global 1024\n`,
    });
  });

  it.each([
    [['add.cl', '-a', 'a=range:3', '-a', 'b=zeros:3', '-a', 'c=1'], '--global 3'],
    [['filter.cl', '-a', 'weights=(1,2)', '-a', 'a=range:3', '-a', 'b=zeros:3'], '--global 3'],
    [['shrink.cl', '-i', 'in.png', '-a', 'out=zeros:8', '-l', '4,1'], '--global 4,2'],
  ])('data that agrees is one, and tables do not count: %j', async (words, guess) => {
    const { code, stderr } = await shared.run('run', ...words);
    expect([code, stderr]).toEqual([0, `guessed: ${guess}\n`]);
  });

  it('what is guessed to be like a table is no guess for the work-items', async () => {
    const { code, stderr } = await shared.run('run', 'filter.cl', '-a', 'weights=(1,2)', '-a', 'a=range:3');
    expect([code, stderr]).toEqual([2, expect.stringContaining('a has 3 elements, b 2')]);
  });
});
