import { describe, expect, it } from 'vitest';
import {
  binaryOperation,
  compareOperation,
  fmaOperation,
  selectValue,
  unaryOperation,
} from '../../src/ir/interpreter/arithmetic.ts';
import type * as ir from '../../src/ir/ir.ts';
import { bool, f16, f32, f64, i8, i16, i32, i64, intType, vectorType } from '../../src/ir/types.ts';

let seed = 12345;
function random32(): number {
  seed = (Math.imul(seed, 1664525) + 1013904223) | 0;
  return seed ^ (seed >>> 15);
}

/** Special and random numbers of a width, in the signed reading. */
function integers(bits: 8 | 16 | 32 | 64, count: number): bigint[] {
  const width = BigInt(bits);
  const special = [0n, 1n, -1n, 2n, 7n, -(1n << (width - 1n)), (1n << (width - 1n)) - 1n, width, width + 1n];
  const random = Array.from({ length: count }, () =>
    BigInt.asIntN(bits, (BigInt(random32()) << 32n) | BigInt(random32() >>> 0)),
  );
  return [...special.map((value) => BigInt.asIntN(bits, value)), ...random];
}

/** What each function means on whole numbers, before the result is wrapped. s is the signed and u the unsigned reading. */
const meaning: Record<string, (s: [bigint, bigint], u: [bigint, bigint], width: bigint) => bigint> = {
  iadd: ([a, b]) => a + b,
  isub: ([a, b]) => a - b,
  imul: ([a, b]) => a * b,
  sdiv: ([a, b]) => a / b,
  udiv: (_, [a, b]) => a / b,
  srem: ([a, b]) => a % b,
  urem: (_, [a, b]) => a % b,
  and: ([a, b]) => a & b,
  or: ([a, b]) => a | b,
  xor: ([a, b]) => a ^ b,
  shl: (_, [a, b], width) => a << (b % width),
  sshr: ([a], [, b], width) => a >> (b % width),
  ushr: (_, [a, b], width) => a >> (b % width),
  rotl: (_, [a, b], width) => (a << (b % width)) | (a >> (width - (b % width))),
  smin: ([a, b]) => [a, b].sort((x, y) => (x < y ? -1 : 1))[0]!,
  smax: ([a, b]) => [a, b].sort((x, y) => (x < y ? 1 : -1))[0]!,
  umin: (_, [a, b]) => [a, b].sort((x, y) => (x < y ? -1 : 1))[0]!,
  umax: (_, [a, b]) => [a, b].sort((x, y) => (x < y ? 1 : -1))[0]!,
  smulhi: ([a, b], _, width) => (a * b) >> width,
  umulhi: (_, [a, b], width) => (a * b) >> width,
};

const comparisons: Record<string, (s: [bigint, bigint], u: [bigint, bigint]) => boolean> = {
  eq: ([a, b]) => a === b,
  ne: ([a, b]) => a !== b,
  slt: ([a, b]) => a < b,
  sle: ([a, b]) => a <= b,
  sgt: ([a, b]) => a > b,
  sge: ([a, b]) => a >= b,
  ult: (_, [a, b]) => a < b,
  ule: (_, [a, b]) => a <= b,
  ugt: (_, [a, b]) => a > b,
  uge: (_, [a, b]) => a >= b,
};

describe.each([8, 16, 32, 64] as const)('integers of %i bits', (bits) => {
  const type = intType(bits);
  const native = (value: bigint) => (bits === 64 ? value : Number(value));
  const values = integers(bits, 40);

  it.each(Object.keys(meaning))('%s', (fn) => {
    const operation = binaryOperation(fn as ir.BinaryFunction, type);
    for (const a of values) {
      for (const b of values) {
        if (b === 0n && /div|rem/.test(fn)) continue;
        if (b === -1n && a === -(1n << BigInt(bits - 1)) && /sdiv|srem/.test(fn)) continue;
        const exact = meaning[fn]!([a, b], [BigInt.asUintN(bits, a), BigInt.asUintN(bits, b)], BigInt(bits));
        const result = operation(native(a), native(b));
        if (result !== native(BigInt.asIntN(bits, exact))) {
          expect(`${fn} ${a} ${b} = ${result}`).toBe(`${fn} ${a} ${b} = ${BigInt.asIntN(bits, exact)}`);
        }
      }
    }
  });

  it.each(Object.keys(comparisons))('%s', (fn) => {
    const operation = compareOperation(fn as ir.CompareFunction, type);
    for (const a of values) {
      for (const b of values) {
        const exact = comparisons[fn]!([a, b], [BigInt.asUintN(bits, a), BigInt.asUintN(bits, b)]);
        if (operation(native(a), native(b)) !== exact) expect(`${fn} ${a} ${b}`).toBe(exact);
      }
    }
  });

  it('not, clz, ctz, popcount', () => {
    for (const value of values) {
      const text = BigInt.asUintN(bits, value).toString(2).padStart(bits, '0');
      const ones = [...text].filter((digit) => digit === '1').length;
      const trailing = value === 0n ? bits : [...text].reverse().indexOf('1');
      const leading = value === 0n ? bits : text.indexOf('1');
      const operate = (fn: ir.UnaryFunction) => unaryOperation(fn, type)(native(value));
      expect(operate('not')).toBe(native(-value - 1n));
      expect(operate('clz')).toBe(native(BigInt(leading)));
      expect(operate('ctz')).toBe(native(BigInt(trailing)));
      expect(operate('popcount')).toBe(native(BigInt(ones)));
    }
  });
});

