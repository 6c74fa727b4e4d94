/**
 * The scalar types of kernel arguments on the host: how a number of each lies in bytes, and how one that a person typed
 * becomes one.
 */
import type { HostLayout } from 'millrace';
import { UsageError } from '../errors.ts';

/** The arrays a buffer's bytes may be seen through. */
export type Entries =
  | Int8Array<ArrayBuffer>
  | Uint8Array<ArrayBuffer>
  | Int16Array<ArrayBuffer>
  | Uint16Array<ArrayBuffer>
  | Int32Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | BigInt64Array<ArrayBuffer>
  | BigUint64Array<ArrayBuffer>
  | Float32Array<ArrayBuffer>
  | Float64Array<ArrayBuffer>;

/** A scalar type. `read` and `write` take a byte offset; writing converts as C does. */
export interface NumberType {
  /** As in OpenCL C. */
  readonly name: string;
  readonly size: number;
  readonly floating: boolean;
  /** Whole numbers that may be typed: those of the type itself and of its signed or unsigned twin. */
  readonly lowest: bigint;
  readonly highest: bigint;
  read(view: DataView, at: number): number | bigint;
  write(view: DataView, at: number, value: number | bigint): void;
  /** Half floats are seen as their 16-bit patterns. */
  entries(buffer: ArrayBuffer): Entries;
}

function toLong(value: number | bigint): bigint {
  if (typeof value === 'bigint') return value;
  return Number.isFinite(value) ? BigInt(Math.trunc(value)) : 0n;
}

const integer = (bits: bigint) => ({
  floating: false,
  size: Number(bits / 8n),
  lowest: -(1n << (bits - 1n)),
  highest: (1n << bits) - 1n,
});
const floating = (size: number) => ({ floating: true, size, lowest: 0n, highest: 0n });

const types: Readonly<Record<string, NumberType>> = {
  char: {
    name: 'char',
    ...integer(8n),
    read: (view, at) => view.getInt8(at),
    write: (view, at, value) => view.setInt8(at, Number(value)),
    entries: (buffer) => new Int8Array(buffer),
  },
  uchar: {
    name: 'uchar',
    ...integer(8n),
    read: (view, at) => view.getUint8(at),
    write: (view, at, value) => view.setUint8(at, Number(value)),
    entries: (buffer) => new Uint8Array(buffer),
  },
  short: {
    name: 'short',
    ...integer(16n),
    read: (view, at) => view.getInt16(at, true),
    write: (view, at, value) => view.setInt16(at, Number(value), true),
    entries: (buffer) => new Int16Array(buffer),
  },
  ushort: {
    name: 'ushort',
    ...integer(16n),
    read: (view, at) => view.getUint16(at, true),
    write: (view, at, value) => view.setUint16(at, Number(value), true),
    entries: (buffer) => new Uint16Array(buffer),
  },
  int: {
    name: 'int',
    ...integer(32n),
    read: (view, at) => view.getInt32(at, true),
    write: (view, at, value) => view.setInt32(at, Number(value), true),
    entries: (buffer) => new Int32Array(buffer),
  },
  uint: {
    name: 'uint',
    ...integer(32n),
    read: (view, at) => view.getUint32(at, true),
    write: (view, at, value) => view.setUint32(at, Number(value), true),
    entries: (buffer) => new Uint32Array(buffer),
  },
  long: {
    name: 'long',
    ...integer(64n),
    read: (view, at) => view.getBigInt64(at, true),
    write: (view, at, value) => view.setBigInt64(at, toLong(value), true),
    entries: (buffer) => new BigInt64Array(buffer),
  },
  ulong: {
    name: 'ulong',
    ...integer(64n),
    read: (view, at) => view.getBigUint64(at, true),
    write: (view, at, value) => view.setBigUint64(at, toLong(value), true),
    entries: (buffer) => new BigUint64Array(buffer),
  },
  half: {
    name: 'half',
    ...floating(2),
    read: (view, at) => fromHalf(view.getUint16(at, true)),
    write: (view, at, value) => view.setUint16(at, toHalf(Number(value)), true),
    entries: (buffer) => new Uint16Array(buffer),
  },
  float: {
    name: 'float',
    ...floating(4),
    read: (view, at) => view.getFloat32(at, true),
    write: (view, at, value) => view.setFloat32(at, Number(value), true),
    entries: (buffer) => new Float32Array(buffer),
  },
  double: {
    name: 'double',
    ...floating(8),
    read: (view, at) => view.getFloat64(at, true),
    write: (view, at, value) => view.setFloat64(at, Number(value), true),
    entries: (buffer) => new Float64Array(buffer),
  },
};

