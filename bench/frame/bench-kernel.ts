/**
 * What a measured kernel is: its source, what it is given, how it is launched and how its result is checked. Each file
 * of bench/kernels describes one, or a few that share their data.
 */
import { createRandom } from '../../samples/support/random.ts';

export type Data = Float32Array | Int32Array | Uint32Array | Int16Array | Uint8Array | Float64Array;

/** The figure that a case's time is turned into: so many bytes moved, or operations done, in one run. */
export interface Work {
  readonly unit: 'GB/s' | 'GFLOP/s' | 'Gop/s' | 'M/s';
  /** Bytes or operations of one run; for M/s, things handled. */
  readonly amount: number;
}

/** A 2D image, without gaps between its rows. */
export interface BenchImage {
  /** As CL names it, without `CL_`. */
  readonly order: 'R' | 'RGBA';
  readonly type: 'UNORM_INT8' | 'FLOAT';
  readonly width: number;
  readonly height: number;
  /** A number is so many bytes whose content does not matter. */
  readonly pixels: Data | number;
}

/** One argument: the name of a buffer or an image, bytes of a value, or local memory. */
export type Argument = string | Float32Array | Int32Array | Uint32Array | { readonly local: number };

export interface Launch {
  readonly kernel: string;
  readonly global: readonly number[];
  readonly local?: readonly number[];
  readonly arguments: readonly Argument[];
}

/** A kernel with its data, at one size. One run is all its launches. */
export interface BenchCase {
  /** For people: `16M floats`. */
  readonly size: string;
  /** Contents before a run; a number is so many bytes whose content does not matter. */
  readonly buffers: Readonly<Record<string, Data | number>>;
  readonly images?: Readonly<Record<string, BenchImage>>;
  readonly launches: readonly Launch[];
  readonly work: Work;
  /** Buffers that a run changes and the next one needs as they were. */
  readonly restored?: readonly string[];
  /** What is wrong with the result of one run, in words; undefined if it is right. */
  check(result: Result): string | undefined;
}

/** Reads a buffer or an image back as elements of a type. */
export type Result = <T extends Data>(
  name: string,
  type: { new (length: number): T; readonly BYTES_PER_ELEMENT: number },
) => T;

export type Size = 'full' | 'quick';

export interface BenchKernel {
  readonly name: string;
  readonly source: string;
  /** Build options, the same on every device. */
  readonly options?: string;
  prepare(size: Size): BenchCase;
}

/** Values of arguments. */
export const float = (value: number): Float32Array => Float32Array.of(value);
export const int = (value: number): Int32Array => Int32Array.of(value);
export const uint = (value: number): Uint32Array => Uint32Array.of(value);

/** Seeded floats from `low` up to, not including, `high`. */
export function floats(count: number, seed: number, low = 0, high = 1): Float32Array {
  const random = createRandom(seed);
  const data = new Float32Array(count);
  for (let index = 0; index < count; index += 1) data[index] = random.between(low, high);
  return data;
}

/** Seeded whole numbers from 0 to `limit` - 1. */
export function wholes(count: number, seed: number, limit: number): Uint32Array {
  const random = createRandom(seed);
  const data = new Uint32Array(count);
  for (let index = 0; index < count; index += 1) data[index] = random.below(limit);
  return data;
}

/** `1024 x 1024`. */
export function square(n: number): string {
  return `${n} x ${n}`;
}

/** `16M`, `64K`: powers of two by their usual letters. */
export function count(n: number): string {
  if (n >= 2 ** 20 && n % 2 ** 20 === 0) return `${n / 2 ** 20}M`;
  return n >= 2 ** 10 && n % 2 ** 10 === 0 ? `${n / 2 ** 10}K` : String(n);
}
