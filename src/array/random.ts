/**
 * Random numbers of the usual distributions, by Philox (philox.ts) or MRG32k3a (mrg32k3a.ts): every device computes the same. Generators and
 * distributions that few programs use are loaded when one is.
 */
import type { DeviceBuffer } from '../api/javascript/device-buffer.ts';
import { shown } from '../source/shown.ts';
import type { Engine } from './engine.ts';
import { invalid } from './errors.ts';
import { advanced, MrgSource, moduli } from './mrg32k3a.ts';
import { NdArray } from './nd-array.ts';
import { isFloat, isInteger, type NumberType, numberTypes } from './number-types.ts';
import { PhiloxSource } from './philox.ts';
import {
  type BlockDistribution,
  type Distribution,
  type RandomSource,
  takingOf,
  type Uniform,
} from './random-source.ts';
import { readShape, type Shape, sizeOf } from './shape.ts';

type FloatType = 'float32' | 'float64';

/** A sequence of random numbers. Each call takes the numbers that follow those of the call before. */
export class RandomNumbers {
  readonly #engine: Engine;
  readonly #source: RandomSource;

  /** Made by `random` and `mrg32k3a` of {@link Arrays}. */
  constructor(engine: Engine, source: RandomSource) {
    this.#engine = engine;
    this.#source = source;
  }

  /** Where the next numbers begin: `random(seed, { counter })` goes on there. Philox counts blocks of four words, MRG32k3a its numbers. */
  get counter(): bigint {
    return this.#source.counter;
  }

  /** Philox's words of 32 random bits, in the order of Random123, or the numbers of MRG32k3a, from 1 to 4294967087. */
  bits(shape: number | Shape): NdArray<'uint32'> {
    const values = ({ word }: Uniform) => [0, 1, 2, 3].map(word);
    return this.#array(shape, { type: 'uint32', block: 'words', values }) as NdArray<'uint32'>;
  }

