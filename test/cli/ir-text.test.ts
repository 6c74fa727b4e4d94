/** IR as text, given to the command: compiled, run, built into binaries. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderWith, start } from './millrace.ts';

const source = `kernel void squares(global int *out, int first) {
  int i = get_global_id(0);
  out[i] = (i + first) * (i + first);
}
`;

describe('a file in IR', () => {
  it('is what --emit ir --after lower prints, and is compiled, run and built', {
    timeout: 60_000,
  }, async () => {
    const folder = folderWith({ 'squares.cl': source });
    const millrace = (...args: string[]) => start(folder, args).ended;
    const emitted = await millrace(
      'compile',
      'squares.cl',
      '--emit',
      'ir',
      '--after',
      'lower',
      '-o',
      'squares.ir',
    );
    expect(emitted).toMatchObject({ code: 0, stderr: '' });
    const text = readFileSync(join(folder, 'squares.ir'), 'utf8');

    expect(await millrace('compile', 'squares.ir')).toMatchObject({
      code: 0,
      stdout: 'squares.ir: no errors, 1 kernel: squares\n',
    });
    const shown = await millrace('compile', 'squares.ir', '--emit', 'ir', '--after', 'lower');
    expect(shown.stdout).toBe(text);
    const module = await millrace('compile', 'squares.ir', '--emit', 'wat');
    expect(module.stdout).toBe((await millrace('compile', 'squares.cl', '--emit', 'wat')).stdout);

    const args = ['-g', '4', '-a', 'out=zeros:4', '-a', 'first=3', '-p', '4'];
    const run = await millrace('run', 'squares.ir', ...args);
    expect(run.stdout).toContain('9, 16, 25, 36');
    expect(run.code).toBe(0);

    expect(await millrace('build', 'squares.ir')).toMatchObject({ code: 0 });
    expect((await millrace('run', 'squares.mlr', ...args)).stdout).toContain('9, 16, 25, 36');
  });

  it('is known by what it holds, whatever it is called', { timeout: 30_000 }, async () => {
    const folder = folderWith({
      'program.txt': 'module address=32\n\nkernel @k(%a: ptr<global>) {\n  return\n}\n',
    });
    expect(await start(folder, ['compile', 'program.txt']).ended).toMatchObject({
      code: 0,
      stdout: 'program.txt: no errors, 1 kernel: k\n',
    });
  });

  it('is told its mistakes with line, column and caret', { timeout: 30_000 }, async () => {
    const folder = folderWith({
      'bad.ir':
        'module address=32\n\nkernel @k(%a: ptr<global>) {\n  %x = load %a align=3 : i32\n  return\n}\n',
      'good.cl': source,
    });
    const message = `bad.ir:4:3: error: alignment 3 is not a power of two
  %x = load %a align=3 : i32
  ^~~~~~~~~~~~~~~~~~~~~~~~~~
1 error generated.
`;
    for (const args of [
      ['compile', 'bad.ir'],
      ['compile', 'bad.ir', '--emit', 'wasm', '-o', 'x.wasm'],
      ['run', 'bad.ir', '-g', '1'],
      ['build', 'bad.ir', 'good.cl', '-o', 'x.mlr'],
    ]) {
      const { code, stderr } = await start(folder, args).ended;
      expect([code, stderr.includes(message)], `${args.join(' ')}: ${stderr}`).toEqual([1, true]);
    }
    const { code, stderr } = await start(folder, ['compile', 'bad.ir', '--emit', 'ast']).ended;
    expect(code).not.toBe(0);
    expect(stderr).toContain('bad.ir is IR: --emit ir, il, wgsl, plan, vectors, wat, wasm, asm can show it');
  });
});
