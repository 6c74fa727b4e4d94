/** The diagnostics of declarations, tags, types and attributes: source and what is said of it. The words are those of clang 14 where it says the same. */
import { describe, expect, it } from 'vitest';
import { plainC } from '../../../src/c/plain-c.ts';
import { diagnose } from '../diagnose.ts';

const dialect = plainC();

/** Whole programs. */
const programs: readonly (readonly [source: string, said: readonly string[]])[] = [
  [
    'int a; float a;',
    [
      "1:14: error: redefinition of 'a' with a different type: 'float' vs 'int'",
      '1:5: note: previous definition is here',
    ],
  ],
  ['int a = 1; int a = 2;', ["1:16: error: redefinition of 'a'", '1:5: note: previous definition is here']],
  [
    'void f(void) { int a; int a; }',
    ["1:27: error: redefinition of 'a'", '1:20: note: previous definition is here'],
  ],
  [
    'int f; void f(void);',
    [
      "1:13: error: redefinition of 'f' as different kind of symbol",
      '1:5: note: previous definition is here',
    ],
  ],
  [
    'void f(void); int f;',
    [
      "1:19: error: redefinition of 'f' as different kind of symbol",
      '1:6: note: previous definition is here',
    ],
  ],
  [
    'typedef int T; typedef float T;',
    [
      "1:30: error: typedef redefinition with different types ('float' vs 'int')",
      '1:13: note: previous definition is here',
    ],
  ],
  [
    'typedef int T; int T;',
    [
      "1:20: error: redefinition of 'T' as different kind of symbol",
      '1:13: note: previous definition is here',
    ],
  ],
  [
    'int T; typedef int T;',
    [
      "1:20: error: redefinition of 'T' as different kind of symbol",
      '1:5: note: previous definition is here',
    ],
  ],
  [
    'int f(int); float f(int);',
    ["1:19: error: conflicting types for 'f'", '1:5: note: previous declaration is here'],
  ],
  [
    'int f(int a) { return a; } int f(int a) { return a; }',
    ["1:32: error: redefinition of 'f'", '1:5: note: previous definition is here'],
  ],
  [
    'int f(void); static int f(void);',
    [
      "1:25: error: static declaration of 'f' follows non-static declaration",
      '1:5: note: previous declaration is here',
    ],
  ],
  [
    'void f(void) { static int g(void); }',
    ["1:27: error: function declared in block scope cannot have 'static' storage class"],
  ],
  ['register int a;', ['1:14: error: illegal storage class on file-scoped variable']],
  ['auto int a;', ['1:10: error: illegal storage class on file-scoped variable']],
  ['register void f(void);', ['1:15: error: illegal storage class on function']],
  [
    'struct S s;',
    ["1:10: error: variable has incomplete type 'struct S'", "1:8: note: forward declaration of 'struct S'"],
  ],
  ['void v;', ["1:6: error: variable has incomplete type 'void'"]],
  [
    'int z[];',
    ['1:5: error: definition of variable with array type needs an explicit size or an initializer'],
  ],
  [
    'void f(void) { int z[]; }',
    ['1:20: error: definition of variable with array type needs an explicit size or an initializer'],
  ],
  ['int z[-1];', ["1:7: error: 'z' declared as an array with a negative size"]],
  ['int z[1.5];', ["1:7: error: size of array has non-integer type 'double'"]],
  ['void f(int n) { int z[n]; }', ['1:23: error: variable length arrays are not supported in C99']],
  ['int z[2][];', ["1:6: error: array has incomplete element type 'int[]'"]],
  ['void z[2];', ["1:7: error: array has incomplete element type 'void'"]],
  ['void z[2](void);', ["1:7: error: 'z' declared as array of functions of type 'void (void)'"]],
  ['int z[2147483647];', ['1:7: error: array is too large (2147483647 elements)']],
  ['int f(void)(void);', ["1:6: error: function cannot return function type 'int (void)'"]],
  ['int f(void)[2];', ["1:6: error: function cannot return array type 'int[2]'"]],
  ['inline int a;', ["1:12: error: 'inline' can only appear on functions"]],
  [
    'int f(int a, int a) { return a; }',
    ["1:18: error: redefinition of parameter 'a'", '1:11: note: previous declaration is here'],
  ],
  [
    'int f(int) { return 1; }',
    [
      '1:7: warning: omitting the parameter name in a function definition is a C2x extension [-Wc2x-extensions]',
    ],
  ],
  ['int f(void a);', ["1:12: error: argument may not have 'void' type"]],
  ['int f(int, void);', ["1:12: error: 'void' must be the first and only parameter if specified"]],
  ['int f(static int a);', ['1:7: error: invalid storage class specifier in function declarator']],
  ['int f(struct T a) { return 1; }', ["1:16: error: variable has incomplete type 'struct T'"]],
  [
    'struct T f(void) { for (;;); }',
    ["1:10: error: incomplete result type 'struct T' in function definition"],
  ],
  [
    'struct S { int a; }; struct S { int b; };',
    ["1:29: error: redefinition of 'S'", '1:8: note: previous definition is here'],
  ],
  [
    'struct S { int a; }; union S u;',
    [
      "1:28: error: use of 'S' with tag type that does not match previous declaration",
      '1:8: note: previous use is here',
    ],
  ],
  [
    'struct S { int a; float a; };',
    ["1:25: error: duplicate member 'a'", '1:16: note: previous declaration is here'],
  ],
  [
    'struct S { int a; struct { int a; }; };',
    ["1:19: error: duplicate member 'a'", '1:16: note: previous declaration is here'],
  ],
  ['struct S { struct T t; };', ["1:21: error: field has incomplete type 'struct T'"]],
  ['struct S { int a[]; int b; };', ["1:16: error: flexible array member 'a' not allowed here"]],
  ['struct S { int f(void); };', ["1:16: error: field 'f' declared as a function"]],
  ['struct S { static int a; };', ['1:12: error: type name does not allow storage class to be specified']],
  ['struct S { int; };', ['1:12: warning: declaration does not declare anything [-Wmissing-declarations]']],
  ['struct S { float a : 3; };', ["1:18: error: bit-field 'a' has non-integral type 'float'"]],
  ['struct S { int a : -1; };', ["1:20: error: bit-field 'a' has negative width (-1)"]],
  ['struct S { int a : 0; };', ["1:20: error: named bit-field 'a' has zero width"]],
  [
    'struct S { int a : 33; };',
    ["1:20: error: width of bit-field 'a' (33 bits) exceeds the width of its type (32 bits)"],
  ],
  ['int n; struct S { int a : n; };', ['1:27: error: expression is not an integer constant expression']],
  ['struct;', ['1:7: error: declaration of anonymous struct must be a definition']],
  ['enum;', ["1:5: error: expected identifier or '{'"]],
  ['enum E {};', ['1:8: error: use of empty enum']],
  [
    'enum E { A, A };',
    ["1:13: error: redefinition of enumerator 'A'", '1:10: note: previous definition is here'],
  ],
  [
    'int A; enum E { A };',
    [
      "1:17: error: redefinition of 'A' as different kind of symbol",
      '1:5: note: previous definition is here',
    ],
  ],
  ['enum E { A = 1.5 };', ["1:14: error: integer constant expression must have integer type, not 'double'"]],
  ['int n; enum E { A = n };', ['1:21: error: expression is not an integer constant expression']],
  ['int;', ['1:1: warning: declaration does not declare anything [-Wmissing-declarations]']],
  ['long long long a;', ["1:11: error: 'long long long' is too long"]],
  ['short long a;', ["1:7: error: cannot combine with previous 'short' declaration specifier"]],
  ['short float a;', ["1:7: error: 'short float' is invalid"]],
  ['unsigned float a;', ["1:10: error: 'float' cannot be signed or unsigned"]],
  ['signed unsigned a;', ["1:8: error: cannot combine with previous 'signed' declaration specifier"]],
  ['int float a;', ["1:5: error: cannot combine with previous 'int' declaration specifier"]],
  ['struct S { int a; } int b;', ["1:20: error: expected ';' after struct"]],
  ['int struct S a;', ['1:5: error: cannot combine with previous type specifier']],
  ['static extern int a;', ["1:8: error: cannot combine with previous 'static' declaration specifier"]],
  [
    'static static int a;',
    ["1:8: warning: duplicate 'static' declaration specifier [-Wduplicate-decl-specifier]"],
  ],
  ['restrict int a;', ["1:1: error: restrict requires a pointer or reference ('int' is invalid)"]],
  ['x;', ["1:1: warning: type specifier missing, defaults to 'int' [-Wimplicit-int]"]],
  ['foo a;', ["1:1: error: unknown type name 'foo'"]],
  ['unsinged a;', ["1:1: error: unknown type name 'unsinged'; did you mean 'unsigned'?"]],
  ['struct point { int x; }; point p;', ["1:26: error: must use 'struct' tag to refer to type 'point'"]],
  ['const a = 3;', ["1:1: warning: type specifier missing, defaults to 'int' [-Wimplicit-int]"]],
  ['_Complex float c;', ["1:1: error: complex types are not supported: '_Complex'"]],
  [
    'void f(void) { extern int a = 3; }',
    ['1:27: error: declaration of block scope identifier with linkage cannot have an initializer'],
  ],
  ['typedef int T = 3;', ['1:15: error: illegal initializer (only variables can be initialized)']],
  ['int f(void) = 3;', ['1:13: error: illegal initializer (only variables can be initialized)']],
  ['typedef int f(void) { return 1; }', ["1:13: error: function definition declared 'typedef'"]],
  ['int a = f;', ["1:9: error: use of undeclared identifier 'f'"]],
  ['int b; int a = b;', ['1:16: error: initializer element is not a compile-time constant']],
  ['int *a = (int *)1.5;', ["1:10: error: operand of type 'double' cannot be cast to a pointer type"]],
  ['int f() { return g; }', ["1:18: error: use of undeclared identifier 'g'"]],
  ['void f(void) { sizeof(static int); }', ['1:23: error: expected expression']],
  ['__attribute__((foo)) int a;', ["1:16: warning: unknown attribute 'foo' ignored [-Wunknown-attributes]"]],
  ['int a __attribute__((aligned(3)));', ['1:22: error: requested alignment is not a power of 2']],
  [
    'int a __attribute__((aligned(8192)));',
    ['1:22: error: requested alignment must be 4096 bytes or smaller'],
  ],
  [
    'int a __attribute__((aligned(4, 4)));',
    ["1:22: error: 'aligned' attribute takes no more than 1 argument"],
  ],
  ['int a __attribute__((aligned(int)));', ["1:22: error: 'aligned' attribute requires integer constant"]],
  ['int n; int a __attribute__((aligned(n)));', ['1:37: error: attribute requires an integer constant']],
  ['int a __attribute__((aligned(4);', ['1:32: error: expected identifier']],
  ['int a __attribute__(aligned);', ["1:21: error: expected '(' after '('"]],
  ['int a __attribute__((3));', ['1:22: error: expected identifier']],
  [
    'typedef int v4 __attribute__((ext_vector_type(5)));',
    ['1:31: error: vector size must be 2, 3, 4, 8 or 16'],
  ],
  [
    'typedef int *v4 __attribute__((ext_vector_type(4)));',
    ["1:32: error: invalid vector element type 'int *'"],
  ],
];

describe('declarations, tags, types and attributes', () => {
  it.each(programs)('%s', (source, said) => {
    expect(diagnose(source, dialect)).toEqual(said);
  });
});
