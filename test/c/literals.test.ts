import { describe, expect, it } from 'vitest';
import { readCharacter, readFloat, readInteger, readString } from '../../src/c/literals.ts';
import type { Token } from '../../src/c/token.ts';
import { Diagnostics } from '../../src/source/diagnostics.ts';
import { Random } from '../support/random.ts';
import { tokensOf } from './preprocess-text.ts';

/** Reads the one token of a text; its value and what was said about it, with columns. */
function read<Value>(
  text: string,
  reader: (token: Token, diagnostics: Diagnostics) => Value,
): { value: Value; said: string[] } {
  const { tokens } = tokensOf(text);
  const diagnostics = new Diagnostics();
  const value = reader(tokens[0] as Token, diagnostics);
  const said = diagnostics.list.map(({ severity, message, span, option }) => {
    const { column } = span.file.position(span.start);
    return `${column} ${severity}: ${message}${option === undefined ? '' : ` [${option}]`}`;
  });
  return { value, said };
}

describe('readInteger', () => {
  it.each([
    ['0', 0n, true],
    ['42', 42n, true],
    ['052', 42n, false],
    ['0x2a', 42n, false],
    ['0X2A', 42n, false],
    ['0b101010', 42n, false],
    ['4294967295', 4294967295n, true],
    ['9007199254740993', 9007199254740993n, true],
    ['9223372036854775807', 9223372036854775807n, true],
    ['00000000000000000000000000000001', 1n, false],
  ])('%s', (text, value, decimal) => {
    expect(read(text, readInteger)).toEqual({
      value: { value, unsigned: false, long: false, longLong: false, decimal },
      said: [],
    });
  });

  it.each([
    ['1u', true, false, false],
    ['1U', true, false, false],
    ['1l', false, true, false],
    ['1L', false, true, false],
    ['1ul', true, true, false],
    ['1LU', true, true, false],
    ['1ll', false, false, true],
    ['1uLL', true, false, true],
    ['1LLU', true, false, true],
    ['0xFFFFFFFFFFFFFFFF', true, false, false],
  ])('%s', (text, unsigned, long, longLong) => {
    const { value, said } = read(text, readInteger);
    expect(said).toEqual([]);
    expect(value).toMatchObject({ unsigned, long, longLong });
  });

  it.each([
    ['1x', "2 error: invalid suffix 'x' on integer constant"],
    ['1lL', "2 error: invalid suffix 'lL' on integer constant"],
    ['1f', "2 error: invalid suffix 'f' on integer constant"],
    ['0x', "2 error: invalid suffix 'x' on integer constant"],
    ['0b', "2 error: invalid suffix 'b' on integer constant"],
    ['0xfgh', "4 error: invalid suffix 'gh' on integer constant"],
    ['0xe+1', "4 error: invalid suffix '+1' on integer constant"],
    ['018', "3 error: invalid digit '8' in octal constant"],
    ['0b12', "4 error: invalid digit '2' in binary constant"],
    ['18446744073709551616', '1 error: integer literal is too large to be represented in any integer type'],
    ['0x10000000000000000', '1 error: integer literal is too large to be represented in any integer type'],
    [
      '9223372036854775808',
      '1 warning: integer literal is too large to be represented in a signed integer type, interpreting as unsigned [implicitly-unsigned-literal]',
    ],
  ])('%s: %s', (text, message) => {
    expect(read(text, readInteger).said).toEqual([message]);
  });

  it('reads any number of digits', () => {
    expect(read('9'.repeat(1_000_000), readInteger).said.length).toBe(1);
  });
});

