/**
 * Random numbers: Philox 4x32-10 (Salmon et al., Parallel random numbers: as easy as 1, 2, 3; SC11). A block of four words is a
 * function of its number, the counter, and of the seed, the key: so every device computes the same, and any work-item any block.
 */
import type { DeviceBuffer } from '../api/javascript/device-buffer.ts';
import { shown } from '../source/shown.ts';
import type { Engine } from './engine.ts';
import { invalid } from './errors.ts';
import { roundUp } from './expression.ts';
import { NdArray } from './nd-array.ts';
import { isFloat, isInteger, type NumberType, numberTypes } from './number-types.ts';
import { readShape, type Shape, sizeOf } from './shape.ts';

const philox = `static uint4 philox(ulong low, ulong high, uint2 key) {
  uint4 c = (uint4)((uint)low, (uint)(low >> 32), (uint)high, (uint)(high >> 32));
  for (int round = 0; round < 10; round++) {
    ulong a = (ulong)0xD2511F53u * c.x, b = (ulong)0xCD9E8D57u * c.z;
    c = (uint4)((uint)(b >> 32) ^ c.y ^ key.x, (uint)b, (uint)(a >> 32) ^ c.w ^ key.y, (uint)a);
    key += (uint2)(0x9E3779B9u, 0xBB67AE85u);
  }
  return c;
}
static double to_double(uint high, uint low) { return ((ulong)(high >> 5) * 67108864 + (low >> 6)) * 0x1p-53; }
`;

/** How the words of a block become numbers. */
interface Distribution {
  readonly type: NumberType;
  /** Numbers of each block: 2 or 4. */
  readonly perBlock: 2 | 4;
  /** Their code, of the words `w.x` to `w.w`. */
  readonly values: readonly string[];
  readonly statements?: string;
  readonly parameters?: readonly string[];
  readonly arguments?: readonly (number | bigint)[];
}

const words = ['w.x', 'w.y', 'w.z', 'w.w'];
const pairs = [
  ['w.x', 'w.y'],
  ['w.z', 'w.w'],
] as const;
const singles = words.map((word) => `(float)(${word} >> 8) * 0x1p-24f`);
const doubles = pairs.map(([high, low]) => `to_double(${high}, ${low})`);

/** The polar form of Box and Muller: two normal numbers of two uniform ones, of which the first is not 0. */
const normalSingles = `    float m0 = sqrt(-2 * log(((float)(w.x >> 8) + 1) * 0x1p-24f)), m1 = sqrt(-2 * log(((float)(w.z >> 8) + 1) * 0x1p-24f));
    float t0 = ${singles[1]} * 2, t1 = ${singles[3]} * 2;
`;
const normalDoubles = `    double m0 = sqrt(-2 * log(to_double(w.x, w.y) + 0x1p-53)), t0 = to_double(w.z, w.w) * 2;
`;

/** A sequence of random numbers. Each call takes the numbers that follow those of the call before. */
export class RandomNumbers {
  readonly #engine: Engine;
  readonly #seed: bigint;
  #counter: bigint;

  /** Made by `random` of {@link Arrays}. */
  constructor(engine: Engine, seed: number | bigint, counter: number | bigint) {
    this.#engine = engine;
    this.#seed = whole('a seed', seed, 64n);
    this.#counter = whole('a counter', counter, 128n);
  }

  /** The number of the next block, which `random(seed, { counter })` begins with. */
  get counter(): bigint {
    return this.#counter;
  }

  /** Whole words of 32 random bits, in the order of Random123. */
  bits(shape: number | Shape): NdArray<'uint32'> {
    return this.#array(shape, { type: 'uint32', perBlock: 4, values: words }) as NdArray<'uint32'>;
  }

