import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { Diagnostics } from '../../src/source/diagnostics.ts';
import { renderDiagnostics } from '../../src/source/render.ts';
import { SourceFile } from '../../src/source/source-file.ts';
import { noSpan, type Span } from '../../src/source/span.ts';

function spanOf(file: SourceFile, text: string, from = 0): Span {
  const start = file.text.indexOf(text, from);
  return { file, start, end: start + text.length };
}

describe('renderDiagnostics', () => {
  it('prints place, message, line and range', () => {
    const file = new SourceFile('dir/k.cl', 'kernel void f() {\n  int x = foo;\n}\n');
    const diagnostics = new Diagnostics();
    diagnostics.error(spanOf(file, 'foo'), "use of undeclared identifier 'foo'", [
      { message: 'in this function', span: spanOf(file, 'f()') },
    ]);
    diagnostics.warning(spanOf(file, 'x'), 'unused-variable', "unused variable 'x'");
    expect(renderDiagnostics(diagnostics.list)).toMatchInlineSnapshot(`
      "dir/k.cl:2:11: error: use of undeclared identifier 'foo'
        int x = foo;
                ^~~
      dir/k.cl:1:13: note: in this function
      kernel void f() {
                  ^~~
      dir/k.cl:2:7: warning: unused variable 'x' [-Wunused-variable]
        int x = foo;
            ^
      1 warning and 1 error generated.
      "
    `);
  });

  it('shows the line once for notes about the same place', () => {
    const file = new SourceFile('k.cl', 'int x = foo(1);\n');
    const [call, name] = [spanOf(file, 'foo'), spanOf(file, 'x')];
    const diagnostics = new Diagnostics();
    diagnostics.error(call, 'no matching function', [
      { message: 'one candidate', span: call },
      { message: 'another', span: { ...call } },
      { message: 'what it is for', span: name },
      { message: 'and so on', span: call },
    ]);
    expect(renderDiagnostics(diagnostics.list).split('\n')).toEqual([
      'k.cl:1:9: error: no matching function',
      'int x = foo(1);',
      '        ^~~',
      'k.cl:1:9: note: one candidate',
      'k.cl:1:9: note: another',
      'k.cl:1:5: note: what it is for',
      'int x = foo(1);',
      '    ^',
      'k.cl:1:9: note: and so on',
      'int x = foo(1);',
      '        ^~~',
      '1 error generated.',
      '',
    ]);
  });

  it('shows a macro once for notes about what it made', () => {
    const file = new SourceFile('k.cl', '#define F foo\nint x = F(1);\n');
    const use = spanOf(file, 'F', 14);
    const call = { ...spanOf(file, 'foo'), expansion: { macro: 'F', definition: spanOf(file, 'F'), use } };
    const diagnostics = new Diagnostics();
    diagnostics.error(call, 'no matching function', [{ message: 'one candidate', span: call }]);
    expect(
      renderDiagnostics(diagnostics.list)
        .split('\n')
        .map((line) => line.trim()),
    ).toEqual([
      'k.cl:2:9: error: no matching function',
      'int x = F(1);',
      '^',
      "k.cl:1:11: note: expanded from macro 'F'",
      '#define F foo',
      '^~~',
      'k.cl:2:9: note: one candidate',
      '1 error generated.',
      '',
    ]);
  });

  it('prints nothing for nothing', () => {
    expect(renderDiagnostics([])).toBe('');
  });

  it('shows tabs as white space up to the next multiple of eight', () => {
    const file = new SourceFile('t.cl', '\tint\tx;\n');
    const diagnostics = new Diagnostics();
    diagnostics.error(spanOf(file, 'x'), 'here');
    expect(renderDiagnostics(diagnostics.list)).toMatchInlineSnapshot(`
      "t.cl:1:6: error: here
              int     x;
                      ^
      1 error generated.
      "
    `);
  });

  it('cuts long lines around the caret', () => {
    const text = `int a = ${'1 + '.repeat(60)}WRONG${' + 2'.repeat(60)};`;
    const file = new SourceFile('l.cl', text);
    const diagnostics = new Diagnostics();
    diagnostics.error(spanOf(file, 'WRONG'), 'here');
    diagnostics.error(spanOf(file, 'int'), 'at the beginning');
    diagnostics.error({ file, start: text.length - 1, end: text.length }, 'at the end');
    expect(renderDiagnostics(diagnostics.list)).toMatchInlineSnapshot(`
      "l.cl:1:249: error: here
      ... + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + WRONG + 2 + 2 + 2 + 2 + 2 + 2 + 2 + 2 + 2 + 2 + 2 + 2 + 2 +...
                                                                ^~~~~
      l.cl:1:1: error: at the beginning
      int a = 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1...
      ^~~
      l.cl:1:494: error: at the end
      ... + 2 + 2 + 2 + 2 + 2 + 2 + 2 + 2 + 2 + 2 + 2 + 2 + 2 + 2 + 2 + 2 + 2 + 2 + 2 + 2 + 2 + 2 + 2 + 2 + 2 + 2 + 2 + 2 + 2;
                                                                                                                             ^
      3 errors generated.
      "
    `);
  });

  it('marks the first line of what goes over several, and the end of the text', () => {
    const file = new SourceFile('m.cl', 'f(1,\n  2)\n');
    const diagnostics = new Diagnostics();
    diagnostics.error({ file, start: 0, end: file.text.length }, 'whole');
    diagnostics.error({ file, start: 4, end: 4 }, 'end of line');
    diagnostics.error({ file, start: file.text.length, end: file.text.length }, 'end of text');
    expect(renderDiagnostics(diagnostics.list)).toMatchInlineSnapshot(`
      "m.cl:1:1: error: whole
      f(1,
      ^~~~
      m.cl:1:5: error: end of line
      f(1,
          ^
      m.cl:3:1: error: end of text
      3 errors generated.
      "
    `);
  });

  it('prints what has no place without one', () => {
    const diagnostics = new Diagnostics();
    diagnostics.error(noSpan, 'no kernel in program');
    expect(renderDiagnostics(diagnostics.list)).toBe('error: no kernel in program\n1 error generated.\n');
  });

  it('names the chain of inclusions where it changes', () => {
    const main = new SourceFile('main.cl', '#include "a.h"\n#include "b.h"\n');
    const a = new SourceFile('a.h', 'x y\n', spanOf(main, 'include'));
    const b = new SourceFile('b.h', 'z\n', spanOf(a, 'x'));
    const diagnostics = new Diagnostics();
    diagnostics.error(spanOf(a, 'x'), 'first');
    diagnostics.error(spanOf(a, 'y'), 'second');
    diagnostics.error(spanOf(b, 'z'), 'third');
    diagnostics.error(spanOf(main, '#'), 'fourth');
    expect(renderDiagnostics(diagnostics.list)).toMatchInlineSnapshot(`
      "In file included from main.cl:1:
      a.h:1:1: error: first
      x y
      ^
      a.h:1:3: error: second
      x y
        ^
      In file included from a.h:1:
      In file included from main.cl:1:
      b.h:1:1: error: third
      z
      ^
      main.cl:1:1: error: fourth
      #include "a.h"
      ^
      4 errors generated.
      "
    `);
  });

  it('shows the way through macros from the outermost inwards', () => {
    const file = new SourceFile('x.cl', '#define INNER bad\n#define OUTER 1 + INNER\nint a = OUTER;\n');
    const outer = { macro: 'OUTER', definition: spanOf(file, 'OUTER'), use: spanOf(file, 'OUTER', 45) };
    const inner = {
      macro: 'INNER',
      definition: spanOf(file, 'INNER'),
      use: { ...spanOf(file, 'INNER', 20), expansion: outer },
    };
    const diagnostics = new Diagnostics();
    diagnostics.error({ ...spanOf(file, 'bad'), expansion: inner }, 'that is bad');
    expect(renderDiagnostics(diagnostics.list)).toMatchInlineSnapshot(`
      "x.cl:3:9: error: that is bad
      int a = OUTER;
              ^~~~~
      x.cl:2:19: note: expanded from macro 'OUTER'
      #define OUTER 1 + INNER
                        ^~~~~
      x.cl:1:15: note: expanded from macro 'INNER'
      #define INNER bad
                    ^~~
      1 error generated.
      "
    `);
  });

  it('leaves out the middle of many levels', () => {
    const file = new SourceFile('x.cl', 'm\n');
    let span: Span = { file, start: 0, end: 1 };
    for (let level = 1; level <= 9; level += 1) {
      span = { file, start: 0, end: 1, expansion: { macro: `M${level}`, definition: span, use: span } };
    }
    const diagnostics = new Diagnostics();
    diagnostics.error(span, 'deep');
    const lines = renderDiagnostics(diagnostics.list).split('\n');
    expect(
      lines.filter((line) => line.includes('note:')).map((line) => line.replace(/^.*note: /, '')),
    ).toEqual([
      "expanded from macro 'M1'",
      "expanded from macro 'M2'",
      "expanded from macro 'M3'",
      '(skipping 3 expansions in backtrace)',
      "expanded from macro 'M7'",
      "expanded from macro 'M8'",
      "expanded from macro 'M9'",
    ]);
  });

  it('lets no control character of the source reach the terminal', () => {
    const file = new SourceFile('e\u001b[2J.cl', 'a \u001b[31m b\n');
    const diagnostics = new Diagnostics();
    diagnostics.error(spanOf(file, 'b'), 'bell \u0007');
    const printed = renderDiagnostics(diagnostics.list);
    expect(printed).not.toContain('\u0007');
    expect(printed).not.toContain('\u001b');
  });

  it('colours when asked, and says the same then', () => {
    const file = new SourceFile('c.cl', 'int x;\n');
    const diagnostics = new Diagnostics();
    diagnostics.error(spanOf(file, 'x'), 'wrong');
    diagnostics.warning(spanOf(file, 'x'), 'odd', 'odd');
    const colored = renderDiagnostics(diagnostics.list, { color: true });
    expect(colored).toContain('\u001b[1;31merror: ');
    expect(stripVTControlCharacters(colored)).toBe(renderDiagnostics(diagnostics.list));
  });

  it('names the option of a warning that became an error', () => {
    const diagnostics = new Diagnostics({ warningsAreErrors: true });
    diagnostics.warning(noSpan, 'odd', 'odd');
    expect(renderDiagnostics(diagnostics.list)).toBe('error: odd [-Werror,-Wodd]\n1 error generated.\n');
  });
});
