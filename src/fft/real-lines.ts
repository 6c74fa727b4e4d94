/**
 * Transforms of real numbers have, of n results, n / 2 + 1 that are not conjugates of others. Of an even length they are one of half the
 * length, of the real numbers taken for pairs, and a step that separates what those were; of an odd length the whole transform.
 */
import { unitRoot } from './factors.ts';
import { launchOf, loadCode, type Maker, type Real, stepText, storeCode } from './steps.ts';

const parameters = ['int s', 'int count', 'int n', 'R scale'];

/** The roots that even lengths need, in pairs. */
function roots(n: number): Float64Array {
  const table = new Float64Array(n + 2);
  for (let k = 0; k <= n / 2; k += 1) table.set(unitRoot(k, n), 2 * k);
  return table;
}

/** From the transform of pairs to that of the real numbers in them. */
export function untangled(real: Real, n: number, rows: number): Maker {
  const half = n / 2;
  const launch = launchOf({ s: 1, outer: rows }, half + 1);
  const make: Maker['make'] = (from, to, scale) => {
    const one = loadCode(from.form, 'o * half_n + p % half_n');
    const other = loadCode(from.form, 'o * half_n + (half_n - p) % half_n');
    const body = `${launch.begin}  int half_n = n / 2;
  R a = ${one.re}, b = ${one.im}, c = ${other.re}, d = -(${other.im});
  R er = a + c, ei = b + d, dr = b - d, di = c - a, f = w[2 * p], g = -w[2 * p + 1];
  R h = scale * (R)0.5;
  ${storeCode(to.form, 'o * count + p', 'h * (er + dr * f - di * g)', 'h * (ei + dr * g + di * f)')}
`;
    return {
      source: stepText(real, 'untangle', parameters, body, true),
      global: launch.global,
      table: roots(n),
      values: [1, half + 1, n, scale],
    };
  };
  return { total: rows * (half + 1), make };
}

/** From the transform of real numbers to what a transform of half the length makes pairs of. */
export function tangled(real: Real, n: number, rows: number): Maker {
  const half = n / 2;
  const launch = launchOf({ s: 1, outer: rows }, half);
  const make: Maker['make'] = (from, to, scale) => {
    const one = loadCode(from.form, 'o * (count + 1) + p');
    const other = loadCode(from.form, 'o * (count + 1) + count - p');
    // The imaginary parts of the first and the middle one count as 0.
    const body = `${launch.begin}  R a = ${one.re}, b = p == 0 ? 0 : ${one.im}, c = ${other.re}, d = p == 0 ? 0 : -(${other.im});
  R er = a + c, ei = b + d, dr = a - c, di = b - d, f = w[2 * p], g = w[2 * p + 1];
  R tr = dr * f - di * g, ti = dr * g + di * f;
  ${storeCode(to.form, 'o * count + p', 'scale * (er - ti)', 'scale * (ei + tr)')}
`;
    return {
      source: stepText(real, 'tangle', parameters, body, true),
      global: launch.global,
      table: roots(n),
      values: [1, half, n, scale],
    };
  };
  return { total: rows * half, make };
}

/** The first half of each row. */
export function halved(real: Real, n: number, rows: number): Maker {
  const count = (n + 1) / 2;
  const launch = launchOf({ s: 1, outer: rows }, count);
  const make: Maker['make'] = (from, to, scale) => {
    const { re, im } = loadCode(from.form, 'o * n + p');
    const body = `${launch.begin}  R a = ${re}, b = ${im};
  ${storeCode(to.form, 'o * count + p', 'scale * a', 'scale * b')}
`;
    return {
      source: stepText(real, 'halve', parameters, body),
      global: launch.global,
      values: [1, count, n, scale],
    };
  };
  return { total: rows * count, make };
}

/** Whole rows of the half that is there. */
export function mirrored(real: Real, n: number, rows: number): Maker {
  const launch = launchOf({ s: 1, outer: rows }, n);
  const make: Maker['make'] = (from, to, scale) => {
    const { re, im } = loadCode(from.form, 'o * ((n + 1) / 2) + k');
    const body = `${launch.begin}  int k = min(p, n - p);
  R a = ${re}, b = p == 0 ? 0 : p == k ? ${im} : -(${im});
  ${storeCode(to.form, 'o * count + p', 'scale * a', 'scale * b')}
`;
    return {
      source: stepText(real, 'mirror', parameters, body),
      global: launch.global,
      values: [1, n, n, scale],
    };
  };
  return { total: rows * n, make };
}
