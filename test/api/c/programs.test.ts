/**
 * The C ABI as programs see it: each .c file here is compiled by clang as it is, runs under the command, and prints what its
 * .expected file has, which was worked out by hand from the specification.
 */
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getPlatforms } from 'millrace/opencl';
import { describe, expect, it } from 'vitest';
import { start } from '../../cli/millrace.ts';
import { compileC, hasClang } from '../../support/clang.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const warnings = ['-Wall', '-Wextra', '-Werror', '-Wno-unused-function'];

const programs: readonly { readonly name: string; readonly flags: readonly string[] }[] = [
  { name: 'handles', flags: ['-O1'] },
  // Vector instructions and those of bulk memory are walked over when the memory is made a shared one.
  { name: 'memory', flags: ['-O3', '-msimd128', '-mbulk-memory', '-msign-ext', '-mnontrapping-fptoint'] },
  { name: 'callbacks', flags: ['-O1'] },
  { name: 'kept-objects', flags: ['-O1'] },
  { name: 'moved-pointers', flags: ['-O1'] },
  { name: 'svm', flags: ['-O1', '-matomics', '-mbulk-memory'] },
  { name: 'images', flags: ['-O0'] },
  { name: 'pipes', flags: ['-O1'] },
  { name: 'device-queues', flags: ['-O1'] },
  { name: 'programs', flags: ['-O1', '-DCL_TARGET_OPENCL_VERSION=120'] },
];

describe.skipIf(!hasClang)('programs in C (need clang for wasm32-wasi)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-c-'));
  const check = async (name: string, flags: readonly string[], options: readonly string[]): Promise<void> => {
    compileC(join(here, `${name}.c`), join(folder, `${name}.wasm`), [...warnings, ...flags]);
    const { code, stdout, stderr } = await start(folder, ['run', ...options, `${name}.wasm`]).ended;
    expect(stderr).toBe('');
    expect(stdout).toBe(readFileSync(join(here, `${name}.expected`), 'utf8'));
    expect(code).toBe(0);
  };

  for (const { name, flags } of programs) {
    it(name, { timeout: 60_000 }, () => check(name, flags, []));
  }

  // A driver's device has a memory of its own, so what is shared elsewhere is copied.
  it.skipIf(getPlatforms().length < 2)("memory, on a driver's device", { timeout: 60_000 }, () =>
    check('memory', ['-O1'], ['--drivers', '--env', 'PLATFORM=1']),
  );
});