  /** From `low`, included, to `high`, not included. */
  uniform<T extends FloatType = 'float32'>(
    shape: number | Shape,
    options: { readonly low?: number; readonly high?: number; readonly type?: T } = {},
  ): NdArray<T> {
    const { low = 0, high = 1 } = options;
    const type = floatType(options.type);
    const { c } = numberTypes[type];
    const isUnit = low === 0 && high === 1;
    return this.#array(shape, {
      type,
      ...ofUniform(type, 'single', 'double', (value) => (isUnit ? value : `low + (high - low) * (${value})`)),
      ...(isUnit ? {} : { parameters: [`${c} low`, `${c} high`], arguments: [low, high] }),
    }) as NdArray<T>;
  }

  /** The normal distribution of a mean and a standard deviation. */
  normal<T extends FloatType = 'float32'>(
    shape: number | Shape,
    options: { readonly mean?: number; readonly deviation?: number; readonly type?: T } = {},
  ): NdArray<T> {
    const { mean = 0, deviation = 1 } = options;
    return this.#normal(shape, floatType(options.type), mean, deviation, (value) => value) as NdArray<T>;
  }

  /** What has a logarithm with the normal distribution of a mean and a standard deviation. */
  logNormal<T extends FloatType = 'float32'>(
    shape: number | Shape,
    options: { readonly mean?: number; readonly deviation?: number; readonly type?: T } = {},
  ): NdArray<T> {
    const { mean = 0, deviation = 1 } = options;
    const exponential = (value: string): string => `exp(${value})`;
    return this.#normal(shape, floatType(options.type), mean, deviation, exponential) as NdArray<T>;
  }

  /** The polar form of Box and Muller: two normal numbers of two uniform ones, of which the first is not 0. */
  #normal(
    shape: number | Shape,
    type: FloatType,
    mean: number,
    deviation: number,
    result: (value: string) => string,
  ): NdArray {
    if (!(deviation >= 0)) throw invalid(`a deviation is not below 0, as ${shown(deviation)} is`);
    const { c } = numberTypes[type];
    const isSingle = type === 'float32';
    const pairs = isSingle ? [0, 1] : [0];
    return this.#array(shape, {
      type,
      block: isSingle ? 'singles' : 'doubles',
      statements: ({ single, openSingle, double, openDouble }) =>
        pairs
          .map((p) => {
            const open = (isSingle ? openSingle : openDouble)(2 * p);
            const plain = (isSingle ? single : double)(2 * p + 1);
            return `    ${c} m${p} = sqrt(-2 * log(${open})), t${p} = ${plain} * 2;\n`;
          })
          .join(''),
      values: () =>
        pairs.flatMap((p) => [
          result(`mean + deviation * (m${p} * cospi(t${p}))`),
          result(`mean + deviation * (m${p} * sinpi(t${p}))`),
        ]),
      parameters: [`${c} mean`, `${c} deviation`],
      arguments: [mean, deviation],
    });
  }

  /** The exponential distribution: times between events of which there is one in a time of `scale` on average. */
  exponential<T extends FloatType = 'float32'>(
    shape: number | Shape,
    options: { readonly scale?: number; readonly type?: T } = {},
  ): NdArray<T> {
    const { scale = 1 } = options;
    if (!(scale >= 0)) throw invalid(`a scale is not below 0, as ${shown(scale)} is`);
    const type = floatType(options.type);
    return this.#array(shape, {
      type,
      ...ofUniform(type, 'openSingle', 'openDouble', (value) => `-scale * log(${value})`),
      parameters: [`${numberTypes[type].c} scale`],
      arguments: [scale],
    }) as NdArray<T>;
  }

  /** The gamma distribution of a shape, which is its mean in units of the scale. */
  gamma<T extends FloatType = 'float32'>(
    of: number,
    shape: number | Shape,
    options: { readonly scale?: number; readonly type?: T } = {},
  ): NdArray<T> {
    const { scale = 1 } = options;
    if (!(of > 0 && of < 1e30))
      throw invalid(`the shape of a gamma distribution is above 0, not ${shown(of)}`);
    if (!(scale >= 0)) throw invalid(`a scale is not below 0, as ${shown(scale)} is`);
    const type = floatType(options.type);
    return this.#later(
      type,
      shape,
      async () => (await distributions()).gamma(of, scale, type),
      'trial',
    ) as NdArray<T>;
  }

  /** How many events there are where `mean` are to be expected. */
  poisson(mean: number, shape: number | Shape): NdArray<'int32'> {
    if (!(mean >= 0 && mean <= mostCount))
      throw invalid(`a mean is from 0 to ${mostCount}, not ${shown(mean)}`);
    const kind = mean < 10 ? 'doubles' : 'trial';
    return this.#later(
      'int32',
      shape,
      async () => (await distributions()).poisson(mean),
      kind,
    ) as NdArray<'int32'>;
  }

  /** How many of `count` trials succeed, of which each does with a probability. */
  binomial(count: number, probability: number, shape: number | Shape): NdArray<'int32'> {
    if (!Number.isInteger(count) || count < 0 || count > mostCount)
      throw invalid(`a count is a whole number from 0 to ${mostCount}, not ${shown(count)}`);
    checkProbability(probability);
    const kind = count * Math.min(probability, 1 - probability) < 10 ? 'doubles' : 'trial';
    const make = async () => (await distributions()).binomial(count, probability);
    return this.#later('int32', shape, make, kind) as NdArray<'int32'>;
  }

  /** True with a probability. */
  bernoulli(probability: number, shape: number | Shape): NdArray<'bool'> {
    checkProbability(probability);
    return this.#array(shape, {
      type: 'bool',
      block: 'doubles',
      values: ({ double }) => [0, 1].map((index) => `${double(index)} < probability`),
      parameters: ['double probability'],
      arguments: [probability],
    }) as NdArray<'bool'>;
  }

  /** Integers from `low`, included, to `high`, not included. Each takes 64 bits, so that no value is favoured by more than 2^-64 of the range. */
  integers<T extends NumberType = 'int32'>(
    low: number | bigint,
    high: number | bigint,
    shape: number | Shape,
    type: T = 'int32' as T,
  ): NdArray<T> {
    if (!isInteger(type)) throw invalid(`random integers are of a type of integers, not ${shown(type)}`);
    const [first, end] = [BigInt(low), BigInt(high)];
    const { min, max, c } = numberTypes[type];
    if (first >= end || first < min || end > max + 1n) {
      throw invalid(`there are no integers from ${low} to below ${high} among those of ${type}`);
    }
    const range = end - first;
    return this.#array(shape, {
      type,
      block: 'longs',
      values: ({ long }) =>
        [long(0), long(1)].map((word) =>
          range === 2n ** 64n ? `(${c})${word}` : `(${c})(low + (long)mul_hi(${word}, range))`,
        ),
      parameters: ['long low', 'ulong range'],
      arguments: [BigInt.asIntN(64, first), BigInt.asUintN(64, range)],
    }) as NdArray<T>;
  }

  #array(given: number | Shape, distribution: Distribution): NdArray {
    const shape = readShape(given);
    const fill = this.#source.take(takingOf(distribution), sizeOf(shape));
    return this.#node(distribution.type, shape, async () => fill(distribution));
  }

  /** Of a distribution that is loaded when its numbers are needed; what it takes of the sequence is known before. */
  #later(
    type: NumberType,
    given: number | Shape,
    make: () => Promise<Distribution>,
    kind: 'doubles' | 'trial',
  ): NdArray {
    const shape = readShape(given);
    const fill = this.#source.take(kind, sizeOf(shape));
    return this.#node(type, shape, async () => fill(await make()));
  }

  #node(type: NumberType, shape: Shape, run: () => Promise<DeviceBuffer>): NdArray {
    return new NdArray(this.#engine, this.#engine.task(type, shape, [], run));
  }
}

