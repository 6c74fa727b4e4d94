// What the language means: small kernels, run on the interpreter as they are lowered and as WebAssembly after every
// pass, against values worked out by hand.
import { describe, expect, it } from 'vitest';
import { buffer, compileForTest, runOnInterpreter, wasmRunner } from '../support/run-kernel.ts';

const oneItem = { global: [1], local: [1] };

/** The body of such a kernel. */
function body(statements: string): string {
  return `kernel void k(global int* out) { int n = 0; ${statements} }`;
}

/** Runs `kernel void k(global int* out)` for one work-item and looks at the first ints it leaves. */
function expectInts(source: string, expected: readonly number[]): void {
  const interpreted = new Int32Array(32).fill(-99);
  runOnInterpreter(compileForTest(source), 'k', oneItem, [buffer(interpreted)]);
  expect([...interpreted.subarray(0, expected.length)]).toEqual(expected);
  const compiled = new Int32Array(32).fill(-99);
  wasmRunner(compileForTest(source))('k', oneItem, [buffer(compiled)]);
  expect([...compiled]).toEqual([...interpreted]);
}

describe('arithmetic', () => {
  it.each([
    ['signed division truncates', 'out[0] = -7 / 2; out[1] = -7 % 2; out[2] = 7u / 2u;', [-3, -1, 3]],
    ['char arithmetic is int', 'char a = 127; out[0] = a + 1; a += 1; out[1] = a;', [128, -128]],
    ['unsigned comparison', 'uint a = 1; out[0] = a > (uint)-1; out[1] = 1 > -1;', [0, 1]],
    [
      'shifts take their count modulo',
      'int s = 33; out[0] = 1 << s; out[1] = -8 >> 1; out[2] = (int)(0x80000000u >> 31);',
      [2, -4, 1],
    ],
    ['shift of long by int', 'long a = 1; int s = 40; out[0] = (int)((a << s) >> 38);', [4]],
    ['float to int truncates', 'float f = -2.7f; out[0] = (int)f; out[1] = (uchar)200.9f;', [-2, 200]],
    ['bool from any scalar', 'bool b = 0.5f; out[0] = b; b = 256; out[1] = b; out[2] = !b;', [1, 1, 0]],
    ['increment', 'int i = 5; out[0] = i++ + ++i; out[1] = i--; out[2] = --i;', [12, 7, 5]],
    ['comma', 'int i = (n = 3, n + 1); out[0] = i; out[1] = n;', [4, 3]],
    [
      'compound assignment computes wide',
      'uchar c = 200; c += 100; out[0] = c; short s = 3; s *= 2.5f; out[1] = s;',
      [44, 7],
    ],
    ['long', 'long a = 0x123456789L; out[0] = (int)(a >> 32); out[1] = (int)a;', [1, 0x23456789]],
    ['float', 'float a = 1.5f; out[0] = (int)(a * 4.0f - 1.0f / 2.0f); out[1] = a != a;', [5, 0]],
    ['double', 'double a = 1e10; out[0] = (int)(a / 1e8);', [100]],
  ] as const)('%s', (_, statements, expected) => expectInts(body(statements), expected));
});

