/**
 * Numbers as C's `%f`, `%e`, `%g` and `%a` write them: every digit exact, the last one rounded to nearest and ties to
 * even (C99, 7.19.6.1 8). A double is an integer times a power of two, so this is arithmetic on big integers.
 */

/** How a number is written: `style` is the specifier in lower case. */
export interface FloatStyle {
  readonly style: 'f' | 'e' | 'g' | 'a';
  /** Undefined: six digits; for `%a` as many as are needed. */
  readonly precision: number | undefined;
  /** Flag `#`: always a point, and `%g` keeps its zeros. */
  readonly alternate: boolean;
}

/** The magnitude of a number in lower case, without a sign. */
export function floatText(value: number, { style, precision, alternate }: FloatStyle): string {
  const magnitude = Math.abs(value);
  if (Number.isNaN(value)) return 'nan';
  if (magnitude === Number.POSITIVE_INFINITY) return 'inf';
  switch (style) {
    case 'f':
      return fixed(magnitude, precision ?? 6, alternate);
    case 'e':
      return scientific(magnitude, precision ?? 6, alternate);
    case 'g':
      return general(magnitude, precision ?? 6, alternate);
    case 'a':
      return hexadecimal(magnitude, precision, alternate);
  }
}

/** A finite magnitude as `mantissa * 2 ** exponent`. */
function parts(value: number): { mantissa: bigint; exponent: number } {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const fraction = bits & 0xfffffffffffffn;
  const biased = Number((bits >> 52n) & 0x7ffn);
  return biased === 0
    ? { mantissa: fraction, exponent: -1074 }
    : { mantissa: fraction | (1n << 52n), exponent: biased - 1075 };
}

/** `numerator / denominator`, rounded to the nearest integer, ties to even. */
function divideRounded(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  const twice = (numerator - quotient * denominator) * 2n;
  const isUp = twice > denominator || (twice === denominator && (quotient & 1n) === 1n);
  return isUp ? quotient + 1n : quotient;
}

/** The magnitude times `10 ** power`, rounded to an integer. */
function scaled(value: number, power: number): bigint {
  const { mantissa, exponent } = parts(value);
  let numerator = mantissa;
  let denominator = 1n;
  if (power >= 0) numerator *= 10n ** BigInt(power);
  else denominator *= 10n ** BigInt(-power);
  if (exponent >= 0) numerator <<= BigInt(exponent);
  else denominator <<= BigInt(-exponent);
  return divideRounded(numerator, denominator);
}

function withPoint(digits: string, fraction: string, alternate: boolean): string {
  return fraction === '' && !alternate ? digits : `${digits}.${fraction}`;
}

function fixed(value: number, precision: number, alternate: boolean): string {
  const digits = scaled(value, precision)
    .toString()
    .padStart(precision + 1, '0');
  const point = digits.length - precision;
  return withPoint(digits.slice(0, point), digits.slice(point), alternate);
}

/** The decimal exponent and the `precision + 1` digits of `%e`. */
function decimal(value: number, precision: number): { digits: string; exponent: number } {
  if (value === 0) return { digits: '0'.repeat(precision + 1), exponent: 0 };
  let exponent = Math.floor(Math.log10(value));
  for (;;) {
    const digits = scaled(value, precision - exponent).toString();
    if (digits.length === precision + 1) return { digits, exponent };
    // The logarithm was off by one, or rounding has carried into a new digit.
    exponent += digits.length > precision + 1 ? 1 : -1;
  }
}

function scientific(value: number, precision: number, alternate: boolean): string {
  const { digits, exponent } = decimal(value, precision);
  return withPoint(digits.slice(0, 1), digits.slice(1), alternate) + exponentText(exponent);
}

function exponentText(exponent: number): string {
  return `e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

function general(value: number, precision: number, alternate: boolean): string {
  const significant = precision === 0 ? 1 : precision;
  const { exponent } = decimal(value, significant - 1);
  if (exponent < significant && exponent >= -4) {
    const text = fixed(value, significant - 1 - exponent, alternate);
    return alternate ? text : withoutZeros(text);
  }
  const text = scientific(value, significant - 1, alternate);
  if (alternate) return text;
  const e = text.indexOf('e');
  return withoutZeros(text.slice(0, e)) + text.slice(e);
}

function withoutZeros(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

function hexadecimal(value: number, precision: number | undefined, alternate: boolean): string {
  let { mantissa, exponent } = parts(value);
  exponent += 52;
  if (value === 0) exponent = 0;
  if (precision !== undefined && precision < 13) {
    const dropped = BigInt(4 * (13 - precision));
    mantissa = divideRounded(mantissa, 1n << dropped) << dropped;
  }
  const all = (mantissa & 0xfffffffffffffn).toString(16).padStart(13, '0');
  const fraction =
    precision === undefined ? all.replace(/0+$/, '') : all.slice(0, precision).padEnd(precision, '0');
  const sign = exponent < 0 ? '-' : '+';
  return `0x${withPoint((mantissa >> 52n).toString(), fraction, alternate)}p${sign}${Math.abs(exponent)}`;
}
