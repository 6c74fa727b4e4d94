import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compileForWasm } from '../../src/devices/wasm/compile-kernels.ts';
import { printModule } from '../../src/ir/print.ts';
import { parseBuildOptions } from '../../src/opencl/build-options.ts';
import { compileOpenCL } from '../../src/opencl/compile.ts';
import { parseLinkOptions } from '../../src/opencl/link-options.ts';
import { buffer, compileForTest, runOnInterpreter } from '../support/run-kernel.ts';

/** What the table of the document says: all options, and those that have no effect. */
function optionsInTable(): { all: string[]; none: string[] } {
  const [page] = readFileSync('docs/build-options.md', 'utf8').split('## Compiling and linking');
  const rows = page!.match(/^\| `-.*$/gm) ?? [];
  const options = (row: string) =>
    [...(row.split('|')[1] ?? '').matchAll(/`(-[^`]+)`/g)].map((match) => match[1]!);
  return { all: rows.flatMap(options), none: rows.filter((row) => row.includes('| none')).flatMap(options) };
}

describe('build options (OpenCL 1.2, 5.6.4)', () => {
  it('reads definitions and include paths, attached or apart', () => {
    const { options, errors } = parseBuildOptions('-D A -DB=2 -I inc -Iother/dir  -D C=x');
    expect(errors).toEqual([]);
    expect(options.definitions).toEqual(['A', 'B=2', 'C=x']);
    expect(options.includePaths).toEqual(['inc', 'other/dir']);
  });

  it('takes quotes and backslashes as a shell does', () => {
    const { options } = parseBuildOptions(`-D "NAME=a b" -DTEXT=\\"x\\" -I 'my dir' -D'Q="'`);
    expect(options.definitions).toEqual(['NAME=a b', 'TEXT="x"', 'Q="']);
    expect(options.includePaths).toEqual(['my dir']);
  });

  it('turns on what an option implies', () => {
    const { options } = parseBuildOptions('-cl-fast-relaxed-math -w -Werror -g -cl-std=CL1.1');
    expect(options).toMatchObject({
      version: 110,
      fastRelaxedMath: true,
      finiteMathOnly: true,
      unsafeMath: true,
      madEnable: true,
      suppressWarnings: true,
      warningsAreErrors: true,
      debug: true,
      optDisable: false,
    });
  });

  it('gives the same code with and without the permissions that are not used', () => {
    const source = `kernel void k(global float* p) {
      p[0] = exp(p[1]) / sqrt(p[2]) * p[3] + p[4]; p[5] = p[6] - p[6]; p[7] = p[8] * 1e-40f;
    }`;
    const printed = (buildOptions: string) => printModule(compileForTest(source, buildOptions));
    const plain = printed('');
    const { none } = optionsInTable();
    expect(none).toContain('-cl-denorms-are-zero');
    for (const option of none) expect(printed(option), option).toBe(plain);
  });

  it('knows just the options of docs/build-options.md', () => {
    for (const option of optionsInTable().all) {
      expect(parseBuildOptions(option.replace('FOLDER', 'x').replace(/=N$/, '=5')).errors, option).toEqual(
        [],
      );
    }
  });

  it.each([
    ['-frobnicate', "unknown build option '-frobnicate'"],
    ['-cl-std=CL9', "unknown language version in build option '-cl-std=CL9'"],
    ['-D', "build option '-D' needs a value"],
    ['-D "A', 'a quotation mark in the build options is not closed'],
    ['constructor', "unknown build option 'constructor'"],
  ])('rejects %s', (text, message) => {
    expect(parseBuildOptions(text).errors).toEqual([message]);
  });

  it('reads the options of the linker', () => {
    const library = parseLinkOptions(' -create-library\t-enable-link-options -cl-fast-relaxed-math ');
    expect(library).toEqual({ isLibrary: true, enablesOptions: true, errors: [] });
    expect(parseLinkOptions('')).toEqual({ isLibrary: false, enablesOptions: false, errors: [] });
    expect(parseLinkOptions('-D X').errors).toEqual([
      "unknown linker option '-D'",
      "unknown linker option 'X'",
    ]);
    expect(parseLinkOptions('-enable-link-options').errors).toHaveLength(1);
    const [, page] = readFileSync('docs/build-options.md', 'utf8').split('## Compiling and linking');
    const rows = page!.match(/^\| `-.*$/gm) ?? [];
    const named = rows.flatMap((row) =>
      [...row.split('|')[1]!.matchAll(/`(-[^`]+)`/g)].map(([, name]) => name!),
    );
    expect(named.length).toBeGreaterThan(6);
    for (const name of named) expect(parseLinkOptions(`-create-library ${name}`).errors, name).toEqual([]);
  });
});

describe('what each option does', () => {
  const compiled = (source: string, buildOptions: string, files?: Record<string, string>) =>
    compileOpenCL(source, {
      name: 't.cl',
      buildOptions,
      files: files && { read: (path) => files[path] },
    });
  /** The value that the one kernel of a source stores. */
  const stored = (source: string, buildOptions: string): number => {
    const result = new Float32Array(1);
    const module = compileForTest(`kernel void k(global float *out) { ${source} }`, buildOptions);
    runOnInterpreter(module, 'k', { global: [1], local: [1] }, [buffer(result)]);
    return result[0]!;
  };
  const messages = (source: string, buildOptions: string) =>
    compiled(source, buildOptions).diagnostics.list.map(({ severity, message }) => `${severity}: ${message}`);

  it('-D and -I', () => {
    expect(stored('out[0] = A + B(2);', '-D A=40 -D "B(x)=x"')).toBe(42);
    expect(stored('out[0] = A;', '-DA')).toBe(1);
    const source = '#include "x.h"\nkernel void k(global int *o) { o[0] = X; }';
    expect(compiled(source, '', { 'inc/x.h': '#define X 1' }).log).toContain("'x.h' file not found");
    expect(compiled(source, '-I inc', { 'inc/x.h': '#define X 1' }).log).toBe('');
  });

  it('-cl-std', () => {
    for (const [option, version] of [
      ['', 120],
      ['-cl-std=CL1.0', 100],
      ['-cl-std=CL1.1', 110],
      ['-cl-std=CL1.2', 120],
    ] as const) {
      expect(stored('out[0] = __OPENCL_C_VERSION__;', option)).toBe(version);
    }
    const uses = (name: string, option: string) =>
      messages(`kernel void k(global uint *o) { ${name} }`, option);
    // In 1.2 only, in 1.1 too, everywhere.
    const call = 'o[0] = popcount(o[1]);';
    expect(uses(call, '')).toEqual([]);
    expect(uses(call, '-cl-std=CL1.1')[0]).toMatch(/^error: .*popcount/);
    const newer = 'o[0] = get_global_offset(0);';
    expect(uses(newer, '-cl-std=CL1.1')).toEqual([]);
    expect(uses(newer, '-cl-std=CL1.0')[0]).toMatch(/^error: .*get_global_offset/);
    expect(uses('o[0] = max(o[1], o[2]);', '-cl-std=CL1.0')).toEqual([]);
    // Names that a version does not take are the program's.
    const own =
      'uint popcount(uint x) { return 7; } kernel void k(global uint *o) { o[0] = popcount(o[1]); }';
    expect(messages(own, '-cl-std=CL1.1')).toEqual([]);
    for (const storage of ['static', 'extern']) {
      const source = `${storage} int f(int x); kernel void k(global int *o) {}`;
      expect(messages(source, '')).toEqual([]);
      expect(messages(source, '-cl-std=CL1.1')).toEqual([
        `error: OpenCL C version 1.1 does not support the '${storage}' storage class specifier`,
      ]);
    }
    expect(messages('static constant int c = 1;', '-cl-std=CL1.0')).toEqual([
      "error: OpenCL C version 1.0 does not support the 'static' storage class specifier",
    ]);
  });

  it('-cl-single-precision-constant', () => {
    // 1 + 2^-30 is a double; as floats the sum is 1.
    const source = 'out[0] = (1.0 + 9.313225746154785e-10 == 1.0) ? 1 : 0;';
    expect(stored(source, '')).toBe(0);
    expect(stored(source, '-cl-single-precision-constant')).toBe(1);
  });

  it('-cl-opt-disable', () => {
    const code = (option: string) => {
      const module = compileForTest(
        'kernel void k(global float *out) { float x = 2; for (int i = 0; i < 4; i++) x *= 3; out[0] = x; }',
        option,
      );
      return Buffer.from(compileForWasm(module, { shared: true }, option).bytes);
    };
    // Optimised, the loop is the constant that it computes.
    const product = Buffer.alloc(4);
    product.writeFloatLE(2 * 3 ** 4);
    expect(code('').includes(product)).toBe(true);
    expect(code('-cl-opt-disable').includes(product)).toBe(false);
  });

  it('-cl-finite-math-only and -cl-fast-relaxed-math', () => {
    const source = `
#ifdef __FAST_RELAXED_MATH__
      out[0] = 2;
#elif defined(__FINITE_MATH_ONLY__)
      out[0] = 1;
#else
      out[0] = 0;
#endif
`;
    expect(stored(source, '')).toBe(0);
    expect(stored(source, '-cl-finite-math-only')).toBe(1);
    expect(stored(source, '-cl-fast-relaxed-math')).toBe(2);
    expect(stored(source, '-cl-unsafe-math-optimizations')).toBe(0);
  });

  it('-w and -Werror', () => {
    const source = 'kernel void k(global int *o) { o[0] = o[1] / 0; }';
    expect(messages(source, '')).toEqual(['warning: division by zero is undefined']);
    expect(messages(source, '-w')).toEqual([]);
    expect(messages(source, '-Werror')).toEqual(['error: division by zero is undefined']);
    expect(compiled(source, '-Werror').module).toBeUndefined();
    expect(compiled(source, '-w -Werror').module).toBeDefined();
  });

  it('the exact ones: subnormal numbers, division and square root stay as exact with every permission', () => {
    const all =
      '-cl-denorms-are-zero -cl-fp32-correctly-rounded-divide-sqrt -cl-mad-enable -cl-no-signed-zeros ' +
      '-cl-unsafe-math-optimizations -cl-finite-math-only -cl-fast-relaxed-math -cl-strict-aliasing';
    for (const options of ['', all]) {
      expect(stored('volatile float x = 1e-40f; out[0] = x * 2.0f;', options)).toBe(2 * Math.fround(1e-40));
      expect(stored('volatile float x = 10; out[0] = x / 3.0f;', options)).toBe(Math.fround(10 / 3));
      expect(stored('volatile float x = 2; out[0] = sqrt(x);', options)).toBe(Math.fround(Math.SQRT2));
      expect(stored('volatile float x = 0; out[0] = -x;', options)).toBe(-0);
    }
  });
});
