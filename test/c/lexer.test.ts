import { describe, expect, it } from 'vitest';
import { complaints, tokensOf } from './preprocess-text.ts';

/** kind:text of every token but the last */
function lexed(text: string): string[] {
  return tokensOf(text)
    .tokens.slice(0, -1)
    .map(({ kind, text }) => `${kind}:${text}`);
}

describe('tokens', () => {
  it('tells kinds apart', () => {
    expect(lexed('x _y1 $z 12 0x1F 1.5 .5f 1e3 0x1p3 "s" \'c\' + L"w" L\'v\' L')).toEqual([
      'identifier:x',
      'identifier:_y1',
      'identifier:$z',
      'integer:12',
      'integer:0x1F',
      'float:1.5',
      'float:.5f',
      'float:1e3',
      'float:0x1p3',
      'string:"s"',
      "character:'c'",
      'punctuator:+',
      'string:L"w"',
      "character:L'v'",
      'identifier:L',
    ]);
  });

  it('takes the longest punctuator', () => {
    expect(lexed('a+++++b')).toEqual([
      'identifier:a',
      'punctuator:++',
      'punctuator:++',
      'punctuator:+',
      'identifier:b',
    ]);
    expect(lexed('<<=>>=...->&&||^=..').map((token) => token.slice(11))).toEqual([
      '<<=',
      '>>=',
      '...',
      '->',
      '&&',
      '||',
      '^=',
      '.',
      '.',
    ]);
  });

  it('reads digraphs as what they mean', () => {
    expect(lexed('a<:0:> <% %>')).toEqual([
      'identifier:a',
      'punctuator:[',
      'integer:0',
      'punctuator:]',
      'punctuator:{',
      'punctuator:}',
    ]);
  });

  it('reads preprocessing numbers whole, good or bad', () => {
    expect(lexed('0xe+1 1.2.3 1e+5-2 09z_4 1..2')).toEqual([
      'integer:0xe+1',
      'float:1.2.3',
      'float:1e+5',
      'punctuator:-',
      'integer:2',
      'integer:09z_4',
      'float:1..2',
    ]);
  });

  it('drops comments and joins lines', () => {
    expect(lexed('a/* x\n y */b // c \\\nstill comment\nin\\\nt "a\\\nb" 1\\\r\n2')).toEqual([
      'identifier:a',
      'identifier:b',
      'identifier:int',
      'string:"ab"',
      'integer:12',
    ]);
  });

  it('says where tokens stand, lines joined or not', () => {
    const text = 'ab \\\n  c\\\nd\n e';
    const spans = tokensOf(text).tokens.map(({ span }) => text.slice(span.start, span.end));
    expect(spans).toEqual(['ab', 'c\\\nd', 'e', '']);
  });

  it('marks white space and beginnings of lines', () => {
    const { tokens } = tokensOf('a b+c\n /**/ d /*\n*/ e\\\nf');
    expect(tokens.map(({ text, spaceBefore, lineStart }) => [text, spaceBefore, lineStart])).toEqual([
      ['a', false, true],
      ['b', true, false],
      ['+', false, false],
      ['c', false, false],
      ['d', true, true],
      ['ef', true, false],
      ['', false, false],
    ]);
  });

  it('accepts letters of all scripts in identifiers', () => {
    expect(lexed('größe × x')).toEqual(['identifier:größe', 'identifier:x']);
    expect(lexed('\ufeffint 𝑥𝑦 x𝑦')).toEqual(['identifier:int', 'identifier:𝑥𝑦', 'identifier:x𝑦']);
  });

  it('reads universal character names in identifiers', () => {
    expect(lexed('gr\\u00f6\\U000000dfe + gr\u00f6\u00dfe \\u00e9')).toEqual([
      'identifier:gr\u00f6\u00dfe',
      'punctuator:+',
      'identifier:gr\u00f6\u00dfe',
      'identifier:\u00e9',
    ]);
    expect(complaints('a\\u00d7 \\u12')).toEqual([
      "1:2 error: unexpected character '\\'",
      "1:9 error: unexpected character '\\'",
    ]);
  });

  it('makes one string of equal identifiers', () => {
    const { tokens } = tokensOf('name name');
    expect(Object.is(tokens[0]?.text, tokens[1]?.text)).toBe(true);
  });
});

describe('complaints of the lexer', () => {
  it.each([
    ['int @;', ["1:5 error: unexpected character '@'"]],
    ['a \\ b', ["1:3 error: unexpected character '\\'"]],
    ['\u201cx', ['1:1 error: unexpected character <U+201C>']],
    ['a\u00a0b', ['1:2 warning: treating Unicode character as whitespace [unicode-whitespace]']],
    ['a\0b', ['1:2 warning: null character ignored [null-character]']],
    ['x "abc', ["1:3 error: missing terminating '\"' character"]],
    ['x "abc\\', ["1:3 error: missing terminating '\"' character"]],
    ['"', ["1:1 error: missing terminating '\"' character"]],
    ["'a\nb", ["1:1 error: missing terminating ' character"]],
    ['a /* b', ['1:3 error: unterminated /* comment']],
    ['a /*/', ['1:3 error: unterminated /* comment']],
    ['a \\ \nb', ['1:3 warning: backslash and newline separated by space [backslash-newline-escape]']],
    ['a \\\n', ['1:3 warning: backslash-newline at end of file [backslash-newline-eof]']],
    [
      '"??/" a ??= b',
      ['1:2 warning: trigraph ignored [trigraphs]', '1:9 warning: trigraph ignored [trigraphs]'],
    ],
    ["#pragma don't\n#if 0\nisn't @ \"\n#endif", []],
  ])('%j', (text, expected) => {
    expect(complaints(text).filter((line) => !line.includes("'?'"))).toEqual(expected);
  });
});