describe('control flow', () => {
  it.each([
    [
      'while, break, continue',
      'int i = 0, s = 0; while (1) { i++; if (i == 3) continue; if (i > 5) break; s += i; } out[0] = s;',
      [12],
    ],
    [
      'for with continue runs the step',
      'int s = 0; for (int i = 0; i < 6; i++) { if (i & 1) continue; s += i; } out[0] = s;',
      [6],
    ],
    ['do while', 'int i = 10; do { i++; if (i == 12) continue; } while (i < 12); out[0] = i;', [12]],
    ['do while zero', 'do { n = 1; if (n) break; n = 2; } while (0); out[0] = n;', [1]],
    [
      'short circuit',
      'out[0] = 0 && (n = 1); out[1] = 1 || (n = 2); out[2] = n; out[3] = 1 && (n = 7); out[4] = n;',
      [0, 1, 0, 1, 7],
    ],
    ['conditional evaluates one side', 'int r = out ? (n = 1) : (n = 2); out[0] = r + n;', [2]],
    [
      'nested loops with break',
      'for (int i = 0; i < 3; i++) for (int j = 0; ; j++) { if (j > i) break; n += 10 * i + j; } out[0] = n;',
      [0 + 10 + 11 + 20 + 21 + 22],
    ],
    ['return early', 'out[0] = 1; if (out[0]) return; out[0] = 2;', [1]],
    [
      'switch without fall-through',
      'for (int i = 0; i < 4; i++) switch (i) { case 0: out[i] = 5; break; case 2: out[i] = 7; break; default: out[i] = 9; }',
      [5, 9, 7, 9],
    ],
    [
      'switch with fall-through',
      'for (int i = 0; i < 5; i++) { n = 0; switch (i) { case 0: n += 1; case 1: n += 10; break; default: n += 100; case 3: n += 1000; } out[i] = n; }',
      [11, 10, 1100, 1000, 1100],
    ],
    [
      'switch with continue and return',
      'for (int i = 0; ; i++) { switch (i) { case 0: continue; case 3: out[0] = n; return; case 1: n += 1; } n += 10; }',
      [21],
    ],
    [
      'case ranges',
      'for (int i = 0; i < 4; i++) switch (i * 300) { case -5 ... 299: out[i] = 1; break; case 300 ... 100000: out[i] = 2; }',
      [1, 2, 2, 2],
    ],
    [
      'nested switch',
      'switch (1) { case 1: switch (2) { case 2: n = 4; break; } n++; break; case 2: n = 9; } out[0] = n;',
      [5],
    ],
    [
      'switch on long',
      'long v = 1L << 40; switch (v) { case 0: n = 1; break; case 1L << 40: n = 2; } out[0] = n;',
      [2],
    ],
    [
      'goto forward out of loops',
      'for (int i = 0; i < 9; i++) for (int j = 0; j < 9; j++) { n++; if (i == 1 && j == 2) goto done; } n = 0; done: out[0] = n;',
      [12],
    ],
    ['goto back', 'again: n++; if (n < 5) goto again; out[0] = n;', [5]],
    [
      'goto both ways',
      'int i = 0; top: if (i >= 3) goto end; n += i; i++; goto top; end: out[0] = n; out[1] = i;',
      [3, 3],
    ],
    [
      'goto over a block',
      'if (n == 0) goto skip; { n = 5; } skip: n++; goto last; n = 50; last: out[0] = n;',
      [1],
    ],
    [
      'goto inside switch',
      'switch (1) { case 0: out[0] = 8; break; case 1: n = 2; goto shared; case 2: n = 3; shared: out[0] = n; }',
      [2],
    ],
    ['dead code after break', 'for (;;) { break; n = 1; } out[0] = n;', [0]],
  ] as const)('%s', (_, statements, expected) => expectInts(body(statements), expected));
});

it('a constant vector condition chooses by its top bit, signed or not', () => {
  expectInts(
    body(
      'uchar4 r = shuffle((uchar4)(1, 2, 3, 4), (uchar4)(128, 127, 255, 1) ? (uchar4)(3) : (uchar4)(0)); out[0] = r.x; out[1] = r.y; out[2] = r.z;',
    ),
    [4, 1, 4],
  );
});

it('scalars that a vector condition chooses between become elements without promotion', () => {
  expectInts(
    body(
      'char2 c = (char2)(-1, n - n); char a = 5, b = -7; uchar u = 2; char2 r = c ? a : b; uchar2 s = c ? (char)-1 : u; out[0] = r.x; out[1] = r.y; out[2] = s.x; out[3] = s.y;',
    ),
    [5, -7, 255, 2],
  );
});

