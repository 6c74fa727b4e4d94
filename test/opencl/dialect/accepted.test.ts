/** Programs OpenCL C 1.2 allows and the checker says nothing of, each a rule of its section. */
import { describe, expect, it } from 'vitest';
import { sizeOf } from '../../../src/c/type-facts.ts';
import { openclDialect } from '../../../src/opencl/dialect/index.ts';
import { compile, diagnose } from '../../c/diagnose.ts';

const dialect = openclDialect();

const programs: readonly string[] = [
  'typedef unsigned int uint; typedef unsigned char uchar; uint f(uchar c) { return c; }',
  '__kernel void k(__global const float *restrict a, __local int *b, __constant float4 *c) {}',
  'kernel void k(read_only image2d_t a, write_only image2d_t b, sampler_t s) {}',
  'void f(void) {};',
  'constant sampler_t s = 0; const sampler_t t = 1; kernel void k(void) {}',
  'float4 f(float4 a) { return (float4)(a.xyz, 1) * 2 + (float4)(0) - a.s3210; }',
  'float4 f(float x) { float4 r[4] = {0, 0, 0, 0}; r[1].hi = (float2)(x); r[2].odd = r[1].lo; return r[3]; }',
  'int4 f(float4 a, float4 b) { return a == b && !(a < b); }',
  'float f(int4 m, float4 a) { a = m ? a : 1.0f; return a.s0; }',
  'void f(local float *p, int i) { local float *q = i ? p + 1 : 0; if (q && q != p) *q = -*p; }',
  'kernel void k(global int *p) { local int shared[16]; constant float table[2][2] = {{1, 2}, {3, 4}}; p[0] = shared[0] + table[1][0]; }',
  'kernel void a(global int *p) {} kernel void b(global int *p) { a(p); }',
  'kernel __attribute__((reqd_work_group_size(8, 8, 1))) void k(void) {}',
  '__attribute__((vec_type_hint(float4))) kernel void k(void) {}',
  'typedef struct __attribute__((packed)) { char c; int i; } P; typedef struct { float3 v; } __attribute__((aligned(32))) A; kernel void k(P p, A a) {}',
  'enum E { A, B = 5, C }; int f(enum E e) { switch (e) { case A: return 0; case B ... C: return 1; } return 2; }',
  'void f(void) {\n#pragma unroll 4\n for (int i = 0; i < 4; i++) ; __attribute__((opencl_unroll_hint(2))) while (0) ; }',
  '#pragma OPENCL EXTENSION cl_khr_fp64 : enable\ndouble f(double x) { return x * 2.0; }',
  'float g(float x) __attribute__((overloadable)); float __attribute__((overloadable)) g(float4 x) { return x.x; } float f(float4 v) { return g(v) + g(1.0f); }',
  'float sin(float x) { return x; } float4 f(float4 v) { v.x = sin(v.x); return sin(v); }',
  'int f(int n) { int i = 0; again: if (i++ < n) goto again; return i; }',
  'typedef union { float f; uint u; uchar4 c; } Bits; uint f(float x) { Bits b; b.f = x; return b.u + b.c.x; }',
  'int f(global int *p) { return p[0] < 0 ? -1 : (int)(size_t)p; }',
  'float f(float4 v, int i) { return v[i] + v[1]; }',
  'int f(void) { return as_int(1.0f) + as_int4(as_int3((int4)(1))).x + sizeof(float3) + vec_step(float3); }',
  'void g(constant char *s) {} void f(void) { g("text" "more"); constant char *p = "a"; }',
  'void f(global half *h, size_t n) { global half *q = h + n; }',
  'kernel void k(int i) { int uchar = i; float4 a; float float4 = uchar; a.x = float4; }',
  'bool f(bool b) { return true && !b || false; }',
  'long f(unsigned long long x) { return x >> 3 | 1ul << 40; }',
  'struct N { int v; global struct N *next; }; int f(global struct N *n) { while (n->next) n = n->next; return n->v; }',
];

describe('accepted programs', () => {
  it.each(programs)('%s', (source) => {
    expect(diagnose(source, dialect)).toEqual([]);
  });
});

/** Size and alignment by OpenCL 1.2, 6.1.5: vectors are aligned to their size, three lanes count as four. */
const layouts: readonly (readonly [members: string, size: number, align: number])[] = [
  ['char c; int i;', 8, 4],
  ['float8 a; float3 b;', 64, 32],
  ['char3 a; char b;', 8, 4],
  ['char a; double b; char c;', 24, 8],
  ['int a[3]; short b;', 16, 4],
  ['global int *p; long l;', 16, 8],
  ['char a; float16 b;', 128, 64],
];

describe('layout', () => {
  it.each(layouts)('struct { %s }', (members, size, align) => {
    const { unit, lines } = compile(`struct S { ${members} };`, dialect);
    expect(lines).toEqual([]);
    const [tag] = unit.declarations;
    if (tag?.kind !== 'tag' || tag.type.kind !== 'record') throw new Error('no struct');
    expect([sizeOf(tag.type, 4), tag.type.align]).toEqual([size, align]);
  });
});
