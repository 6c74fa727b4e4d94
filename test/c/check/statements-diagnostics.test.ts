/** The diagnostics of statements: source and what is said of it. The words are those of clang 14 where it says the same. */
import { describe, expect, it } from 'vitest';
import { plainC } from '../../../src/c/plain-c.ts';
import { diagnose } from '../diagnose.ts';

const dialect = plainC();

/** Whole programs. */
const programs: readonly (readonly [source: string, said: readonly string[]])[] = [
  ['int f(void) { return; }', ["1:15: error: non-void function 'f' should return a value"]],
  ['int f(void) { }', ['1:15: warning: non-void function does not return a value [-Wreturn-type]']],
  [
    'int f(int a) { if (a) return 1; }',
    ['1:33: warning: non-void function does not return a value in all control paths [-Wreturn-type]'],
  ],
  [
    'int f(int a) { while (1) { if (a) break; } }',
    ['1:44: warning: non-void function does not return a value [-Wreturn-type]'],
  ],
  ['int main(void) { }', []],
  [
    '#pragma unroll\nint a; void f(void) {\n#pragma unroll\n int a = 1; }',
    ["4:2: error: expected a for, while, or do-while loop to follow '#pragma unroll'"],
  ],
  ['void f(void) {\n#pragma unroll -1\n for (;;) ; }', ["2:1: error: invalid value '-1'; must be positive"]],
];

/** Bodies of the function below; columns count from its first character. */
const bodies: readonly (readonly [source: string, said: readonly string[]])[] = [
  ['break;', ["1:34: error: 'break' statement not in loop or switch statement"]],
  ['continue;', ["1:34: error: 'continue' statement not in loop statement"]],
  ['case 1: ;', ["1:34: error: 'case' statement not in switch statement"]],
  ['default: ;', ["1:34: error: 'default' statement not in switch statement"]],
  ['switch (x) { }', ["1:42: error: statement requires expression of integer type ('float' invalid)"]],
  [
    'switch (i) { case 1: case 1: ; }',
    ["1:60: error: duplicate case value '1'", '1:52: note: previous case defined here'],
  ],
  [
    'switch (i) { case 1 ... 5: case 3: ; }',
    ["1:66: error: duplicate case value '3'", '1:52: note: previous case defined here'],
  ],
  ['switch (i) { case 5 ... 1: ; }', ['1:47: warning: empty case range specified [-Wcase-range]']],
  [
    'switch (i) { default: default: ; }',
    ['1:56: error: multiple default labels in one switch', '1:47: note: previous case defined here'],
  ],
  ['switch (i) { case i: ; }', ['1:52: error: expression is not an integer constant expression']],
  [
    'switch (i) { case 1.5: ; }',
    ["1:52: error: integer constant expression must have integer type, not 'double'"],
  ],
  [
    'char c; switch (i) { case 4294967296: ; }',
    ['1:60: warning: overflow converting case value to switch condition type (4294967296 to 0) [-Wswitch]'],
  ],
  ['goto out;', ["1:39: error: use of undeclared label 'out'"]],
  ['out: ; out: ;', ["1:41: error: redefinition of label 'out'", '1:34: note: previous definition is here']],
  ['return 1;', ["1:41: error: void function 'f' should not return a value"]],
  ['i;', ['1:34: warning: expression result unused [-Wunused-value]']],
  ['i == 1;', ['1:36: warning: equality comparison result unused [-Wunused-comparison]']],
  ['i != 1;', ['1:36: warning: inequality comparison result unused [-Wunused-comparison]']],
  ['i < 1;', ['1:36: warning: relational comparison result unused [-Wunused-comparison]']],
  [
    '1, 2;',
    [
      '1:34: warning: left operand of comma operator has no effect [-Wunused-value]',
      '1:37: warning: expression result unused [-Wunused-value]',
    ],
  ],
  [
    'if (i); i = 1;',
    [
      '1:40: warning: if statement has empty body [-Wempty-body]',
      '1:40: note: put the semicolon on a separate line to silence this warning',
    ],
  ],
  [
    'for (i = 0; i < 3; i++); { i = 1; }',
    [
      '1:57: warning: for loop has empty body [-Wempty-body]',
      '1:57: note: put the semicolon on a separate line to silence this warning',
    ],
  ],
  [
    'while (i); { i = 1; }',
    [
      '1:43: warning: while loop has empty body [-Wempty-body]',
      '1:43: note: put the semicolon on a separate line to silence this warning',
    ],
  ],
  [
    'switch (i) { case 1: int q = 1; }',
    ['1:55: warning: label followed by a declaration is a C2x extension [-Wc2x-extensions]'],
  ],
  ['if (i) int q = 1;', ['1:41: error: expected expression']],
];

const head = 'void f(int i, float x, int *p) { ';

describe('statements', () => {
  it.each(programs)('%s', (source, said) => {
    expect(diagnose(source, dialect)).toEqual(said);
  });
  it.each(bodies)('%s', (body, said) => {
    expect(diagnose(`${head}${body} }`, dialect)).toEqual(said);
  });
});
