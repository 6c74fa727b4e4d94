/** Measures the worst error of one function over special values and seeded samples. */

import { Random } from '../../test/support/random.ts';
import { halfToNumber, numberToHalf } from '../support/half.ts';
import type { MeasuredFunction } from './functions.ts';
import { exponentOf, fromNumber, type Real, scale, subtract, toNumber } from './real.ts';
import { approximations, references } from './references.ts';

export interface Precision {
  readonly type: 'half' | 'float' | 'double';
  /** Digits of the significand, and the exponents of the smallest normal and above the largest number. */
  readonly digits: number;
  readonly lowest: number;
  readonly highest: number;
}

export const precisions = {
  half: { type: 'half', digits: 11, lowest: -14, highest: 16 },
  float: { type: 'float', digits: 24, lowest: -126, highest: 128 },
  double: { type: 'double', digits: 53, lowest: -1022, highest: 1024 },
} as const satisfies Record<string, Precision>;

export type Numbers = Float32Array | Float64Array;
/** Numbers as a device has them: halves are their bits. */
type DeviceNumbers = Numbers | Uint16Array;

/** Runs a kernel `apply(x, y, z, n, result)` of a source with one work-item for each argument. */
export type RunKernel = (
  source: string,
  x: DeviceNumbers,
  y: DeviceNumbers,
  z: DeviceNumbers,
  n: Int32Array,
  result: DeviceNumbers,
) => Promise<void>;

export interface Measurement {
  /** In units in the last place of the exact result. */
  readonly worst: number;
  /** The call with the worst error. */
  readonly where: string;
  readonly count: number;
}

function kernelSource(tested: MeasuredFunction, type: string): string {
  return `#pragma OPENCL EXTENSION cl_khr_fp16 : enable
  kernel void apply(global const ${type}* xs, global const ${type}* ys, global const ${type}* zs,
                          global const int* ns, global ${type}* results) {
    size_t i = get_global_id(0);
    ${type} x = xs[i], y = ys[i], z = zs[i], t;
    int n = ns[i];
    results[i] = ${tested.call};
  }`;
}

const specials = [
  0,
  1,
  2,
  3,
  0.5,
  1.5,
  2.5,
  0.25,
  4,
  7,
  10,
  31,
  127,
  128,
  0.49999997,
  0.99999994,
  1.0000001,
  2 ** -24,
  2 ** -14,
  2 ** -149,
  2 ** -126,
  2 ** -1074,
  2 ** -1022,
  2 ** -150,
  1e-20,
  1e-5,
  88.72284,
  89,
  103.97,
  104,
  709.78,
  745.13,
  1023.5,
  2049,
  65504,
  8388607.5,
  8388608,
  16777215,
  2 ** 31,
  2 ** 32,
  2 ** 52,
  2 ** 53,
  1e10,
  1e22,
  1e30,
  3.4028234663852886e38,
  1e100,
  1e300,
  Number.MAX_VALUE,
  Infinity,
];
const signedSpecials = [...specials, ...specials.map((x) => -x), Number.NaN];

interface Arguments {
  readonly x: Numbers;
  readonly y: Numbers;
  readonly z: Numbers;
  readonly n: Int32Array;
}

function newNumbers(type: Precision['type'], length: number): Numbers {
  return type === 'double' ? new Float64Array(length) : new Float32Array(length);
}

function toHalves(numbers: Numbers): Uint16Array {
  return Uint16Array.from(numbers, numberToHalf);
}

/** Every half as the only argument. */
function everyHalf(): Arguments {
  const x = Float32Array.from({ length: 65536 }, (_, bits) => halfToNumber(bits));
  return { x, y: x, z: x, n: new Int32Array(x.length) };
}

