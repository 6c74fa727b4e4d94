import { describe, expect, it } from 'vitest';
import { complaints, expand } from './preprocess-text.ts';

/** Compares with all white space taken out, which the standard leaves open. */
function close(text: string): string {
  return expand(text).replace(/\s+/g, '');
}

describe('rescanning (C99 6.10.3.4, and the cases of 6.10.3.5)', () => {
  // the macros have the shape of the standard's example 3 under other names
  const example3 = `
#define v 3
#define fn(a) fn(v * (a))
#undef v
#define v 2
#define alias fn
#define self self[0]
#define open alias(~
#define call(a) a(pair)
#define pair 0,1
#define id(a) a
#define type() int
#define same(b) b
#define cat(b,c) b ## c
#define text(b) # b
`;

  it('expands again what it made, and nothing within itself', () => {
    expect(close(`${example3}fn(w+1) + fn(fn(self)) % id(id(alias)(0) + id)(1);`)).toBe(
      'fn(2*(w+1))+fn(2*(fn(2*(self[0]))))%fn(2*(0))+id(1);',
    );
  });

  it('takes arguments from behind the expansion', () => {
    expect(close(`${example3}alias(v+(3,4)-pair) | open 5) & call\n(fn)^call(call);`)).toBe(
      'fn(2*(2+(3,4)-0,1))|fn(2*(~5))&fn(2*(0,1))^call(0,1);',
    );
  });

  it('takes empty arguments, alone and beside ##', () => {
    expect(close(`${example3}type() k[same()] = { same(1), cat(2,3), cat(4,), cat(,5), cat(,) };`)).toBe(
      'intk[]={1,23,4,5,};',
    );
    expect(expand(`${example3}char c[2][6] = { text(hello), text() };`)).toBe(
      'char c[2][6] = { "hello", "" };',
    );
  });

  it('stringizes and pastes as in example 4', () => {
    const macros = `
#define text(s) # s
#define xtext(s) text(s)
#define show(s, t) log("v" # s "= %d, v" # t "= %s", \\
    v ## s, v ## t)
#define FILE_(n) part ## n
#define join(a, b) a ## b
#define xjoin(a, b) join(a, b)
#define UPDOWN "up"
#define DOWN DOWN ", down"
`;
    expect(close(`${macros}show(1, 2);`)).toBe('log("v""1""=%d,v""2""=%s",v1,v2);');
    expect(
      expand(`${macros}put(text(cmp("ab\\0d", "ab", '\\4') // gone
 == 0) text(: @\\n), s);`),
    ).toBe(String.raw`put("cmp(\"ab\\0d\", \"ab\", '\\4') == 0" ": @\n", s);`);
    expect(expand(`${macros}xtext(FILE_(2).h)`)).toBe('"part2.h"');
    expect(expand(`${macros}join(UP, DOWN); xjoin(UP, DOWN)`)).toBe('"up"; "up" ", down"');
  });

  it('keeps a ## that was pasted from being an operator', () => {
    const macros = `
#define two # ## #
#define mk(a) # a
#define within(a) mk(a)
#define both(c, d) within(c two d)
`;
    expect(expand(`${macros}both(x, y)`)).toBe('"x ## y"');
  });

  it('leaves out empty operands of ## as in example 5', () => {
    const text = `#define t(x,y,z) x ## y ## z
{ t(1,2,3), t(,4,5), t(6,,7), t(8,9,), t(10,,), t(,11,), t(,,12), t(,,) }`;
    expect(close(text)).toBe('{123,45,67,89,10,11,12,}');
  });

  it('passes on variable arguments as in example 7', () => {
    const text = `#define say(...) out(err, __VA_ARGS__)
#define list(...) put(#__VA_ARGS__)
#define report(test, ...) ((test)?put(#test): say(__VA_ARGS__))
say("F"); say("X = %d\\n", x); list(one, two  , 3 items.); report(x>y, "x %d y %d", x, y);`;
    expect(expand(text)).toBe(
      'out(err, "F"); out(err, "X = %d\\n", x); put("one, two , 3 items."); ((x>y)?put("x>y"): out(err, "x %d y %d", x, y));',
    );
  });

  it('paints names met inside their own expansion for good', () => {
    expect(close('#define f(a) a*g\n#define g(a) f(a)\nf(2)(9)')).toBe('2*9*g');
    expect(close('#define A B\n#define B A C\n#define C A B\nA B C')).toBe('AABBBBACBC');
    expect(close('#define f(x) x f\nf(1)(2)(3)')).toBe('1f(2)(3)');
    expect(close('#define f(x) x\n#define h f(h\nh )')).toBe('h');
    expect(close('#define NIL(x) x\n#define G0(a) NIL(G1)(a)\n#define G1(a) NIL(a)\nG0(42)')).toBe('42');
  });

  it('makes a string of anything', () => {
    const text = '#define s(a) #a\n';
    expect(expand(`${text}s(\\\\"x") s(\\ "x") s(\\n) s("\\\\" '"' @ 1.2.3 <: )`)).toBe(
      String.raw`"\\\"x\"" "\ \"x\"" "\n" "\"\\\\\" '\"' @ 1.2.3 <:"`,
    );
  });

  it('needs a parenthesis to invoke a function-like macro', () => {
    expect(expand('#define f(x) [x]\n#define empty\nf f (1) f\n\n(2) f empty (3)')).toBe('f [1] [2] f (3)');
    expect(expand('#define lp (\n#define f(x) [x]\n#define id(x) x\nf lp 1) id(f lp 1))')).toBe('f ( 1) [1]');
  });

  it('obeys directives between the arguments', () => {
    expect(expand('#define f(x) [x]\nf(1\n#define two 2\n#if 0\n3\n#else\ntwo\n#endif\n)')).toBe('[1 2]');
  });

  it('lets go of a comma before no arguments (GNU)', () => {
    const say = '#define say(f, ...) p(f, ## __VA_ARGS__)\n';
    expect(expand(`${say}say("a") say("a",) say("a", 1, say("b"))`)).toBe(
      'p("a") p("a") p("a", 1, say("b"))',
    );
    expect(expand('#define named(f, rest...) p(f, ## rest) #rest\nnamed(1) named(1, 2,3)')).toBe(
      'p(1) "" p(1, 2,3) "2,3"',
    );
  });

  it('tells the place of the use', () => {
    expect(expand('#define where __LINE__ __FILE__\n\nwhere __COUNTER__ __COUNTER__ __INCLUDE_LEVEL__')).toBe(
      '3 "a.cl" 0 1 0',
    );
    const date = new Date(2024, 1, 3, 4, 5, 6);
    expect(expand('__DATE__ __TIME__', { date })).toBe('"Feb  3 2024" "04:05:06"');
    expect(expand('__STDC__ __STDC_VERSION__')).toBe('1 199901L');
  });

  it('takes definitions from outside', () => {
    const definitions = ['ONE', 'TWO=2', 'F(x)=(x+x)', 'NONE=', 'CUT=1\n#error no'];
    expect(expand('ONE TWO F(3) NONE CUT', { definitions })).toBe('1 2 (3 +3) 1');
    expect(expand('ONE TWO', { definitions, undefinitions: ['TWO'] })).toBe('1 TWO');
    expect(expand('V __STDC_VERSION__', { predefined: { V: '120', __STDC_VERSION__: '1' } })).toBe('120 1');
  });
});

