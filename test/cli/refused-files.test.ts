/**
 * Devices, pipes and files without end where a source, a header or data is expected: an error that names the place, and no waiting.
 * In every language, and for files of the command line.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { compile, diskFiles, RefusedFile } from 'millrace';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasProgram } from '../support/programs.ts';
import { WarmCommand } from './warm.ts';

let folder: string;
let shared: WarmCommand;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-refused-'));
  shared = new WarmCommand(folder);
  mkdirSync(join(folder, 'inc/deep'), { recursive: true });
  mkdirSync(join(folder, 'secret'));
  const kernel = 'kernel void f(global int *a) { a[0] = VALUE; }\n';
  writeFileSync(join(folder, 'inc/value.h'), '#define VALUE 3\n');
  writeFileSync(join(folder, 'inc/deep/same.h'), '#include "../value.h"\n');
  writeFileSync(join(folder, 'secret/value.h'), '#define VALUE 5\n');
  symlinkSync('../secret', join(folder, 'inc/out'));
  writeFileSync(join(folder, 'inc/deep/plain.h'), '#define VALUE 3\n');
  symlinkSync('deep/plain.h', join(folder, 'inc/link.h'));
  writeFileSync(join(folder, 'plain.cl'), kernel.replace('VALUE', '1'));
  for (const [name, header] of [
    ['zero', '/dev/zero'],
    ['fifo', 'fifo.h'],
    ['large', 'large.h'],
    ['out', 'inc/out/value.h'],
    ['up', 'inc/../secret/value.h'],
    ['in', 'inc/link.h'],
  ])
    writeFileSync(join(folder, `${name}.cl`), `#include "${header}"\n${kernel}`);
  writeFileSync(join(folder, 'zero.c'), '#include "/dev/zero"\nint main(void) { return 0; }\n');
  writeFileSync(join(folder, 'zero.br'), '#include "/dev/zero"\nint main(void) { return 0; }\n');
  writeFileSync(join(folder, 'out.c'), '#include "inc/out/value.h"\nint main(void) { return VALUE; }\n');
  writeFileSync(join(folder, 'in.c'), '#include "inc/link.h"\nint main(void) { return VALUE; }\n');
  writeFileSync(join(folder, 'large.h'), '');
  truncateSync(join(folder, 'large.h'), 80 * 2 ** 20);
  writeFileSync(join(folder, 'exact.cl'), kernel.replace('VALUE', '1').padEnd(2 ** 20));
  execFileSync('mkfifo', [join(folder, 'fifo.h')]);
});
afterAll(() => {
  shared.close();
  rmSync(folder, { recursive: true });
});

/** In one process for all: what may not happen is that it waits. */
async function millrace(args: readonly string[]): Promise<{ code: number; text: string }> {
  const { code, stdout, stderr } = await shared.run(...args);
  return { code: code ?? 0, text: stdout + stderr };
}

describe.skipIf(!hasProgram('mkfifo'))('what is no file to be read', () => {
  it.each([
    [['compile', 'zero.cl'], "zero.cl:1:10: error: '/dev/zero' cannot be included: it is no regular file"],
    [['compile', 'fifo.cl'], "fifo.cl:1:10: error: 'fifo.h' cannot be included: it is no regular file"],
    [['compile', 'large.cl'], "large.cl:1:10: error: 'large.h' cannot be included: it is larger than 64 MiB"],
    [['run', 'zero.c'], "zero.c:1:10: error: '/dev/zero' cannot be included: it is no regular file"],
    [['compile', 'zero.br'], "zero.br:1:10: error: '/dev/zero' cannot be included: it is no regular file"],
    [['build', 'zero.cl', '-o', 'zero.mlr'], "'/dev/zero' cannot be included: it is no regular file"],
    [['compile', '/dev/zero'], 'cannot read /dev/zero: it is no regular file'],
    [['compile', 'fifo.h'], 'cannot read fifo.h: it is no regular file'],
    [['compile', 'large.h'], 'cannot read large.h: it is larger than 64 MiB'],
    [['run', '/dev/zero'], 'cannot read /dev/zero: it is no regular file'],
    [['run', 'plain.cl', '-a', 'a=/dev/zero'], 'cannot read /dev/zero: it is no regular file'],
    [['run', 'plain.cl', '-a', 'a=fifo.h'], 'cannot read fifo.h: it is no regular file'],
    [['brcc', 'fifo.h'], 'cannot read fifo.h: it is no regular file'],
  ])('%s', async (args, message) => {
    const { code, text } = await millrace(args);
    expect(text).toContain(message);
    expect(code).toBeGreaterThan(0);
  });

  it('still lets pipes of the shell be read', async () => {
    const line = `cat plain.cl | '${process.execPath}' '${resolve('dist/millrace.js')}' compile`;
    for (const name of ['-', '/dev/stdin', '<(cat plain.cl)'])
      expect(execFileSync('bash', ['-c', `${line} ${name}`], { cwd: folder, encoding: 'utf8' })).toContain(
        'kernel: f',
      );
    expect((await millrace(['compile', 'exact.cl'])).text).toContain('kernel: f');
  });
});

describe('folders that includes stay in', () => {
  const outside = 'cannot be included: it is outside of the folders that files may be included from';

  it.each([
    ['out.cl', "out.cl:1:10: error: 'inc/out/value.h' "],
    ['up.cl', "up.cl:1:10: error: 'inc/../secret/value.h' "],
    ['zero.cl', "zero.cl:1:10: error: '/dev/zero' "],
    ['out.c', "out.c:1:10: error: 'inc/out/value.h' "],
  ])('--include-within, and %s', async (file, start) => {
    expect((await millrace(['compile', '--include-within', 'inc', file])).text).toContain(start + outside);
  });

  it('--include-within, and what stays inside', async () => {
    expect((await millrace(['compile', '--include-within', 'inc', 'in.cl'])).text).toContain('kernel: f');
    const command = [resolve('dist/millrace.js'), 'run', '--include-within', 'inc', 'in.c'];
    expect(spawnSync(process.execPath, command, { cwd: folder }).status).toBe(3);
    expect((await millrace(['compile', '--include-within', 'nowhere', 'in.cl'])).text).toMatch(
      /--include-within: no such/,
    );
    // Looked for beside the source, which is outside, and found in a folder of headers.
    writeFileSync(
      join(folder, 'beside.cl'),
      '#include "value.h"\nkernel void f(global int *a) { a[0] = VALUE; }\n',
    );
    const args = ['compile', '--include-within', 'inc', '-I', 'inc', 'beside.cl'];
    expect((await millrace(args)).text).toContain('kernel: f');
  });

  it('from JavaScript', async () => {
    const files = diskFiles({ within: [join(folder, 'inc')] });
    expect(files.read(join(folder, 'inc/link.h'))).toBe('#define VALUE 3\n');
    expect(files.read(join(folder, 'inc/missing.h'))).toBeUndefined();
    for (const path of ['inc/out/value.h', 'secret/value.h', 'secret/missing.h', 'inc/../../etc/passwd'])
      expect(() => files.read(join(folder, path))).toThrow(RefusedFile);
    const source = `#include "${folder}/inc/out/value.h"\nkernel void f(global int *a) { a[0] = VALUE; }\n`;
    await expect(compile(source, { files })).rejects.toThrow(outside);
    const fine = `#include "${folder}/inc/deep/same.h"\nkernel void f(global int *a) { a[0] = VALUE; }\n`;
    (await compile(fine, { files })).release();
    expect(() => diskFiles({ within: [join(folder, 'nowhere')] })).toThrow(/nowhere/);
  });
});
