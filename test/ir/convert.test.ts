import { describe, expect, it } from 'vitest';
import { bitsOfHalf, halfFromBits } from '../../src/ir/half.ts';
import { convertOperation } from '../../src/ir/interpreter/convert.ts';
import type * as ir from '../../src/ir/ir.ts';
import {
  bool,
  f16,
  f32,
  f64,
  i8,
  i16,
  i32,
  i64,
  pointerType,
  type Type,
  vectorType,
} from '../../src/ir/types.ts';

type Value = Parameters<ReturnType<typeof convertOperation>>[0];

function convert(
  fn: ir.ConvertFunction,
  from: Type,
  to: Type,
  value: Value,
  options: { rounding?: ir.RoundingMode; saturate?: boolean } = {},
): Value {
  const instruction: ir.Convert = { op: 'convert', fn, ...options, operands: [], results: [], regions: [] };
  return convertOperation(instruction, from, to, 32)(value);
}

describe('between integers', () => {
  it('widens with and without sign', () => {
    expect(convert('sext', i8, i32, -128)).toBe(-128);
    expect(convert('zext', i8, i32, -128)).toBe(128);
    expect(convert('zext', i8, i16, -1)).toBe(255);
    expect(convert('zext', i32, i64, -1)).toBe(4294967295n);
    expect(convert('sext', i32, i64, -1)).toBe(-1n);
    expect(convert('sext', bool, i32, true)).toBe(-1);
    expect(convert('zext', bool, i32, true)).toBe(1);
    expect(convert('sext', bool, i64, true)).toBe(-1n);
    expect(convert('zext', bool, i8, false)).toBe(0);
  });

  it('narrows by dropping bits', () => {
    expect(convert('trunc', i32, i8, 0x1ff)).toBe(-1);
    expect(convert('trunc', i32, i16, 0x18000)).toBe(-32768);
    expect(convert('trunc', i64, i32, 0x1_8000_0000n)).toBe(-2147483648);
  });
});

describe('from integers to floats', () => {
  const modes = ['rte', 'rtz', 'rtp', 'rtn'] as const;
  const all = (fn: 'stof' | 'utof', from: Type, to: Type, value: number | bigint) =>
    modes.map((rounding) => convert(fn, from, to, value, { rounding }));

  it('rounds in every mode', () => {
    expect(all('stof', i32, f32, 16777217)).toEqual([16777216, 16777216, 16777218, 16777216]);
    expect(all('stof', i32, f32, -16777217)).toEqual([-16777216, -16777216, -16777216, -16777218]);
    expect(all('stof', i32, f32, 16777219)).toEqual([16777220, 16777218, 16777220, 16777218]);
    expect(all('utof', i32, f32, -1)).toEqual([4294967296, 4294967040, 4294967296, 4294967040]);
    expect(all('stof', i64, f64, 2n ** 53n + 1n)).toEqual([2 ** 53, 2 ** 53, 2 ** 53 + 2, 2 ** 53]);
    expect(all('stof', i32, f16, 2049)).toEqual([2048, 2048, 2050, 2048]);
    expect(all('stof', i32, f16, 70000)).toEqual([Infinity, 65504, Infinity, 65504]);
    expect(all('stof', i32, f16, -70000)).toEqual([-Infinity, -65504, -65504, -Infinity]);
  });

  it('rounds 64 bits once', () => {
    // Just above the middle of two floats: through a double it would become the middle and tie to even.
    const value = 2n ** 60n + 2n ** 36n + 1n;
    expect(convert('stof', i64, f32, value)).toBe(2 ** 60 + 2 ** 37);
    expect(convert('utof', i64, f64, -1n)).toBe(2 ** 64);
    expect(convert('utof', i64, f32, -1n, { rounding: 'rtz' })).toBe(2 ** 64 - 2 ** 40);
    expect(convert('stof', i64, f32, 0n)).toBe(0);
  });
});

