// Compares what a kernel computed with what its reference computed. A comparison is equality wherever the
// mathematics allows it; where rounding may differ the sample states a bound and says why.
import type { Check } from './sample.ts';

/** Every element is the same number. NaN is never right here. */
export function checkEqual(actual: ArrayLike<number>, expected: ArrayLike<number>): Check {
  if (actual.length !== expected.length) return wrongLength(actual, expected);
  let wrong = 0;
  let first = -1;
  for (let i = 0; i < expected.length; i++) {
    if (actual[i] === expected[i]) continue;
    if (wrong === 0) first = i;
    wrong++;
  }
  if (wrong === 0) return { ok: true, detail: `${counted(expected.length)} equal` };
  return {
    ok: false,
    detail: `${wrong} of ${counted(expected.length)} differ, first at ${first}: ${actual[first]}, not ${expected[first]}`,
  };
}

/** Every element lies within its bound of the expected one; `bound` gives the largest allowed difference. */
export function checkWithin(
  actual: ArrayLike<number>,
  expected: ArrayLike<number>,
  bound: (index: number) => number,
): Check {
  if (actual.length !== expected.length) return wrongLength(actual, expected);
  let wrong = 0;
  let first = -1;
  let worst = 0;
  for (let i = 0; i < expected.length; i++) {
    const difference = Math.abs(actual[i]! - expected[i]!);
    // Written so that a NaN counts as wrong.
    if (difference <= bound(i)) {
      if (difference > worst) worst = difference;
      continue;
    }
    if (wrong === 0) first = i;
    wrong++;
  }
  if (wrong === 0)
    return { ok: true, detail: `${counted(expected.length)}, largest error ${worst.toExponential(1)}` };
  return {
    ok: false,
    detail: `${wrong} of ${counted(expected.length)} out of bound, first at ${first}: ${actual[first]}, not ${expected[first]}`,
  };
}

/** Both must hold; the detail is the first that fails, or the two together. */
export function checkBoth(one: Check, other: Check): Check {
  if (one.ok && other.ok) return { ok: true, detail: `${one.detail}; ${other.detail}` };
  return one.ok ? other : one;
}

function wrongLength(actual: ArrayLike<number>, expected: ArrayLike<number>): Check {
  return { ok: false, detail: `${actual.length} numbers, not ${expected.length}` };
}

function counted(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'number' : 'numbers'}`;
}