describe('memory', () => {
  it.each([
    ['arrays', 'int a[4] = {1, 2}; a[3] = a[1] + a[2]; out[0] = a[3]; out[1] = a[0];', [2, 1]],
    [
      'two dimensions',
      'int a[2][3] = {{1, 2, 3}, {4, 5, 6}}; int s = 0; for (int i = 0; i < 2; i++) for (int j = 0; j < 3; j++) s = s * 10 + a[i][j]; out[0] = s;',
      [123456],
    ],
    [
      'designators',
      'int a[5] = {[3] = 7, 8, [0] = 1}; for (int i = 0; i < 5; i++) out[i] = a[i];',
      [1, 0, 0, 7, 8],
    ],
    [
      'pointers',
      'int a[4] = {1, 2, 3, 4}; int* p = a + 3; out[0] = *p; p -= 2; out[1] = p[1]; out[2] = (int)(p - a); out[3] = *p++; out[4] = *p; out[5] = p > a;',
      [4, 3, 1, 2, 3, 1],
    ],
    ['address of', 'int x = 1; int* p = &x; *p += 4; out[0] = x;', [5]],
    [
      'negative index',
      'global int* p = out + 4; p[-1] = 6; short i = -2; p[i] = 5; out[0] = out[2] + out[3];',
      [11],
    ],
    [
      'private bytes of a long',
      'long v = 0x0102030405060708L; uchar* p = (uchar*)&v; out[0] = p[0]; out[1] = p[7];',
      [8, 1],
    ],
    ['null', 'global int* p = 0; out[0] = p == 0; out[1] = !out; out[2] = p ? 1 : 2;', [1, 0, 2]],
  ] as const)('%s', (_, statements, expected) => expectInts(body(statements), expected));

  it('structs by value, as arguments, results and members', () => {
    expectInts(
      `typedef struct { int x, y; } Point;
       typedef struct { char tag; Point p[2]; float4 v; } Box;
       Point turned(Point p) { Point r = {p.y, p.x}; p.x = 99; return r; }
       int sum(Box b) { return b.p[0].x + b.p[1].y + (int)b.v.z; }
       kernel void k(global int* out) {
         Point a = {1, 2};
         Point b = turned(a);
         out[0] = b.x * 10 + b.y; out[1] = a.x;
         Box box = {'x', {{3, 4}, {5, 6}}, (float4)(0, 0, 7, 0)};
         Box copy; copy = box; copy.p[0].x = 30;
         out[2] = sum(box); out[3] = sum(copy);
         out[4] = turned(turned(a)).x;
         Point c = out[0] == 21 ? a : b;
         out[5] = c.y;
         global Point* g = (global Point*)(out + 6);
         *g = b; g->y += 1;
         out[8] = sizeof(Box); 
         out[9] = ((Point){5, 6}).y;
       }`,
      [21, 1, 3 + 6 + 7, 30 + 6 + 7, 1, 2, 2, 2, 48, 6],
    );
  });

  it('unions', () => {
    expectInts(
      `union U { float f; uint u; uchar b[4]; };
       kernel void k(global int* out) { union U u; u.f = 1.0f; out[0] = u.u == 0x3f800000; out[1] = u.b[3]; }`,
      [1, 0x3f],
    );
  });

  it('constants of the program, and pointers between them', () => {
    expectInts(
      `constant int table[4] = {1, 2, 3, 4};
       constant int* constant second = table + 1;
       typedef struct { float4 v; char c; } S;
       constant S s = {{1, 2, 3, 4}, 'a'};
       constant float3 three = (float3)(5, 6, 7);
       constant char text[] = "hello";
       int at(constant int* p, int i) { return p[i]; }
       kernel void k(global int* out) {
         constant int inner[2] = {8, 9};
         out[0] = at(table, 2); out[1] = *second; out[2] = (int)s.v.w + s.c; out[3] = inner[1];
         out[4] = (int)three.z; out[5] = text[4]; out[6] = sizeof(text); out[7] = "xyz"[1];
       }`,
      [3, 2, 4 + 97, 9, 7, 111, 6, 121],
    );
  });

  it('constant tables in functions, read in place, passed on and pointed into', () => {
    expectInts(
      `int total(const int* p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }
       typedef struct { int a; float2 v; } S;
       kernel void k(global int* out) {
         const int t[3][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};
         const S s[8] = {{1, {2, 3}}, {4, {5, 6}}, {7, {8, 9}}, {10, {11, 12}}};
         const float f[8] = {0.5f, 1.5f, 2.5f};
         for (int i = 0; i < 3; i++) out[i] = t[i][i + 1];
         out[3] = total(t[1], 4); out[4] = total(&t[1][2], 3); const int* p = t[2]; out[5] = p[t[0][1]];
         out[6] = (int)s[1].v.y; S c = s[2]; out[7] = c.a; out[8] = (int)(f[2] * f[1 + (out[0] & 1)]); out[9] = s[7].a;
       }`,
      [2, 7, 12, 26, 24, 11, 6, 7, 3, 0],
    );
  });

  it('three-lane vectors leave the fourth element alone', () => {
    expectInts(
      `kernel void k(global int* out) { global int3* p = (global int3*)out; p[0] = (int3)(1, 2, 3); p[1] = p[0] + 1; vstore3(p[0], 3, out); }`,
      [1, 2, 3, -99, 2, 3, 4, -99, -99, 1, 2, 3, -99],
    );
  });

  it('local memory is shared by the work-group', () => {
    const out = new Int32Array(8);
    const module = compileForTest(`kernel void k(global int* out, local int* scratch) {
      local int tile[4];
      int i = get_local_id(0);
      tile[i] = i * i; scratch[i] = i;
      barrier(CLK_LOCAL_MEM_FENCE);
      out[get_global_id(0)] = tile[3 - i] * 10 + scratch[(i + 1) % 4];
    }`);
    runOnInterpreter(module, 'k', { global: [8], local: [4] }, [buffer(out), { local: 16 }]);
    expect([...out]).toEqual([91, 42, 13, 0, 91, 42, 13, 0]);
  });
});

