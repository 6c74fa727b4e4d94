/** The diagnostics of half, reinterpretation, pragmas and built-in functions: source and what is said of it. The words are those of clang 14 where it says the same. */
import { describe, expect, it } from 'vitest';
import { diagnose } from '../../c/diagnose.ts';
import { dialect } from './builtins.ts';

/** Whole programs. */
const programs: readonly (readonly [source: string, said: readonly string[]])[] = [
  [
    'void f(global half *h) { float x = *h; }',
    [
      "1:36: error: loading directly from pointer to type 'half' requires cl_khr_fp16. Use vector data load builtin functions instead",
    ],
  ],
  [
    'void f(global half *h) { *h = 1; }',
    [
      "1:29: error: assigning directly to pointer to type 'half' requires cl_khr_fp16. Use vector data store builtin functions instead",
    ],
  ],
  [
    'void f(half h) {}',
    ["1:13: error: declaring function parameter of type 'half' is not allowed; did you forget * ?"],
  ],
  ['void f(half2 h) {}', ["1:8: error: use of type 'half2' requires cl_khr_fp16 support"]],
  [
    '#pragma OPENCL EXTENSION cl_foo : enable',
    ["1:1: warning: unknown OpenCL extension 'cl_foo' - ignoring [-Wignored-pragmas]"],
  ],
  [
    '#pragma OPENCL EXTENSION cl_khr_fp64 : maybe',
    ["1:1: warning: expected 'enable', 'disable', 'begin' or 'end' - ignoring [-Wignored-pragmas]"],
  ],
  [
    '#pragma OPENCL EXTENSION cl_khr_fp64 enable',
    [
      "1:1: warning: missing ':' after extension name in '#pragma OPENCL EXTENSION' - ignoring [-Wignored-pragmas]",
    ],
  ],
  [
    '#pragma OPENCL EXTENSION',
    ["1:1: warning: expected identifier in '#pragma OPENCL EXTENSION' - ignoring [-Wignored-pragmas]"],
  ],
  [
    '#pragma OPENCL EXTENSION all : enable',
    ["1:1: warning: expected 'disable' for extension 'all' - ignoring [-Wignored-pragmas]"],
  ],
  ['#pragma OPENCL EXTENSION cl_khr_fp64 : enable', []],
  [
    '#pragma OPENCL FP_CONTRACT MAYBE',
    ["1:1: warning: expected 'ON' or 'OFF' or 'DEFAULT' in pragma - ignoring [-Wignored-pragmas]"],
  ],
  ['#pragma OPENCL FOO', ["1:1: warning: unknown OpenCL pragma 'FOO' - ignoring [-Wignored-pragmas]"]],
  [
    'float __attribute__((overloadable)) g(float x); float __attribute__((overloadable)) g(float4 x); kernel void k(global float4 *a, global int4 *b, global float *f, int i, float x) { g(f); }',
    [
      "1:181: error: no matching function for call to 'g'",
      "1:37: note: candidate function not viable: no known conversion from '__global float *' to 'float' for 1st argument",
      "1:85: note: candidate function not viable: no known conversion from '__global float *' to 'float4' for 1st argument",
    ],
  ],
];

/** Bodies of the function below; columns count from its first character. */
const bodies: readonly (readonly [source: string, said: readonly string[]])[] = [
  ['half h;', ["1:89: error: declaring variable of type 'half' is not allowed"]],
  ['half h[4]; i = 1;', ["1:89: error: declaring variable of type 'half[4]' is not allowed"]],
  ['size_t4 n;', ["1:84: error: unknown type name 'size_t4'; did you mean 'size_t'?"]],
  ['i = as_int(a[0]);', ["1:88: error: invalid reinterpretation: sizes of 'int' and 'float4' must match"]],
  ['i = as_float(i, i);', ['1:88: error: too many arguments to function call, expected 1, have 2']],
  ['i = as_float();', ['1:88: error: too few arguments to function call, expected 1, have 0']],
  [
    'x = as_float(f);',
    ["1:88: error: invalid reinterpretation: sizes of 'float' and '__global float *' must match"],
  ],
  [
    'i = vec_step(f);',
    ["1:88: error: 'vec_step' requires built-in scalar or vector type, '__global float *' invalid"],
  ],
  [
    'i = __builtin_astype(x, short);',
    ["1:88: error: invalid reinterpretation: sizes of 'short' and 'float' must match"],
  ],
  [
    'get_global_id();',
    [
      "1:84: error: no matching function for call to 'get_global_id'",
      '1:84: note: argument types are ()',
      '1:84: note: candidate function: get_global_id/1',
    ],
  ],
  [
    'i = get_globl_id(0);',
    [
      "1:88: error: implicit declaration of function 'get_globl_id' is invalid in OpenCL; did you mean 'get_global_id'?",
    ],
  ],
  [
    'i = max(1, 2.0f);',
    [
      "1:88: error: call to 'max' is ambiguous",
      '1:88: note: argument types are (int, float)',
      '1:88: note: candidate function: max/2',
      '1:88: note: candidate function: max/2',
    ],
  ],
  [
    'f[0] = sin(f);',
    [
      "1:91: error: no matching function for call to 'sin'",
      '1:91: note: argument types are (__global float *)',
      '1:91: note: candidate function: sin/1',
    ],
  ],
  ['i = sin;', ["1:88: error: built-in function 'sin' must be directly called"]],
];

const head = 'kernel void k(global float4 *a, global int4 *b, global float *f, int i, float x) { ';

describe('half, reinterpretation, pragmas and built-in functions', () => {
  it.each(programs)('%s', (source, said) => {
    expect(diagnose(source, dialect)).toEqual(said);
  });
  it.each(bodies)('%s', (body, said) => {
    expect(diagnose(`${head}${body} }`, dialect)).toEqual(said);
  });
});
