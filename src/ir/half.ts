/** Half-precision floats (IEEE 754 binary16) as bits: JavaScript has no view of them, so every room that stores them asks here. */

/** The number that a half-precision bit pattern means. */
export function halfFromBits(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 0x1f) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1024 + fraction) * 2 ** (exponent - 25);
}

/** The half-precision bit pattern of a number, rounded to nearest even if it is not one. */
export function bitsOfHalf(value: number): number {
  if (Number.isNaN(value)) return 0x7e00;
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const magnitude = Math.abs(value);
  // Half-way between the largest half and the power of two above it.
  if (magnitude >= 65520) return sign | 0x7c00;
  let exponent = -14;
  while (magnitude >= 2 ** (exponent + 1)) exponent += 1;
  // In units of the last place, of which 1024 are the bit that is not stored; what rounding carries goes on into the exponent.
  const scaled = magnitude * 2 ** (10 - exponent);
  let units = Math.floor(scaled);
  const rest = scaled - units;
  if (rest > 0.5 || (rest === 0.5 && units % 2 === 1)) units += 1;
  return sign | (((exponent + 14) << 10) + units);
}
