// Numbers in the bytes of buffers and by-value arguments. Expected bytes are written down by hand or come from the
// host's own typed arrays.
import { describe, expect, test } from 'vitest';
import { Elements, elementShape, valueBytes } from '../../src/cli/arguments/elements.ts';
import { numberType, readNumber, toWhole } from '../../src/cli/arguments/numbers.ts';
import type { HostLayout } from '../../src/index.ts';

const int: HostLayout = { kind: 'integer', size: 4, signed: true };
const float: HostLayout = { kind: 'float', size: 4 };
const half: HostLayout = { kind: 'float', size: 2 };
const int3: HostLayout = { kind: 'vector', element: int, lanes: 3, size: 16 };
const point: HostLayout = {
  kind: 'struct',
  name: 'point',
  size: 16,
  align: 8,
  fields: [
    { name: 'tag', offset: 0, layout: { kind: 'integer', size: 1, signed: false } },
    { name: 'at', offset: 8, layout: { kind: 'array', element: float, length: 2, size: 8 } },
  ],
};

test('names of shapes', () => {
  expect(elementShape(int3).name).toBe('int3');
  expect(elementShape(point).name).toBe('point');
  expect(elementShape({ ...point, name: '' }, 'S').name).toBe('S');
  expect(elementShape(undefined)).toMatchObject({ name: 'byte', size: 1 });
});

test('the numbers of 3-vectors leave the fourth lane alone', () => {
  const elements = Elements.zeros(elementShape(int3), 2);
  for (let index = 0; index < elements.numbers; index++) elements.set(index, index + 1);
  expect([...elements.entries()]).toEqual([1, 2, 3, 0, 4, 5, 6, 0]);
  expect(elements.get(4)).toBe(5);
});

test('the fields of a struct by their offsets', () => {
  const bytes = valueBytes(elementShape(point), ['255', '1.5', '-2'], 'p');
  expect(bytes[0]).toBe(255);
  expect([...new Float32Array(bytes.buffer, 8, 2)]).toEqual([1.5, -2]);
});

test('one number for every lane, but not for every field', () => {
  expect([...new Int32Array(valueBytes(elementShape(int3), ['7'], 'v').buffer)]).toEqual([7, 7, 7, 0]);
  expect(() => valueBytes(elementShape(point), ['7'], 'p')).toThrow(
    "parameter 'p' (point) takes 3 numbers in parentheses; 1 was given",
  );
  expect(() => valueBytes(elementShape(int), ['1', '2'], 'n')).toThrow(
    "parameter 'n' (int) takes one number; 2 were given",
  );
});

test('repeating the first element', () => {
  const elements = Elements.zeros(elementShape(int3), 5);
  elements.setTexts(['1', '2', '3'], 'v');
  elements.repeatFirst();
  expect([...elements.entries()]).toEqual(Array(5).fill([1, 2, 3, 0]).flat());
});

describe('numbers typed', () => {
  const uchar = numberType({ kind: 'integer', size: 1, signed: false });
  const long = numberType({ kind: 'integer', size: 8, signed: true });
  test('integers keep all digits and may be of the other signedness', () => {
    expect(readNumber('9223372036854775807', long, 'x')).toBe(9223372036854775807n);
    expect(readNumber('1e3', long, 'x')).toBe(1000n);
    expect(readNumber('-128', uchar, 'x')).toBe(-128n);
    expect(toWhole('-0x10')).toBe(-16n);
    expect(toWhole('1.5')).toBeUndefined();
  });
  test.each(['256', '-129', '1.5', 'nan', 'inf'])('%s is no uchar', (text) => {
    expect(() => readNumber(text, uchar, 'x')).toThrow(
      `parameter 'x': ${text} does not fit: uchar takes whole numbers from -128 to 255`,
    );
  });
});

test('half floats: IEEE 754 binary16', () => {
  const elements = Elements.zeros(elementShape(half), 1);
  // The patterns are from the standard's definition of the format.
  for (const [value, bits] of [
    [1, 0x3c00],
    [-2, 0xc000],
    [65504, 0x7bff],
    [65519, 0x7bff],
    [65520, 0x7c00],
    [2 ** -14, 0x0400],
    [2 ** -24, 0x0001],
    [2 ** -25, 0x0000],
    [1 + 2 ** -11, 0x3c00],
    [1 + 3 * 2 ** -11, 0x3c02],
    [2047.9999, 0x6800],
    [-0, 0x8000],
    [Number.NEGATIVE_INFINITY, 0xfc00],
  ] as const) {
    elements.set(0, value);
    expect(elements.entries()[0], String(value)).toBe(bits);
  }
  for (let bits = 0; bits < 0x7c00; bits++) {
    elements.entries()[0] = bits;
    elements.set(0, elements.get(0));
    expect(elements.entries()[0]).toBe(bits);
  }
});
