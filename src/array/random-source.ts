/**
 * What generators of random numbers and distributions of them share. A distribution is written in terms of uniform numbers, which a generator
 * has code for; its values come in blocks, each of the same count of uniform numbers, or are found by trial, each from as many as it takes.
 */
import type { DeviceBuffer } from '../api/javascript/device-buffer.ts';
import type { NumberType } from './number-types.ts';

/** Code of the uniform numbers of a block. */
export interface Uniform {
  /** One of 4 words of 32 bits. */
  word(index: number): string;
  /** One of 4 floats, from 0, included, to 1; and from 0 to 1, included. */
  single(index: number): string;
  openSingle(index: number): string;
  /** One of 2 doubles, in the same way. */
  double(index: number): string;
  openDouble(index: number): string;
  /** One of 2 words of 64 bits. */
  long(index: number): string;
}

/** What a block has, and how many values are made of it. */
export type BlockKind = 'words' | 'singles' | 'doubles' | 'longs';
export const valuesPerBlock: Readonly<Record<BlockKind, 2 | 4>> = {
  words: 4,
  singles: 4,
  doubles: 2,
  longs: 2,
};

export interface Parameters {
  readonly type: NumberType;
  /** Functions in OpenCL C. */
  readonly helpers?: string;
  /** Of the kernel, in OpenCL C, with their values. */
  readonly parameters?: readonly string[];
  readonly arguments?: readonly (number | bigint)[];
}

export interface BlockDistribution extends Parameters {
  readonly block: BlockKind;
  readonly values: (uniform: Uniform) => readonly string[];
  readonly statements?: (uniform: Uniform) => string;
}

export interface TrialDistribution extends Parameters {
  /** Of the uniform numbers. */
  readonly real: 'float' | 'double';
  /** Sets `value`; `NEXT(u, v)` gives two uniform numbers, `u` from 0 to 1, included, and `v` from 0, included, to 1. */
  readonly trial: string;
}

export type Distribution = BlockDistribution | TrialDistribution;

/** How values take uniform numbers. */
export type Taking = BlockKind | 'trial';

export const takingOf = (distribution: Distribution): Taking =>
  'block' in distribution ? distribution.block : 'trial';

/** A generator at a place of its sequence. */
export interface RandomSource {
  /** Where the next numbers begin. */
  readonly counter: bigint;
  /** Goes on behind what so many values take; they are made when the function that this gives is called. */
  take(kind: Taking, size: number): (distribution: Distribution) => Promise<DeviceBuffer>;
}

/** Writes of the values of a block, of which the last may not be there. */
export const writesOf = (values: readonly string[], indent: string): string =>
  values
    .map((value, v) => `${indent}${v === 0 ? '' : `if (i + ${v} < size) `}out[i + ${v}] = ${value};\n`)
    .join('');
