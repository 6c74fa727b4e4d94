/**
 * include/cblas.h: programs in C and C++ that check what they get, and a program that calls every function with random arguments, whose results
 * are compared with OpenBLAS's.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type Case, caseText, checkCase, randomCase } from '../../conformance/blas/cases.ts';
import { openReference, type Reference } from '../../conformance/blas/openblas.ts';
import { allRoutines } from '../../conformance/blas/routines.ts';
import { functionNames } from '../../src/blas/c/names.ts';
import { hasCxx } from '../support/cxx.ts';

const command = new URL('../../dist/millrace.js', import.meta.url).pathname;
const header = readFileSync(new URL('../../include/cblas.h', import.meta.url), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'millrace-cblas-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Ended {
  readonly stdout: string;
  readonly stderr: string;
  readonly status: number;
}

function run(file: string, words: readonly string[] = [], options: readonly string[] = []): Promise<Ended> {
  return new Promise((resolve) => {
    const all = [command, 'run', ...options, file, ...words];
    execFile(process.execPath, all, { encoding: 'utf8', maxBuffer: 2 ** 28 }, (error, stdout, stderr) => {
      resolve({ stdout, stderr, status: typeof error?.code === 'number' ? error.code : 0 });
    });
  });
}
const program = (name: string): string => new URL(`programs/${name}`, import.meta.url).pathname;

const numbersIn = (value: unknown): value is Float32Array | Float64Array =>
  value instanceof Float32Array || value instanceof Float64Array;

/** A function that makes the call with these arguments, and prints its result and all numbers of its arrays. */
function callInC({ routine, parameters, given }: Case, index: number): string {
  const { name, kind } = routine;
  const constant = (value: number): string =>
    Number.isInteger(value) ? `${value}.0` : value.toPrecision(17);
  const made: string[] = [];
  const words = parameters.map(({ name: parameter, kind: what }, p) => {
    const value = given[p];
    if (numbersIn(value) || Array.isArray(value)) {
      const all = [...(value as number[])];
      made.push(`  static ${kind.real} ${parameter}[] = {${all.map(constant).join(', ')}};\n`);
      return parameter;
    }
    return what === 'scalar' || what === 'real' ? constant(value as number) : String(value);
  });
  const arrays = parameters
    .filter((_, p) => numbersIn(given[p]))
    .map(
      ({ name: parameter }) =>
        `  print(${parameter}, sizeof ${parameter} / sizeof *${parameter}, sizeof *${parameter});\n`,
    );
  const isComplexDot = /dot[uc]$/.test(name);
  const returns = /^i|dot$|nrm2$|asum$/.test(name);
  const call = `cblas_${name}${isComplexDot ? '_sub' : ''}(${[...words, ...(isComplexDot ? ['result'] : [])].join(', ')})`;
  const before = isComplexDot ? `  ${kind.real} result[2];\n` : '';
  const after = isComplexDot
    ? '  printf("%.17g %.17g\\n", result[0], result[1]);\n'
    : returns
      ? ''
      : '  printf("\\n");\n';
  const body = returns ? `  printf("%.17g\\n", (double)${call});\n` : `  ${call};\n`;
  return `static void call${index}(void) {\n${made.join('')}${before}${body}${after}${arrays.join('')}}\n`;
}

/** Programs are compiled, on a machine that may be busy. */
const limit = { timeout: 600_000 };

describe('cblas.h', () => {
  it('declares what programs can import', () => {
    const declared = [...header.matchAll(/^CBLAS_FUNCTION\([\w ]+, (\w+)\)/gm)].map(([, name]) => name!);
    expect([...declared].sort()).toEqual([...functionNames, 'set_xerbla'].sort());
    const computed = [...allRoutines.keys()].map((name) => name.replace(/(dot[uc])$/, '$1_sub'));
    expect(functionNames.filter((name) => !/rotm?g$|gemm_batch$/.test(name)).sort()).toEqual(computed.sort());
  });

  it('a program in C finds what it should', limit, async () => {
    const { stdout, stderr, status } = await run(program('program.c'));
    expect([stdout, stderr, status]).toEqual(['well\n', '', 0]);
  });

  it('a wrong argument ends a program that does not want to be told', limit, async () => {
    const { stdout, stderr, status } = await run(program('program.c'), ['more']);
    expect(stdout).toBe('well\n');
    expect(stderr).toBe('Parameter 3 to routine cblas_dscal was incorrect\nx has 0 elements, 3 are needed\n');
    expect(status).toBe(255);
  });

  it('a wild pointer stops the program', limit, async () => {
    const { stdout, stderr, status } = await run(program('program.c'), ['wild']);
    expect(stdout).toBe('');
    expect(stderr).toContain('0xfffffff0 does not point to floats of the program');
    expect(status).toBe(134);
  });

  it('the device is the one that the program finds', limit, async () => {
    const { stdout, status } = await run(program('program.c'), [], ['--device', 'interpreter']);
    expect([stdout, status]).toEqual(['well\n', 0]);
  });

  it.skipIf(!hasCxx)('a program in C++ finds what it should', limit, async () => {
    const { stdout, stderr } = await run(program('program.cpp'));
    expect([stdout, stderr]).toEqual(['solved 6 9\n', '']);
  });
});

const reference = openReference();
const runs = typeof reference !== 'string';

it.skipIf(!runs)(
  `every function of cblas.h and OpenBLAS${runs ? '' : ` (SKIPPED: ${reference})`}`,
  limit,
  async () => {
    const cases = [...allRoutines.values()].map((routine, index) => randomCase(routine, 4_100 + index, 7));
    const file = join(folder, 'calls.c');
    writeFileSync(
      file,
      `#include <cblas.h>
#include <stdio.h>
static void print(const void *numbers, size_t count, size_t bytes) {
  for (size_t i = 0; i < count; i += 1)
    printf("%.17g ", bytes == 4 ? (double)((const float *)numbers)[i] : ((const double *)numbers)[i]);
  printf("\\n");
}
${cases.map(callInC).join('')}int main(void) {
${cases.map((_, index) => `  call${index}();\n`).join('')}  return 0;
}
`,
    );
    const { stdout, stderr } = await run(file);
    expect(stderr).toBe('');
    const lines = stdout.split('\n').map((line) => line.trim().split(' ').filter(Boolean).map(Number));
    for (const each of cases) {
      const returned = lines.shift()!;
      const after = each.given.map((value) => {
        if (!numbersIn(value)) return value;
        const line = lines.shift()!;
        expect(line.length, caseText(each)).toBe(value.length);
        return each.routine.kind.array.from(line);
      });
      const result = returned.length === 0 ? undefined : returned.length === 1 ? returned[0] : returned;
      const fault = checkCase(each, after, result, allRoutines, reference as Reference);
      expect(fault, caseText(each)).toBeUndefined();
    }
  },
);