/** All special values (or their pairs), then `count` samples: half of them any bits, half from the ranges. */
function makeArguments(
  tested: MeasuredFunction,
  type: Precision['type'],
  count: number,
  seed: number,
): Arguments {
  if (type === 'half' && tested.arguments === 1 && !tested.whole && count >= 65536) return everyHalf();
  const pairs = tested.arguments === 1 ? signedSpecials.length : signedSpecials.length ** 2;
  const total = pairs + count;
  const [x, y, z] = [newNumbers(type, total), newNumbers(type, total), newNumbers(type, total)];
  const n = new Int32Array(total);
  const random = new Random(seed);
  for (let index = 0; index < pairs; index += 1) {
    x[index] = signedSpecials[index % signedSpecials.length]!;
    y[index] = signedSpecials[Math.floor(index / signedSpecials.length)]!;
    z[index] = signedSpecials[(index * 7) % signedSpecials.length]!;
  }
  const bits = (numbers: Numbers, from: number) => {
    const words = new Uint32Array(numbers.buffer, from * numbers.BYTES_PER_ELEMENT);
    for (let index = 0; index < words.length; index += 1) words[index] = random.bits();
    if (type !== 'half') return;
    for (let index = from; index < numbers.length; index += 1)
      numbers[index] = halfToNumber(random.bits() & 0xffff);
  };
  for (const numbers of [x, y, z]) bits(numbers, pairs);
  const between = ([low, high]: readonly [number, number]) =>
    low + ((high - low) * (random.bits() + random.bits() / 2 ** 32)) / 2 ** 32;
  for (let index = pairs; index < total; index += 2) {
    const range = tested.ranges[random.bits() % tested.ranges.length]!;
    x[index] = between(range);
    y[index] = index % 4 === 0 ? between([-20, 20]) : between(range);
    z[index] = between(range);
  }
  for (let index = 0; index < total; index += 1) {
    const whole = tested.whole ?? [-1100, 1100];
    n[index] = index % 9 === 0 ? random.bits() | 0 : Math.round(between(whole));
  }
  if (type === 'half') {
    for (const numbers of [x, y, z]) numbers.set(Float32Array.from(toHalves(numbers), halfToNumber));
  }
  // Which NaN it is must not matter, and references cannot see it.
  for (const numbers of [x, y, z]) {
    for (let index = 0; index < total; index += 1)
      if (Number.isNaN(numbers[index])) numbers[index] = Number.NaN;
  }
  return { x, y, z, n };
}

/** The distance of a result from the exact one in units of the exact one's last place. */
export function errorInUlps(got: number, want: number | Real, precision: Precision): number {
  if (typeof want === 'number') {
    if (Number.isNaN(want) || Number.isNaN(got))
      return Number.isNaN(want) === Number.isNaN(got) ? 0 : Infinity;
    if (got === want) return 0;
    if (want === 0 || !Number.isFinite(want)) return distanceFromLimit(got, want, precision);
  }
  if (Number.isNaN(got)) return Infinity;
  const real = typeof want === 'number' ? fromNumber(want) : want;
  const exponent = exponentOf(real);
  const { digits, lowest, highest } = precision;
  const negative = real.digits < 0n;
  // Beyond the largest number infinity is right, and counts as the next power of two.
  if (exponent >= highest) return got === (negative ? -Infinity : Infinity) ? 0 : Infinity;
  if (Math.abs(got) === Infinity) {
    if (got < 0 !== negative) return Infinity;
    const next: Real = { digits: negative ? -1n : 1n, exponent: highest };
    return Math.abs(toNumber(scale(subtract(next, real), digits - highest)));
  }
  const unit = Math.max(exponent, lowest) - digits + 1;
  return Math.abs(toNumber(scale(subtract(fromNumber(got), real), -unit)));
}

/** Where the reference is zero or infinite and the result is not the same. */
function distanceFromLimit(got: number, want: number, { digits, lowest }: Precision): number {
  if (want !== 0 || !Number.isFinite(got)) return Infinity;
  return Math.abs(got) / 2 ** (lowest - digits + 1);
}

