/** What versions, extensions and options change (OpenCL 1.2, 5.6.4, 6.1.1, 9). */
import { describe, expect, it } from 'vitest';
import { type OpenCLDialectOptions, openclDialect } from '../../../src/opencl/dialect/index.ts';
import { diagnose } from '../../c/diagnose.ts';

function said(source: string, options: OpenCLDialectOptions): readonly string[] {
  return diagnose(source, openclDialect(options));
}

describe('options', () => {
  it('without cl_khr_fp64 there is no double, and its constants are floats', () => {
    const extensions = new Set<string>();
    expect(said('double f(double2 x);', { extensions })).toEqual([
      "1:1: error: use of type 'double' requires cl_khr_fp64 support",
      "1:10: error: use of type 'double2' requires cl_khr_fp64 support",
    ]);
    expect(said('float4 f(float4 x) { return x * 2.0; }', { extensions })).toEqual([
      '1:33: warning: double precision constant requires cl_khr_fp64, casting to single precision [-Wunknown-extensions]',
    ]);
  });

  it('-cl-single-precision-constant', () => {
    expect(said('float4 f(float4 x) { return x * 2.0; }', { singlePrecisionConstants: true })).toEqual([]);
  });

  it('with cl_khr_fp16 half is a type like others', () => {
    const extensions = new Set(['cl_khr_fp16']);
    expect(
      said('half f(half2 x, global half *p) { half h = *p + x.x; return h * 2.0h; }', { extensions }),
    ).toEqual([]);
  });

  it('addresses of 64 bits', () => {
    const source = 'constant int a[sizeof(size_t) == 8 && sizeof(void *) == 8 ? 1 : -1] = {0};';
    expect(said(source, { addressBits: 64 })).toEqual([]);
    expect(said(source, {})).toEqual(["1:16: error: 'a' declared as an array with a negative size"]);
  });

  it('OpenCL C 2.0 has a generic space and program-scope variables', () => {
    const source =
      'global int g = 1; void f(int *p) { *p = g; } kernel void k(local int *l) { f(l); f(&g); static int n; f(&n); }';
    expect(said(source, { version: 200 })).toEqual([]);
  });
});