describe('from floats to integers', () => {
  it('truncates unless told otherwise', () => {
    expect(convert('ftos', f32, i32, -1.9)).toBe(-1);
    expect(convert('ftou', f32, i32, 3e9)).toBe(3000000000 | 0);
    expect(convert('ftos', f64, i64, -1e18)).toBe(-(10n ** 18n));
    expect(convert('ftou', f64, i64, 2 ** 63)).toBe(-(2n ** 63n));
    const modes = ['rte', 'rtz', 'rtp', 'rtn'] as const;
    const all = (value: number) => modes.map((rounding) => convert('ftos', f32, i32, value, { rounding }));
    expect(all(2.5)).toEqual([2, 2, 3, 2]);
    expect(all(-2.5)).toEqual([-2, -2, -2, -3]);
    expect(all(-0.25)).toEqual([0, 0, 0, -1]);
  });

  it('saturates', () => {
    const saturate = (fn: 'ftos' | 'ftou', to: Type, value: number) =>
      convert(fn, f32, to, value, { saturate: true });
    expect([300, -300, NaN, Infinity].map((x) => saturate('ftos', i8, x))).toEqual([127, -128, 0, 127]);
    expect([300, -1, NaN, Infinity].map((x) => saturate('ftou', i8, x))).toEqual([-1, 0, 0, -1]);
    expect([1e20, -1e20].map((x) => saturate('ftos', i32, x))).toEqual([2147483647, -2147483648]);
    expect([1e20, -1e20].map((x) => saturate('ftos', i64, x))).toEqual([2n ** 63n - 1n, -(2n ** 63n)]);
    expect([1e20, -1e20, NaN].map((x) => saturate('ftou', i64, x))).toEqual([-1n, 0n, 0n]);
  });
});

describe('between floats', () => {
  it('narrows in every mode', () => {
    const modes = ['rte', 'rtz', 'rtp', 'rtn'] as const;
    const all = (to: Type, value: number) =>
      modes.map((rounding) => convert('fnarrow', f64, to, value, { rounding }));
    const ulp = 2 ** -23;
    expect(all(f32, 1 + ulp / 4)).toEqual([1, 1, 1 + ulp, 1]);
    expect(all(f32, -1 - ulp / 4)).toEqual([-1, -1, -1, -1 - ulp]);
    expect(all(f32, 1e-60)).toEqual([0, 0, 2 ** -149, 0]);
    expect(all(f32, -1e-60)).toEqual([-0, -0, -0, -(2 ** -149)]);
    expect(all(f32, 1e300)).toEqual([Infinity, 3.4028234663852886e38, Infinity, 3.4028234663852886e38]);
    expect(all(f16, 65519)).toEqual([65504, 65504, Infinity, 65504]);
    expect(all(f16, 65520)).toEqual([Infinity, 65504, Infinity, 65504]);
  });

  it('agrees with Math.fround where that applies', () => {
    const bytes = new DataView(new ArrayBuffer(8));
    let state = 99;
    for (let count = 0; count < 5000; count += 1) {
      state = (Math.imul(state, 1103515245) + 12345) | 0;
      // Doubles around the range of floats, subnormal ones too.
      bytes.setUint32(0, ((state >>> 1) % 0x0a000000) + 0x36000000);
      bytes.setInt32(4, Math.imul(state, 2654435761));
      const value = bytes.getFloat64(0);
      const towardZero = convert('fnarrow', f64, f32, value, { rounding: 'rtz' }) as number;
      const up = convert('fnarrow', f64, f32, value, { rounding: 'rtp' }) as number;
      const nearest = Math.fround(value);
      expect(convert('fnarrow', f64, f32, value)).toBe(nearest);
      expect(Math.fround(towardZero)).toBe(towardZero);
      expect(towardZero <= value && value <= up).toBe(true);
      expect(nearest === towardZero || nearest === up).toBe(true);
    }
  });

  it('knows every half-precision pattern', () => {
    for (let bits = 0; bits < 0x10000; bits += 1) {
      const value = halfFromBits(bits);
      if (Number.isNaN(value)) expect(bits & 0x7fff).toBeGreaterThan(0x7c00);
      else expect(bitsOfHalf(value)).toBe(bits);
    }
    expect(halfFromBits(0x3c00)).toBe(1);
    expect(halfFromBits(0xc000)).toBe(-2);
    expect(halfFromBits(0x7bff)).toBe(65504);
    expect(halfFromBits(0x0001)).toBe(2 ** -24);
    expect(halfFromBits(0x3555)).toBe(0.333251953125);
  });
});

it('reinterprets bits, lane 0 in the lowest bytes', () => {
  expect(convert('bitcast', f32, i32, 1)).toBe(0x3f800000);
  expect(convert('bitcast', i32, f32, -0x80000000)).toBe(-0);
  expect(convert('bitcast', f64, i64, -2)).toBe(-0x4000000000000000n);
  expect(convert('bitcast', f16, i16, -2)).toBe(-0x4000);
  expect(convert('bitcast', vectorType(i8, 4), i32, [1, 2, 3, -1])).toBe(0xff030201 | 0);
  expect(convert('bitcast', i64, vectorType(i32, 2), 0x1_0000_0002n)).toEqual([2, 1]);
});

it('keeps addresses', () => {
  const pointer = pointerType('global');
  expect(convert('ptoi', pointer, i32, 0xfffffff0)).toBe(-16);
  expect(convert('itop', i32, pointer, -16)).toBe(0xfffffff0);
  expect(convert('space', pointer, pointerType('generic'), 4096)).toBe(4096);
});
