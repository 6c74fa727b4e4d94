/** Cases of arrays that NumPy has computed: numpy.json, written by make-fixtures.py. Types and shapes are compared, too. */
import { readFileSync } from 'node:fs';
import type { Arrays, NdArray, NumberType } from 'millrace/array';
import { expect } from 'vitest';

interface Numbers {
  readonly type: NumberType;
  readonly shape: readonly number[];
  readonly data: readonly string[];
}
export interface Case {
  readonly name: string;
  readonly method: string;
  readonly inputs: readonly Numbers[];
  readonly args: readonly unknown[];
  readonly expected: Numbers;
  /** By how many units in the last place of the largest expected number results may differ. */
  readonly ulps: number;
}
export const cases = JSON.parse(readFileSync('test/array/numpy.json', 'utf8')) as readonly Case[];

const isFloat = (type: NumberType): boolean => type.startsWith('float');
const isWide = (type: NumberType): boolean => type.endsWith('64') && !isFloat(type);

function input(np: Arrays, { type, shape, data }: Numbers): NdArray {
  const values = isWide(type) ? data.map(BigInt) : data.map(Number);
  return np.array(values, type, shape);
}

export async function compute(np: Arrays, { method, inputs, args }: Case): Promise<NdArray> {
  const [first, ...others] = inputs.map((one) => input(np, one));
  const call = (first as unknown as Record<string, (...given: unknown[]) => unknown>)[method]!;
  const result = await call.call(first, ...others, ...args);
  return method === 'histogram' ? (result as { counts: NdArray }).counts : (result as NdArray);
}

/** A float as text that tells zeros apart, and all NaNs alike. */
const shown = (value: number): string => (Object.is(value, -0) ? '-0' : String(value));

export function compare(
  name: string,
  data: ArrayLike<number | bigint>,
  expected: Numbers,
  ulps: number,
): void {
  const values = Array.from(data as ArrayLike<number>);
  if (!isFloat(expected.type)) {
    expect(values.map(String), name).toEqual(expected.data);
    return;
  }
  const wanted = expected.data.map(Number);
  if (ulps === 0) {
    expect(values.map(shown), name).toEqual(wanted.map(shown));
    return;
  }
  const unit = expected.type === 'float32' ? 2 ** -23 : 2 ** -52;
  expect(values.length, name).toBe(wanted.length);
  values.forEach((value, i) => {
    const other = wanted[i]!;
    if (Number.isFinite(other)) {
      const difference = Math.abs(value - other);
      expect(difference, `${name} [${i}]: ${value}, not ${other}`).toBeLessThanOrEqual(
        ulps * unit * Math.max(Math.abs(other), 2 ** -100),
      );
    } else expect(shown(value), `${name} [${i}]`).toBe(shown(other));
  });
}

/** By how much results of a case may differ: which zero is the smallest one NumPy leaves to the order in which it compares them. */
export function ulpsOf({ method, ulps }: Case): number {
  return ['min', 'max'].includes(method) ? Math.max(ulps, Number.MIN_VALUE) : ulps;
}