  /** From `low`, included, to `high`, not included. */
  uniform<T extends 'float32' | 'float64' = 'float32'>(
    shape: number | Shape,
    options: { readonly low?: number; readonly high?: number; readonly type?: T } = {},
  ): NdArray<T> {
    const { low = 0, high = 1 } = options;
    const type = floatType(options.type);
    const { c } = numberTypes[type];
    const isUnit = low === 0 && high === 1;
    const values = (type === 'float32' ? singles : doubles).map((value) =>
      isUnit ? value : `low + (high - low) * (${value})`,
    );
    return this.#array(shape, {
      type,
      perBlock: type === 'float32' ? 4 : 2,
      values,
      ...(isUnit ? {} : { parameters: [`${c} low`, `${c} high`], arguments: [low, high] }),
    }) as NdArray<T>;
  }

  /** The normal distribution of a mean and a standard deviation. */
  normal<T extends 'float32' | 'float64' = 'float32'>(
    shape: number | Shape,
    options: { readonly mean?: number; readonly deviation?: number; readonly type?: T } = {},
  ): NdArray<T> {
    const { mean = 0, deviation = 1 } = options;
    const type = floatType(options.type);
    const { c } = numberTypes[type];
    const count = type === 'float32' ? 2 : 1;
    const values = Array.from({ length: count }, (_, p) => [
      `mean + deviation * (m${p} * cospi(t${p}))`,
      `mean + deviation * (m${p} * sinpi(t${p}))`,
    ]).flat();
    return this.#array(shape, {
      type,
      perBlock: type === 'float32' ? 4 : 2,
      values,
      statements: type === 'float32' ? normalSingles : normalDoubles,
      parameters: [`${c} mean`, `${c} deviation`],
      arguments: [mean, deviation],
    }) as NdArray<T>;
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
    const values = pairs.map(([high, low]) => {
      const word = `((ulong)${high} << 32 | ${low})`;
      return range === 2n ** 64n ? `(${c})${word}` : `(${c})(low + (long)mul_hi(${word}, range))`;
    });
    return this.#array(shape, {
      type,
      perBlock: 2,
      values,
      parameters: ['long low', 'ulong range'],
      arguments: [BigInt.asIntN(64, first), BigInt.asUintN(64, range)],
    }) as NdArray<T>;
  }

  #array(given: number | Shape, distribution: Distribution): NdArray {
    const engine = this.#engine;
    const shape = readShape(given);
    const counter = this.#counter;
    const size = sizeOf(shape);
    this.#counter = BigInt.asUintN(128, counter + BigInt(Math.ceil(size / distribution.perBlock)));
    const run = () => fill(engine, distribution, size, this.#seed, counter);
    return new NdArray(engine, engine.task(distribution.type, shape, [], run));
  }
}

async function fill(
  engine: Engine,
  { type, perBlock, values, statements = '', parameters = [], arguments: more = [] }: Distribution,
  size: number,
  seed: bigint,
  counter: bigint,
): Promise<DeviceBuffer> {
  const out = engine.buffer(type, size);
  if (size === 0) return out;
  const writes = values
    .slice(0, perBlock)
    .map((value, v) => `    ${v === 0 ? '' : `if (i + ${v} < size) `}out[i + ${v}] = ${value};\n`)
    .join('');
  const blocks = Math.ceil(size / perBlock);
  const source = `${philox}kernel void random(global ${numberTypes[type].c} *out, uint size, ulong low_counter, ulong high_counter, uint key0, uint key1${parameters.map((p) => `, ${p}`).join('')}) {
  uint block = get_global_id(0), i = block * ${perBlock};
  if (i >= size) return;
  ulong c = low_counter + block;
  uint4 w = philox(c, high_counter + (c < low_counter), (uint2)(key0, key1));
${statements}${writes}}
`;
  await engine.launch(source, { global: [roundUp(blocks, 64)] }, [
    out,
    size,
    BigInt.asUintN(64, counter),
    counter >> 64n,
    Number(seed & 0xffffffffn),
    Number(seed >> 32n),
    ...more,
  ]);
  return out;
}

function floatType(type: NumberType | undefined): 'float32' | 'float64' {
  const found = type ?? 'float32';
  if (!isFloat(found)) throw invalid(`these random numbers are float32 or float64, not ${shown(found)}`);
  return found as 'float32' | 'float64';
}

function whole(what: string, value: number | bigint, bits: bigint): bigint {
  const isWhole = typeof value === 'bigint' || Number.isSafeInteger(value);
  if (!isWhole || value < 0 || BigInt(value) >= 2n ** bits) {
    throw invalid(`${what} is a whole number from 0 to 2^${bits} - 1, not ${shown(value)}`);
  }
  return BigInt(value);
}
