/** Rules of declarations, kernels, attributes, pragmas and calls (OpenCL 1.2, 6.5 to 6.12 and 9.1; C99 where it is kept). */
import { describe, expect, it } from 'vitest';
import { diagnoseBody, diagnoseProgram, type Rule } from './rules.ts';

/** Whole programs. */
const programs: readonly Rule[] = [
  [
    '6.9.a',
    'void f(int (*g)(int)) {}',
    ['1:13: error: pointers to functions are not allowed'],
    'int g(int a) { return a; } void f(int a) { g(a); }',
  ],
  [
    '6.9.a',
    'struct S { int (*g)(int); };',
    ['1:17: error: pointers to functions are not allowed'],
    'struct S { global int *g; };',
  ],
  [
    '6.9.a',
    'kernel void k(global int * global *p) {}',
    ['1:36: error: kernel parameter cannot be declared as a pointer to a pointer'],
    'void f(global int * global *p) {}',
  ],
  [
    '6.9.b',
    'kernel void k(image2d_t a[2]) {}',
    ["1:25: error: array of '__read_only image2d_t' type is invalid in OpenCL"],
    'kernel void k(image2d_t a) {}',
  ],
  [
    '6.9.c',
    'struct S { int a : 3; };',
    ['1:16: error: bit-fields are not supported in OpenCL'],
    'struct S { int a; };',
  ],
  [
    '6.9.d',
    'struct S { int a[]; };',
    ["1:16: error: flexible array member 'a' not allowed here"],
    'struct S { int n; int a[1]; };',
  ],
  [
    '6.9.e',
    'void f(int a, ...) {}',
    ['1:7: error: invalid prototype, variadic arguments are not allowed in OpenCL'],
    'void f(int a, int b) {}',
  ],
  ['6.9.f', '#include "nofile.h"', ["1:10: error: 'nofile.h' file not found"], '#define f g'],
  [
    '6.9.h',
    'int f(void) { return get_local(0); }',
    [
      "1:22: error: implicit declaration of function 'get_local' is invalid in OpenCL; did you mean 'get_local_id'?",
    ],
    'int f(void) { return get_local_id(0); }',
  ],
  [
    '6.9.i',
    'void f(void) { f(); }',
    ["1:16: error: recursion is not allowed in OpenCL: 'f' calls itself", "1:6: note: 'f' declared here"],
    'void g(void) {} void f(void) { g(); }',
  ],
  [
    '6.9.i',
    'kernel int k(void) { return 1; }',
    ['1:12: error: kernel must have void return type'],
    'int k(void) { return 1; }',
  ],
  [
    '6.9.k',
    'kernel void k(bool b) {}',
    ["1:20: error: 'bool' cannot be used as the type of a kernel parameter"],
    'void k(bool b) {}',
  ],
  [
    '6.9.k',
    'kernel void k(size_t n) {}',
    ["1:22: error: 'size_t' cannot be used as the type of a kernel parameter"],
    'kernel void k(ulong n) {}',
  ],
  [
    '6.9.k',
    'kernel void k(ptrdiff_t n) {}',
    ["1:25: error: 'ptrdiff_t' cannot be used as the type of a kernel parameter"],
    'void k(ptrdiff_t n) {}',
  ],
  [
    '6.9.k',
    'struct S { size_t n; }; kernel void k(struct S s) {}',
    [
      "1:48: error: 'struct S' cannot be used as the type of a kernel parameter",
      "1:19: note: field of illegal type 'size_t' declared here",
    ],
    'struct S { long n; }; kernel void k(struct S s) {}',
  ],
  [
    '6.9.p',
    'struct T { global int *q; }; struct S { struct T t[2]; }; kernel void k(struct S s) {}',
    [
      '1:82: error: struct kernel parameters may not contain pointers',
      "1:24: note: field of illegal pointer type '__global int *' declared here",
    ],
    'struct T { int q; }; struct S { struct T t[2]; }; kernel void k(struct S s) {}',
  ],
  [
    '6.9.p',
    'struct S; kernel void k(struct S s) {}',
    ["1:34: error: variable has incomplete type 'struct S'"],
    'struct S; kernel void k(global struct S *s) {}',
  ],
  [
    '6.9',
    'kernel void main(void) {}',
    ["1:13: error: kernel cannot be called 'main'"],
    'kernel void main_(void) {}',
  ],
  [
    '6.7',
    'kernel void k(void) { return 1; }',
    ["1:30: error: void function 'k' should not return a value"],
    'kernel void k(void) { return; }',
  ],
  [
    '6.7',
    'int f(int a) { if (a) return 1; }',
    ['1:33: warning: non-void function does not return a value in all control paths [-Wreturn-type]'],
    'int f(int a) { if (a) return 1; return 2; }',
  ],
  [
    '6.7',
    'int f(void) { return; }',
    ["1:15: error: non-void function 'f' should return a value"],
    'int f(void) { return 1; }',
  ],
  [
    '6.7.2',
    '__attribute__((reqd_work_group_size(0, 1, 1))) kernel void k(void) {}',
    ["1:16: error: 'reqd_work_group_size' attribute must be greater than 0"],
    '__attribute__((reqd_work_group_size(1, 1, 1))) kernel void k(void) {}',
  ],
  [
    '6.7.2',
    '__attribute__((reqd_work_group_size(1.0f, 1, 1))) kernel void k(void) {}',
    ['1:37: error: attribute requires an integer constant'],
    '__attribute__((reqd_work_group_size(1u, 1, 1))) kernel void k(void) {}',
  ],
  [
    '6.7.2',
    '__attribute__((reqd_work_group_size(4294967296, 1, 1))) kernel void k(void) {}',
    ["1:16: error: 'reqd_work_group_size' attribute requires integers of 32 bits"],
    '__attribute__((reqd_work_group_size(4294967295, 1, 1))) kernel void k(void) {}',
  ],
  [
    '6.7.2',
    '__attribute__((reqd_work_group_size(1, 1, 1))) constant int a = 1;',
    ["1:16: error: 'reqd_work_group_size' attribute only applies to functions"],
    '__attribute__((work_group_size_hint(1, 1, 1))) kernel void k(void) {}',
  ],
  [
    '6.7.2',
    '__attribute__((reqd_work_group_size(1, 1, 1))) __attribute__((reqd_work_group_size(2, 1, 1))) kernel void k(void) {}',
    [
      "1:63: warning: attribute 'reqd_work_group_size' is already applied with different arguments [-Wignored-attributes]",
    ],
    '__attribute__((reqd_work_group_size(2, 1, 1))) __attribute__((reqd_work_group_size(2, 1, 1))) kernel void k(void) {}',
  ],
  [
    '6.7.2',
    '__attribute__((vec_type_hint(int))) __attribute__((vec_type_hint(float))) kernel void k(void) {}',
    [
      "1:52: warning: attribute 'vec_type_hint' is already applied with different arguments [-Wignored-attributes]",
    ],
    '__attribute__((vec_type_hint(int4))) kernel void k(void) {}',
  ],
  [
    '6.7.2',
    '__attribute__((vec_type_hint(int *))) kernel void k(void) {}',
    [
      "1:16: error: a non-vector or non-vectorizable scalar type is an invalid argument to attribute 'vec_type_hint'",
    ],
    '__attribute__((vec_type_hint(double))) kernel void k(void) {}',
  ],
  [
    '6.8',
    'static extern constant int a = 1;',
    ["1:8: error: cannot combine with previous 'static' declaration specifier"],
    'static constant int a = 1;',
  ],
  [
    '6.8',
    'typedef static int T;',
    ["1:9: error: cannot combine with previous 'typedef' declaration specifier"],
    'typedef int T;',
  ],
  [
    '6.6',
    'void f(read_only read_only image2d_t a) {}',
    ["1:18: warning: duplicate 'read_only' declaration specifier [-Wduplicate-decl-specifier]"],
    'void f(read_only image2d_t a) {}',
  ],
  [
    '6.6',
    'void f(read_only sampler_t a) {}',
    ['1:8: error: access qualifier can only be used for pipe and image type'],
    'void f(sampler_t a) {}',
  ],
  [
    '6.5',
    'global global int *f(void);',
    ['1:8: warning: multiple identical address spaces specified for type [-Wduplicate-decl-specifier]'],
    'global int *f(void);',
  ],
  [
    '6.5.3',
    'constant int c[2] = {1, 2}; void g(void) { c[0] = 1; }',
    ['1:49: error: read-only variable is not assignable'],
    'constant int c[2] = {1, 2}; int g(void) { return c[0]; }',
  ],
  [
    '6.5.3',
    'constant float a[2] = {1, 2, 3};',
    ['1:30: warning: excess elements in array initializer [-Wexcess-initializers]'],
    'constant float a[2] = {1, 2};',
  ],
  [
    '6.5.3',
    'constant char a[2] = "abc";',
    ['1:22: warning: initializer-string for char array is too long [-Wexcess-initializers]'],
    'constant char a[3] = "abc";',
  ],
  [
    '6.5.3',
    'constant int a[2] = {[-1] = 1};',
    ["1:22: error: array designator value '-1' is negative"],
    'constant int a[2] = {[1] = 1};',
  ],
  [
    '6.11',
    '__attribute__((aligned(3))) constant int a = 1;',
    ['1:16: error: requested alignment is not a power of 2'],
    '__attribute__((aligned(8))) constant int a = 1;',
  ],
  [
    '6.11',
    'struct __attribute__((packed(1))) S { char a; int b; };',
    ["1:23: error: 'packed' attribute takes no arguments"],
    'struct __attribute__((packed)) S { char a; int b; };',
  ],
  [
    '6.11',
    '__attribute__((frobnicate)) kernel void k(void) {}',
    ["1:16: warning: unknown attribute 'frobnicate' ignored [-Wunknown-attributes]"],
    'kernel void k(void) {}',
  ],
  [
    '9.1',
    '#pragma OPENCL EXTENSION cl_khr_fp64 : require',
    ["1:1: warning: expected 'enable', 'disable', 'begin' or 'end' - ignoring [-Wignored-pragmas]"],
    '#pragma OPENCL EXTENSION cl_khr_fp64 : enable',
  ],
  [
    '9.1',
    '#pragma OPENCL EXTENSION cl_khr_fp64 : enable foo',
    ["1:1: warning: extra tokens at end of '#pragma OPENCL EXTENSION' - ignoring [-Wignored-pragmas]"],
    '#pragma OPENCL EXTENSION all : disable',
  ],
  [
    '9.1',
    '#pragma OPENCL',
    ["1:1: warning: expected identifier in '#pragma OPENCL' - ignoring [-Wignored-pragmas]"],
    '#pragma OPENCL FP_CONTRACT OFF',
  ],
  [
    '6.12',
    'float __attribute__((overloadable)) g(float x); float __attribute__((overloadable)) g(float4 x, int y); void f(global float *p) { g(p); }',
    [
      "1:131: error: no matching function for call to 'g'",
      "1:37: note: candidate function not viable: no known conversion from '__global float *' to 'float' for 1st argument",
      '1:85: note: candidate function not viable: requires 2 arguments, but 1 was provided',
    ],
    'float __attribute__((overloadable)) g(float x); float __attribute__((overloadable)) g(float4 x, int y); void f(global float *p) { g(*p); }',
  ],
  [
    '6.12',
    'float __attribute__((overloadable)) g(local float *x); int __attribute__((overloadable)) g(void); void f(global float *p) { g(p); }',
    [
      "1:125: error: no matching function for call to 'g'",
      "1:37: note: candidate function not viable: no known conversion from '__global float *' to '__local float *' for 1st argument",
      '1:90: note: candidate function not viable: requires 0 arguments, but 1 was provided',
    ],
    'float __attribute__((overloadable)) g(local float *x); int __attribute__((overloadable)) g(void); void f(local float *p) { g(p); }',
  ],
];

