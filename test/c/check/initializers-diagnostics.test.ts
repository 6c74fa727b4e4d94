/** The diagnostics of initializers: source and what is said of it. The words are those of clang 14 where it says the same. */
import { describe, expect, it } from 'vitest';
import { plainC } from '../../../src/c/plain-c.ts';
import { diagnose } from '../diagnose.ts';

const dialect = plainC();

/** Whole programs. */
const programs: readonly (readonly [source: string, said: readonly string[]])[] = [
  ['int a = {};', ['1:9: error: scalar initializer cannot be empty']],
  ['int a = {1, 2};', ['1:13: warning: excess elements in scalar initializer [-Wexcess-initializers]']],
  ['int a = {{1, 2}};', ['1:14: warning: excess elements in scalar initializer [-Wexcess-initializers]']],
  ['int a = {.x = 1};', ["1:10: error: designator in initializer for scalar type 'int'"]],
  ['int z[2] = {1, 2, 3};', ['1:19: warning: excess elements in array initializer [-Wexcess-initializers]']],
  ['int z[2] = 1;', ['1:12: error: array initializer must be an initializer list']],
  [
    'char s[2] = "abc";',
    ['1:13: warning: initializer-string for char array is too long [-Wexcess-initializers]'],
  ],
  ['int z[] = "abc";', ['1:11: error: array initializer must be an initializer list']],
  ['int z[2] = {[2] = 1};', ['1:13: error: array designator index (2) exceeds array bounds (2)']],
  ['int z[2] = {[-1] = 1};', ["1:13: error: array designator value '-1' is negative"]],
  ['int n; int z[2] = {[n] = 1};', ['1:20: error: expression is not an integer constant expression']],
  [
    'int z[2] = {.a = 1};',
    ["1:13: error: field designator cannot initialize a non-struct, non-union type 'int[2]'"],
  ],
  [
    'struct S { int a; } s = {.b = 1};',
    ["1:26: error: field designator 'b' does not refer to any field in type 'struct S'"],
  ],
  [
    'struct S { int a; } s = {[0] = 1};',
    ["1:26: error: array designator cannot initialize non-array type 'struct S'"],
  ],
  [
    'struct S { int a; } s = {1, 2};',
    ['1:29: warning: excess elements in struct initializer [-Wexcess-initializers]'],
  ],
  [
    'union U { int a; } u = {1, 2};',
    ['1:28: warning: excess elements in union initializer [-Wexcess-initializers]'],
  ],
  [
    'struct S { int a; } s = {.a.b = 1};',
    [
      '1:33: warning: excess elements in struct initializer [-Wexcess-initializers]',
      "1:28: error: designator in initializer for scalar type 'int'",
    ],
  ],
  [
    'int z[] = {[2147483647] = 1};',
    ['1:12: error: array designator index (2147483647) exceeds array bounds (2147483647)'],
  ],
  ['int n; int z[2] = {n, 1};', ['1:20: error: initializer element is not a compile-time constant']],
  [
    'struct S { int a[2]; } s = {"x"};',
    [
      "1:29: warning: incompatible pointer to integer conversion initializing 'int' with an expression of type 'char *' [-Wint-conversion]",
      '1:29: error: initializer element is not a compile-time constant',
    ],
  ],
];

describe('initializers', () => {
  it.each(programs)('%s', (source, said) => {
    expect(diagnose(source, dialect)).toEqual(said);
  });
});