it('a division by zero does not trap', () => {
  for (const type of [i8, i16, i32]) {
    for (const fn of ['sdiv', 'udiv', 'srem', 'urem'] as const) {
      expect(typeof binaryOperation(fn, type)(5, 0)).toBe('number');
    }
  }
  expect(typeof binaryOperation('srem', i64)(5n, 0n)).toBe('bigint');
});

it('truth values', () => {
  for (const a of [false, true]) {
    expect(unaryOperation('not', bool)(a)).toBe(!a);
    for (const b of [false, true]) {
      expect(binaryOperation('and', bool)(a, b)).toBe(a && b);
      expect(binaryOperation('or', bool)(a, b)).toBe(a || b);
      expect(binaryOperation('xor', bool)(a, b)).toBe(a !== b);
    }
  }
});

describe('floats', () => {
  const special = [0, -0, 1, -1, 0.5, 1.5, 2.5, -2.5, 3, 1e-45, 1e38, Infinity, -Infinity, NaN, 16777217];
  const floats = [
    ...special,
    ...Array.from({ length: 60 }, () => random32() * 2 ** ((random32() % 60) - 30)),
  ];

  it('f32 is f64 rounded once', () => {
    for (const a of floats.map(Math.fround)) {
      for (const b of floats.map(Math.fround)) {
        expect(binaryOperation('fadd', f32)(a, b)).toBe(Math.fround(a + b));
        expect(binaryOperation('fsub', f32)(a, b)).toBe(Math.fround(a - b));
        expect(binaryOperation('fmul', f32)(a, b)).toBe(Math.fround(a * b));
        expect(binaryOperation('fdiv', f32)(a, b)).toBe(Math.fround(a / b));
      }
      expect(unaryOperation('fsqrt', f32)(a)).toBe(Math.fround(Math.sqrt(a)));
    }
  });

  it('f16 rounds to eleven bits', () => {
    const add = binaryOperation('fadd', f16);
    const multiply = binaryOperation('fmul', f16);
    expect(add(2048, 1)).toBe(2048); // a tie, to even
    expect(add(2048, 3)).toBe(2052); // a tie, to even
    expect(add(65504, 15)).toBe(65504);
    expect(add(65504, 16)).toBe(Infinity); // half a unit beyond the largest
    expect(multiply(2 ** -14, 2 ** -10)).toBe(2 ** -24); // the smallest
    expect(multiply(2 ** -14, 2 ** -11)).toBe(0); // a tie, to even
    expect(multiply(2 ** -13, 2 ** -12 * 1.5)).toBe(2 ** -24); // 0.75 of the smallest
    expect(binaryOperation('fdiv', f16)(1, 3)).toBe(0.333251953125);
  });

  it('rounds to integers', () => {
    const cases: [number, number, number, number, number][] = [
      // x, floor, ceil, trunc, rint
      [0.5, 0, 1, 0, 0],
      [1.5, 1, 2, 1, 2],
      [2.5, 2, 3, 2, 2],
      [-0.5, -1, -0, -0, -0],
      [-1.5, -2, -1, -1, -2],
      [-0, -0, -0, -0, -0],
      [8388609, 8388609, 8388609, 8388609, 8388609],
      [Infinity, Infinity, Infinity, Infinity, Infinity],
      [NaN, NaN, NaN, NaN, NaN],
    ];
    for (const [x, ...expected] of cases) {
      const results = (['ffloor', 'fceil', 'ftrunc', 'frint'] as const).map((fn) =>
        unaryOperation(fn, f32)(x),
      );
      expect(results).toEqual(expected);
    }
    expect(unaryOperation('frint', f64)(4503599627370495.5)).toBe(4503599627370496);
    expect(unaryOperation('frint', f64)(4503599627370497)).toBe(4503599627370497);
  });

  it('treats NaN and signs as OpenCL says', () => {
    expect(binaryOperation('fmin', f32)(NaN, 2)).toBe(2);
    expect(binaryOperation('fmax', f32)(2, NaN)).toBe(2);
    expect(binaryOperation('fmax', f32)(NaN, NaN)).toBe(NaN);
    expect(binaryOperation('fcopysign', f32)(3, -0)).toBe(-3);
    expect(binaryOperation('fcopysign', f32)(-3, 0)).toBe(3);
    expect(unaryOperation('fneg', f32)(0)).toBe(-0);
    expect(unaryOperation('fabs', f32)(-0)).toBe(0);
    for (const fn of ['feq', 'flt', 'fle', 'fgt', 'fge'] as const) {
      expect(compareOperation(fn, f32)(NaN, NaN)).toBe(false);
    }
    expect(compareOperation('fne', f32)(NaN, NaN)).toBe(true);
    expect(compareOperation('feq', f32)(0, -0)).toBe(true);
  });
});