/** Statements of a kernel. */
const bodies: readonly Rule[] = [
  [
    '6.9.b',
    'event_t e = 1;',
    ["2:13: error: initializing 'event_t' with an expression of incompatible type 'int'"],
    'event_t e = 0;',
  ],
  [
    '6.9.b',
    'event_t e; e = 0;',
    ["2:16: error: assigning to 'event_t' from incompatible type 'int'"],
    'event_t e, g; e = g;',
  ],
  [
    '6.9.b',
    'event_t e = (event_t)1;',
    ["2:22: error: initializing 'event_t' with an expression of incompatible type 'int'"],
    'event_t e = (event_t)0;',
  ],
  [
    '6.9.b',
    'event_t e; i = e;',
    ["2:16: error: assigning to 'int' from incompatible type 'event_t'"],
    'event_t e; wait_group_events(1, &e);',
  ],
  [
    '6.9.b',
    'local float l[4]; event_t e = async_work_group_copy(l, f, 4, 1);',
    ["2:62: error: passing 'int' to parameter of incompatible type 'event_t'"],
    'local float l[4]; event_t e = async_work_group_copy(l, f, 4, 0);',
  ],
  ['6.9.d', 'int z[i];', ['2:7: error: variable length arrays are not supported in OpenCL'], 'int z[4];'],
  [
    '6.9.d',
    'const int n = i; int z[n];',
    ['2:24: error: variable length arrays are not supported in OpenCL'],
    'const int n = 4; int z[n];',
  ],
  [
    '6.9.g',
    'auto int n;',
    ["2:1: error: OpenCL C version 1.2 does not support the 'auto' storage class specifier"],
    'int n;',
  ],
  [
    '6.9.g',
    'register int n;',
    ["2:1: error: OpenCL C version 1.2 does not support the 'register' storage class specifier"],
    'const int n = 1;',
  ],
  [
    '6.9.g',
    'static int n;',
    ['2:12: error: variables in function scope cannot be declared static'],
    'int n = 0;',
  ],
  [
    '6.5',
    'global int *private *p = 0; global int *local *q = p;',
    [
      "2:52: error: initializing '__global int *__local *' with an expression of type '__global int **' changes address space of pointer",
    ],
    'global int *private *p = 0; global int **q = p;',
  ],
  [
    '6.5',
    'const const int n = 1;',
    ["2:7: warning: duplicate 'const' declaration specifier [-Wduplicate-decl-specifier]"],
    'const volatile int n = 1;',
  ],
  [
    '6.11',
    '__attribute__((opencl_unroll_hint(-1))) for (; i < 9; i++) x = 1;',
    [
      "2:16: error: 'opencl_unroll_hint' attribute requires a positive integral compile time constant expression",
    ],
    '__attribute__((opencl_unroll_hint(2))) for (; i < 9; i++) x = 1;',
  ],
  [
    '6.12',
    'foo(1);',
    ["2:1: error: implicit declaration of function 'foo' is invalid in OpenCL"],
    'barrier(1);',
  ],
  [
    '6.12',
    'barier(1);',
    ["2:1: error: implicit declaration of function 'barier' is invalid in OpenCL; did you mean 'barrier'?"],
    'barrier(CLK_LOCAL_MEM_FENCE);',
  ],
  [
    '6.12.1',
    'i = get_globalid(0);',
    [
      "2:5: error: implicit declaration of function 'get_globalid' is invalid in OpenCL; did you mean 'get_global_id'?",
    ],
    'i = get_global_id(0);',
  ],
  [
    '6.12.2',
    'x = sqrtf(x);',
    ["2:5: error: implicit declaration of function 'sqrtf' is invalid in OpenCL; did you mean 'sqrt'?"],
    'x = sqrt(x);',
  ],
  [
    '6.12.2',
    'x = pow(x, a[0]);',
    ["2:5: error: assigning to 'float' from incompatible type 'float4'"],
    'x = pow(x, 2);',
  ],
  [
    '6.12.2',
    'x = fract(x, f[0]);',
    [
      "2:5: error: no matching function for call to 'fract'",
      '2:5: note: argument types are (float, float)',
      '2:5: note: candidate function: gentype fract(gentype, gentype *), gentype of float, double, half; lanes scalar, 2, 3, 4, 8, 16: the 2nd argument does not fit',
    ],
    'x = fract(x, f);',
  ],
  [
    '6.12.3',
    'i = max(i, 1.0f);',
    [
      "2:5: error: call to 'max' is ambiguous",
      '2:5: note: argument types are (int, float)',
      '2:5: note: candidate function: int max(int, int)',
      '2:5: note: candidate function: float max(float, float)',
    ],
    'i = max(i, 1);',
  ],
  [
    '6.12.3',
    'i = mul24(a[0], a[0]);',
    [
      "2:5: error: no matching function for call to 'mul24'",
      '2:5: note: argument types are (float4, float4)',
      '2:5: note: candidate function: gentype mul24(gentype, gentype), gentype of int, uint; lanes scalar, 2, 3, 4, 8, 16: the 1st argument does not fit',
    ],
    'i = mul24(i, i);',
  ],
  [
    '6.12.4',
    'a[0] = clamp(a[0], b[0], b[0]);',
    [
      "2:8: error: no matching function for call to 'clamp'",
      '2:8: note: argument types are (float4, int4, int4)',
      '2:8: note: candidate function: gentype clamp(gentype, gentype, gentype), gentype of char, uchar, short, ushort, int, uint, long, ulong, float, double, half; lanes scalar, 2, 3, 4, 8, 16: the 2nd argument does not fit',
      '2:8: note: candidate function: gentype clamp(gentype, element, element), gentype of char, uchar, short, ushort, int, uint, long, ulong, float, double, half; lanes 2, 3, 4, 8, 16: the 2nd argument does not fit',
    ],
    'a[0] = clamp(a[0], 0.0f, 1.0f);',
  ],
  [
    '6.12.5',
    'x = dot(a[0], b[0]);',
    [
      "2:5: error: no matching function for call to 'dot'",
      '2:5: note: argument types are (float4, int4)',
      '2:5: note: candidate function: element dot(gentype, gentype), gentype of float, double, half; lanes scalar, 2, 3, 4: the 2nd argument does not fit',
    ],
    'x = dot(a[0], a[0]);',
  ],
  [
    '6.12.5',
    'a[0] = cross(a[0].xy, a[0].xy);',
    [
      "2:8: error: no matching function for call to 'cross'",
      '2:8: note: argument types are (float2, float2)',
      '2:8: note: candidate function: gentype cross(gentype, gentype), gentype of float, double, half; lanes 3: the 1st argument does not fit',
      '2:8: note: candidate function: gentype cross(gentype, gentype), gentype of float, double, half; lanes 4: the 1st argument does not fit',
    ],
    'a[0] = cross(a[0], a[0]);',
  ],
  [
    '6.12.6',
    'a[0] = select(a[0], a[0], convert_short4(b[0]));',
    [
      "2:8: error: no matching function for call to 'select'",
      '2:8: note: argument types are (float4, float4, short4)',
      '2:8: note: candidate function: gentype select(gentype, gentype, igentype), gentype of char, uchar, short, ushort, int, uint, long, ulong, float, double, half; lanes scalar, 2, 3, 4, 8, 16: the 3rd argument does not fit',
      '2:8: note: candidate function: gentype select(gentype, gentype, ugentype), gentype of char, uchar, short, ushort, int, uint, long, ulong, float, double, half; lanes scalar, 2, 3, 4, 8, 16: the 3rd argument does not fit',
    ],
    'a[0] = select(a[0], a[0], b[0]);',
  ],
  [
    '6.12.6',
    'i = any(x);',
    [
      "2:5: error: call to 'any' is ambiguous",
      '2:5: note: argument types are (float)',
      '2:5: note: candidate function: int any(char)',
      '2:5: note: candidate function: int any(short)',
      '2:5: note: candidate function: int any(int)',
      '2:5: note: candidate function: int any(long)',
    ],
    'i = any(i);',
  ],
  [
    '6.12.7',
    'a[0] = vload4(f, 0);',
    [
      "2:8: error: no matching function for call to 'vload4'",
      '2:8: note: argument types are (__global float *, int)',
      '2:8: note: candidate function: gentype vload4(size_t, const element *), gentype of char, uchar, short, ushort, int, uint, long, ulong, float, double, half; lanes 4: the 1st argument does not fit',
    ],
    'a[0] = vload4(0, f);',
  ],
  [
    '6.12.7',
    'vstore4(a[0].xy, 0, f);',
    [
      "2:1: error: no matching function for call to 'vstore4'",
      '2:1: note: argument types are (float2, int, __global float *)',
      '2:1: note: candidate function: void vstore4(gentype, size_t, element *), gentype of char, uchar, short, ushort, int, uint, long, ulong, float, double, half; lanes 4: the 1st argument does not fit',
    ],
    'vstore2(a[0].xy, 0, f);',
  ],
  [
    '6.12.7',
    'constant float *c = 0; vstore4(a[0], 0, c);',
    [
      "2:24: error: no matching function for call to 'vstore4'",
      '2:24: note: argument types are (float4, int, __constant float *)',
      '2:24: note: candidate function: void vstore4(gentype, size_t, element *), gentype of char, uchar, short, ushort, int, uint, long, ulong, float, double, half; lanes 4: the 3rd argument does not fit',
    ],
    'constant float *c = 0; a[0] = vload4(0, c);',
  ],
  [
    '6.12.11',
    'atomic_add(x, 1);',
    [
      "2:1: error: no matching function for call to 'atomic_add'",
      '2:1: note: argument types are (float, int)',
      '2:1: note: candidate function: element atomic_add(volatile element *, element), gentype of int, uint; lanes scalar: the 1st argument does not fit',
    ],
    'volatile global int *p = 0; atomic_add(p, 1);',
  ],
  [
    '6.12.11',
    'atomic_add(&i, 1);',
    [
      "2:1: error: no matching function for call to 'atomic_add'",
      '2:1: note: argument types are (__private int *, int)',
      '2:1: note: candidate function: element atomic_add(volatile element *, element), gentype of int, uint; lanes scalar: the 1st argument does not fit',
    ],
    'local int l; atomic_add(&l, 1);',
  ],
  [
    '6.12.12',
    'a[0] = shuffle(a[0], b[0]);',
    [
      "2:8: error: no matching function for call to 'shuffle'",
      '2:8: note: argument types are (float4, int4)',
      '2:8: note: candidate function: gentypem shuffle(gentype, ugentypem), gentype of char, uchar, short, ushort, int, uint, long, ulong, float, double, half; lanes 2, 4, 8, 16: the 2nd argument does not fit',
    ],
    'a[0] = shuffle(a[0], (uint4)(1));',
  ],
  ['C99 6.4.1', 'int n; coun = 1;', ["2:8: error: use of undeclared identifier 'coun'"], 'int n; n = 1;'],
  [
    'C99 6.4.1',
    'int count; cuont = 1;',
    [
      "2:12: error: use of undeclared identifier 'cuont'; did you mean 'count'?",
      "2:5: note: 'count' declared here",
    ],
    'int count; count = 1;',
  ],
  [
    'C99 6.5.2.3',
    'struct S { int alpha; } s; s.alhpa = 1;',
    ["2:30: error: no member named 'alhpa' in 'struct S'; did you mean 'alpha'?"],
    'struct S { int alpha; } s; s.alpha = 1;',
  ],
  [
    'C99 6.5.2.3',
    'struct S { int alpha; } s; s->alpha = 1;',
    ["2:28: error: member reference type 'struct S' is not a pointer; did you mean to use '.'?"],
    'struct S { int alpha; } s; (&s)->alpha = 1;',
  ],
  [
    'C99 6.5.2.2',
    'i();',
    ["2:1: error: called object type 'int' is not a function or function pointer"],
    'barrier(1);',
  ],
  [
    'C99 6.5.2.1',
    'i = i[i];',
    ['2:5: error: subscripted value is not an array, pointer, or vector'],
    'x = f[i];',
  ],
  ['C99 6.5.2.1', 'x = f[x];', ['2:7: error: array subscript is not an integer'], 'x = i[f];'],
  ['C99 6.7.2', 'flaot y;', ["2:1: error: unknown type name 'flaot'; did you mean 'float'?"], 'float y;'],
  ['C99 6.7.2', 'uint4_t y;', ["2:1: error: unknown type name 'uint4_t'; did you mean 'uint4'?"], 'uint4 y;'],
  ['C99 6.8.6.1', 'goto out;', ["2:6: error: use of undeclared label 'out'"], 'goto out; out: ;'],
  [
    'C99 6.8.4.2',
    'switch (x) { }',
    ["2:9: error: statement requires expression of integer type ('float' invalid)"],
    'switch (i) { default: ; }',
  ],
  [
    'C99 6.8.6.3',
    'break;',
    ["2:1: error: 'break' statement not in loop or switch statement"],
    'for (;;) break;',
  ],
  [
    '6.12.2',
    'x = sin(x, x);',
    [
      "2:5: error: no matching function for call to 'sin'",
      '2:5: note: argument types are (float, float)',
      '2:5: note: candidate function: gentype sin(gentype), gentype of float, double, half; lanes scalar, 2, 3, 4, 8, 16: requires 1 argument, but 2 were provided',
    ],
    'x = sin(x);',
  ],
  [
    '6.12.2',
    'x = fmin(f, x);',
    [
      "2:5: error: no matching function for call to 'fmin'",
      '2:5: note: argument types are (__global float *, float)',
      '2:5: note: candidate function: gentype fmin(gentype, gentype), gentype of float, double, half; lanes scalar, 2, 3, 4, 8, 16: the 1st argument does not fit',
      '2:5: note: candidate function: gentype fmin(gentype, element), gentype of float, double, half; lanes 2, 3, 4, 8, 16: the 1st argument does not fit',
    ],
    'x = fmin(f[0], x);',
  ],
];

describe('declarations, kernels and calls', () => {
  it.each(programs)('%s: %s', (_section, wrong, said, right) => {
    expect(diagnoseProgram(wrong)).toEqual(said);
    expect(diagnoseProgram(right)).toEqual([]);
  });
  it.each(bodies)('%s: %s', (_section, wrong, said, right) => {
    expect(diagnoseBody(wrong)).toEqual(said);
    expect(diagnoseBody(right)).toEqual([]);
  });
});
