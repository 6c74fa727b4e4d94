/** Clang as a compiler for wasm32-wasi, where the machine has one with a C library; tests that need it are skipped elsewhere. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const { CLANG = 'clang' } = process.env;
const include = fileURLToPath(new URL('../../include', import.meta.url));

/** Compiles a C file; throws with what clang says. */
export function compileC(file: string, output: string, flags: readonly string[] = []): void {
  execFileSync(CLANG, ['--target=wasm32-wasi', `-I${include}`, ...flags, file, '-o', output], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Whether there is such a compiler. */
export const hasClang = ((): boolean => {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-clang-'));
  writeFileSync(join(folder, 'empty.c'), '#include <stdio.h>\nint main(void) { return puts(""); }\n');
  try {
    compileC(join(folder, 'empty.c'), join(folder, 'empty.wasm'));
    return true;
  } catch {
    return false;
  }
})();
