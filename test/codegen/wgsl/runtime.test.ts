/**
 * The arithmetic that shaders bring along, run here (evaluate.ts), against that of JavaScript: 64-bit integers against BigInts, doubles
 * against numbers, to the last bit.
 */
import { describe, expect, test } from 'vitest';
import { Random } from '../../support/random.ts';
import { evaluator, type Value } from './evaluate.ts';

const run = evaluator(
  'u64_divrem',
  'i64_div',
  'i64_rem',
  'f64_add',
  'f64_sub',
  'f64_mul',
  'f64_div',
  'f64_sqrt',
  'f64_fma',
  'f64_of_i32',
  'f64_of_i64',
  'f32_near_f64',
  'f64_of_f32',
  'i64_of_f64',
  'f64_floor',
  'f64_rint',
  'f64_lt',
  'f64_eq',
);

const random = new Random(25);
const below = 1n << 64n;

const wordsOf = (bits: bigint): Value => [Number(bits & 0xffff_ffffn), Number((bits >> 32n) & 0xffff_ffffn)];
const bitsOf = (value: Value): bigint => {
  const [low, high] = value as number[];
  return (BigInt(high!) << 32n) | BigInt(low!);
};

const view = new DataView(new ArrayBuffer(8));
function bitsOfDouble(value: number): bigint {
  view.setFloat64(0, value);
  return view.getBigUint64(0);
}
function doubleOf(bits: bigint): number {
  view.setBigUint64(0, bits);
  return view.getFloat64(0);
}
const double = (value: number): Value => wordsOf(bitsOfDouble(value));
/** What NaN's bits are is nobody's promise. */
const shown = (value: number): string => (Object.is(value, -0) ? '-0' : String(value));

function bits64(): bigint {
  return (BigInt(random.below(2 ** 32)) << 32n) | BigInt(random.below(2 ** 32));
}

/** Numbers of all lengths, with runs of ones and zeros, in which carries are lost. */
function whole(): bigint {
  const length = BigInt(1 + random.below(64));
  const value = bits64() & ((1n << length) - 1n);
  switch (random.below(6)) {
    case 0:
      return (1n << length) - 1n;
    case 1:
      return 1n << (length - 1n);
    case 2:
      return below - 1n - value;
    case 3:
      return (value & 0xffff_0000_ffffn) | 0xffff_0000_ffff_0000n;
    default:
      return value;
  }
}

/** Doubles of all kinds; denormals and the ends of the range as often as others. */
function anyDouble(): number {
  const sign = BigInt(random.below(2)) << 63n;
  const fraction = whole() & 0xf_ffff_ffff_ffffn;
  const exponents = [0, 1, 2046, 2047, 1023, 1022, 1075, 1000 + random.below(50), random.below(2048)];
  const exponent = BigInt(exponents[random.below(exponents.length)]!);
  return doubleOf(sign | (exponent << 52n) | (random.below(5) === 0 ? 0n : fraction));
}

const signed = (bits: bigint): bigint => BigInt.asIntN(64, bits);

describe('integers of 64 bits', () => {
  test('quotients and remainders', () => {
    for (let round = 0; round < 30_000; round += 1) {
      const [a, b] = [whole(), whole() || 1n];
      const [q0, q1, r0, r1] = run.u64_divrem(wordsOf(a), wordsOf(b)) as number[];
      const got = [bitsOf([q0!, q1!]), bitsOf([r0!, r1!])];
      expect(got, `${a} / ${b}`).toEqual([a / b, a % b]);
    }
  });

  test('the same with signs', () => {
    for (let round = 0; round < 5_000; round += 1) {
      const [a, b] = [signed(whole()), signed(whole()) || 1n];
      const [x, y] = [wordsOf(BigInt.asUintN(64, a)), wordsOf(BigInt.asUintN(64, b))];
      const got = [signed(bitsOf(run.i64_div(x, y))), signed(bitsOf(run.i64_rem(x, y)))];
      expect(got, `${a} / ${b}`).toEqual([BigInt.asIntN(64, a / b), a % b]);
    }
  });
});

