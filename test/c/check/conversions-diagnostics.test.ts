/** The diagnostics of conversions and calls: source and what is said of it. The words are those of clang 14 where it says the same. */
import { describe, expect, it } from 'vitest';
import { plainC } from '../../../src/c/plain-c.ts';
import { diagnose } from '../diagnose.ts';

const dialect = plainC();

/** Whole programs. */
const programs: readonly (readonly [source: string, said: readonly string[]])[] = [
  [
    'void g(int *p); void f(float x, int i, const int *c, float *q) { g(x); g(i); g(c); g(q); }',
    [
      "1:68: error: passing 'float' to parameter of incompatible type 'int *'",
      "1:13: note: passing argument to parameter 'p' here",
      "1:74: warning: incompatible integer to pointer conversion passing 'int' to parameter of type 'int *' [-Wint-conversion]",
      "1:13: note: passing argument to parameter 'p' here",
      "1:80: warning: passing 'const int *' to parameter of type 'int *' discards qualifiers [-Wincompatible-pointer-types-discards-qualifiers]",
      "1:13: note: passing argument to parameter 'p' here",
      "1:86: warning: incompatible pointer types passing 'float *' to parameter of type 'int *' [-Wincompatible-pointer-types]",
      "1:13: note: passing argument to parameter 'p' here",
    ],
  ],
  [
    'int *f(float x) { return x; }',
    ["1:26: error: returning 'float' from a function with incompatible result type 'int *'"],
  ],
  [
    'int *f(int x) { return x; }',
    [
      "1:24: warning: incompatible integer to pointer conversion returning 'int' from a function with result type 'int *' [-Wint-conversion]",
    ],
  ],
  [
    'int f(int *x) { return x; }',
    [
      "1:24: warning: incompatible pointer to integer conversion returning 'int *' from a function with result type 'int' [-Wint-conversion]",
    ],
  ],
  [
    'float *f(int *x) { return x; }',
    [
      "1:27: warning: incompatible pointer types returning 'int *' from a function with result type 'float *' [-Wincompatible-pointer-types]",
    ],
  ],
  [
    'unsigned *f(int *x) { return x; }',
    [
      "1:30: warning: returning 'int *' from a function with result type 'unsigned int *' converts between pointers to integer types with different sign [-Wpointer-sign]",
    ],
  ],
  [
    'int *f(const int *x) { return x; }',
    [
      "1:31: warning: returning 'const int *' from a function with result type 'int *' discards qualifiers [-Wincompatible-pointer-types-discards-qualifiers]",
    ],
  ],
  [
    'void g(int a, int b); void f(void) { g(1); g(1, 2, 3); }',
    [
      '1:38: error: too few arguments to function call, expected 2, have 1',
      "1:6: note: 'g' declared here",
      '1:44: error: too many arguments to function call, expected 2, have 3',
      "1:6: note: 'g' declared here",
    ],
  ],
  [
    'void g(int a, ...); void f(void) { g(); }',
    [
      '1:36: error: too few arguments to function call, expected at least 1, have 0',
      "1:6: note: 'g' declared here",
    ],
  ],
  [
    'void compute(int a); void f(void) { compuet(1); }',
    [
      "1:37: error: implicit declaration of function 'compuet' is invalid in C99; did you mean 'compute'?",
      "1:6: note: 'compute' declared here",
    ],
  ],
  [
    'struct S g(void); void f(void) { g(); }',
    ["1:34: error: calling function with incomplete return type 'struct S'"],
  ],
  [
    'int g(float); int (*h)(int) = g;',
    [
      "1:31: warning: incompatible pointer types initializing 'int (*)(int)' with an expression of type 'int (*)(float)' [-Wincompatible-pointer-types]",
    ],
  ],
];

/** Bodies of the function below; columns count from its first character. */
const bodies: readonly (readonly [source: string, said: readonly string[]])[] = [
  ['p = x;', ["1:38: error: assigning to 'int *' from incompatible type 'float'"]],
  [
    'p = i;',
    [
      "1:38: warning: incompatible integer to pointer conversion assigning to 'int *' from 'int' [-Wint-conversion]",
    ],
  ],
  [
    'i = p;',
    [
      "1:38: warning: incompatible pointer to integer conversion assigning to 'int' from 'int *' [-Wint-conversion]",
    ],
  ],
  ['x = p;', ["1:38: error: assigning to 'float' from incompatible type 'int *'"]],
  [
    'float *q = p;',
    [
      "1:45: warning: incompatible pointer types initializing 'float *' with an expression of type 'int *' [-Wincompatible-pointer-types]",
    ],
  ],
  [
    'unsigned *q = p;',
    [
      "1:48: warning: initializing 'unsigned int *' with an expression of type 'int *' converts between pointers to integer types with different sign [-Wpointer-sign]",
    ],
  ],
  [
    'const int *c = p; p = c;',
    [
      "1:56: warning: assigning to 'int *' from 'const int *' discards qualifiers [-Wincompatible-pointer-types-discards-qualifiers]",
    ],
  ],
  [
    'const int *c = p; int *q = c;',
    [
      "1:61: warning: initializing 'int *' with an expression of type 'const int *' discards qualifiers [-Wincompatible-pointer-types-discards-qualifiers]",
    ],
  ],
  [
    'char c = 300;',
    [
      "1:43: warning: implicit conversion from 'int' to 'char' changes value from 300 to 44 [-Wconstant-conversion]",
    ],
  ],
  [
    'char c = 1.5;',
    [
      "1:43: warning: implicit conversion from 'double' to 'char' changes value from 1.5 to 1 [-Wliteral-conversion]",
    ],
  ],
  [
    'int q = 3.5f;',
    [
      "1:42: warning: implicit conversion from 'float' to 'int' changes value from 3.5 to 3 [-Wliteral-conversion]",
    ],
  ],
  [
    'struct S { int a; } s = 1;',
    ["1:58: error: initializing 'struct S' with an expression of incompatible type 'int'"],
  ],
  ['struct S { int a; } s; s = i;', ["1:61: error: assigning to 'struct S' from incompatible type 'int'"]],
  ['struct S { int a; } s; i = s;', ["1:61: error: assigning to 'int' from incompatible type 'struct S'"]],
  ['h(1);', ["1:34: error: implicit declaration of function 'h' is invalid in C99"]],
  [
    'i = 18446744073709551616;',
    ['1:38: error: integer literal is too large to be represented in any integer type'],
  ],
];

const head = 'void f(int i, float x, int *p) { ';

describe('conversions and calls', () => {
  it.each(programs)('%s', (source, said) => {
    expect(diagnose(source, dialect)).toEqual(said);
  });
  it.each(bodies)('%s', (body, said) => {
    expect(diagnose(`${head}${body} }`, dialect)).toEqual(said);
  });
});
