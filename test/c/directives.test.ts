import { describe, expect, it } from 'vitest';
import { complaints, expand, filesOf, tokensOf } from './preprocess-text.ts';

describe('conditional groups', () => {
  it('takes the first part that holds', () => {
    const text = (n: number) => `#define N ${n}
#if N == 1
one
#elif N == 2
two
#elif N == 3
three
#else
more
#endif`;
    expect([1, 2, 3, 4].map((n) => expand(text(n)))).toEqual(['one', 'two', 'three', 'more']);
  });

  it('nests, and leaves out whole groups whatever is in them', () => {
    expect(
      expand(`#define YES
#ifndef YES
  #if 1
  no
  #else
  #error no
  #endif
  #garbage
  it's "open
  #if 0
  #elif 1/0 (
  #endif
#elif defined(YES) && !defined NO
  #ifdef NO
  no
  #else
  yes
  #endif
#else
  no
#endif`),
    ).toBe('yes');
  });

  it('does not see directives in comments', () => {
    expect(expand('#if 0\n/*\n#endif\n*/ no\n// \\\n#endif\n"/*"\n#endif\nyes')).toBe('yes');
  });

  const value = (condition: string) => expand(`#if ${condition}\n1\n#else\n0\n#endif`);

  it.each([
    ['1', true],
    ['0', false],
    ['undefined_name', false],
    ['-1 < 0', true],
    ['-1 < 0u', false],
    ['-1 == 18446744073709551615u', true],
    ['0xFFFFFFFFFFFFFFFF == -1', true],
    ['9223372036854775807 + 0u + 1 > 0', true],
    ['-9223372036854775807 - 1 < 0', true],
    ['~0 == -1', true],
    ['!0 == 1 && !5 == 0', true],
    ['1 + 2 * 3 == 7', true],
    ['(1 + 2) * 3 == 9', true],
    ['10 - 3 - 2 == 5', true],
    ['-7 / 2 == -3 && -7 % 2 == -1', true],
    ['1 << 62 > 0 && (1 << 63) < 0', true],
    ['-8 >> 1 == -4', true],
    ['1 << 64 == 0 && -1 >> 100 == -1', true],
    ['8 << -1 == 4', true],
    ['(6 & 3) == 2 && (6 | 3) == 7 && (6 ^ 3) == 5', true],
    ['1 ? 0 : 1', false],
    ['0 ? 0 : 0 ? 0 : 1', true],
    ['0 && 1 / 0', false],
    ['1 || 1 / 0', true],
    ['1 ? 1 : 1 % 0', true],
    ['(1 ? -1 : 0u) > 0', true],
    ["'a' == 97 && '\\n' == 10 && '\\377' == -1", true],
    ["'ab' == 0x6162", true],
    ['010 == 8 && 0b101 == 5 && 0x10 == 16', true],
    ['1ull + 1LL == 2', true],
    ['defined __LINE__ && defined(__STDC__)', true],
    ['__LINE__ == 1', true],
    ['2 > 1 == 1 && 1 != 2 && 1 <= 1 && 2 >= 3 == 0', true],
  ])('#if %s', (condition, expected) => {
    expect(tokensOf(`#if ${condition}\n1\n#endif`).diagnostics.errorCount).toBe(0);
    expect(tokensOf(`#if ${condition}\n1\n#endif`).tokens.length === 2).toBe(expected);
  });

  it('expands macros, but not the operand of defined', () => {
    expect(
      expand('#define f(x) x + 1\n#define g 0\n#if f(1) == 2 && defined g && defined(f)\n1\n#endif'),
    ).toBe('1');
    expect(expand('#define has defined(a)\n#define a\n#if has\n1\n#endif')).toBe('1');
    expect(value('(defined x ? 1 : 2) == 2')).toBe('1');
  });

  it.each([
    ['#if\n#endif', ['1:4 error: expected value in expression']],
    ['#if 1 +\n#endif', ['1:8 error: expected value in expression']],
    ['#if "a"\n#endif', ['1:5 error: invalid token at start of a preprocessor expression']],
    ['#if 1 2\n#endif', ['1:7 error: token is not a valid binary operator in a preprocessor subexpression']],
    ['#if 1)\n#endif', ['1:6 error: token is not a valid binary operator in a preprocessor subexpression']],
    [
      '#if (1\n#endif',
      ["1:7 error: expected ')' in preprocessor expression", "  1:5 note: to match this '('"],
    ],
    ['#if 1 ? 2\n#endif', ["1:10 error: expected ':'", "  1:7 note: to match this '?'"]],
    ['#if 1 : 2\n#endif', ["1:7 error: ':' without preceding '?'"]],
    ['#if 1, 2\n#endif', ['1:6 error: comma operator in operand of #if']],
    ['#if 1.5\n#endif', ['1:5 error: floating point literal in preprocessor expression']],
    ['#if 1 / 0\n#endif', ['1:7 error: division by zero in preprocessor expression']],
    ['#if 1 % 0\n#endif', ['1:7 error: remainder by zero in preprocessor expression']],
    [
      '#if 0x7FFFFFFFFFFFFFFF + 1\n#endif',
      ['1:24 warning: integer overflow in preprocessor expression [integer-overflow]'],
    ],
    ['#if foo(1)\n#endif', ["1:5 error: function-like macro 'foo' is not defined"]],
    ['#if defined\n#endif', ['1:12 error: macro name missing']],
    ['#if defined 1\n#endif', ['1:13 error: macro name must be an identifier']],
    ['#if defined(a\n#endif', ["1:14 error: missing ')' after 'defined'", "  1:12 note: to match this '('"]],
    ["#if ''\n#endif", ['1:5 error: empty character constant']],
    ['#if 09\n#endif', ["1:6 error: invalid digit '9' in octal constant"]],
    ['#if @\n#endif', ['1:5 error: invalid token at start of a preprocessor expression']],
    ['#ifdef\n#endif', ['1:7 error: macro name missing']],
    ['#ifdef 1\n#endif', ['1:8 error: macro name must be an identifier']],
    ['#ifdef a b\n#endif', ['1:10 warning: extra tokens at end of #ifdef directive [extra-tokens]']],
    ['#if 1\n#endif x', ['2:8 warning: extra tokens at end of #endif directive [extra-tokens]']],
    ['#if 0\n#else x\n#endif', ['2:7 warning: extra tokens at end of #else directive [extra-tokens]']],
    ['#if 1', ['1:2 error: unterminated conditional directive']],
    ['#if 0\n#if 1\n#endif', ['1:2 error: unterminated conditional directive']],
    ['#else', ['1:2 error: #else without #if']],
    ['#elif 1', ['1:2 error: #elif without #if']],
    ['#endif', ['1:2 error: #endif without #if']],
    ['#if 1\n#else\n#else\n#endif', ['3:2 error: #else after #else']],
    ['#if 0\n#else\n#elif 1\n#endif', ['3:2 error: #elif after #else']],
  ])('%j', (text, expected) => {
    expect(complaints(text)).toEqual(expected);
  });

  it('limits nesting', () => {
    const deep = `${'('.repeat(100000)}1${')'.repeat(100000)}`;
    expect(complaints(`#if ${deep}\n#endif`)[0]).toMatch(
      /error: preprocessor expression nested too deeply \(more than 256 levels\)$/,
    );
    expect(complaints(`#if ${'!'.repeat(100000)}1\n#endif`)[0]).toMatch(/nested too deeply/);
    expect(complaints(`#if ${'1 ? '.repeat(100000)}1\n#endif`)[0]).toMatch(/nested too deeply/);
    expect(complaints(`#if ${'1 + '.repeat(100000)}1\n#endif`)).toEqual([]);
    expect(complaints(`${'#if 1\n'.repeat(20000)}${'#endif\n'.repeat(20000)}`)).toEqual([]);
  });
});