describe('doubles', () => {
  const two: readonly (readonly [keyof typeof run, (a: number, b: number) => number])[] = [
    ['f64_add', (a, b) => a + b],
    ['f64_sub', (a, b) => a - b],
    ['f64_mul', (a, b) => a * b],
    ['f64_div', (a, b) => a / b],
  ];
  test.each(two)('%s', (name, expected) => {
    for (let round = 0; round < 20_000; round += 1) {
      const a = anyDouble();
      // Neighbours, in whose difference most bits go.
      const near = doubleOf(BigInt.asUintN(64, bitsOfDouble(a) + BigInt(random.below(5) - 2)));
      const b = round % 4 === 0 ? near * (round % 8 === 0 ? 1 : -1) : anyDouble();
      const got = doubleOf(bitsOf(run[name](double(a), double(b))));
      expect(shown(got), `${a} and ${b}`).toBe(shown(expected(a, b)));
    }
  });

  test('square roots', () => {
    for (let round = 0; round < 20_000; round += 1) {
      const root = anyDouble();
      const a = round % 3 === 0 ? root * root : root;
      expect(shown(doubleOf(bitsOf(run.f64_sqrt(double(a))))), `${a}`).toBe(shown(Math.sqrt(a)));
    }
  });

  test('fused products: of numbers of few bits, whose products are exact', () => {
    for (let round = 0; round < 20_000; round += 1) {
      const few = (): number => (random.below(2 ** 26) - 2 ** 25) * 2 ** (random.below(80) - 40);
      const [a, b] = [few(), few()];
      const c = round % 3 === 0 ? -a * b * (1 + 2 ** -52 * random.below(3)) : anyDouble();
      const got = doubleOf(bitsOf(run.f64_fma(double(a), double(b), double(c))));
      expect(shown(got), `${a} * ${b} + ${c}`).toBe(shown(a * b + c));
    }
  });

  test('conversions and comparisons', () => {
    for (let round = 0; round < 10_000; round += 1) {
      const [a, b] = [anyDouble(), anyDouble()];
      const n = random.below(2 ** 32);
      expect(doubleOf(bitsOf(run.f64_of_i32(n))), `${n}`).toBe(n | 0);
      const wide = whole();
      expect(doubleOf(bitsOf(run.f64_of_i64(wordsOf(wide), 0))), `${wide}`).toBe(Number(signed(wide)));
      const { f } = run.f32_near_f64(double(a)) as { f: number };
      expect(shown(f), `${a}`).toBe(shown(Math.fround(a)));
      expect(shown(doubleOf(bitsOf(run.f64_of_f32({ f: Math.fround(a) })))), `${a}`).toBe(
        shown(Math.fround(a)),
      );
      expect(shown(doubleOf(bitsOf(run.f64_floor(double(a))))), `${a}`).toBe(shown(Math.floor(a)));
      expect(run.f64_lt(double(a), double(b)), `${a} < ${b}`).toBe(a < b);
      expect(run.f64_eq(double(a), double(round % 2 ? a : -a)), `${a}`).toBe(
        !Number.isNaN(a) && (round % 2 === 1 || a === 0),
      );
      if (Math.abs(a) < 2 ** 63)
        expect(signed(bitsOf(run.i64_of_f64(double(a)))), `${a}`).toBe(BigInt(Math.trunc(a)));
    }
  });

  test('rounding to whole numbers, ties to even', () => {
    for (let round = 0; round < 5_000; round += 1) {
      const a = (random.below(2 ** 30) - 2 ** 29) / 2 ** (1 + random.below(12));
      const down = Math.floor(a);
      const half = a - down;
      const nearest = half === 0.5 ? (down % 2 === 0 ? down : down + 1) : half < 0.5 ? down : down + 1;
      expect(doubleOf(bitsOf(run.f64_rint(double(a)))), `${a}`).toBe(nearest + 0);
    }
  });
});
