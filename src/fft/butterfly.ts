/**
 * The text of a small transform in registers, for any radix: a composite one is transforms of its factors with constants between them
 * (Cooley and Tukey), a prime one sums of cosines and sines. Names are of real and imaginary parts.
 */
import { unitRoot } from './factors.ts';

interface Value {
  readonly re: string;
  readonly im: string;
}

/** Writes statements, and makes the names in them. */
class Text {
  readonly statements: string[] = [];
  readonly #real: string;
  #count = 0;

  constructor(real: string) {
    this.#real = real;
  }

  number(value: number): string {
    const digits = value.toString();
    const text = /[.e]/.test(digits) ? digits : `${digits}.0`;
    return this.#real === 'float' ? `${text}f` : text;
  }

  value(re: string, im: string): Value {
    this.#count += 1;
    const [r, i] = [`r${this.#count}`, `i${this.#count}`];
    this.statements.push(`    ${this.#real} ${r} = ${re}, ${i} = ${im};\n`);
    return { re: r, im: i };
  }

  add = (a: Value, b: Value): Value => this.value(`${a.re} + ${b.re}`, `${a.im} + ${b.im}`);
  sub = (a: Value, b: Value): Value => this.value(`${a.re} - ${b.re}`, `${a.im} - ${b.im}`);

  /** a times the k-th of n roots: exp(sign 2 pi i k / n). */
  turned(a: Value, k: number, n: number, sign: number): Value {
    const [c, s] = [unitRoot(k, n)[0], sign * unitRoot(k, n)[1]];
    if (s === 0) return c === 1 ? a : this.value(`-${a.re}`, `-${a.im}`);
    if (c === 0) return s === 1 ? this.value(`-${a.im}`, a.re) : this.value(a.im, `-${a.re}`);
    const [cos, sin] = [this.number(c), this.number(s)];
    return this.value(`${a.re} * ${cos} - ${a.im} * ${sin}`, `${a.re} * ${sin} + ${a.im} * ${cos}`);
  }
}

export interface Butterfly {
  readonly statements: string;
  readonly results: readonly Value[];
}

/** @param sign of the exponent: -1 for the forward transform */
export function butterfly(real: 'float' | 'double', inputs: readonly Value[], sign: 1 | -1): Butterfly {
  const text = new Text(real);
  const results = transform(text, inputs, sign);
  return { statements: text.statements.join(''), results };
}

function transform(text: Text, x: readonly Value[], sign: number): Value[] {
  const n = x.length;
  if (n === 1) return [...x];
  if (n === 2) return [text.add(x[0]!, x[1]!), text.sub(x[0]!, x[1]!)];
  const factor = [4, 2, 3, 5, 7].find((each) => each < n && n % each === 0);
  return factor === undefined
    ? n === 4
      ? composite(text, x, 2, sign)
      : prime(text, x, sign)
    : composite(text, x, factor, sign);
}

/** x[b k + l] in `b` transforms of `a`, then `a` transforms of `b`. */
function composite(text: Text, x: readonly Value[], a: number, sign: number): Value[] {
  const n = x.length;
  const b = n / a;
  const columns = Array.from({ length: b }, (_, l) => {
    const column = transform(
      text,
      Array.from({ length: a }, (__, k) => x[b * k + l]!),
      sign,
    );
    return column.map((value, j) => text.turned(value, j * l, n, sign));
  });
  const result: Value[] = new Array(n);
  for (let j = 0; j < a; j += 1) {
    const row = transform(
      text,
      columns.map((column) => column[j]!),
      sign,
    );
    row.forEach((value, i) => {
      result[j + a * i] = value;
    });
  }
  return result;
}

/** Opposite elements have the same cosine and opposite sines: half of the products. */
function prime(text: Text, x: readonly Value[], sign: number): Value[] {
  const n = x.length;
  const half = (n - 1) / 2;
  const sums = Array.from({ length: half }, (_, k) => text.add(x[k + 1]!, x[n - k - 1]!));
  const differences = Array.from({ length: half }, (_, k) => text.sub(x[k + 1]!, x[n - k - 1]!));
  const result: Value[] = new Array(n);
  const total = (of: (k: number) => string, values: readonly Value[], part: 're' | 'im') =>
    values.map((value, k) => `${of(k)} * ${value[part]}`).join(' + ');
  result[0] = text.value(
    [x[0]!, ...sums].map(({ re }) => re).join(' + '),
    [x[0]!, ...sums].map(({ im }) => im).join(' + '),
  );
  for (let j = 1; j <= half; j += 1) {
    const cos = (k: number): string => text.number(unitRoot(j * (k + 1), n)[0]);
    const sin = (k: number): string => text.number(sign * unitRoot(j * (k + 1), n)[1]);
    const even = text.value(
      `${x[0]!.re} + ${total(cos, sums, 're')}`,
      `${x[0]!.im} + ${total(cos, sums, 'im')}`,
    );
    // i times the sum.
    const odd = text.value(`-(${total(sin, differences, 'im')})`, total(sin, differences, 're'));
    result[j] = text.add(even, odd);
    result[n - j] = text.sub(even, odd);
  }
  return result;
}