describe('readFloat', () => {
  it.each([
    ['1.0', 1, ''],
    ['.5f', 0.5, 'f'],
    ['1.', 1, ''],
    ['1.e2', 100, ''],
    ['1e-3F', 0.001, 'f'],
    ['2.5h', 2.5, 'h'],
    ['3.0L', 3, 'l'],
    ['0.0', 0, ''],
    ['0x1p3', 8, ''],
    ['0x1.8p1', 3, ''],
    ['0x.8p0f', 0.5, 'f'],
    ['0xA.p-1', 5, ''],
    ['0x0p0', 0, ''],
    ['0x1p-1074', 2 ** -1074, ''],
    ['0x1.fffffffffffffp1023', Number.MAX_VALUE, ''],
    ['0x1.00000000000008p0', 1, ''],
    ['0x1.00000000000018p0', 1 + 2 ** -51, ''],
    ['0x1.000000000000080000000000000000000000000000001p0', 1 + 2 ** -52, ''],
    ['0x0.00000000000000000000001p88', 1 / 16, ''],
    ['1.7976931348623157e308', Number.MAX_VALUE, ''],
  ])('%s', (text, value, suffix) => {
    const result = read(text, readFloat);
    expect(result.said).toEqual([]);
    expect(result.value.value).toBe(value);
    expect(result.value.suffix).toBe(suffix);
  });

  // 1 + 2**-24 lies half way between the singles 1 and 1 + 2**-23; its decimal expansion is exact
  const halfWay = '1.000000059604644775390625';
  // half way between 2**-149 * 2 and 2**-149 * 3, among the subnormal singles: 2.5 * 2**-149
  const up = 1 + 2 ** -23;

  it.each([
    [`${halfWay}f`, 1],
    [`${halfWay}000000000000000000000001f`, up],
    [`${halfWay}${'0'.repeat(2000)}1f`, up],
    ['1.000000059604644775390624999999999999f', 1],
    ['1.000000178813934326171875f', 1 + 2 ** -22],
    ['1.00000017881393432617187499999999f', up],
    ['1000000059604644775390625e-24f', 1],
    ['1000000059604644775390625000000001e-33f', up],
    ['0x1.000001p0f', 1],
    ['0x1.00000100000000000001p0f', up],
    ['0x1.000003p0f', 1 + 2 ** -22],
    ['16777217.0f', 16777216],
    ['16777217.0000000000000000001f', 16777218],
    ['16777219.0f', 16777220],
    ['1e-45f', 2 ** -149],
    ['0x5p-150f', 2 ** -148],
    ['0x5.0000000000000001p-150f', 3 * 2 ** -149],
    ['3.4028234663852886e38f', (2 - 2 ** -23) * 2 ** 127],
    ['3.40282356779733661637539395458142568447e38f', (2 - 2 ** -23) * 2 ** 127],
    ['0.1f', Math.fround(0.1)],
  ])('%s, rounded once to single', (text, single) => {
    expect(read(text, readFloat).value.single).toBe(single);
  });

  it.each([
    ['0.1h', 0.0999755859375],
    ['65504.0h', 65504],
    ['65519.99h', 65504],
    ['2049.0h', 2048],
    ['2049.00000000000000000000001h', 2050],
    ['2051.0h', 2052],
    ['0x1p-24h', 2 ** -24],
    ['0x1.8p-24h', 2 ** -23],
  ])('%s, rounded once to half', (text, half) => {
    expect(read(text, readFloat).value.half).toBe(half);
  });

  it('agrees with Math.fround wherever a double decides', () => {
    const random = new Random(12345);
    for (let count = 0; count < 2000; count += 1) {
      const value = (random.next() + 0.5) * 10 ** (random.below(90) - 48);
      const text = value.toExponential(16);
      expect(read(`${text}f`, readFloat).value.single).toBe(Math.fround(Number(text)));
    }
  });

  it.each([
    ['1.0x', "4 error: invalid suffix 'x' on floating constant"],
    ['1.0ff', "4 error: invalid suffix 'ff' on floating constant"],
    ['1.2.3', "4 error: invalid suffix '.3' on floating constant"],
    ['1e', '2 error: exponent has no digits'],
    ['1e+', '2 error: exponent has no digits'],
    ['0x1p', '4 error: exponent has no digits'],
    ['0x1.8', '1 error: hexadecimal floating constant requires an exponent'],
    ['0x.p1', '1 error: hexadecimal floating constant requires a significand'],
    [
      '1e999',
      "1 warning: magnitude of floating-point constant too large for type 'double'; maximum is 1.7976931348623157e+308 [literal-range]",
    ],
    [
      '1e39f',
      "1 warning: magnitude of floating-point constant too large for type 'float'; maximum is 3.4028234663852886e+38 [literal-range]",
    ],
    [
      '65520.0h',
      "1 warning: magnitude of floating-point constant too large for type 'half'; maximum is 65504 [literal-range]",
    ],
    [
      '1e-999',
      "1 warning: magnitude of floating-point constant too small for type 'double'; minimum is 5e-324 [literal-range]",
    ],
    [
      '1e-46f',
      "1 warning: magnitude of floating-point constant too small for type 'float'; minimum is 1.401298464324817e-45 [literal-range]",
    ],
  ])('%s: %s', (text, message) => {
    expect(read(text, readFloat).said).toEqual([message]);
  });

  it('reads any number of digits and any exponent', () => {
    expect(read(`0.${'0'.repeat(100_000)}1e100001`, readFloat).value.value).toBe(1);
    expect(read(`1${'0'.repeat(100_000)}.0e-100000f`, readFloat).value.single).toBe(1);
    expect(read(`0x${'0'.repeat(100_000)}1p0`, readFloat).value.value).toBe(1);
    expect(read(`0x1${'0'.repeat(100_000)}p-400000`, readFloat).value.value).toBe(1);
    expect(read(`1e${'9'.repeat(1000)}`, readFloat).value.value).toBe(Number.POSITIVE_INFINITY);
    expect(read(`0x1p-${'9'.repeat(1000)}`, readFloat).value.value).toBe(0);
  });
});

