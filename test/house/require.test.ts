// CommonJS has the package too: README.md says so. Node's `require` of ES modules does it, as long as no module awaits at its top.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-require-'));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(resolve('.'), join(folder, 'node_modules/millrace'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const run = (file: string): string =>
  execFileSync(process.execPath, [file], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });

test.each(['millrace', 'millrace/opencl', 'millrace/brook', 'millrace/cal', 'millrace/c-host'])(
  'require gives %s',
  (name) => {
    const file = join(folder, 'names.cjs');
    writeFileSync(file, `console.log(Object.keys(require('${name}')).length)`);
    expect(Number(run(file))).toBeGreaterThan(5);
  },
);

test('a kernel runs in CommonJS', () => {
  const file = join(folder, 'kernel.cjs');
  writeFileSync(
    file,
    `const { compile } = require('millrace');
    (async () => {
      const program = await compile('kernel void twice(global int *a) { a[get_global_id(0)] *= 2; }');
      const a = Int32Array.of(1, 2, 3);
      await program.kernel('twice')({ global: [3] }, a);
      console.log(a.join());
      program.release();
    })();`,
  );
  expect(run(file)).toBe('2,4,6\n');
});
