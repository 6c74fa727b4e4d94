/** Types by extension (OpenCL 1.1, 9.3 and 9.6), flexible array members (6.9 d), and hints for loops that mean nothing. */
import { describe, expect, it } from 'vitest';
import { type OpenCLVersion, openclDialect } from '../../../src/opencl/dialect/index.ts';
import { diagnose } from '../../c/diagnose.ts';

const said = (source: string, version: OpenCLVersion): readonly string[] =>
  diagnose(source, openclDialect({ version }));
const pragma = (name: string, behaviour: string): string =>
  `#pragma OPENCL EXTENSION ${name} : ${behaviour}\n`;
const double = 'kernel void k(global float *a) { double x = a[0]; a[1] = x; }';
const half = 'kernel void k(global float *a) { half x = a[0]; a[1] = x; }';

describe('double', () => {
  const refused = ["2:34: error: use of type 'double' requires cl_khr_fp64 support"];
  it.each([100, 110] as const)('behind a pragma that disables it, at %d', (version) => {
    expect(said(pragma('cl_khr_fp64', 'disable') + double, version)).toEqual(refused);
    expect(said(pragma('all', 'disable') + double, version)).toEqual(refused);
    expect(said(pragma('cl_khr_fp64', 'enable') + double, version)).toEqual([]);
    expect(said(pragma('all', 'disable') + pragma('cl_khr_fp64', 'enable') + double, version)).toEqual([]);
    // As clang takes it.
    expect(said(double, version)).toEqual([]);
  });

  it('is no extension from 1.2 on', () => {
    expect(said(pragma('cl_khr_fp64', 'disable') + double, 120)).toEqual([]);
  });

  it('is forgotten with the program', () => {
    said(pragma('cl_khr_fp64', 'disable'), 100);
    expect(said(double, 100)).toEqual([]);
  });
});

describe('half', () => {
  it.each([100, 110] as const)('needs its pragma at %d', (version) => {
    expect(said(half, version)).toEqual(["1:39: error: declaring variable of type 'half' is not allowed"]);
    expect(said(pragma('cl_khr_fp16', 'enable') + half, version)).toEqual([]);
    expect(
      said('kernel void k(global half *a, global float *b) { b[0] = vload_half(0, a); }', version),
    ).toEqual([]);
  });

  it('behind a pragma that disables it', () => {
    expect(said(pragma('cl_khr_fp16', 'disable') + half, 120)).toHaveLength(1);
    expect(said(half, 120)).toEqual([]);
  });
});

it('a flexible array member is warned of', () => {
  const source = 'struct s { int n; float d[]; }; kernel void k(global struct s *a) { a->d[0] = a->n; }';
  expect(said(source, 120)).toEqual([
    '1:25: warning: OpenCL C has no structures with flexible array members (6.9 d) [-Wflexible-array-extensions]',
  ]);
});

describe('an unrolling of 0 is no hint', () => {
  const loop = 'for (int i = 0; i < 4; i++) a[i] = i; }';
  it('as a pragma, which the specification does not know: clang refuses it', () => {
    expect(said(`kernel void k(global int *a) {\n#pragma unroll 0\n${loop}`, 120)).toEqual([
      "2:1: error: invalid value '0'; must be positive",
    ]);
  });

  it('as an attribute, whose number is positive (OpenCL 2.0, 6.11.5)', () => {
    const [message, ...others] = said(
      `kernel void k(global int *a) { __attribute__((opencl_unroll_hint(0))) ${loop}`,
      200,
    );
    expect(message).toMatch(/error: 'opencl_unroll_hint' attribute requires a positive/);
    expect(others).toEqual([]);
  });
});

it("what '%s' cannot print is a warning", () => {
  const source = 'kernel void k(global char *a) { printf("%s", a); }';
  expect(said(source, 120)).toEqual([
    "1:46: warning: the argument of '%s' must be a string literal or point to constant chars; this has type '__global char *', so that it prints '(not a string)' [-Wformat]",
  ]);
});
