// Processes that end while WebGPU is at work: Dawn ends a process with SIGABRT under whom a thread goes that it owes an answer.
// Needs the built dist/ and a WebGPU; see device.test.ts.
import '../../support/webgpu.ts';
import { execFile } from 'node:child_process';
import { requestDevice } from 'millrace';
import { describe, expect, test } from 'vitest';

const found = await requestDevice('webgpu').catch(({ message }: Error) => message);
const skipped = typeof found === 'string' ? ` (SKIPPED: ${found})` : '';

/** A kernel that takes about a second at most, and `end`, which is to end the process with code 3. */
const program = (end: string): string => `
  import { compile, requestDevice } from 'millrace';
  const device = await requestDevice('webgpu');
  const source = 'kernel void k(global float *x, int n) { float s = x[get_global_id(0)]; ' +
    'for (int j = 0; j < n; j++) s = sin(s) + 1.5f; x[get_global_id(0)] = s; }';
  const launch = async () => {
    const program = await compile(source, { device });
    return [program, program.kernel('k')({ global: [4096] }, new Float32Array(4096), 500)];
  };
  ${end}`;

const ends = {
  'before the thread has started': 'launch(); process.exit(3);',
  'while a program is built': 'launch(); setTimeout(() => process.exit(3), 30);',
  'while a pipeline is made': 'await launch(); process.exit(3);',
  'while a launch runs': 'await launch(); setTimeout(() => process.exit(3), 60);',
  'by an error': 'await launch(); process.exitCode = 3; setTimeout(() => { throw new Error("x"); }, 60);',
  'with launches that have not begun':
    'const [program] = await launch(); for (let i = 0; i < 2000; i++) program.kernel("k")({ global: [4096] }, program.buffer(16384), 500); setTimeout(() => process.exit(3), 60);',
  'of which the program has been released':
    'const [program, done] = await launch(); done.catch(() => {}); program.release(); process.exit(3);',
  'when all is done': 'const [, done] = await launch(); await done; process.exitCode = 3;',
};

function run(end: string): Promise<{ code: number | string | null; signal: string | null; stderr: string }> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ['--input-type=module', '-e', program(end)],
      { cwd: new URL('../../..', import.meta.url) },
      (_error, _stdout, stderr) => resolve({ code: child.exitCode, signal: child.signalCode, stderr }),
    );
  });
}

describe.skipIf(skipped !== '')(`a process ends as it says${skipped}`, () => {
  test.each(Object.entries(ends))(
    '%s',
    async (name, end) => {
      const { code, signal, stderr } = await run(end);
      expect({ code, signal, stderr: name === 'by an error' ? '' : stderr }).toEqual({
        code: name === 'by an error' ? 1 : 3,
        signal: null,
        stderr: '',
      });
    },
    120_000,
  );
});
