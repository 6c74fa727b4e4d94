/** Checks of results against JavaScript references: all elements, or a sample of them where all would take too long. */
import { createRandom } from '../../samples/support/random.ts';

/**
 * Compares elements with what they should be.
 * @param tolerance allowed distance, as a part of the expected value's size plus `scale`
 */
export function near(
  found: ArrayLike<number>,
  expected: (index: number) => number,
  {
    tolerance = 0,
    scale = 0,
    indices,
  }: { tolerance?: number; scale?: number; indices?: Iterable<number> } = {},
): string | undefined {
  for (const index of indices ?? all(found.length)) {
    const right = expected(index);
    const distance = Math.abs(found[index]! - right);
    // Written so that a NaN is wrong.
    if (!(distance <= tolerance * (Math.abs(right) + scale))) {
      return `element ${index} is ${found[index]}, not ${right}`;
    }
  }
  return undefined;
}

/** So many places of an array, the first and the last among them; the same at every call. */
export function sample(length: number, places = 500): number[] {
  const random = createRandom(places);
  return [0, length - 1, ...Array.from({ length: places }, () => random.below(length))];
}

/** The first complaint. */
export function firstOf(...complaints: readonly (string | undefined)[]): string | undefined {
  return complaints.find((complaint) => complaint !== undefined);
}

function* all(length: number): Generator<number> {
  for (let index = 0; index < length; index += 1) yield index;
}