describe('#include', () => {
  const files = filesOf({
    'dir/a.h': 'a\n#include "b.h"\n',
    'dir/b.h': 'dir_b\n',
    'inc/b.h': 'inc_b\n',
    'inc/sub/c.h': '#pragma once\nc __INCLUDE_LEVEL__ __FILE__\n',
    'self.h': 'x\n#include "self.h"\n',
    'open.h': '#if 1\nopen\n',
    'call.h': 'f',
    '/abs.h': 'absolute',
    'twice.h': '#include "twice.h"\n#include "twice.h"\n',
    'bad.h': 'int @;\n',
  });
  const options = { files, includePaths: ['inc', 'inc/sub/'] };

  it('looks beside the file that asks, then along the paths', () => {
    expect(expand('#include "dir/a.h"\nend', options).split('\n')).toEqual(['a', 'dir_b', 'end']);
    expect(expand('#include "b.h"', options)).toBe('inc_b');
    expect(expand('#include <b.h>', options)).toBe('inc_b');
    expect(expand('#include <c.h>', options)).toBe('c 1 "inc/sub/c.h"');
    expect(expand('#include "/abs.h"', options)).toBe('absolute');
  });

  it('reads a header with #pragma once only once', () => {
    expect(expand('#include <sub/c.h>\n#include "sub/c.h"\nend', options).split('\n')).toEqual([
      'c 1 "inc/sub/c.h"',
      'end',
    ]);
  });

  it('expands the third form', () => {
    expect(expand('#define H "b.h"\n#include H', options)).toBe('inc_b');
    expect(expand('#define IN(x) <x.h>\n#include IN(b)', options)).toBe('inc_b');
  });

  it('does not let an invocation run over the end of a header', () => {
    expect(expand('#define f(x) [x]\n#include "call.h"\n(1)', options).replace(/\s+/g, ' ')).toBe('f (1)');
  });

  it.each([
    ['#include', ['1:2 error: expected "FILENAME" or <FILENAME>']],
    ['#include b', ['1:10 error: expected "FILENAME" or <FILENAME>']],
    ['#include ""', ['1:10 error: empty filename']],
    ['#include <>', ['1:10 error: empty filename']],
    ['#include <b.h', ["1:14 error: expected '>'", "  1:10 note: to match this '<'"]],
    ['#include "none.h"', ["1:10 error: 'none.h' file not found"]],
    ['#include <b.h> x', ['1:16 warning: extra tokens at end of #include directive [extra-tokens]']],
    ['#include "self.h"', ['2:10 error: #include nested too deeply']],
    [
      '#include "open.h"\n#endif',
      ['1:2 error: unterminated conditional directive', '2:2 error: #endif without #if'],
    ],
  ])('%j', (text, expected) => {
    expect(complaints(text, options)).toEqual(expected);
  });

  it('ends headers that include each other without end', () => {
    const messages = complaints('#include "twice.h"', options);
    expect(messages[messages.length - 1]).toBe('2:10 error: too much text included');
  }, 60_000);

  it('knows where included text comes from', () => {
    const [error] = tokensOf('\n#include "bad.h"', options).diagnostics.list;
    expect(error?.span.file.name).toBe('bad.h');
    expect(error?.span.file.includedFrom?.start).toBe(2);
  });
});

