/** Mistyped words and words of other languages: the guess comes first, and nothing that only follows from it is said. */
import { describe, expect, it } from 'vitest';
import { openclDialect } from '../../../src/opencl/dialect/index.ts';
import { diagnose } from '../../c/diagnose.ts';

const said = (source: string): readonly string[] => diagnose(source, openclDialect());
const kernel = (body: string): string => `kernel void k(global float *a, int n) { ${body} }`;

/** A source with one word that is wrong, and what was meant. */
const mistyped: readonly (readonly [source: string, wrong: string, meant: string])[] = [
  ['kernl void f(global float *a) { a[0] = 1; }', 'kernl', 'kernel'],
  ['__kernal void f(global float *a) { a[0] = 1; }', '__kernal', '__kernel'],
  ['void __kernal f(global float *a) { a[0] = 1; }', '__kernal', '__kernel'],
  ['kernel void f(globl float *a, int n) { a[n] = 1; }', 'globl', 'global'],
  ['kernel void f(__golbal float *a, int n) { a[n] = 1; }', '__golbal', '__global'],
  ['kernel viod f(global float *a) { a[0] = 1; }', 'viod', 'void'],
  ['__attribtue__((reqd_work_group_size(1, 1, 1))) kernel void f(void) {}', '__attribtue__', '__attribute__'],
  ['kernel void f(read_olny image2d_t i) {}', 'read_olny', 'read_only'],
  ['typdef int number; number three(void) { return 3; }', 'typdef', 'typedef'],
  ['static inlin float f(float x) { return x; }', 'inlin', 'inline'],
  ['struct s { cosnt int a; }; int f(struct s *p) { return p->a; }', 'cosnt', 'const'],
  [kernel('unsinged int x = 3; a[0] = x;'), 'unsinged', 'unsigned'],
  [kernel('flaot x = 3; a[0] = x;'), 'flaot', 'float'],
  [kernel('flaot *p = 0; a[0] = p[0];'), 'flaot', 'float'],
  [kernel('a[0] = (flaot)n + 1;'), 'flaot', 'float'],
  [kernel('strcut s { int x; }; struct s y; y.x = 2; a[0] = y.x;'), 'strcut', 'struct'],
  [kernel('fro (int i = 0; i < n; i++) { a[i] = i; }'), 'fro', 'for'],
  [kernel('whlie (a[0] < n) a[0] += 1;'), 'whlie', 'while'],
  [kernel('if (n) a[0] = 1; esle a[1] = 2;'), 'esle', 'else'],
  [kernel('if (n) { a[0] = 1; } esle { a[1] = 2; }'), 'esle', 'else'],
  [kernel('siwtch (n) { case 1: a[0] = 1; }'), 'siwtch', 'switch'],
  [kernel('switch (n) { csae 1: a[0] = 1; }'), 'csae', 'case'],
  [kernel('while (n) { braek; }'), 'braek', 'break'],
  [kernel('if (n) retrun; a[0] = 1;'), 'retrun', 'return'],
  ['int f(int x) { retrun x; }', 'retrun', 'return'],
  ['int f(int x) { retrun 2 * x; }', 'retrun', 'return'],
  ['int f(int x) { retrun (x); }', 'retrun', 'return'],
  [kernel('a[0] = sinf(a[1]);'), 'sinf', 'sin'],
  // words of other languages
  ['__global__ void f(float *a, int n) { a[n] = 1; }', '__global__', 'kernel'],
  ['void __global__ f(float *a, int n) { a[n] = 1; }', '__global__', 'kernel'],
  [kernel('__shared__ float t[64]; t[n] = 1; a[0] = t[0];'), '__shared__', 'local'],
  ['__constant__ float c[4]; float f(int i) { return c[i]; }', '__constant__', 'constant'],
  [kernel('a[threadIdx.x] = threadIdx.x;'), 'threadIdx', 'get_local_id(0)'],
  [kernel('a[blockIdx.y] = n;'), 'blockIdx.y', 'get_group_id(1)'],
  [kernel('a[blockDim.z] = n;'), 'blockDim.z', 'get_local_size(2)'],
  [kernel('__syncthreads();'), '__syncthreads', 'barrier(CLK_LOCAL_MEM_FENCE)'],
  [kernel('float4 v = make_float4(1, 2, 3, 4); a[0] = v.x;'), 'make_float4', '(float4)(...)'],
  [kernel('vec4 v = vec4(1, 2, 3, 4); a[0] = v.x;'), 'vec4', 'float4'],
  [kernel('a[0] = ((vec4)(1, 2, 3, 4)).x;'), 'vec4', 'float4'],
  [kernel('a[0] = vec4(1, 2, 3, 4).x;'), 'vec4', '(float4)(...)'],
  ['shared float t[64]; void f(int i) { t[i] = 1; }', 'shared', 'local'],
  ['groupshared float t[64]; void f(int i) { t[i] = 1; }', 'groupshared', 'local'],
  [
    'RWStructuredBuffer<float> b : register(u0); void f(int i) { b[i] = 1; }',
    'RWStructuredBuffer',
    'global T *',
  ],
  ['void f(uint3 id : SV_DispatchThreadID) {}', 'SV_DispatchThreadID', 'get_global_id(0)'],
  ['kernel void f(device float *a) { a[0] = 1; }', 'device', 'global'],
  [kernel('a[0] = float4(1, 2, 3, 4).x;'), 'float4', '(float4)(...)'],
  [kernel('a[0] = float(n) + 1;'), 'float', '(float)(...)'],
];

