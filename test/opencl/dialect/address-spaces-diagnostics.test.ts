/** The diagnostics of address spaces and what OpenCL C leaves out of C: source and what is said of it. The words are those of clang 14 where it says the same. */
import { describe, expect, it } from 'vitest';
import { diagnose } from '../../c/diagnose.ts';
import { dialect } from './builtins.ts';

/** The remark that goes with what OpenCL C 2.0 allows. */
function allowedLater(place: string, what: string): string {
  return `${place}: note: ${what} came with OpenCL C 2.0: build with -cl-std=CL2.0`;
}
const variables = 'variables of the program in global memory';
const pointers = 'pointers that lead to any address space';

/** Whole programs. */
const programs: readonly (readonly [source: string, said: readonly string[]])[] = [
  [
    'int a;',
    [
      '1:5: error: program scope variable must reside in constant address space',
      allowedLater('1:5', variables),
    ],
  ],
  [
    'static int a = 1;',
    [
      '1:12: error: program scope variable must reside in constant address space',
      allowedLater('1:12', variables),
    ],
  ],
  [
    'global int a;',
    [
      '1:12: error: program scope variable must reside in constant address space',
      allowedLater('1:12', variables),
    ],
  ],
  ['local int a;', ['1:11: error: program scope variable must reside in constant address space']],
  [
    'const int a = 1;',
    [
      '1:11: error: program scope variable must reside in constant address space',
      allowedLater('1:11', variables),
    ],
  ],
  [
    'extern int a;',
    ['1:12: error: extern variable must reside in constant address space', allowedLater('1:12', variables)],
  ],
  ['constant int a;', ['1:14: error: variable in constant address space must be initialized']],
  ['constant int a = 1, b = a + 1;', []],
  [
    'void f(void) { local int l; }',
    ['1:26: error: non-kernel function variable cannot be declared in local address space'],
  ],
  [
    'void f(void) { constant int c = 1; }',
    ['1:29: error: non-kernel function variable cannot be declared in constant address space'],
  ],
  ['constant int c = 1; void f(void) { c = 2; }', ['1:38: error: read-only variable is not assignable']],
  [
    'void g(local float *p); kernel void k(global float4 *a, global int4 *b, global float *f, int i, float x) { g(f); }',
    [
      "1:110: error: passing '__global float *' to parameter of type '__local float *' changes address space of pointer",
      "1:21: note: passing argument to parameter 'p' here",
    ],
  ],
  [
    'int *h(global int *p) { return p; }',
    [
      "1:32: error: returning '__global int *' from a function with result type '__private int *' changes address space of pointer",
      allowedLater('1:32', pointers),
    ],
  ],
  ['void f(global int x) {}', ['1:19: error: parameter may not be qualified with an address space']],
  ['global int f(void) { return 1; }', ['1:13: error: return type cannot be qualified with address space']],
  ['constant global int *a;', ['1:10: error: multiple address spaces specified for type']],
  [
    'typedef global int G; void f(local G *p) {}',
    ['1:30: error: multiple address spaces specified for type'],
  ],
  ['struct S { global int a; };', ['1:23: error: field may not be qualified with an address space']],
  ['generic int *a;', ["1:1: error: OpenCL C version 1.2 does not support the 'generic' type qualifier"]],
  ['void f(int x, ...) {}', ['1:7: error: invalid prototype, variadic arguments are not allowed in OpenCL']],
  ['void f(int (*g)(int)) {}', ['1:13: error: pointers to functions are not allowed']],
  ['void g(void) {} void f(void) { &g; }', ['1:33: error: taking address of function is not allowed']],
  [
    'void g(void) {} void f(void) { int (*h)(void) = g; }',
    [
      '1:37: error: pointers to functions are not allowed',
      '1:49: error: taking address of function is not allowed',
    ],
  ],
  ['struct S { int a : 3; };', ['1:16: error: bit-fields are not supported in OpenCL']],
  [
    'void f(void) { f(); }',
    ["1:16: error: recursion is not allowed in OpenCL: 'f' calls itself", "1:6: note: 'f' declared here"],
  ],
  [
    'void g(void); void f(void) { g(); } void g(void) { f(); }',
    [
      "1:52: error: recursion is not allowed in OpenCL: 'g' calls 'f', which leads back to it",
      "1:20: note: 'f' declared here",
    ],
  ],
];

/** Bodies of the function below; columns count from its first character. */
const bodies: readonly (readonly [source: string, said: readonly string[]])[] = [
  ['constant int c;', ['1:97: error: variable in constant address space must be initialized']],
  ['constant int c = i;', ['1:101: error: initializer element is not a compile-time constant']],
  ['local int l = 1;', ["1:94: error: '__local' variable cannot have an initializer"]],
  ['global int g;', ['1:95: error: function scope variable cannot be declared in global address space']],
  ['static int s = 1;', ['1:95: error: variables in function scope cannot be declared static']],
  ['extern int e;', ['1:95: error: extern variable must reside in constant address space']],
  [
    'int *p = f;',
    [
      "1:93: error: initializing '__private int *' with an expression of type '__global float *' changes address space of pointer",
      allowedLater('1:93', pointers),
    ],
  ],
  [
    'global int *p; int *q; q = p;',
    [
      "1:111: error: assigning '__global int *' to '__private int *' changes address space of pointer",
      allowedLater('1:111', pointers),
    ],
  ],
  [
    'global int *p = (global int *)&i;',
    ["1:100: error: casting '__private int *' to type '__global int *' changes address space of pointer"],
  ],
  [
    'char *s = "abc";',
    [
      "1:94: error: initializing '__private char *' with an expression of type '__constant char *' changes address space of pointer",
    ],
  ],
  ['constant int c = 1; c = 2;', ['1:106: error: read-only variable is not assignable']],
  [
    'local int *p; p == f;',
    [
      "1:100: error: comparison between  ('__local int *' and '__global float *') which are pointers to non-overlapping address spaces",
    ],
  ],
  [
    'local float *p; i ? p : f;',
    [
      "1:102: error: conditional operator with the second and third operands of type  ('__local float *' and '__global float *') which are pointers to non-overlapping address spaces",
    ],
  ],
  [
    'register int r;',
    ["1:84: error: OpenCL C version 1.2 does not support the 'register' storage class specifier"],
  ],
  ['auto int r;', ["1:84: error: OpenCL C version 1.2 does not support the 'auto' storage class specifier"]],
  ['int z[i];', ['1:90: error: variable length arrays are not supported in OpenCL']],
];

const head = 'kernel void k(global float4 *a, global int4 *b, global float *f, int i, float x) { ';

describe('address spaces and what OpenCL C leaves out of C', () => {
  it.each(programs)('%s', (source, said) => {
    expect(diagnose(source, dialect)).toEqual(said);
  });
  it.each(bodies)('%s', (body, said) => {
    expect(diagnose(`${head}${body} }`, dialect)).toEqual(said);
  });
});
