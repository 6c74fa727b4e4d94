/**
 * Transforms of lengths with large prime factors (Bluestein, 1970): j k = (j^2 + k^2 - (j - k)^2) / 2 makes of them a convolution, which
 * transforms of a smooth length from 2 n - 1 on compute.
 */
import { radicesOf, smoothFrom, unitRoot } from './factors.ts';
import { lineMakers } from './passes.ts';
import { type Lines, launchOf, loadCode, type Maker, type Real, stepText, storeCode } from './steps.ts';

/** The steps of transforms of any length. */
export function bluesteinMakers(real: Real, n: number, lines: Lines, sign: 1 | -1): Maker[] {
  const m = smoothFrom(2 * n - 1);
  const chirp = chirpOf(n, sign);
  const total = (length: number): number => length * lines.s * lines.outer;
  return [
    product(real, lines, { read: n, written: m, table: chirp, tableLength: n }, total(m)),
    ...lineMakers(real, m, lines, -1),
    product(real, lines, { read: m, written: m, table: spectrumOf(chirp, n, m), tableLength: m }, total(m)),
    ...lineMakers(real, m, lines, 1),
    product(real, lines, { read: m, written: n, table: chirp, tableLength: n }, total(n)),
  ];
}

interface Product {
  /** Lengths of lines. */
  readonly read: number;
  readonly written: number;
  /** In pairs. */
  readonly table: Float64Array;
  readonly tableLength: number;
}

/** Each number times that of a table; behind the table are zeros. */
function product(
  real: Real,
  lines: Lines,
  { read, written, table, tableLength }: Product,
  total: number,
): Maker {
  const launch = launchOf(lines, written);
  const make: Maker['make'] = (from, to, scale) => {
    const { re, im } = loadCode(from.form, `q + ${launch.s} * (o * read + p)`);
    const body = `${launch.begin}  R a = 0, b = 0;
  if (p < used) {
    R c = scale * w[2 * p], d = scale * w[2 * p + 1], re = ${re}, im = ${im};
    a = re * c - im * d;
    b = re * d + im * c;
  }
  ${storeCode(to.form, `q + ${launch.s} * (o * count + p)`, 'a', 'b')}
`;
    return {
      source: stepText(
        real,
        'product',
        ['int s', 'int count', 'int read', 'int used', 'R scale'],
        body,
        true,
      ),
      global: launch.global,
      table,
      values: [lines.s, written, read, Math.min(tableLength, written), scale],
    };
  };
  return { total, make };
}

/** exp(sign pi i j^2 / n), in pairs. */
function chirpOf(n: number, sign: number): Float64Array {
  const chirp = new Float64Array(2 * n);
  for (let j = 0; j < n; j += 1) {
    const [c, s] = unitRoot(squareModulo(j, 2 * n), 2 * n);
    chirp.set([c, sign * s], 2 * j);
  }
  return chirp;
}

/** Exact where the square of a length is not. */
const squareModulo = (j: number, modulus: number): number =>
  j < 94_906_265 ? (j * j) % modulus : Number((BigInt(j) * BigInt(j)) % BigInt(modulus));

/** The transform of the conjugated chirp, which is wound around the length, over the length. */
function spectrumOf(chirp: Float64Array, n: number, m: number): Float64Array {
  const wound = new Float64Array(2 * m);
  for (let j = 0; j < n; j += 1) {
    const value = [chirp[2 * j]! / m, -chirp[2 * j + 1]! / m];
    wound.set(value, 2 * j);
    if (j > 0) wound.set(value, 2 * (m - j));
  }
  return hostTransform(wound, radicesOf(m));
}

/** The forward transform, on the host: for tables. */
function hostTransform(x: Float64Array, radices: readonly number[]): Float64Array {
  let [from, to]: [Float64Array, Float64Array] = [x, new Float64Array(x.length)];
  let [n, s] = [x.length / 2, 1];
  for (const radix of radices) {
    const m = n / radix;
    for (let p = 0; p < m; p += 1) {
      const roots = Array.from({ length: radix * radix }, (_, at) => {
        const [j, k] = [Math.floor(at / radix), at % radix];
        return unitRoot(j * (p + m * k), n);
      });
      for (let q = 0; q < s; q += 1) {
        for (let j = 0; j < radix; j += 1) {
          let [re, im] = [0, 0];
          for (let k = 0; k < radix; k += 1) {
            const [c, sine] = roots[j * radix + k]!;
            const at = 2 * (q + s * (p + m * k));
            re += from[at]! * c + from[at + 1]! * sine;
            im += from[at + 1]! * c - from[at]! * sine;
          }
          const place = 2 * (q + s * (radix * p + j));
          to[place] = re;
          to[place + 1] = im;
        }
      }
    }
    [n, s] = [m, s * radix];
    [from, to] = [to, from];
  }
  return from;
}