describe('a word that means nothing', () => {
  it.each(mistyped)('%s', (source, wrong, meant) => {
    const lines = said(source);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(`'${wrong}'`);
    expect(lines[0]).toContain(`did you mean '${meant}'?`);
  });

  it('in a directive', () => {
    expect(said('#inclde "x.h"')).toEqual([
      "1:2: error: invalid preprocessing directive; did you mean 'include'?",
    ]);
  });

  it('is a label where one can stand, and a warning if nothing jumps there and it is nearly `default`', () => {
    expect(said(kernel('switch (n) { case 1: break; defualt: a[0] = 1; }'))).toEqual([
      "1:69: warning: unused label 'defualt'; did you mean 'default'? [-Wunused-label]",
    ]);
    expect(said(kernel('switch (n) { case 1: goto defaults; case 2: break; defaults: a[0] = 1; }'))).toEqual(
      [],
    );
    const labels = 'if (n) goto out; a[1] = 2; buffer: a[2] = 3; layout: if (!n) goto buffer; goto layout;';
    expect(said(kernel(`${labels} thread: ; goto thread; out: ;`))).toEqual([]);
  });

  it('without something near is one error', () => {
    expect(said('MYAPI float f(float x) { return x; } float g(void) { return f(1); }')).toEqual([
      "1:1: error: unknown type name 'MYAPI'",
    ]);
  });

  it('is a name like others where the program declares it', () => {
    const source = `kernel void k(global float *device, int shared, int buffer, int layout) {
      int uniform = shared + buffer, in = 2, out;
      out = in;
      float thread = uniform, texture = layout, vec4 = 3, mod = 1;
      device[out] = thread * texture + vec4 * mod;
    }`;
    expect(said(source)).toEqual([]);
  });
});

describe('programs of other languages', () => {
  it('GLSL: what is passed over takes the messages about its names with it', () => {
    const source = `#version 430
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer B { float a[]; } block;
uniform int n;
void f(void) {
  uint i = gl_GlobalInvocationID.x;
  if (i < n) a[i] = block.a[n];
}`;
    expect(said(source).map((line) => line.replace(/;.*/, ''))).toEqual([
      '1:2: error: invalid preprocessing directive',
      "2:1: error: 'layout' is a word of GLSL",
      "4:1: error: 'uniform' is a word of GLSL",
      "6:12: error: 'gl_GlobalInvocationID' is a word of GLSL",
    ]);
  });

  it('C++: templates, linkage and namespaces', () => {
    const source = `template <typename T>
__device__ T square(T x) { return x * x; }
extern "C" {
float f(float x) { std::vector<int> v; return square<float>(x); }
}
int after(void) { return missing; }`;
    expect(said(source)).toEqual([
      "1:1: error: 'template' is a word of C++; OpenCL C has no templates",
      '3:1: error: \'extern "C"\' is C++; names need no word for it here',
      "4:20: error: 'std' is a word of C++; OpenCL C has no standard library of C++",
    ]);
  });
});
