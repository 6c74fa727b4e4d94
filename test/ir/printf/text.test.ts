/** What printf writes, compared with the C library's own words (table.txt, made by table.c), and what C does not have. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { RuntimeValue } from '../../../src/ir/interpreter/values.ts';
import { parseFormat } from '../../../src/ir/printf/format.ts';
import { printfText, type StringReader } from '../../../src/ir/printf/text.ts';
import { f32, f64, i8, i32, i64, pointerType, type Type, vectorType } from '../../../src/ir/types.ts';

const noStrings: StringReader = () => undefined;

function print(
  format: string,
  values: readonly (readonly [Type, RuntimeValue])[],
  strings = noStrings,
): string {
  const given = values.map(([type, value]) => ({ type, value }));
  return printfText(parseFormat(format).pieces, given, strings);
}

describe('the text of printf', () => {
  const lines = readFileSync(new URL('./table.txt', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');

  it.each(['double', 'int', 'long', 'string'])("is the C library's for %s arguments", (kind) => {
    const wrong: string[] = [];
    let count = 0;
    for (const line of lines) {
      const [of, format, source, text] = line.split('\t') as [string, string, string, string];
      if (of !== kind) continue;
      count += 1;
      const number = Number(source.replace('inf', 'Infinity'));
      const value: readonly [Type, RuntimeValue] =
        kind === 'double'
          ? [f64, number]
          : kind === 'int'
            ? [i32, number]
            : kind === 'long'
              ? [i64, BigInt(source)]
              : [pointerType('constant'), 64];
      const printed = print(format, [value], () => source);
      if (printed !== text) wrong.push(`${format} of ${source}: '${printed}', not '${text}'`);
    }
    expect(wrong).toEqual([]);
    expect(count).toBeGreaterThan(10);
  });

  it('writes %#g with its zeros where rounding makes a new digit (C99, 7.19.6.1 8)', () => {
    expect(print('%#g', [[f64, 999999.5]])).toBe('1.00000e+06');
  });

  it('writes the lanes of a vector with commas between them, each to the width', () => {
    const four = vectorType(f32, 4);
    expect(print('f4 = %2.2v4hlf\n', [[four, [1, 2, 3, 4]]])).toBe('f4 = 1.00,2.00,3.00,4.00\n');
    expect(print('uc = %#v4hhx', [[vectorType(i8, 4), [-6, -5, -4, -3]]])).toBe('uc = 0xfa,0xfb,0xfc,0xfd');
    expect(print('[%4v2hhd]', [[vectorType(i8, 2), [-1, 127]]])).toBe('[  -1, 127]');
    expect(print('%-3v2ld|', [[vectorType(i64, 2), [5n, -5n]]])).toBe('5  ,-5 |');
  });

  it('writes pointers, null pointers and strings that are none', () => {
    expect(
      print('%p|%12p|%-8p|', [
        [pointerType('global'), 4096],
        [pointerType('local'), 16],
        [i32, 1],
      ]),
    ).toBe('0x1000|        0x10|0x1     |');
    expect(
      print('%p %s', [
        [pointerType('global'), 0],
        [pointerType('constant'), 0],
      ]),
    ).toBe('(nil) (null)');
  });

  it('leaves out what it has no argument for and takes no notice of what is left over', () => {
    expect(print('%d %d!', [[i32, 1]])).toBe('1 !');
    expect(
      print('100%% %d', [
        [i32, 1],
        [i32, 2],
      ]),
    ).toBe('100% 1');
  });

  it('keeps the value of an argument that is wider than the conversion, unless h cuts it', () => {
    expect(
      print('%d %hd %x', [
        [i64, 5_000_000_001n],
        [i64, 65537n],
        [i64, -1n],
      ]),
    ).toBe('5000000001 1 ffffffffffffffff');
  });

  it('prints what is no conversion as it is', () => {
    expect(print('50%', [])).toBe('50%');
    expect(print('%y %v5d %n.', [])).toBe('%y %v5d %n.');
  });
});

describe('the problems of a format', () => {
  it.each([
    ['%', ['incomplete format specifier']],
    ['%5.', ['incomplete format specifier']],
    ['%y', ["invalid conversion specifier 'y'"]],
    ['%n', ["conversion specifier 'n' is not supported by OpenCL C's printf"]],
    ['%*d', ["OpenCL C's printf takes no '*' as field width: write a number"]],
    ['%.*f', ["OpenCL C's printf takes no '*' as precision: write a number"]],
    ['%v5d', ["invalid vector length '5': it must be 2, 3, 4, 8 or 16"]],
    ['%v4s', ["conversion specifier 's' takes no vector"]],
    ['%hld', ["length modifier 'hl' is for vectors only"]],
    ['%lld', ["length modifier 'll' is not supported by OpenCL C; 'l' prints 64 bits"]],
    ['%ls', ["length modifier 'l' results in undefined behavior with 's' conversion specifier"]],
    ['%hf', ["length modifier 'h' results in undefined behavior with 'f' conversion specifier"]],
    ['%#d', ["flag '#' results in undefined behavior with 'd' conversion specifier"]],
    ['%05s', ["flag '0' results in undefined behavior with 's' conversion specifier"]],
    ['%.2c', ["precision used with 'c' conversion specifier, resulting in undefined behavior"]],
    ['%.-1d', ['negative precision in format specifier']],
    ['%9999d', ['field width 9999 is cut to 4095']],
    ['%-+ #08.3v4hlf %% %hhd %lx %p', []],
  ])('of %s', (format, messages) => {
    expect(parseFormat(format).problems.map(({ message }) => message)).toEqual(messages);
  });

  it('cuts widths, so that a hostile format cannot fill the memory of the host', () => {
    expect(print('%999999999d', [[i32, 1]])).toHaveLength(4095);
  });
});