const distributions = () => import('./algorithms.ts');

const mostCount = 1e9;

/** Each value of one uniform number. */
function ofUniform(
  type: FloatType,
  single: 'single' | 'openSingle',
  double: 'double' | 'openDouble',
  value: (uniform: string) => string,
): Pick<BlockDistribution, 'block' | 'values'> {
  return type === 'float32'
    ? { block: 'singles', values: (uniform) => [0, 1, 2, 3].map((index) => value(uniform[single](index))) }
    : { block: 'doubles', values: (uniform) => [0, 1].map((index) => value(uniform[double](index))) };
}

/** @param seed, counter whole numbers; a stream is 2^64 blocks long */
export function philoxNumbers(
  engine: Engine,
  seed: number | bigint,
  counter: number | bigint,
  stream: number | bigint,
): RandomNumbers {
  const start = whole('a counter', counter, 128n) + (whole('a stream', stream, 64n) << 64n);
  return new RandomNumbers(
    engine,
    new PhiloxSource(engine, whole('a seed', seed, 64n), BigInt.asUintN(128, start)),
  );
}

/** @param seed one number for all six of the state, or these */
export function mrgNumbers(
  engine: Engine,
  seed: number | readonly number[],
  counter: number | bigint,
  stream: number | bigint,
  substream: number | bigint,
): RandomNumbers {
  const state = (typeof seed === 'number' ? Array.from({ length: 6 }, () => seed) : [...seed]).map((value) =>
    whole('a part of a seed', value, 32n),
  );
  const isState = state.length === 6 && state.every((value, index) => value < moduli[index]!);
  const isZero = [0, 3].some((half) => state.slice(half, half + 3).every((value) => value === 0n));
  if (!isState || isZero) {
    throw invalid(
      `the seed of MRG32k3a is one or six numbers, the first three below ${moduli[0]} and the others below ${moduli[5]}, none of these threes 0; it is not ${shown(seed)}`,
    );
  }
  const jump = (whole('a stream', stream, 63n) << 127n) + (whole('a substream', substream, 51n) << 76n);
  return new RandomNumbers(
    engine,
    new MrgSource(engine, advanced(state, jump), whole('a counter', counter, 127n)),
  );
}

function checkProbability(value: number): void {
  if (!(value >= 0 && value <= 1)) throw invalid(`a probability is from 0 to 1, not ${shown(value)}`);
}

function floatType(type: NumberType | undefined): FloatType {
  const found = type ?? 'float32';
  if (!isFloat(found)) throw invalid(`these random numbers are float32 or float64, not ${shown(found)}`);
  return found as FloatType;
}

function whole(what: string, value: number | bigint, bits: bigint): bigint {
  const isWhole = typeof value === 'bigint' || Number.isSafeInteger(value);
  if (!isWhole || value < 0 || BigInt(value) >= 2n ** bits) {
    throw invalid(`${what} is a whole number from 0 to 2^${bits} - 1, not ${shown(value)}`);
  }
  return BigInt(value);
}