describe('vectors', () => {
  it.each([
    [
      'literals and swizzles',
      'int4 v = (int4)(1, (int2)(2, 3), 4); out[0] = v.x + v.s3; int2 w = v.zy; out[1] = w.x * 10 + w.y; int4 r = v.wzyx; out[2] = r.hi.y; out[3] = r.even.y;',
      [5, 32, 1, 2],
    ],
    [
      'lane stores',
      'int4 v = (int4)(0); v.y = 5; v.xw = (int2)(7, 8); v.lo += 1; for (int i = 0; i < 1; i++) { out[0] = v.x; out[1] = v.y; out[2] = v.z; out[3] = v.w; }',
      [8, 6, 0, 8],
    ],
    [
      'lane stores in global memory',
      'global int4* p = (global int4*)out; p->yz = (int2)(1, 2); p[0].w = 3;',
      [-99, 1, 2, 3],
    ],
    [
      'nested swizzle',
      'int8 v = (int8)(0, 1, 2, 3, 4, 5, 6, 7); v.hi.lo.y = 50; out[0] = v.s5; out[1] = v.odd.hi.x;',
      [50, 50],
    ],
    [
      'comparisons give all ones',
      'int4 v = (int4)(1, 2, 3, 4) > 2; out[0] = v.x; out[1] = v.z; char2 c = (char2)(1, 2) == (char2)(1, 3); out[2] = c.x; out[3] = c.y;',
      [0, -1, -1, 0],
    ],
    [
      'logical',
      'int2 v = (int2)(3, 0) && (int2)(1, 1); out[0] = v.x; out[1] = v.y; v = !(int2)(3, 0); out[2] = v.x; out[3] = v.y;',
      [-1, 0, 0, -1],
    ],
    [
      'conditional by lane',
      'int2 c = (int2)(-1, 1); int2 v = c ? (int2)(1, 2) : (int2)(3, 4); out[0] = v.x; out[1] = v.y;',
      [1, 4],
    ],
    [
      'scalar and vector',
      'int3 v = 2 * (int3)(1, 2, 3) - 1; out[0] = v.x; out[1] = v.y; out[2] = v.z; v <<= 2; out[3] = v.z;',
      [1, 3, 5, 20],
    ],
    [
      'reinterpretation',
      'float2 f = (float2)(1.0f, -1.0f); int2 v = as_int2(f); out[0] = v.x == 0x3f800000; out[1] = v.y < 0; out[2] = as_int((uchar4)(1, 2, 3, 4));',
      [1, 1, 0x04030201],
    ],
    [
      'conversions',
      'float4 f = (float4)(-1.5f, 300.0f, 2.5f, 3.5f); uchar4 a = convert_uchar4_sat(f); out[0] = a.x; out[1] = a.y; int4 b = convert_int4_rte(f); out[2] = b.x; out[3] = b.z; out[4] = b.w; out[5] = convert_int_rtp(1.1f); out[6] = convert_char_sat(1000); out[7] = convert_uint_sat(-3);',
      [0, 255, -2, 2, 4, 2, 127, 0],
    ],
    ['vector braces', 'int4 v[2] = {{1, 2, 3, 4}, (int4)(5)}; out[0] = v[0].w; out[1] = v[1].y;', [4, 5]],
    [
      'vload and vstore',
      'int a[8] = {0, 1, 2, 3, 4, 5, 6, 7}; int4 v = vload4(1, a); vstore2(v.yw, 1, out); vstore2(vload2(0, a + 3), 0, out);',
      [3, 4, 5, 7],
    ],
    [
      'shuffle',
      'int4 v = (int4)(1, 2, 3, 4); uint4 m = (uint4)(3, 6, 1, 0); int4 r = shuffle(v, m); out[0] = r.x; out[1] = r.y; int2 s = shuffle2(v, v + 4, (uint2)(7, 1)); out[2] = s.x; out[3] = s.y;',
      [4, 3, 8, 2],
    ],
    [
      'vec_step',
      'out[0] = vec_step(int3); out[1] = vec_step((float8)(0)); out[2] = vec_step(char);',
      [4, 8, 1],
    ],
  ] as const)('%s', (_, statements, expected) => expectInts(body(statements), expected));
});

