/** Constants, as a program writes them and as bytes that a host passes. */
import type { Random } from '../../test/support/random.ts';
import { type Expression, expr } from './syntax.ts';
import {
  type DataType,
  type ElementName,
  elementBytes,
  isFloat,
  isSigned,
  offsetsOf,
  sizeOf,
  typeName,
  type ValueType,
} from './types.ts';

/** An integer of the type: mostly small or at an edge, where bugs live. */
function randomInteger(random: Random, element: ElementName): bigint {
  if (element === 'bool') return BigInt(random.below(2));
  const bits = BigInt(elementBytes(element) * 8);
  const signed = isSigned(element);
  const highest = (1n << (signed ? bits - 1n : bits)) - 1n;
  let value: bigint;
  switch (random.below(6)) {
    case 0:
      value = highest - BigInt(random.below(3));
      break;
    case 1:
      value = signed ? -highest - 1n + BigInt(random.below(2)) : 1n << (bits - 1n);
      break;
    case 2:
      value = 1n << BigInt(random.below(Number(bits)));
      break;
    case 3:
      value = (BigInt(random.below(2 ** 32)) << 32n) | BigInt(random.below(2 ** 32));
      break;
    default:
      value = BigInt(random.below(20) - (signed ? 6 : 0));
  }
  return signed ? BigInt.asIntN(Number(bits), value) : BigInt.asUintN(Number(bits), value);
}

/** A number whose sums and products stay exact for long: eighths and powers of two. */
export function randomFloat(random: Random): number {
  if (random.below(5) === 0) return 2 ** (random.below(60) - 30) * (random.below(2) === 0 ? 1 : -1);
  return (random.below(129) - 64) / 8;
}

function integerText(value: bigint, element: ElementName): string {
  if (element === 'bool') return value === 0n ? 'false' : 'true';
  const suffix = { int: '', uint: 'u', long: 'L', ulong: 'UL' }[element as string];
  if (suffix === undefined) return `(${element})${value < 0n ? `(${value})` : value}`;
  const lowest = element === 'int' ? -(2n ** 31n) : -(2n ** 63n);
  if (value === lowest) return `(${value + 1n}${suffix} - 1)`;
  if (value > 9n && value % 3n === 0n) return `0x${value.toString(16)}${suffix}`;
  return value < 0n ? `(${value}${suffix})` : `${value}${suffix}`;
}

function floatText(value: number, element: ElementName): string {
  const suffix = element === 'float' ? 'f' : '';
  const magnitude = Math.abs(value);
  const exponent = Math.log2(magnitude);
  const digits = magnitude.toString();
  const text =
    magnitude !== 0 && Number.isInteger(exponent) && Math.abs(exponent) > 8
      ? `0x1p${exponent}`
      : /[.e]/.test(digits)
        ? digits
        : `${digits}.0`;
  return value < 0 || Object.is(value, -0) ? `(-${text}${suffix})` : `${text}${suffix}`;
}

/** Any constant of the type. */
export function literal(random: Random, type: ValueType): Expression {
  const { element, lanes } = type;
  const scalar = (): string =>
    isFloat(element)
      ? floatText(randomFloat(random), element)
      : integerText(randomInteger(random, element), element);
  if (lanes === 1) return expr(type)`${scalar()}`;
  const values = random.below(3) === 0 ? [scalar()] : Array.from({ length: lanes }, scalar);
  return expr(type)`(${typeName(type)})(${values.join(', ')})`;
}

/** One particular constant, in every lane. */
export function constant(type: ValueType, value: number): Expression {
  const { element, lanes } = type;
  const text = isFloat(element) ? floatText(value, element) : integerText(BigInt(value), element);
  return lanes === 1 ? expr(type)`${text}` : expr(type)`(${typeName(type)})(${text})`;
}

/** Writes random contents of the type at an offset; padding gets noise. */
export function fillBytes(random: Random, type: DataType, view: DataView, at: number): void {
  if (type.kind === 'array') {
    const stride = sizeOf(type.element);
    for (let index = 0; index < type.length; index++) {
      fillBytes(random, type.element, view, at + index * stride);
    }
    return;
  }
  if (type.kind === 'record') {
    for (let byte = 0; byte < sizeOf(type); byte++) view.setUint8(at + byte, random.below(256));
    const offsets = offsetsOf(type);
    const members = type.isUnion ? type.members.slice(0, 1) : type.members;
    for (const [index, member] of members.entries()) {
      fillBytes(random, member.type, view, at + offsets[index]!);
    }
    return;
  }
  const bytes = elementBytes(type.element);
  for (let offset = 0; offset < sizeOf(type); offset += bytes) {
    if (type.element === 'float') view.setFloat32(at + offset, randomFloat(random), true);
    else if (type.element === 'double') view.setFloat64(at + offset, randomFloat(random), true);
    else fillInteger(view, at + offset, bytes, randomInteger(random, type.element));
  }
}

function fillInteger(view: DataView, at: number, bytes: number, value: bigint): void {
  const bits = BigInt.asUintN(bytes * 8, value);
  for (let byte = 0; byte < bytes; byte++)
    view.setUint8(at + byte, Number((bits >> BigInt(byte * 8)) & 255n));
}

/** The bytes of an initialiser list for a table of that type. */
export function tableText(random: Random, type: DataType): string {
  if (type.kind === 'value') return literalText(random, type);
  if (type.kind === 'array') {
    return `{${Array.from({ length: type.length }, () => tableText(random, type.element)).join(', ')}}`;
  }
  const members = type.isUnion ? type.members.slice(0, 1) : type.members;
  return `{${members.map((member) => tableText(random, member.type)).join(', ')}}`;
}

function literalText(random: Random, type: ValueType): string {
  return literal(random, type).parts.join('');
}