describe('#line', () => {
  it('changes __LINE__, __FILE__ and presumed places', () => {
    expect(expand('#line 10\n__LINE__ __FILE__\n__LINE__').split('\n')).toEqual(['10 "a.cl"', '11']);
    expect(expand('#line 10 "b.c"\n__LINE__ __FILE__')).toBe('10 "b.c"');
    expect(expand('#define AT 7 "m.c"\n#line AT\n__LINE__ __FILE__')).toBe('7 "m.c"');
    expect(expand('# 33 "other.c" 1 3\n__LINE__ __FILE__')).toBe('33 "other.c"');
    expect(expand('# 33\n__LINE__ __FILE__')).toBe('33 "a.cl"');
    expect(expand('#line 1 "C:\\\\x\\\\y.c"\n__FILE__')).toBe('"C:\\\\x\\\\y.c"');
  });

  it.each([
    ['#line', ['1:6 error: #line directive requires a positive integer argument']],
    ['#line x', ['1:7 error: #line directive requires a positive integer argument']],
    ['#line 0x1', ['1:7 error: #line directive requires a simple digit sequence']],
    ['#line 99999999999', ['1:7 error: #line directive requires a simple digit sequence']],
    ['#line 1 x', ['1:9 error: invalid filename for #line directive']],
    ['#line 1 "x" y', ['1:13 warning: extra tokens at end of #line directive [extra-tokens]']],
    ['# 0x1', ['1:3 error: line marker directive requires a simple digit sequence']],
    ['# 1 x', ['1:5 error: invalid filename for line marker directive']],
    ['# 1 "x" 9', ['1:9 error: invalid flag line marker directive']],
  ])('%j', (text, expected) => {
    expect(complaints(text)).toEqual(expected);
  });
});

