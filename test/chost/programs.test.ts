/**
 * Whole programs in C, compiled by Millrace and run: what they print is what gcc's programs print, on PoCL where they use OpenCL
 * (gcc -std=gnu11 -Iinclude NAME.c -lm -lOpenCL -latomic; the outputs are recorded beside the programs). That of atomic_pointers is
 * clang's, whose atomic functions move pointers as C11 has it; that of svm_atomics follows from its counts, as PoCL has not the functions.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';

const folder = resolve('test/chost/programs');

/** Sources without their ending, arguments, exit code. */
const programs: readonly (readonly [string[], string[], number])[] = [
  ...[
    'language',
    'variadic',
    'printf_formats',
    'reading',
    'files',
    'input_output',
    'posix',
    'memory',
    'library',
    'variable_length',
    'moved_pointers',
    'atomics',
    'atomic_pointers',
  ].map(plain),
  [['linked_main', 'linked_other'], ['one', 'two words'], 3],
  ...['saxpy', 'queries', 'image_formats', 'image_histogram', 'rectangles', 'filters', 'events'].map(plain),
  ...['binaries', 'bitonic_sort', 'knn', 'regressions', 'samplers'].map(plain),
  ...[
    'histograms',
    'matrix_multiplication',
    'profiling',
    'rectangular_reads',
    'jpeg_blocks',
    'svm_atomics',
  ].map(plain),
];

function plain(name: string): readonly [string[], string[], number] {
  return [[name], [], 0];
}

/** Compiles and runs all in one process, so that its start and the C library are paid for once. */
async function runAll(): Promise<readonly string[]> {
  const where = mkdtempSync(join(tmpdir(), 'millrace-chost-'));
  try {
    const list = JSON.stringify(programs.map(([sources, args]) => [sources, args]));
    const script = resolve('test/chost/run-programs.mjs');
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [script, folder, list], {
      cwd: where,
      encoding: 'latin1',
    });
    expect(stderr).toBe('');
    return stdout.split(/\n### \d+\n/).slice(1);
  } finally {
    rmSync(where, { recursive: true });
  }
}

describe('programs in C', () => {
  let outputs: readonly string[] = [];

  beforeAll(async () => {
    outputs = await runAll();
  }, 120_000);

  it.each(programs.map(([sources, , code], index) => [sources[0]!, index, code] as const))(
    '%s',
    (name, index, code) => {
      const expected = readFileSync(join(folder, `${name}.expected`), 'latin1');
      expect(outputs[index]).toBe(`${expected}\n### ended with ${code}\n`);
    },
  );
});