/** The type of a scalar layout. */
export function numberType(layout: HostLayout & { kind: 'integer' | 'float' }): NumberType {
  if (layout.kind === 'float') return types[{ 2: 'half', 4: 'float', 8: 'double' }[layout.size]]!;
  const name = { 1: 'char', 2: 'short', 4: 'int', 8: 'long' }[layout.size];
  return types[layout.signed ? name : `u${name}`]!;
}

/** A byte of something whose type is not known. */
export const byteType = numberType({ kind: 'integer', size: 1, signed: false });

/** Whether the text is a decimal, hexadecimal or floating number (inf and nan included). */
export function isNumber(text: string): boolean {
  return /^[+-]?(0x[0-9a-f]+|(\d+\.?\d*|\.\d+)(e[+-]?\d+)?|inf|infinity|nan)$/i.test(text);
}

/** The value of a text that {@link isNumber} accepts, as a double. */
export function toNumber(text: string): number {
  const sign = text.startsWith('-') ? -1 : 1;
  const body = text.replace(/^[+-]/, '').toLowerCase();
  if (body === 'inf' || body === 'infinity') return sign * Number.POSITIVE_INFINITY;
  if (body === 'nan') return Number.NaN;
  return sign * Number(body);
}

/** The same as a whole number, with all its digits; undefined for fractions, infinities and NaN. */
export function toWhole(text: string): bigint | undefined {
  if (/^[+-]?(0x[0-9a-f]+|\d+)$/i.test(text)) {
    const size = BigInt(text.replace(/^[+-]/, ''));
    return text.startsWith('-') ? -size : size;
  }
  const value = toNumber(text);
  return Number.isInteger(value) ? BigInt(value) : undefined;
}

/** What a person typed, as a number of a type. Throws a {@link UsageError} if an integer type cannot hold it. */
export function readNumber(text: string, type: NumberType, parameter: string): number | bigint {
  if (type.floating) return toNumber(text);
  const whole = toWhole(text);
  if (whole === undefined || whole < type.lowest || whole > type.highest) {
    throw new UsageError(
      `parameter '${parameter}': ${text} does not fit: ${type.name} takes whole numbers from ${type.lowest} to ${type.highest}`,
    );
  }
  return whole;
}

/** IEEE 754 binary16 bits to a number. */
function fromHalf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0x1f) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  return sign * (1024 + fraction) * 2 ** (exponent - 25);
}

/** The nearest binary16 of a number, ties to even. */
function toHalf(value: number): number {
  if (Number.isNaN(value)) return 0x7e00;
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const size = Math.abs(value);
  if (size >= 65520) return sign | 0x7c00;
  let exponent = -14;
  while (size >= 2 ** (exponent + 1)) exponent += 1;
  // The significand in units of the last place; 1024 of them are the implicit bit, and a carry out of the rounding
  // runs into the exponent, as it should.
  const scaled = size * 2 ** (10 - exponent);
  let units = Math.floor(scaled);
  const rest = scaled - units;
  if (rest > 0.5 || (rest === 0.5 && units % 2 === 1)) units += 1;
  return sign | (((exponent + 14) << 10) + units);
}
