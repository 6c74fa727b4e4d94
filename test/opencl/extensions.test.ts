// What C11 and GNU C add and clang takes in OpenCL C too: public kernels use it. Values are worked out by hand.
import { describe, expect, it } from 'vitest';
import { compileOpenCL } from '../../src/opencl/compile.ts';
import { buffer, compileForTest, runOnInterpreter, wasmRunner } from '../support/run-kernel.ts';

const oneItem = { global: [1], local: [1] };

function expectInts(source: string, expected: readonly number[]): void {
  const interpreted = new Int32Array(16).fill(-99);
  runOnInterpreter(compileForTest(source), 'k', oneItem, [buffer(interpreted)]);
  expect([...interpreted.subarray(0, expected.length)]).toEqual(expected);
  const compiled = new Int32Array(16).fill(-99);
  wasmRunner(compileForTest(source))('k', oneItem, [buffer(compiled)]);
  expect([...compiled]).toEqual([...interpreted]);
}

/** The first message, without the file's name. */
function firstMessage(source: string): string {
  return compileOpenCL(source, { name: 'k' }).log.split('\n')[0]!;
}

const body = (statements: string): string =>
  `kernel void k(global int* out) { int n = 7, zero = 0; ${statements} }`;

describe('expressions', () => {
  it.each([
    ['a conditional without its middle', 'out[0] = n ?: 5; out[1] = zero ?: 5;', [7, 5]],
    [
      'computes its condition once',
      'out[0] = n++ ?: 5; out[1] = n; out[2] = (zero++ ?: 9) + zero;',
      [7, 8, 10],
    ],
    [
      'one in a loop is computed each time',
      'for (int i = 0; i < 3; i++) out[i] = (i - 1) ?: 40;',
      [-1, 40, 1],
    ],
    ['of different types', 'out[0] = (int)((zero ?: 2.5f) * 2); out[1] = sizeof(n ?: 2L);', [5, 8]],
    ['of pointers', 'global int* p = 0; global int* q = p ?: out; q[0] = 3;', [3]],
    [
      'of vectors chooses by the sign bit, and computes once',
      'int4 v = (int4)(-1, 0, 5, -8); int4 w = v ?: (int4)(9); vstore4(w, 0, out);',
      [-1, 9, 9, -8],
    ],
    ['a statement expression', 'out[0] = ({ int x = n * 2; x += 1; x * x; });', [225]],
    ['without a value', '({ out[0] = 1; if (n) out[1] = 2; }); ({ ; });', [1, 2]],
    ['within another', 'out[0] = ({ int a = ({ int b = n; b + 1; }); a * ({ 2; }); });', [16]],
    [
      'of a record',
      'struct s { int a, b; }; struct s t = ({ struct s u = { 1, n }; u; }); out[0] = t.b;',
      [7],
    ],
    ['its names are its own', 'int x = 1; out[0] = ({ int x = 5; x; }) + x;', [6]],
    [
      'that leaves a loop',
      'int s = 0; for (int i = 0; i < 9; i++) s += i < 4 ? ({ if (i == 2) continue; i; }) : ({ break; 1; }); out[0] = s;',
      [4],
    ],
    [
      'with control flow and labels of its own',
      'out[0] = ({ int i = 0; again: i += 2; if (i < n) goto again; while (i > 10) i--; i; });',
      [8],
    ],
    ['that returns', 'out[0] = 1; out[1] = n ? ({ return; 3; }) : 4; out[0] = 2;', [1, -99]],
    [
      'in a macro',
      '\n#define TWICE(x) ({ __typeof__(x) y_ = (x); y_ + y_; })\n out[0] = TWICE(n++); out[1] = n;',
      [14, 8],
    ],
    ['functions in parentheses', 'out[0] = (max)(n, 3) + (convert_int)(2.7f) + (abs)(-2);', [11]],
    ['__extension__', '__extension__ int y = __extension__ 3; out[0] = y + -__extension__ (n);', [-4]],
    [
      'offsets of fields',
      'struct s { char c; int i; struct { short a, b; } t; }; out[0] = __builtin_offsetof(struct s, i); out[1] = __builtin_offsetof(struct s, t.b);',
      [4, 10],
    ],
    ['the name of the function', 'out[0] = __func__[0]; out[1] = sizeof(__FUNCTION__);', [107, 2]],
    [
      'colours of vectors',
      'float4 c = (float4)(1, 2, 3, 4); out[0] = (int)c.b; c.rg = c.ar; out[1] = (int)c.x; out[2] = (int)c.y;',
      [3, 4, 1],
    ],
  ] as const)('%s', (_, statements, expected) => expectInts(body(statements), expected));

  it('may be constants of the program', () => {
    expectInts('constant int a = 0 ?: 4; kernel void k(global int* out) { out[0] = a; }', [4]);
  });
});

