/**
 * MRG32k3a (L'Ecuyer, Good parameters and implementations for combined multiple recursive random number generators; Operations Research 47, 1999),
 * with the streams and substreams of RngStreams (L'Ecuyer, Simard, Chen, Kelton, 2002), which begin 2^127 and 2^76 numbers apart. Its state is two
 * vectors of three numbers, which a step multiplies by matrices; so n steps are the n-th powers of these. A work-item makes numbers that follow each
 * other, and comes to where they begin by the powers for the bits of its id. The same is true of values that are found by trial: each has room for 128
 * numbers.
 */
import type { DeviceBuffer } from '../api/javascript/device-buffer.ts';
import type { Engine } from './engine.ts';
import { type Distribution, type RandomSource, type Taking, valuesPerBlock } from './random-source.ts';

export type Matrix = readonly bigint[];
export type MrgState = readonly bigint[];

export const m1 = 4294967087n;
const m2 = 4294944443n;
export const moduli: readonly bigint[] = [m1, m1, m1, m2, m2, m2];

export const steps: readonly (readonly [matrix: Matrix, modulus: bigint])[] = [
  [[0n, 1n, 0n, 0n, 0n, 1n, m1 - 810728n, 1403580n, 0n], m1],
  [[0n, 1n, 0n, 0n, 0n, 1n, m2 - 1370589n, 0n, 527612n], m2],
];

export function product(a: Matrix, b: Matrix, modulus: bigint): Matrix {
  return Array.from({ length: 9 }, (_, at) => {
    const [row, column] = [Math.floor(at / 3), at % 3];
    return [0, 1, 2].reduce((sum, k) => sum + a[3 * row + k]! * b[3 * k + column]!, 0n) % modulus;
  });
}

export function power(matrix: Matrix, exponent: bigint, modulus: bigint): Matrix {
  let result: Matrix = [1n, 0n, 0n, 0n, 1n, 0n, 0n, 0n, 1n];
  let square = matrix;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = product(result, square, modulus);
    square = product(square, square, modulus);
  }
  return result;
}

/** Behind so many steps. */
export function advanced(state: MrgState, count: bigint): MrgState {
  if (count === 0n) return state;
  return steps.flatMap(([matrix, modulus], half) => {
    const jump = power(matrix, count, modulus);
    return [0, 1, 2].map(
      (row) => [0, 1, 2].reduce((sum, k) => sum + jump[3 * row + k]! * state[3 * half + k]!, 0n) % modulus,
    );
  });
}

/** Numbers that a block takes, or a value that is found by trial: a double is one of them, as in RngStreams. */
export const numbersTaken: Readonly<Record<Taking, number>> = {
  words: 4,
  singles: 4,
  doubles: 2,
  longs: 4,
  trial: 128,
};

export class MrgSource implements RandomSource {
  readonly #engine: Engine;
  readonly #start: MrgState;
  #counter: bigint;

  /** @param start its state at 0 */
  constructor(engine: Engine, start: MrgState, counter: bigint) {
    this.#engine = engine;
    this.#start = start;
    this.#counter = counter;
  }

  get counter(): bigint {
    return this.#counter;
  }

  take(kind: Taking, size: number): (distribution: Distribution) => Promise<DeviceBuffer> {
    const counter = this.#counter;
    const blocks = kind === 'trial' ? size : Math.ceil(size / valuesPerBlock[kind]);
    this.#counter += BigInt(blocks * numbersTaken[kind]);
    return async (distribution) => {
      const { fillByMrg } = await import('./algorithms.ts');
      return fillByMrg(this.#engine, distribution, size, advanced(this.#start, counter));
    };
  }
}
