/**
 * The C ABI as programs see it: each .c file here is compiled by clang as it is, runs under the command, and prints what its
 * .expected file has, which was worked out by hand from the specification.
 */
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
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
  { name: 'images', flags: ['-O0'] },
  { name: 'programs', flags: ['-O1', '-DCL_TARGET_OPENCL_VERSION=120'] },
];

describe.skipIf(!hasClang)('programs in C (need clang for wasm32-wasi)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-c-'));
  for (const { name, flags } of programs) {
    it(name, { timeout: 60_000 }, async () => {
      compileC(join(here, `${name}.c`), join(folder, `${name}.wasm`), [...warnings, ...flags]);
      const { code, stdout, stderr } = await start(folder, ['run', `${name}.wasm`]).ended;
      expect(stderr).toBe('');
      expect(stdout).toBe(readFileSync(join(here, `${name}.expected`), 'utf8'));
      expect(code).toBe(0);
    });
  }
});