describe('fma rounds once', () => {
  const fma32 = fmaOperation(f32) as (a: number, b: number, c: number) => number;
  const fma64 = fmaOperation(f64) as (a: number, b: number, c: number) => number;

  it('in known cases', () => {
    // (1 + 2^-23)^2 = 1 + 2^-22 + 2^-46: the last term shows only without a rounding between.
    const a = 1 + 2 ** -23;
    expect(fma32(a, a, -(1 + 2 ** -22))).toBe(2 ** -46);
    const b = 1 + 2 ** -52;
    expect(fma64(b, b, -(1 + 2 ** -51))).toBe(2 ** -104);
    // Exactly between two floats but for a tiny addend: a double's rounding would lose it and then tie to even.
    expect(fma32(1 + 2 ** -12, 1 + 2 ** -12, 2 ** -80)).toBe(1 + 2 ** -11 + 2 ** -23);
    expect(fma32(1 + 2 ** -12, 1 + 2 ** -12, -(2 ** -80))).toBe(1 + 2 ** -11);
    expect(fma64(0.1, 10, -1)).toBe(2 ** -54);
    expect(fma64(1e308, 10, -1e308)).toBe(Infinity);
    expect(fma64(1e308, 2, -1e308)).toBe(1e308);
    expect(fma64(2 ** -1074, 0.5, 2 ** -1074)).toBe(2 ** -1073); // a tie among subnormals, to even
    expect(fma64(3, -2, 6)).toBe(0);
    expect(fma64(-0, 5, -0)).toBe(-0);
    expect(fma64(2 ** -1074, -(2 ** -1074), 0)).toBe(-0);
    expect(fma64(1, 1, Infinity)).toBe(Infinity);
    expect(fma64(1e300, 1e300, -Infinity)).toBe(-Infinity);
    expect(fma64(Infinity, 0, 1)).toBe(NaN);
  });

  it('as exact rational arithmetic does', () => {
    // Integers scaled by powers of two: the exact sum is an integer that BigInt rounds to 24 or 53 bits.
    const rounded = (exact: bigint, precision: number): number => {
      const negative = exact < 0n;
      const magnitude = negative ? -exact : exact;
      const drop = BigInt(Math.max(0, magnitude.toString(2).length - precision));
      const unit = 1n << drop;
      const down = (magnitude / unit) * unit;
      const rest = (magnitude - down) * 2n;
      const up = rest > unit || (rest === unit && (down / unit) % 2n === 1n);
      const result = Number(up ? down + unit : down);
      return negative ? -result : result;
    };
    for (let count = 0; count < 3000; count += 1) {
      const a = random32() >> 8;
      const b = random32() >> 8;
      const shift = (random32() >>> 0) % 60;
      const c = (random32() >> 8) * 2 ** shift;
      expect(fma32(a, b, c)).toBe(rounded(BigInt(a) * BigInt(b) + BigInt(c), 24));
      const x = a * 2 ** 29 + 1;
      const y = b * 2 ** 29 + 1;
      const z = c * 2 ** 29 + (shift < 20 ? 1 : 0);
      expect(fma64(x, y, z)).toBe(rounded(BigInt(x) * BigInt(y) + BigInt(z), 53));
    }
  });
});

it('works lane by lane on vectors', () => {
  const type = vectorType(i32, 4);
  expect(binaryOperation('iadd', type)([1, 2, 3, 2147483647], [10, 20, 30, 1])).toEqual([
    11, 22, 33, -2147483648,
  ]);
  expect(unaryOperation('not', type)([0, -1, 1, 2])).toEqual([-1, 0, -2, -3]);
  expect(compareOperation('slt', type)([1, 2, 3, 4], [2, 2, 4, 0])).toEqual([true, false, true, false]);
  expect(selectValue([true, false], [1, 2], [3, 4])).toEqual([1, 4]);
  expect(selectValue(false, [1, 2], [3, 4])).toEqual([3, 4]);
  expect(fmaOperation(vectorType(f32, 2))([2, 3], [4, 5], [1, 1])).toEqual([9, 16]);
});