/** Whether a result is so close to a good approximation that its error cannot be a new worst one. */
function isSurelyBelow(worst: number, got: number, near: number, { digits, lowest }: Precision): boolean {
  if (!Number.isFinite(near) || near === 0 || !Number.isFinite(got)) return false;
  const unit = 2 ** (Math.max(Math.floor(Math.log2(Math.abs(near))), lowest) - digits + 1);
  return Math.abs(got - near) < (worst - 0.001) * unit;
}

const chunk = 1 << 16;

/** The same where subnormal numbers may be taken and given as zero (OpenCL 1.2, 7.5.3). */
function errorWithFlushing(
  got: number,
  want: (flush: readonly boolean[]) => number | Real,
  args: readonly number[],
  precision: Precision,
): number {
  const least = 2 ** precision.lowest;
  const isSubnormal = args.map((each) => each !== 0 && Math.abs(each) < least);
  let error = Infinity;
  for (let choice = 0; choice < 2 ** args.length; choice += 1) {
    const flush = args.map((_, index) => ((choice >> index) & 1) !== 0);
    if (flush.some((each, index) => each && !isSubnormal[index])) continue;
    const exact = want(flush);
    const size = Math.abs(typeof exact === 'number' ? exact : toNumber(exact));
    // A device that computes with zero may still hand an argument on as it is.
    error = Math.min(error, Math.abs(got) < least && size < least ? 0 : errorInUlps(got, exact, precision));
  }
  return error;
}

/**
 * Measures a function over its special values and `samples` more arguments.
 * @param flushes whether the device may take subnormal numbers for zero
 */
export async function measure(
  tested: MeasuredFunction,
  precision: Precision,
  samples: number,
  run: RunKernel,
  flushes = false,
): Promise<Measurement> {
  const reference = references[tested.reference ?? tested.name];
  if (!reference) throw new Error(`there is no reference for ${tested.name}`);
  const { x, y, z, n } = makeArguments(tested, precision.type, samples, 2026);
  const result = newNumbers(precision.type, x.length);
  const source = kernelSource(tested, precision.type);
  for (let from = 0; from < x.length; from += chunk) {
    const to = Math.min(from + chunk, x.length);
    const device = (numbers: Numbers): DeviceNumbers =>
      precision.type === 'half' ? toHalves(numbers.slice(from, to)) : numbers.slice(from, to);
    const part = device(result);
    await run(source, device(x), device(y), device(z), n.slice(from, to), part);
    result.set(precision.type === 'half' ? Float32Array.from(part, halfToNumber) : part, from);
  }
  const approximation =
    precision.type !== 'double' ? approximations[tested.reference ?? tested.name] : undefined;
  let worst = -1;
  let where = '';
  for (let index = 0; index < x.length; index += 1) {
    const second = tested.whole ? n[index]! : y[index]!;
    if (approximation && isSurelyBelow(worst, result[index]!, approximation(x[index]!, second), precision))
      continue;
    const want = reference(x[index]!, second, z[index]!, 1 - 2 ** -precision.digits);
    let error = errorInUlps(result[index]!, want, precision);
    if (flushes && error > worst) {
      const args = [x[index]!, tested.whole ? 0 : y[index]!, z[index]!].slice(0, tested.arguments);
      const wanted = (flush: readonly boolean[]): number | Real => {
        const [a, b, c] = [x[index]!, second, z[index]!].map((each, at) => (flush[at] ? each * 0 : each));
        return reference(a!, b!, c!, 1 - 2 ** -precision.digits);
      };
      error = errorWithFlushing(result[index]!, wanted, args, precision);
    }
    if (error > worst) {
      worst = error;
      const shown = [x, tested.whole ? n : y, z].slice(0, tested.arguments).map((numbers) => numbers[index]!);
      const exact = typeof want === 'number' ? want : toNumber(want);
      where = `${tested.name}(${shown.join(', ')}) is ${result[index]}, not ${exact}`;
    }
  }
  return { worst, where, count: x.length };
}
