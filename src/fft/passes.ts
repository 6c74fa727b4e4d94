/**
 * Passes of a transform along a dimension (Stockham's form, which needs no reordering): of length n = r m with s numbers between
 * neighbours,
 *
 *     y[q + s (r p + j)] = w^(j p) sum over k of exp(-2 pi i j k / r) x[q + s (p + m k)],   w = exp(-2 pi i / n)
 *
 * for p < m and q < s; then m is the length and r s the distance. The dimensions behind the one that is transformed are part of s from the
 * beginning. A work-item computes the r results of one p and q.
 */
import { butterfly } from './butterfly.ts';
import { radicesOf, unitRoot } from './factors.ts';
import { type Lines, launchOf, loadCode, type Maker, type Real, stepText, storeCode } from './steps.ts';

/** The passes of transforms of a smooth length. */
export function lineMakers(real: Real, length: number, lines: Lines, sign: 1 | -1): Maker[] {
  const total = length * lines.s * lines.outer;
  let [n, s] = [length, lines.s];
  return radicesOf(length).map((radix) => {
    const pass = { real, sign, radix, n, lines: { s, outer: lines.outer }, total };
    n /= radix;
    s *= radix;
    return passMaker(pass);
  });
}

interface Pass {
  readonly real: Real;
  readonly sign: 1 | -1;
  readonly radix: number;
  /** What is left of the length before this pass. */
  readonly n: number;
  readonly lines: Lines;
  readonly total: number;
}

function passMaker({ real, sign, radix, n, lines, total }: Pass): Maker {
  const m = n / radix;
  const hasTable = m > 1;
  const launch = launchOf(lines, m);
  const line = n * lines.s;
  const make: Maker['make'] = (from, to, scale) => {
    const names = Array.from({ length: radix }, (_, k) => ({ re: `a${k}`, im: `b${k}` }));
    const loads = names.map((name, k) => {
      const { re, im } = loadCode(from.form, `base + q + ${launch.s} * (p + count * ${k})`);
      return `  R ${name.re} = ${re}, ${name.im} = ${im};\n`;
    });
    const { statements, results } = butterfly(real, names, sign);
    const scaled = (value: string): string => (scale === 1 ? value : `scale * (${value})`);
    const stores = results.map(({ re, im }, j) => {
      const index = `base + q + ${launch.s} * (${radix} * p + ${j})`;
      if (j === 0 || !hasTable) return `  ${storeCode(to.form, index, scaled(re), scaled(im))}\n`;
      const at = (part: number): string => `w[${2 * (j - 1) + part} * count + p]`;
      const factor = `R c${j} = ${at(0)}, d${j} = ${sign === 1 ? '' : '-'}${at(1)};`;
      const [real, imaginary] = [`${re} * c${j} - ${im} * d${j}`, `${re} * d${j} + ${im} * c${j}`];
      return `  ${factor} ${storeCode(to.form, index, scaled(real), scaled(imaginary))}\n`;
    });
    const body = `${launch.begin}  int base = o * line;\n${loads.join('')}${statements}${stores.join('')}`;
    return {
      source: stepText(real, 'pass', ['int s', 'int count', 'int line', 'R scale'], body, hasTable),
      global: launch.global,
      table: hasTable ? passTable(n, radix) : undefined,
      values: [lines.s, m, line, scale],
    };
  };
  return { total, make };
}

/** For each j from 1 on the cosines for all p, then the sines. */
function passTable(n: number, radix: number): Float64Array {
  const m = n / radix;
  const table = new Float64Array(2 * (radix - 1) * m);
  for (let j = 1; j < radix; j += 1) {
    for (let p = 0; p < m; p += 1) {
      const [c, s] = unitRoot(j * p, n);
      table[2 * (j - 1) * m + p] = c;
      table[(2 * (j - 1) + 1) * m + p] = s;
    }
  }
  return table;
}