describe('built-in functions', () => {
  it.each([
    [
      'integer',
      'out[0] = abs(-5); out[1] = add_sat((char)100, (char)100); out[2] = sub_sat((uchar)3, (uchar)5); out[3] = hadd(-3, -4); out[4] = rhadd(-3, -4); out[5] = clz(1); out[6] = popcount(255u); out[7] = rotate(0x80000001u, 1u);',
      [5, 127, 0, -4, -3, 31, 8, 3],
    ],
    [
      'high products',
      'out[0] = mul_hi(0x40000000, 8); out[1] = (int)mul_hi(0xffffffffu, 0xffffffffu); out[2] = mad_sat(0x10000, 0x10000, -1); out[3] = mad_sat((short)-300, (short)300, (short)5); out[4] = mad_hi(1 << 30, 4, 5); out[5] = mul24(3, -4); out[6] = (int)upsample((short)1, (ushort)2); out[7] = (int)abs_diff(-2147483647, 2147483647);',
      [2, -2, 2147483647, -32768, 6, -12, 65538, -2],
    ],
    [
      'common',
      'out[0] = clamp(7, 0, 5); out[1] = (int)clamp(-1.0f, 0.0f, 1.0f); out[2] = max(3, 4); out[3] = (int)(10 * mix(1.0f, 2.0f, 0.5f)); out[4] = (int)step(1.0f, 2.0f); out[5] = (int)(1000 * smoothstep(0.0f, 1.0f, 0.25f)); out[6] = (int)sign(-3.0f); out[7] = (int)(degrees(radians(90.0f)) + 0.5f);',
      [5, 0, 4, 15, 1, 156, -1, 90],
    ],
    [
      'geometric',
      'float4 a = (float4)(3, 4, 0, 0); out[0] = (int)length(a); out[1] = (int)dot(a, a); out[2] = (int)distance(a, -a); float4 c = cross(a, (float4)(0, 0, 1, 5)); out[3] = (int)c.x; out[4] = (int)c.y; out[5] = (int)c.w; out[6] = (int)(normalize(a).y * 100); out[7] = isinf(length((float2)(3e38f, 0.0f)));',
      [5, 25, 10, 4, -3, 0, 80, 0],
    ],
    [
      'geometric, with lanes far apart',
      'out[0] = normalize((double2)(0x1p600, 0x1.5555555555555p-415)).y == 0x1.5555555555555p-1015; out[1] = normalize((double2)(-0x1p1000, 0x1.8p-50)).y == 0x1.8p-1050; out[2] = (int)(1000 * normalize((double2)(0x1p-1000, 0x1p-1000)).x); out[3] = (int)(1000 * normalize((double3)(0x1p1023, 0x1p1023, 0)).x); out[4] = (int)normalize((double2)(0)).x; out[5] = length((double2)(0x3p-1074, 0x4p-1074)) == 0x5p-1074; out[6] = length((double2)(0x3p1020, 0x4p1020)) == 0x5p1020;',
      [1, 1, 707, 707, 0, 1, 1],
    ],
    [
      'relational',
      'float x = NAN; out[0] = isnan(x); out[1] = isequal(x, x); out[2] = isunordered(x, 1.0f); out[3] = any((int2)(0, -1)); out[4] = all((int2)(0, -1)); out[5] = select(1, 2, 1); out[6] = select((int2)(1), (int2)(2), (int2)(-1, 1)).y; out[7] = bitselect(0xf0, 0x0f, 0x3c); out[8] = signbit(-0.0f); out[9] = isnormal(1e-40f); out[10] = isfinite((float2)(1, INFINITY)).x;',
      [1, 0, 1, 1, 0, 2, 1, 0xcc, 1, 0, -1],
    ],
    [
      'results through pointers',
      'int e; float m = frexp(12.0f, &e); out[0] = e; out[1] = (int)(m * 100); float w; float f = modf(-3.25f, &w); out[2] = (int)w; out[3] = (int)(f * 100); float2 c; float2 s = sincos((float2)(0), &c); out[4] = (int)c.y; out[5] = ilogb(0.125f); out[6] = (int)ldexp(3.0f, 4); int3 e3; frexp((double3)(1, 2, 4), &e3); out[7] = e3.z;',
      [4, 75, -3, -25, 1, -3, 48, 3],
    ],
    [
      'work-item',
      'out[0] = get_work_dim(); out[1] = get_global_size(0); out[2] = get_global_size(7); out[3] = get_global_id(9); for (uint d = 0; d < 4; d++) out[4 + d] = get_local_size(d) + 10 * get_group_id(d);',
      [1, 1, 1, 0, 1, 1, 1, 1],
    ],
    [
      'pow of integers',
      'out[0] = (int)pow(2.0f, 10.0f); out[1] = (int)pown(-3.0f, 3); out[2] = (int)(pow(2.0, -1.0) * 8); out[3] = pow(-8.0f, 0.5f) == 0; out[4] = (int)powr(9.0f, 0.5f);',
      [1024, -27, 4, 0, 3],
    ],
  ] as const)('%s', (_, statements, expected) => expectInts(body(statements), expected));

  it('atomics give the old value', () => {
    expectInts(
      `kernel void k(global int* out) {
         out[0] = 5; out[1] = atomic_add(out, 3); out[2] = out[0]; out[3] = atomic_cmpxchg(out, 8, 1); out[4] = atomic_inc(out);
         out[5] = atomic_max(out, 9); out[6] = atom_xchg(out, 4); global uint* u = (global uint*)out; out[7] = atomic_min(u, 0xffffffffu);
         global float* f = (global float*)(out + 8); *f = 1.0f; out[9] = (int)atomic_xchg(f, 2.0f); out[10] = (int)*f; out[11] = atomic_sub(out, 1);
       }`,
      [3, 5, 8, 8, 1, 2, 9, 4, 0x40000000, 1, 2, 4],
    );
  });

  it('async copies', () => {
    const input = Int32Array.from({ length: 16 }, (_, index) => index);
    const out = new Int32Array(16);
    const module = compileForTest(`kernel void k(global const int* in, global int* out) {
      local int tile[8];
      event_t e = async_work_group_copy(tile, in + 8 * get_group_id(0), 8, 0);
      wait_group_events(1, &e);
      e = async_work_group_strided_copy(out + get_group_id(0), tile, 8, 2, 0);
      wait_group_events(1, &e);
    }`);
    runOnInterpreter(module, 'k', { global: [6], local: [3] }, [buffer(input), buffer(out)]);
    expect([...out]).toEqual([0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15]);
  });
});

