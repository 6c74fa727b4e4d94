/**
 * Clang as a compiler for wasm32-wasi, where the machine has one with a C library: `$CLANG`, else `clang`, else the `clang-N` of the
 * highest version that can. Tests that need it are skipped elsewhere, and say why.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { toolNames } from './find-tool.ts';

const include = fileURLToPath(new URL('../../include', import.meta.url));

function compileWith(clang: string, file: string, output: string, flags: readonly string[]): void {
  execFileSync(clang, ['--target=wasm32-wasi', `-I${include}`, ...flags, file, '-o', output], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

export interface FoundClang {
  /** Undefined if there is none. */
  readonly clang: string | undefined;
  /** Why not, compiler by compiler. */
  readonly why: string;
}

/** The first of the compilers that makes a program with the C library. */
export function findClang(candidates: readonly string[]): FoundClang {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-clang-'));
  writeFileSync(join(folder, 'empty.c'), '#include <stdio.h>\nint main(void) { return puts(""); }\n');
  const faults: string[] = [];
  try {
    for (const clang of candidates) {
      try {
        compileWith(clang, join(folder, 'empty.c'), join(folder, 'empty.wasm'), []);
        return { clang, why: '' };
      } catch (error) {
        const said = String((error as { stderr?: unknown }).stderr || (error as Error).message);
        faults.push(`${clang}: ${said.trim().split('\n')[0]}`);
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  return { clang: undefined, why: faults.join('; ') || 'there is no clang and no clang-N on PATH' };
}

const { CLANG } = process.env;
const { clang, why } = findClang(CLANG ? [CLANG] : toolNames('clang'));

/** Whether there is such a compiler. */
export const hasClang = clang !== undefined;
if (!hasClang) console.warn(`tests that need clang for wasm32-wasi are skipped: ${why}`);

/** Compiles a C file; throws with what clang says. */
export function compileC(file: string, output: string, flags: readonly string[] = []): void {
  if (clang === undefined) throw new Error(`no clang for wasm32-wasi: ${why}`);
  compileWith(clang, file, output, flags);
}
