/** Compares what two devices left in a buffer, number by number. */
import { type ElementShape, Elements } from '../../src/cli/arguments/elements.ts';

/** `bits`: to the last bit, NaNs' payloads and the sign of zero included; else units in the last place of floats. */
export type Tolerance = 'bits' | number;

/** The first number that differs by more than allowed, in words; undefined if none does. */
export function firstDifference(
  shape: ElementShape,
  found: Uint8Array<ArrayBuffer>,
  expected: Uint8Array<ArrayBuffer>,
  tolerance: Tolerance,
): string | undefined {
  const [ours, theirs] = [new Elements(shape, found), new Elements(shape, expected)];
  const { places } = shape;
  for (let index = 0; index < theirs.numbers; index += 1) {
    const { type, offset } = places[index % places.length]!;
    const at = Math.floor(index / places.length) * shape.size + offset;
    if (sameBytes(found, expected, at, type.size)) continue;
    const [a, b] = [ours.get(index), theirs.get(index)];
    const where = `element ${Math.floor(index / places.length)}${places.length > 1 ? `, part ${index % places.length}` : ''}`;
    const isFloat = type.floating;
    if (!isFloat) return `${where} is ${a}, not ${b}`;
    const distance = ulps(found, expected, at, type.size);
    if (tolerance !== 'bits' && distance <= tolerance) continue;
    const how = Number.isNaN(distance) ? '' : ` (${distance} ULP away)`;
    return `${where} is ${textOf(a)}, not ${textOf(b)}${how}`;
  }
  return undefined;
}

function sameBytes(a: Uint8Array, b: Uint8Array, at: number, size: number): boolean {
  for (let byte = at; byte < at + size; byte += 1) if (a[byte] !== b[byte]) return false;
  return true;
}

function textOf(value: number | bigint): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

/** Floating-point numbers of the type between two of them; 0 for two NaNs and two zeros, NaN for a number and a NaN. */
export function ulps(a: Uint8Array, b: Uint8Array, at: number, size: number): number {
  const [x, y] = [ordered(a, at, size), ordered(b, at, size)];
  if (x === undefined || y === undefined) return x === y ? 0 : Number.NaN;
  return Math.abs(Number(x - y));
}

/** The number's place among all numbers of its type, 0 for both zeros; undefined for a NaN. */
function ordered(bytes: Uint8Array, at: number, size: number): bigint | undefined {
  const bits = BigInt(8 * size);
  let pattern = 0n;
  for (let byte = size - 1; byte >= 0; byte -= 1) pattern = (pattern << 8n) | BigInt(bytes[at + byte]!);
  const magnitude = pattern & ((1n << (bits - 1n)) - 1n);
  const mantissa = size === 2 ? 10n : size === 4 ? 23n : 52n;
  const infinity = ((1n << (bits - 1n - mantissa)) - 1n) << mantissa;
  if (magnitude > infinity) return undefined;
  return pattern >> (bits - 1n) === 0n ? magnitude : -magnitude;
}