describe('other directives', () => {
  it('does nothing for an empty directive', () => {
    expect(expand('#\n# // x\na')).toBe('a');
  });

  it('hands on pragmas, unexpanded and without comments', () => {
    const { tokens } = tokensOf(
      '#define ON off\n#pragma OPENCL EXTENSION x : ON // why\na\n  # pragma unroll 4\n#pragma\nb',
    );
    expect(tokens.map(({ kind, text, lineStart }) => [kind, text, lineStart])).toEqual([
      ['pragma', 'OPENCL EXTENSION x : ON', true],
      ['identifier', 'a', true],
      ['pragma', 'unroll 4', true],
      ['pragma', '', true],
      ['identifier', 'b', true],
      ['end', '', false],
    ]);
  });

  it('makes pragmas of _Pragma, in macros too', () => {
    const { tokens } = tokensOf(
      '#define S(x) #x\n#define P(x) _Pragma(S(x)) y\n_Pragma("a \\"b\\"") x P(unroll 2)',
    );
    expect(tokens.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
      'pragma a "b"',
      'identifier x',
      'pragma unroll 2',
      'identifier y',
      'end ',
    ]);
  });

  it.each([
    ['#foo', ['1:2 error: invalid preprocessing directive']],
    ['#identifier', ['1:2 error: invalid preprocessing directive']],
    ['#integer 1', ['1:2 error: invalid preprocessing directive']],
    ['# "a"', ['1:3 error: invalid preprocessing directive']],
    ['#error  it\'s "so"  wrong', ['1:2 error: it\'s "so"  wrong']],
    ['#error a \\\nb /* c\nd */ e', ['1:2 error: a b /* c d */ e']],
    ['#error', ['1:2 error: ']],
    ['#warning beware', ['1:2 warning: beware [#warnings]']],
    ['#pragma once', ['1:9 warning: #pragma once in main file [pragma-once-outside-header]']],
    ['_Pragma(1)', ['1:1 error: _Pragma takes a parenthesized string literal']],
    ['_Pragma', ['1:1 error: _Pragma takes a parenthesized string literal']],
    ['_Pragma("a"', ['1:1 error: _Pragma takes a parenthesized string literal']],
  ])('%j', (text, expected) => {
    expect(complaints(text)).toEqual(expected);
  });
});

describe('places of tokens', () => {
  it('leads from a token back through its macros', () => {
    const text = '#define INNER bad\n#define OUTER(x) x + INNER\nint a = OUTER(arg);\n';
    const { tokens } = tokensOf(text);
    const bad = tokens.find((token) => token.text === 'bad');
    const arg = tokens.find((token) => token.text === 'arg');
    expect(bad?.span.start).toBe(text.indexOf('bad'));
    expect(bad?.span.expansion?.macro).toBe('INNER');
    expect(bad?.span.expansion?.definition.start).toBe(text.indexOf('INNER'));
    const inner = bad?.span.expansion?.use;
    expect(inner?.start).toBe(text.indexOf('INNER', 20));
    expect(inner?.expansion?.macro).toBe('OUTER');
    const outer = inner?.expansion?.use;
    expect(text.slice(outer?.start, outer?.end)).toBe('OUTER(arg)');
    expect(outer?.expansion).toBeUndefined();
    expect(arg?.span.start).toBe(text.indexOf('arg'));
    expect(arg?.span.expansion).toBeUndefined();
  });

  it('cuts very long chains of macros short', () => {
    let text = '#define m0 end\n';
    for (let level = 1; level < 1000; level += 1) text += `#define m${level} m${level - 1}\n`;
    const { tokens } = tokensOf(`${text}m999`);
    let levels = 0;
    for (let place = tokens[0]?.span.expansion; place !== undefined; place = place.use.expansion) levels += 1;
    expect(levels).toBeLessThanOrEqual(200);
  });
});
