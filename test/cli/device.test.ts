/** Which device `--device` means: by id, by full name, by a part of one, and what fits several or none. */
import { rmSync } from 'node:fs';
import { OpenCLError, requestDevice } from 'millrace';
import { afterAll, describe, expect, it } from 'vitest';
import { folderWith } from './millrace.ts';
import { WarmCommand } from './warm.ts';

const folder = folderWith({
  'k.cl': 'kernel void k(global int *p) { p[get_global_id(0)] = 7; }',
});
const shared = new WarmCommand(folder);
afterAll(() => {
  shared.close();
  rmSync(folder, { recursive: true });
});

const run = (device: string) => shared.run('run', 'k.cl', '-g', '2', '--device', device);

const native = await requestDevice('native').catch((error: unknown) => {
  if (error instanceof OpenCLError) return error.message;
  throw error;
});

describe('--device', () => {
  it.each(['interpreter', 'Millrace interpreter', 'WebAssembly', 'Wasm', 'inter'])(
    'takes %s',
    async (name) => {
      expect(await run(name)).toMatchObject({ code: 0, stdout: expect.stringContaining('p: int[2] = 7, 7') });
    },
  );

  // Where there is none, the message says of which device it is told.
  it.each(['native', 'Millrace x86-64', 'x86', 'nativ'])('takes %s for machine code', async (name) => {
    const { code, stdout, stderr } = await run(name);
    if (typeof native === 'string') {
      expect([code, stderr]).toEqual([2, expect.stringContaining('there is no native device: ')]);
    } else expect([code, stdout], stderr).toEqual([0, expect.stringContaining('p: int[2] = 7, 7')]);
  });

  it.each([
    ['web', 'wasm and webgpu'],
    ['millrace', 'wasm and interpreter and native'],
  ])('refuses %s, which fits several', async (name, which) => {
    expect(await run(name)).toEqual({
      code: 2,
      signal: null,
      stdout: '',
      stderr: `millrace: --device '${name}' fits ${which}: say which\n`,
    });
  });
});