describe('complaints about macros', () => {
  it.each([
    ['#define', ['1:8 error: macro name missing']],
    ['#define 1', ['1:9 error: macro name must be an identifier']],
    ['#define defined', ["1:9 error: 'defined' cannot be used as a macro name"]],
    ['#define a+', ['1:10 warning: ISO C99 requires whitespace after the macro name [c99-extensions]']],
    ['#define f(', ["1:11 error: missing ')' in macro parameter list"]],
    ['#define f(a', ["1:12 error: missing ')' in macro parameter list"]],
    ['#define f(..., a)', ["1:14 error: missing ')' in macro parameter list"]],
    ['#define f(a..., a)', ["1:15 error: missing ')' in macro parameter list"]],
    ['#define f(a b)', ['1:13 error: expected comma in macro parameter list']],
    ['#define f(a,)', ['1:13 error: expected identifier in macro parameter list']],
    ['#define f(1)', ['1:11 error: invalid token in macro parameter list']],
    ['#define f(a,a)', ["1:13 error: duplicate macro parameter name 'a'"]],
    ['#define f(a) #b', ["1:14 error: '#' is not followed by a macro parameter"]],
    ['#define f(a) #', ["1:14 error: '#' is not followed by a macro parameter"]],
    ['#define a ##b', ["1:11 error: '##' cannot appear at start of macro expansion"]],
    ['#define a b##', ["1:12 error: '##' cannot appear at end of macro expansion"]],
    [
      '#define a __VA_ARGS__',
      [
        '1:11 warning: __VA_ARGS__ can only appear in the expansion of a C99 variadic macro [variadic-macros]',
      ],
    ],
    ['#define a 1\n#define a 1\n#define a  1 // same', []],
    [
      '#define a 1\n#define a 2',
      ["2:9 warning: 'a' macro redefined [macro-redefined]", '  1:9 note: previous definition is here'],
    ],
    [
      '#define f(x) x\n#define f(y) y',
      ["2:9 warning: 'f' macro redefined [macro-redefined]", '  1:9 note: previous definition is here'],
    ],
    ['#define __LINE__ 1', ['1:9 warning: redefining builtin macro [builtin-macro-redefined]']],
    ['#undef __LINE__', ['1:8 warning: undefining builtin macro [builtin-macro-redefined]']],
    ['#undef', ['1:7 error: macro name missing']],
    ['#undef a b', ['1:10 warning: extra tokens at end of #undef directive [extra-tokens]']],
    [
      '#define f(x) x\nf(1,2)',
      [
        '2:5 error: too many arguments provided to function-like macro invocation',
        "  1:9 note: macro 'f' defined here",
      ],
    ],
    [
      '#define f() x\nf(1)',
      [
        '2:3 error: too many arguments provided to function-like macro invocation',
        "  1:9 note: macro 'f' defined here",
      ],
    ],
    [
      '#define f(x,y,...) x\nf(1)',
      [
        '2:4 error: too few arguments provided to function-like macro invocation',
        "  1:9 note: macro 'f' defined here",
      ],
    ],
    [
      '#define f(x) x\nf(1',
      ['2:1 error: unterminated function-like macro invocation', "  1:9 note: macro 'f' defined here"],
    ],
    [
      '#define f(x) x\n#if f(1\n#endif',
      ['2:5 error: unterminated function-like macro invocation', "  1:9 note: macro 'f' defined here"],
    ],
    ['#define p(a,b) a##b\np(+,x)', ["1:17 error: pasting formed '+x', an invalid preprocessing token"]],
    ['#define p(a,b) a##b\np(/,/)', ["1:17 error: pasting formed '//', an invalid preprocessing token"]],
    [
      '#define s(a) #a\ns(\\)',
      ["1:14 warning: invalid string literal, ignoring final '\\' [invalid-pp-token]"],
    ],
    [
      '#define s(a) #a\ns(\\"x")',
      ["1:14 warning: invalid string literal, ignoring final '\\' [invalid-pp-token]"],
    ],
    [
      '#define f(x) x\nf(\n#include "a"\n#pragma b\n)',
      [
        '3:1 error: embedding a #include directive within macro arguments is not supported',
        '4:1 error: embedding a #pragma directive within macro arguments is not supported',
      ],
    ],
  ])('%j', (text, expected) => {
    expect(complaints(text)).toEqual(expected);
  });

  it('limits what macros may produce', () => {
    let text = '#define m0 x x\n';
    for (let level = 1; level < 60; level += 1) text += `#define m${level} m${level - 1} m${level - 1}\n`;
    const messages = complaints(`${text}m59 after`);
    expect(messages.length).toBe(1);
    expect(messages[0]).toContain(
      '61:1 error: the source takes more work than a build may be: 50000000 units (-millrace-budget)',
    );
  });

  it('limits the length of what # and ## make', () => {
    let text = '#define c2(a) a ## a\n#define c(a) c2(a)\n#define s2(a) #a\n#define s(a) s2(a a)\n';
    text += `${'c('.repeat(100)}x${')'.repeat(100)}\n${'s('.repeat(100)}x${')'.repeat(100)}`;
    expect(complaints(text).length).toBeGreaterThan(0);
  });

  it('limits how deep arguments nest', () => {
    const text = `#define f(x) x\n${'f('.repeat(5000)}1${')'.repeat(5000)}`;
    expect(complaints(text)[0]).toMatch(/macro invocations nested too deeply \(more than 256 levels\)$/);
  });

  it('expands a chain of any length', () => {
    let text = '#define m0 end\n';
    for (let level = 1; level < 3000; level += 1) text += `#define m${level} m${level - 1}\n`;
    expect(expand(`${text}m2999`)).toBe('end');
  });
});
