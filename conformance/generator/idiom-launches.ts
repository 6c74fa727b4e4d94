/** How idioms are launched (idioms.ts): ranges, numbers, buffers, images. */
import { imageOf, samplerBits } from '../../test/support/images.ts';
import type { Random } from '../../test/support/random.ts';
import type { TestImage } from '../../test/support/run-kernel.ts';

/** A buffer, part of the one that another argument is (by its index), the bytes of a value, an image, or a sampler's bits. */
export type IdiomArgument =
  | { buffer: Uint8Array }
  | { bytes: Uint8Array }
  | { within: number; offset: number }
  | { image: TestImage }
  | { sampler: number };

export interface IdiomRange {
  readonly global: number[];
  readonly local: number[];
  readonly offset: number[];
}

export interface IdiomLaunch {
  readonly range: IdiomRange;
  /** Buffers are what the kernel starts from; copy them for each run. */
  readonly arguments: readonly IdiomArgument[];
}

/** Elements of a buffer of data; pointers to them point to the middle. */
export const elements = 4096;

/** Elements of `own` for each work-item, and as many before all of them. */
export const ownElements = 32;

const ownIntegers = ['char', 'uchar', 'short', 'ushort', 'int', 'uint', 'long', 'ulong'] as const;

const dataTypes = 'int int float float uint short uchar char ushort int4 uchar4 float4 short2'.split(' ');

/** Formats of images, and how they are read. */
const formats = [
  ['RGBA', 'UNSIGNED_INT8', 'ui'],
  ['RGBA', 'SIGNED_INT32', 'i'],
  ['R', 'UNSIGNED_INT8', 'ui'],
  ['RG', 'SIGNED_INT16', 'i'],
  ['RGBA', 'UNORM_INT8', 'f'],
  ['BGRA', 'UNORM_INT8', 'f'],
  ['R', 'FLOAT', 'f'],
  ['RGBA', 'FLOAT', 'f'],
  ['RGBA', 'HALF_FLOAT', 'f'],
] as const;

const samplers = [
  samplerBits.clampToEdge | samplerBits.nearest,
  samplerBits.clamp | samplerBits.nearest,
  samplerBits.none | samplerBits.nearest,
  samplerBits.clampToEdge | samplerBits.linear,
  samplerBits.clamp | samplerBits.linear,
] as const;

/** Sizes that kernels are written for. */
const groups = [
  [8, 8, 1],
  [8, 8, 1],
  [4, 4, 1],
  [16, 4, 1],
  [4, 8, 1],
  [32, 2, 1],
  [6, 6, 1],
  [16, 1, 2],
] as const;

/** What all launches of a kernel have in common. */
export interface IdiomFacts {
  readonly dimensions: number;
  /** Of the elements of `a` and `b`. */
  readonly dataTypes: readonly [string, string];
  /** `a` is the buffer `out` in some launches. */
  readonly isAliased: boolean;
  readonly isRestrict: boolean;
  /** Sums may be added up in any order. */
  readonly isLoose: boolean;
  /** OpenCL C 2.0, where the last groups may be smaller. */
  readonly isNew: boolean;
  /** Loops may be long; ranges are small then. */
  readonly isLong: boolean;
  /** Some launches have ids near the largest numbers. */
  readonly isFar: boolean;
  /** `b` is in constant memory. */
  readonly isConstant: boolean;
  /** The size of all groups, if the kernel is written for one. */
  readonly group: readonly number[] | undefined;
  /** Of the image, if there is one. */
  readonly format: (typeof formats)[number] | undefined;
  readonly sampler: number;
  /** What the elements of `own` are, memory that each work-item has a part of to itself; undefined without it. */
  readonly own: string | undefined;
  /** Those of a work-item are apart, with one of each other's between two of them. */
  readonly isOwnApart: boolean;
  /** No product of floating-point numbers is ever rounded, so that it may be computed together with a sum. */
  readonly isExact: boolean;
}

export function makeFacts(random: Random): IdiomFacts {
  const isRestrict = random.below(2) === 0;
  const isFloat = random.below(6) === 0;
  const [a, b] = [random.pick(dataTypes), random.pick(dataTypes)].map((type) =>
    isFloat ? 'float' : type,
  ) as [string, string];
  const format = random.below(4) === 0 ? random.pick(formats) : undefined;
  const isAliased = !isRestrict && a === 'int' && random.below(2) === 0;
  const isLoose = format?.[2] !== 'f' && random.below(3) === 0;
  return {
    dimensions: random.pick([1, 1, 2, 2, 2, 3]),
    dataTypes: [a, b],
    isAliased,
    isRestrict,
    isLoose,
    isNew: random.below(4) === 0,
    isLong: random.below(4) === 0,
    isFar: random.below(10) === 0,
    isConstant: random.below(5) === 0,
    group: random.below(3) === 0 ? random.pick(groups) : undefined,
    format,
    sampler: random.pick(samplers),
    // Halves of halves are not added up in any order.
    own:
      random.below(2) === 0
        ? random.pick([...ownIntegers, ...(isLoose ? [] : ['float', 'double'])])
        : undefined,
    isOwnApart: random.below(5) === 0,
    // What others have left in `a`, and what images are read as, may be any number.
    isExact: !isAliased && !format && random.below(3) === 0,
  };
}

/** The kernel's whole numbers, by their names, for each launch. */
export type Numbers = Readonly<Record<'n' | 'm' | 'w' | 'h' | 'big', number[]>>;

