/** One mistake gives one message: what follows from it is not reported too. */
import { describe, expect, it } from 'vitest';
import { diagnoseBody, diagnoseProgram } from './rules.ts';

/** Statements of a kernel; they stand on line 2. */
const bodies: readonly (readonly [statements: string, said: string])[] = [
  [
    'int n = foo(1) + foo(2); n += foo(3);',
    "2:9: error: implicit declaration of function 'foo' is invalid in OpenCL",
  ],
  ['x = wrong; x = wrong + 1;', "2:5: error: use of undeclared identifier 'wrong'"],
  ['flaot y = 1; y = y + 1; x = y;', "2:1: error: unknown type name 'flaot'; did you mean 'float'?"],
  ['constant char *s = "abc;\n i = 1;', `2:20: error: missing terminating '"' character`],
  ["char c = 'a;\n i = 1;", "2:10: error: missing terminating ' character"],
  ['printf("abc, i);\n i = 1;', `2:8: error: missing terminating '"' character`],
  ['int n = 1lul; n = n + 1;', "2:10: error: invalid suffix 'lul' on integer constant"],
  [
    'char c = 99999999999999999999999;',
    '2:10: error: integer literal is too large to be represented in any integer type',
  ],
  ['int z[i]; z[0] = 1; x = z[1];', '2:7: error: variable length arrays are not supported in OpenCL'],
  ['a[0].q = a[0].x + 1;', "2:6: error: illegal vector component name 'q'"],
  ['x = sin(cos(f)) + 1;', "2:9: error: no matching function for call to 'cos'"],
];

const programs: readonly (readonly [source: string, said: string])[] = [
  [
    'struct S { foo a; int b; }; kernel void k(global struct S *s) { s->a = 1; s->b = 2; }',
    "1:12: error: unknown type name 'foo'",
  ],
  [
    'struct S { int a; image2d_t m; }; kernel void k(global struct S *s) { s->a = sizeof(s->m); }',
    "1:29: error: the '__read_only image2d_t' type cannot be used to declare a structure or union field",
  ],
  ['kernel void k(foo a) { a.x = 1; a.y = 2; }', "1:15: error: unknown type name 'foo'"],
  [
    'typedef static int T; T f(T a) { return a; }',
    "1:9: error: cannot combine with previous 'typedef' declaration specifier",
  ],
  [
    '__attribute__((reqd_work_group_size(1.5f, 1, 1))) kernel void k(void) {}',
    '1:37: error: attribute requires an integer constant',
  ],
];

describe('one mistake, one message', () => {
  const errorsOnly = (lines: readonly string[]): readonly string[] =>
    lines.filter((line) => !line.includes(': note: '));
  it.each(bodies)('%s', (statements, said) => {
    expect(errorsOnly(diagnoseBody(statements))).toEqual([said]);
  });
  it.each(programs)('%s', (source, said) => {
    expect(errorsOnly(diagnoseProgram(source))).toEqual([said]);
  });
});