describe('initializers and declarations', () => {
  it.each([
    [
      'a range',
      'int t[6] = { [0 ... 2] = 5, [4 ... 4] = 9 }; for (int i = 0; i < 6; i++) out[i] = t[i];',
      [5, 5, 5, 0, 9, 0],
    ],
    [
      'what follows a range',
      'int t[] = { [1 ... 2] = 3, 4 }; out[0] = t[3]; out[1] = sizeof(t) / sizeof(int);',
      [4, 4],
    ],
    [
      'a range of records',
      'struct { int a, b; } t[3] = { [0 ... 1] = { 1, 2 }, [1 ... 2].b = n }; out[0] = t[0].b; out[1] = t[1].b; out[2] = t[2].b;',
      [2, 7, 7],
    ],
    ['fields with a colon', 'struct { int a, b; } s = { b: 2, a: n }; out[0] = s.a; out[1] = s.b;', [7, 2]],
    ['a static assertion', '_Static_assert(sizeof(int) == 4, "int"); out[0] = _Alignof(long);', [8]],
    ['assembly that does nothing', 'out[0] = 1; __asm__ volatile("" ::: "memory"); out[1] = 2;', [1, 2]],
  ] as const)('%s', (_, statements, expected) => expectInts(body(statements), expected));

  it('outside functions', () => {
    const source = `
      #ident "version"
      _Static_assert(1, "always");
      __extension__ typedef int number;
      _Noreturn void stop(void);
      constant int table[8] = { [0 ... 6] = 1, [7] = 2 };
      kernel void k(global int* out) { number s = 0; for (int i = 0; i < 8; i++) s += table[i]; out[0] = s; }`;
    expectInts(source, [9]);
  });
});

describe('functions of clang', () => {
  it.each([
    [
      'bits',
      'out[0] = __builtin_clz(1u); out[1] = __builtin_ctzll(1UL << 40); out[2] = __builtin_popcount(255); out[3] = __builtin_ffs(8); out[4] = __builtin_ffs(zero);',
      [31, 40, 8, 4, 0],
    ],
    [
      'bytes',
      'out[0] = __builtin_bswap32(0x01020304); out[1] = __builtin_bswap16(0x0102); out[2] = (int)(__builtin_bswap64(0x5UL) >> 56);',
      [0x04030201, 0x0201, 5],
    ],
    ['hints', 'out[0] = __builtin_expect(n == 7, 1) ? 3 : 4;', [3]],
    [
      'signed overflow',
      'int r; out[0] = __builtin_sadd_overflow(0x7fffffff, n, &r); out[1] = r == (int)0x80000006; out[2] = __builtin_ssub_overflow(-5, n, &r); out[3] = r; out[4] = __builtin_smul_overflow(1 << 20, 1 << 12, &r); out[5] = __builtin_smul_overflow(-3, n, &r); out[6] = r;',
      [1, 1, 0, -12, 1, 0, -21],
    ],
    [
      'unsigned overflow',
      'uint r; out[0] = __builtin_usub_overflow(3, n, &r); out[1] = (int)r; out[2] = __builtin_uadd_overflow(~0u, 1, &r); out[3] = (int)r; out[4] = __builtin_umul_overflow(1u << 31, 2, &r); ulong w; out[5] = __builtin_umulll_overflow(1UL << 63, 3, &w); out[6] = __builtin_uaddll_overflow(5, 6, &w); out[7] = (int)w;',
      [1, -4, 1, 0, 1, 1, 0, 11],
    ],
  ] as const)('%s', (_, statements, expected) => expectInts(body(statements), expected));
});

it('takes an array of events and a buffer of bool', () => {
  const source = `kernel void k(global int* out, global bool* b) { event_t e[2]; local int t[4];
    e[0] = async_work_group_copy(t, out, 2, 0); e[1] = async_work_group_copy(t + 2, out + 2, 2, e[0]);
    wait_group_events(2, e); out[4] = t[0] + t[3]; b[0] = out[4]; }`;
  const out = new Int32Array([5, 0, 0, 6, 0]);
  const flags = new Uint8Array([9]);
  wasmRunner(compileForTest(source))('k', oneItem, [buffer(out), buffer(flags)]);
  expect(out[4]).toBe(11);
  expect(flags[0]).toBe(1);
});

describe('what is refused', () => {
  it.each([
    ['constant int x = ({ 3; });', 'k:1:19: error: statement expression not allowed at file scope'],
    [
      'kernel void k() { int i = ({ goto out; 1; }); out: i++; }',
      'k:1:35: error: cannot compile this goto: it leaves a statement expression',
    ],
    [
      'kernel void k(int n) { __asm__("mov %0, 1" : "=r"(n)); }',
      'k:1:24: error: inline assembly cannot be compiled: WebAssembly has no machine below it',
    ],
    ['_Static_assert(1 > 2, "one");', 'k:1:16: error: static_assert failed "one"'],
    [
      'kernel void k(int n) { _Static_assert(n, ""); }',
      'k:1:39: error: static_assert expression is not an integral constant expression',
    ],
    [
      'kernel void k() { int t[4] = { [2 ... 1] = 3 }; }',
      'k:1:32: error: array designator range [2, 1] is empty',
    ],
    [
      'kernel void k() { int t[] = { [0 ... 99999999] = 3 }; }',
      'k:1:31: error: array designator range [0, 99999999] is too long',
    ],
    [
      'struct s { int a; }; constant int x = __builtin_offsetof(struct s, b);',
      "k:1:68: error: no member named 'b' in 'struct s'",
    ],
    ['kernel void k(global float4* a) { a->xg = 1; }', "k:1:38: error: illegal vector component name 'g'"],
  ])('%s', (source, message) => expect(firstMessage(source)).toBe(message));
});