export function makeNumbers(random: Random, { isLong }: IdiomFacts, ranges: readonly IdiomRange[]): Numbers {
  const forEach = (pool: readonly number[]): number[] => ranges.map(() => random.pick(pool));
  const numbers: Numbers = {
    n: forEach(isLong ? [0, 7, 33, 150, 260, -3] : [0, 1, 3, 8, 17, 33, -2]),
    m: forEach([0, 2, 5, 8, 16, 19]),
    w: forEach([1, 4, 9, 16, 24, 31]),
    h: forEach([1, 2, 3, 6, 8]),
    big: forEach([0, -1, 2 ** 31 - 1, -(2 ** 31), 70000, 12, 2 ** 30]),
  };
  // A launch that fits its bounds, as most do.
  if (random.below(5) < 3) {
    numbers.w[0] = ranges[0]!.global[0]!;
    numbers.h[0] = ranges[0]!.global[1] ?? 1;
  }
  return numbers;
}

export function makeRange(
  random: Random,
  { dimensions, group, isFar, isLong, isNew }: IdiomFacts,
): IdiomRange {
  const widths = [1, 2, 3, 4, 5, 7, 8, 8, 12, 16, 16, 17, 20];
  const heights = [1, 2, 3, 4, 4, 5, 8];
  const local = [random.pick(widths), random.pick(heights), random.pick([1, 2])].slice(0, dimensions);
  if (dimensions > 1 && local[0]! * local[1]! > 64) local[1] = 2;
  // Many groups below each other are those that go through loops together (work-group fusion).
  const isTall = dimensions > 1 && random.below(4) === 0;
  if (isTall) local.splice(0, 2, 1 + random.below(4), 1 + random.below(3));
  if (group) local.splice(0, dimensions, ...group.slice(0, dimensions));
  const counts = isTall ? [group ? 2 : 4, group ? 6 : 11, 1] : [isLong ? 1 : 3, 2, 2];
  const global = local.map((size, dimension) => size * (1 + random.below(counts[dimension]!)));
  if (isNew && !group && random.below(5) < 2) {
    for (const [at, size] of local.entries()) global[at]! -= random.below(Math.min(global[at]!, size));
  }
  const offset = local.map(() => (random.below(7) === 0 ? 1 + random.below(9) : 0));
  // Up to the largest id that a device takes, or nearly.
  if (isFar && random.below(2) === 0) offset[0] = 2 ** 31 - 1 - global[0]! - random.pick([0, 5, 18]);
  return { local, global, offset };
}

/** The launch of a number. */
export function makeLaunch(
  random: Random,
  facts: IdiomFacts,
  range: IdiomRange,
  numbers: Numbers,
  index: number,
): IdiomLaunch {
  const items = range.global.reduce((a, b) => a * b);
  const [a, b] = facts.dataTypes;
  return {
    range,
    arguments: [
      facts.isAliased && index > 0 ? { within: 2, offset: 0 } : { buffer: makeData(random, a) },
      { buffer: makeData(random, b, { isFactor: facts.isExact }) },
      { buffer: facts.isAliased ? makeData(random, 'int') : new Uint8Array(items * 16) },
      { buffer: new Uint8Array(items * 4) },
      { buffer: new Uint8Array(32) },
      ...(facts.own ? [{ buffer: makeData(random, facts.own, { count: ownElements * (items + 1) }) }] : []),
      ...Object.values(numbers).map((each) => ({
        bytes: new Uint8Array(Int32Array.of(each[index]!).buffer),
      })),
      ...(facts.format ? [makeImage(random, facts.format), { sampler: facts.sampler }] : []),
    ],
  };
}

const arrays: Readonly<
  Record<string, { from(shape: { length: number }, next: () => number): ArrayBufferView }>
> = {
  int: Int32Array,
  uint: Uint32Array,
  float: Float32Array,
  short: Int16Array,
  ushort: Uint16Array,
  char: Int8Array,
  uchar: Uint8Array,
  double: Float64Array,
  long: { from: (shape, next) => BigInt64Array.from(shape, () => BigInt(next())) },
  ulong: { from: (shape, next) => BigUint64Array.from(shape, () => BigInt(next())) },
};

/** Small whole numbers; factors are 1, 0 and, where there is a sign, -1, so that their products stay small. */
function makeData(random: Random, type: string, { count = elements, isFactor = false } = {}): Uint8Array {
  const [, element = '', lanes] = /^([a-z]+)(\d*)$/.exec(type)!;
  const hasSign = !element.startsWith('u');
  const [least, most] = isFactor ? [hasSign ? -1 : 0, 1] : hasSign ? [-8, 8] : [0, 16];
  const array = arrays[element]!.from(
    { length: count * Number(lanes || 1) },
    () => random.below(most - least + 1) + least,
  );
  return new Uint8Array(array.buffer);
}

function makeImage(random: Random, [order, type]: readonly [string, string, string]): { image: TestImage } {
  const image = imageOf('image2d_t', [order, type], [1 + random.below(24), 1 + random.below(8)]);
  const { length } = image.pixels;
  const pixels =
    type === 'FLOAT'
      ? Float32Array.from({ length: length / 4 }, () => random.below(99) - 40)
      : type === 'HALF_FLOAT'
        ? Uint16Array.from({ length: length / 2 }, () => 0x3800 + random.below(0x800))
        : Uint8Array.from({ length }, () => random.below(256));
  return { image: { shape: image.shape, pixels: new Uint8Array(pixels.buffer) } };
}