describe('kernels', () => {
  it('call kernels and helpers, and take structs by value', () => {
    const out = new Int32Array(2);
    const module = compileForTest(`typedef struct { int a; float b; } Pair;
      int twice(int x) { return x * 2; }
      kernel void inner(global int* out, int x) { out[1] = twice(x); }
      kernel void k(global int* out, Pair p) { p.a += 1; out[0] = p.a + (int)p.b; inner(out, p.a); }`);
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setInt32(0, 4, true);
    new DataView(bytes.buffer).setFloat32(4, 2.5, true);
    runOnInterpreter(module, 'k', { global: [1], local: [1] }, [buffer(out), { bytes }]);
    expect([...out]).toEqual([7, 10]);
  });

  it('say what hosts ask', () => {
    const module = compileForTest(`typedef struct { int a; float3 b[2]; } S;
      kernel __attribute__((reqd_work_group_size(4, 2, 1))) __attribute__((vec_type_hint(float4)))
      void k(global const float4* restrict in, local volatile int* l, S s, unsigned int n, constant int* c) {}`);
    const [fn] = module.functions;
    expect(fn?.attributes).toEqual({ requiredWorkGroupSize: [4, 2, 1], vectorTypeHint: 'float4' });
    expect(fn?.parameters.map(({ info }) => [info?.name, info?.typeName, info?.typeQualifiers])).toEqual([
      ['in', 'float4*', ['const', 'restrict']],
      ['l', 'int*', ['volatile']],
      ['s', 'S', []],
      ['n', 'uint', []],
      ['c', 'int*', ['const']],
    ]);
    expect(fn?.parameters[2]?.aggregate).toEqual({ size: 48, align: 16 });
    expect(fn?.parameters[2]?.info?.layout).toMatchObject({ kind: 'struct', size: 48 });
  });
});