describe('readCharacter', () => {
  it.each([
    ["'a'", 97],
    ["'\\0'", 0],
    ["'\\n'", 10],
    ["'\\''", 39],
    ["'\"'", 34],
    ["'\\\\'", 92],
    ["'\\x41'", 65],
    ["'\\101'", 65],
    ["'\\377'", -1],
    ["'\\xff'", -1],
    ["L'\u20ac'", 0x20ac],
    ["L'\\u20ac'", 0x20ac],
  ])('%s is %d', (text, value) => {
    expect(read(text, readCharacter)).toEqual({ value, said: [] });
  });

  it.each([
    ["'ab'", 0x6162, ['1 warning: multi-character character constant [multichar]']],
    ["'abcde'", 0x62636465, ['1 warning: character constant too long for its type [four-char-constants]']],
    ["''", 0, ['1 error: empty character constant']],
    ["'\u20ac'", 0, ['1 error: character too large for enclosing character literal type']],
    ["'\\x'", 0, ['2 error: \\x used with no following hex digits']],
    ["'\\x100'", 0, ['2 error: hex escape sequence out of range']],
    ["'\\400'", 0, ['2 error: octal escape sequence out of range']],
    ["'\\q'", 113, ["2 warning: unknown escape sequence '\\q' [unknown-escape-sequence]"]],
    ["L'ab'", 98, ['1 error: wide character literals may not contain multiple characters']],
  ])('%s', (text, value, said) => {
    expect(read(text, readCharacter)).toEqual({ value, said });
  });
});

describe('readString', () => {
  it.each([
    ['""', []],
    ['"abc"', [97, 98, 99]],
    ['"\\a\\b\\e\\f\\n\\r\\t\\v\\\\\\"\\?"', [7, 8, 27, 12, 10, 13, 9, 11, 92, 34, 63]],
    ['"\\0\\1234\\x7f!"', [0, 0o123, 0x34, 0x7f, 0x21]],
    ['"\u00e9\u20ac\u{1F600}"', [0xc3, 0xa9, 0xe2, 0x82, 0xac, 0xf0, 0x9f, 0x98, 0x80]],
    ['"\\u00e9\\U0001F600"', [0xc3, 0xa9, 0xf0, 0x9f, 0x98, 0x80]],
    ['"\\xff"', [255]],
  ])('%s', (text, bytes) => {
    const { value, said } = read(text, readString);
    expect([...value]).toEqual(bytes);
    expect(said).toEqual([]);
  });

  it.each([
    ['"a\\u12"', '3 error: incomplete universal character name'],
    ['"\\U0011000"', '2 error: incomplete universal character name'],
    ['"\\ud800"', '2 error: invalid universal character'],
    ['"\\u0041"', '2 error: invalid universal character'],
    ['"\\U00110000"', '2 error: invalid universal character'],
    ['L"a"', '1 error: wide string literals are not supported'],
  ])('%s: %s', (text, message) => {
    expect(read(text, readString).said).toEqual([message]);
  });
});
