/** The diagnostics of syntax errors, one message each where one thing is wrong: source and what is said of it. The words are those of clang 14 where it says the same. */
import { describe, expect, it } from 'vitest';
import { plainC } from '../../../src/c/plain-c.ts';
import { diagnose } from '../diagnose.ts';

const dialect = plainC();

/** Whole programs. */
const programs: readonly (readonly [source: string, said: readonly string[]])[] = [
  ['void f(void) {', ["1:15: error: expected '}'", "1:14: note: to match this '{'"]],
  ['}', ["1:1: error: extraneous closing brace ('}')"]],
  [') int a;', ["1:1: error: expected identifier or '('"]],
  ['int a', ["1:6: error: expected ';' after top level declarator"]],
  ['int f(int a b);', ["1:13: error: expected ')'", "1:6: note: to match this '('"]],
  ['int f(int a,);', ['1:13: error: expected parameter declarator']],
  ['int f(;', ['1:7: error: expected parameter declarator']],
  ['int f(foo);', ["1:7: error: unknown type name 'foo'"]],
  ['int f(1);', ['1:7: error: expected parameter declarator']],
  ['void f(...);', ["1:8: error: ISO C requires a named parameter before '...'"]],
  [
    'int f(a, b) int a; int b; { return a; } int g;',
    ['1:7: error: function definitions with identifier lists (K&R style) are not supported'],
  ],
  [
    'int f(void) int a; { }',
    ["1:12: error: expected ';' after top level declarator", "1:20: error: expected identifier or '('"],
  ],
  ['struct S { 3; };', ['1:12: error: type name requires a specifier or qualifier']],
  ['struct S { int a;', ["1:18: error: expected '}'", "1:10: note: to match this '{'"]],
  ['enum E { 1 };', ['1:10: error: expected identifier']],
  ['enum E { A B };', ["1:11: error: missing ',' between enumerators"]],
  ['int z[2] = {[0 = 1};', ["1:16: error: expected ']'", "1:13: note: to match this '['"]],
  ['int z[2] = {[0] 1};', ["1:17: error: expected '='"]],
  ['struct S { int a; } s = {. = 1};', ["1:28: error: expected a field designator, such as '.field = 4'"]],
  ['int z[2] = {1, 2;', ["1:17: error: expected '}'", "1:12: note: to match this '{'"]],
  ['int (^b)(void);', ['1:6: error: blocks support disabled']],
  [
    'int ************************************************************************************************************************************************************************************************************************************************************************************************************p;',
    ['1:262: error: nesting level exceeded maximum of 256'],
  ],
];

/** Bodies of the function below; columns count from its first character. */
const bodies: readonly (readonly [source: string, said: readonly string[]])[] = [
  ['i = 1', ["1:39: error: expected ';' after expression"]],
  ['i = 1 i = 2;', ["1:39: error: expected ';' after expression"]],
  ['i = (1;', ["1:40: error: expected ')'", "1:38: note: to match this '('"]],
  ['i = 1 +;', ['1:41: error: expected expression']],
  ['i = p[1;', ["1:41: error: expected ']'", "1:39: note: to match this '['"]],
  ['h(1;', ["1:37: error: expected ')'", "1:35: note: to match this '('"]],
  ['i = i ? 1;', ["1:43: error: expected ':'", "1:40: note: to match this '?'"]],
  ['i = p.;', ['1:40: error: expected identifier']],
  ['if i) ;', ["1:37: error: expected '(' after 'if'"]],
  ['if (i ;', ["1:40: error: expected ')'", "1:37: note: to match this '('"]],
  ['while (i { }', ["1:43: error: expected ')'", "1:40: note: to match this '('"]],
  ['for (i = 0; i < 3) ;', ["1:51: error: expected ';' in 'for' statement specifier"]],
  ['for (;;', ['1:42: error: expected expression']],
  ['do i = 1; (i);', ["1:44: error: expected 'while' in do/while loop", "1:34: note: to match this 'do'"]],
  ['do i = 1; while (i)', ["1:53: error: expected ';' after do/while statement"]],
  ['else i = 1;', ['1:34: error: expected expression']],
  ['goto 1;', ['1:39: error: expected identifier']],
  [
    'return 1',
    [
      "1:42: error: expected ';' after return statement",
      "1:41: error: void function 'f' should not return a value",
    ],
  ],
  [
    'break',
    [
      "1:39: error: expected ';' after break statement",
      "1:34: error: 'break' statement not in loop or switch statement",
    ],
  ],
  [
    'continue',
    [
      "1:42: error: expected ';' after continue statement",
      "1:34: error: 'continue' statement not in loop statement",
    ],
  ],
  ['switch (i) { case 1 i = 1; }', ["1:54: error: expected ':' after 'case'"]],
  ['switch (i) { default i = 1; }', ["1:55: error: expected ':' after 'default'"]],
  ['int = 1;', ["1:38: error: expected identifier or '('"]],
  ['int a b;', ["1:39: error: expected ';' at end of declaration"]],
  ['int a[3;', ["1:41: error: expected ']'", "1:39: note: to match this '['"]],
  ['int (a;', ["1:40: error: expected ')'", "1:38: note: to match this '('"]],
  ['i = {1};', ['1:38: error: expected expression']],
  ['struct S { int a } s;', ["1:50: error: expected ';' at end of declaration list"]],
  [
    'struct S { int a; ',
    ["1:54: error: expected identifier or '('", "1:54: error: expected '}'", "1:32: note: to match this '{'"],
  ],
  ['if (i) }', ['1:41: error: expected statement', "1:43: error: extraneous closing brace ('}')"]],
  ['if = 1;', ["1:37: error: expected '(' after 'if'"]],
  ['i = while;', ['1:38: error: expected expression']],
];

const head = 'void f(int i, float x, int *p) { ';

describe('syntax errors, one message each where one thing is wrong', () => {
  it.each(programs)('%s', (source, said) => {
    expect(diagnose(source, dialect)).toEqual(said);
  });
  it.each(bodies)('%s', (body, said) => {
    expect(diagnose(`${head}${body} }`, dialect)).toEqual(said);
  });
});

describe('what the preprocessor and the parser say', () => {
  it('comes in the order of the text, as clang has it', () => {
    const source = 'int f(void) { return a1; }\n#error stop\nint g(void) { return b2; }\n#undef 3\n';
    expect(diagnose(source, dialect)).toEqual([
      "1:22: error: use of undeclared identifier 'a1'",
      '2:2: error: stop',
      "3:22: error: use of undeclared identifier 'b2'",
      '4:8: error: macro name must be an identifier',
    ]);
  });

  it('pragmas are no tokens to those who look ahead', () => {
    const source =
      'typedef int t;\nvoid f(int i) { i =\n#pragma once\n#pragma unroll\n(\n#pragma x\nt\n#pragma y\n) i; }\n';
    expect(diagnose(source, dialect).filter((line) => line.includes('error'))).toEqual([]);
  });
});