describe('functions that stay calls and do nothing', () => {
  const idle = '__attribute__((noinline)) void idle(int n) {}\n';

  it.each([
    ['before a store', 'idle(3); out[0] = 5;', [5]],
    ['behind one', 'out[0] = 5; idle(3);', [5]],
    ['of what was loaded', 'out[0] = 5; idle(out[0]); out[1] = out[0] + 1;', [5, 6]],
    ['in a loop', 'for (n = 0; n < 4; n++) { idle(n); out[n] = n; }', [0, 1, 2, 3]],
    ['in one that does nothing else', 'for (n = 0; n < 4; n++) idle(n); out[0] = n;', [4]],
    ['where a condition holds', 'if (out[0] != 1) idle(n); out[0] = 2;', [2]],
  ] as const)('%s', (_, statements, expected) => expectInts(idle + body(statements), expected));

  it('in code of vectors', () => {
    const source = `__attribute__((cold)) void idle(int n) {}
kernel void k(global int* out) { int x = get_global_id(0); idle(x * 3); out[x] = x * 2; }`;
    const compiled = new Int32Array(37).fill(-99);
    wasmRunner(compileForTest(source))('k', { global: [37], local: [37] }, [buffer(compiled)]);
    expect([...compiled]).toEqual(Array.from({ length: 37 }, (_, x) => x * 2));
  });
});
