/** The diagnostics of operators, names and members: source and what is said of it. The words are those of clang 14 where it says the same. */
import { describe, expect, it } from 'vitest';
import { plainC } from '../../../src/c/plain-c.ts';
import { diagnose } from '../diagnose.ts';

const dialect = plainC();

/** Bodies of the function below; columns count from its first character. */
const bodies: readonly (readonly [source: string, said: readonly string[]])[] = [
  ['i = y;', ["1:38: error: use of undeclared identifier 'y'"]],
  [
    'int count; i = cuont;',
    [
      "1:49: error: use of undeclared identifier 'cuont'; did you mean 'count'?",
      "1:38: note: 'count' declared here",
    ],
  ],
  ['i = "a" * 2;', ["1:42: error: invalid operands to binary expression ('char *' and 'int')"]],
  ['x = x % 2;', ["1:40: error: invalid operands to binary expression ('float' and 'int')"]],
  ['x = x & 1;', ["1:40: error: invalid operands to binary expression ('float' and 'int')"]],
  ['*i = 1;', ["1:34: error: indirection requires pointer operand ('int' invalid)"]],
  ['i = *x;', ["1:38: error: indirection requires pointer operand ('float' invalid)"]],
  ['i = &1;', ["1:38: error: cannot take the address of an rvalue of type 'int'"]],
  ['i[0] = 1;', ['1:34: error: subscripted value is not an array, pointer, or vector']],
  ['p[x] = 1;', ['1:36: error: array subscript is not an integer']],
  ['i = ~x;', ["1:38: error: invalid argument type 'float' to unary expression"]],
  ['struct S { int a; } s; i = -s;', ["1:61: error: invalid argument type 'struct S' to unary expression"]],
  ['struct S { int a; } s; i = !s;', ["1:61: error: invalid argument type 'struct S' to unary expression"]],
  ['struct S { int a; } s; ++s;', ["1:57: error: cannot increment value of type 'struct S'"]],
  ['struct S { int a; } s; s--;', ["1:57: error: cannot decrement value of type 'struct S'"]],
  ['4 = i;', ['1:36: error: expression is not assignable']],
  ['i + 1 = 2;', ['1:40: error: expression is not assignable']],
  ['++1;', ['1:34: error: expression is not assignable']],
  ['int z[3]; z = 0;', ["1:46: error: array type 'int[3]' is not assignable"]],
  [
    'const int c = 1; c = 2;',
    [
      "1:53: error: cannot assign to variable 'c' with const-qualified type 'const int'",
      "1:44: note: variable 'c' declared const here",
    ],
  ],
  [
    'const struct { int a; } s = {1}; s.a = 2;',
    [
      "1:71: error: cannot assign to non-static data member 'a' with const-qualified type 'const int'",
      "1:58: note: variable 's' declared const here",
    ],
  ],
  ['const int *q = p; *q = 1;', ['1:55: error: read-only variable is not assignable']],
  [
    'int * const q = p; q = p;',
    [
      "1:55: error: cannot assign to variable 'q' with const-qualified type 'int *const'",
      "1:46: note: variable 'q' declared const here",
    ],
  ],
  [
    'struct { const int a; } s; struct { int b; } t; s = s;',
    ['1:84: error: read-only variable is not assignable'],
  ],
  ['struct S { int a; } s; s.b = 1;', ["1:59: error: no member named 'b' in 'struct S'"]],
  [
    'struct S { int alpha; } s; s.alhpa = 1;',
    ["1:63: error: no member named 'alhpa' in 'struct S'; did you mean 'alpha'?"],
  ],
  ['i.a = 1;', ["1:34: error: member reference base type 'int' is not a structure or union"]],
  ['i->a = 1;', ["1:34: error: member reference type 'int' is not a pointer"]],
  [
    'struct S { int a; } s; s->a = 1;',
    ["1:57: error: member reference type 'struct S' is not a pointer; did you mean to use '.'?"],
  ],
  [
    'struct S { int a; } s, *q = &s; q.a = 1;',
    ["1:66: error: member reference type 'struct S *' is a pointer; did you mean to use '->'?"],
  ],
  [
    'struct S { int a; } s; s->b = 1;',
    ["1:57: error: member reference type 'struct S' is not a pointer; did you mean to use '.'?"],
  ],
  [
    'struct S *q; q->a = 1;',
    [
      "1:50: error: incomplete definition of type 'struct S'",
      "1:41: note: forward declaration of 'struct S'",
    ],
  ],
  [
    'i = i ? p : 1;',
    [
      "1:40: warning: pointer/integer type mismatch in conditional expression ('int *' and 'int') [-Wconditional-type-mismatch]",
      "1:38: warning: incompatible pointer to integer conversion assigning to 'int' from 'int *' [-Wint-conversion]",
    ],
  ],
  [
    'float *q; i ? p : q;',
    [
      "1:46: warning: pointer type mismatch ('int *' and 'float *') [-Wpointer-type-mismatch]",
      '1:44: warning: expression result unused [-Wunused-value]',
    ],
  ],
  [
    'struct S { int a; } s; i = i ? s : 1;',
    ["1:63: error: incompatible operand types ('struct S' and 'int')"],
  ],
  [
    'struct S { int a; } s; i = s ? 1 : 2;',
    ["1:61: error: used type 'struct S' where arithmetic or pointer type is required"],
  ],
  [
    'float *q; i = p == q;',
    [
      "1:50: warning: comparison of distinct pointer types ('int *' and 'float *') [-Wcompare-distinct-pointer-types]",
    ],
  ],
  [
    'i = p == 1;',
    ["1:40: warning: comparison between pointer and integer ('int *' and 'int') [-Wpointer-integer-compare]"],
  ],
  ['i = p == x;', ["1:40: error: invalid operands to binary expression ('int *' and 'float')"]],
  ['float *q; i = p - q;', ["1:50: error: 'int *' and 'float *' are not pointers to compatible types"]],
  ['struct S *q; q++;', ["1:47: error: arithmetic on a pointer to an incomplete type 'struct S'"]],
  ['struct S *q; q + 1;', ["1:49: error: arithmetic on a pointer to an incomplete type 'struct S'"]],
  ['struct S *q; q[0];', ["1:47: error: subscript of pointer to incomplete type 'struct S'"]],
  ['void *q; q[0];', ["1:43: error: subscript of pointer to incomplete type 'void'"]],
  [
    'void *q; *q;',
    [
      "1:43: warning: ISO C does not allow indirection on operand of type 'void *' [-Wvoid-pointer-dereference]",
    ],
  ],
  ['i = i / 0;', ['1:40: warning: division by zero is undefined [-Wdivision-by-zero]']],
  ['i = i % 0;', ['1:40: warning: remainder by zero is undefined [-Wdivision-by-zero]']],
  ['i = i << 32;', ['1:43: warning: shift count >= width of type [-Wshift-count-overflow]']],
  ['i = i << -1;', ['1:43: warning: shift count is negative [-Wshift-count-negative]']],
  ['i(1);', ["1:34: error: called object type 'int' is not a function or function pointer"]],
  ['x = (float)p;', ["1:38: error: pointer cannot be cast to type 'float'"]],
  [
    'struct S { int a; } s; i = (int)s;',
    ["1:61: error: operand of type 'struct S' where arithmetic or pointer type is required"],
  ],
  [
    'struct S { int a; } s; s = (struct S)i;',
    ["1:61: error: used type 'struct S' where arithmetic or pointer type is required"],
  ],
  ['p = (int *)x;', ["1:38: error: operand of type 'float' cannot be cast to a pointer type"]],
  ['i = sizeof(void);', ["1:38: error: invalid application of 'sizeof' to a void type"]],
  [
    'i = sizeof(struct T);',
    ["1:38: error: invalid application of 'sizeof' to an incomplete type 'struct T'"],
  ],
  ['i = sizeof(f);', ["1:38: error: invalid application of 'sizeof' to a function type"]],
  ['i = sizeof(int());', ["1:38: error: invalid application of 'sizeof' to a function type"]],
  [
    'struct { int a : 3; } s; i = sizeof(s.a);',
    ["1:63: error: invalid application of 'sizeof' to bit-field"],
  ],
  ['struct { int a : 3; } s; &s.a;', ['1:59: error: address of bit-field requested']],
  ['register int r; &r;', ['1:50: error: address of register variable requested']],
  [
    'struct S { int a; } s; if (s) return;',
    ["1:61: error: statement requires expression of scalar type ('struct S' invalid)"],
  ],
  [
    'int z[2]; z[2] = 1;',
    [
      '1:44: warning: array index 2 is past the end of the array (which contains 2 elements) [-Warray-bounds]',
    ],
  ],
  [
    'int z[2]; z[-1] = 1;',
    ['1:44: warning: array index -1 is before the beginning of the array [-Warray-bounds]'],
  ],
  ['typedef int T; i = T;', ["1:53: error: unexpected type name 'T': expected expression"]],
  ['typedef int T; i = T(1);', ["1:53: error: unexpected type name 'T': expected expression"]],
  ['(struct Q){1};', ["1:34: error: variable has incomplete type 'struct Q'"]],
  ['(void)i; i = (void)1;', ["1:47: error: assigning to 'int' from incompatible type 'void'"]],
  [
    'int g(); x = f + 1;',
    ["1:49: error: arithmetic on a pointer to the function type 'void (int, float, int *)'"],
  ],
  [
    'void (*g)(void) = f; g++;',
    [
      "1:52: warning: incompatible pointer types initializing 'void (*)(void)' with an expression of type 'void (*)(int, float, int *)' [-Wincompatible-pointer-types]",
      "1:55: error: arithmetic on a pointer to the function type 'void (void)'",
    ],
  ],
];

const head = 'void f(int i, float x, int *p) { ';

describe('operators, names and members', () => {
  it.each(bodies)('%s', (body, said) => {
    expect(diagnose(`${head}${body} }`, dialect)).toEqual(said);
  });
});
