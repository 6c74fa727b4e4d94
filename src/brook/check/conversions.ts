/**
 * Conversions between value types (A.6.3.2 and A.6.3.3). Under strong type checking there are none but casts; without it
 * a scalar goes to all components of a vector, and a vector loses components or gets zeros.
 */
import type { Span } from '../../source/span.ts';
import {
  type BrookType,
  isFloating,
  promotionRank,
  sameType,
  scalarBytes,
  typeName,
  type ValueType,
  valueType,
} from '../types.ts';
import type { Report } from './report.ts';
import type { Typed } from './tree.ts';

/** The value as one of another type, without a word. */
export function converted(value: Typed, type: ValueType): Typed {
  if (sameType(value.type, type)) return value;
  const literal = value.kind === 'literal' && type.width === 1 ? convertedLiteral(value, type) : undefined;
  return literal ?? { kind: 'convert', type, operand: value };
}

/** A number as it comes out as another type; undefined if the program is to find out. */
function convertedLiteral(value: Typed & { readonly kind: 'literal' }, type: ValueType): Typed | undefined {
  const { text } = value;
  const number = Number(text);
  if (isFloating(type)) {
    // What was rounded to float stays so as a double; integers may have more digits than a float.
    const isFloat = value.type.scalar === 'float' || (type.scalar === 'float' && !isFloating(value.type));
    const rounded = isFloat && !value.isUnrounded ? Math.fround(number) : number;
    const digits = rounded === number ? text : String(rounded);
    return Number.isFinite(rounded) ? { kind: 'literal', type, text: digits } : undefined;
  }
  if (!Number.isInteger(number)) return undefined;
  const wrap = type.scalar.startsWith('u') ? BigInt.asUintN : BigInt.asIntN;
  const wrapped = wrap(8 * scalarBytes(type.scalar), BigInt(number));
  // What becomes of a floating number that the type has not is for the program to find out.
  if (isFloating(value.type) && Number(wrapped) !== number) return undefined;
  return { kind: 'literal', type, text: String(wrapped) };
}

/** Whether numbers of one type may come out changed as another: those that are wider, and of 32 bits as float. */
export function losesData(from: ValueType, to: ValueType): boolean {
  if (from.scalar === to.scalar) return false;
  if (isFloating(from)) return !isFloating(to) || from.scalar === 'double';
  if (to.scalar === 'float') return scalarBytes(from.scalar) === 4;
  return !isFloating(to) && scalarBytes(from.scalar) > scalarBytes(to.scalar);
}

/** What brcc says of a conversion that changes both the scalar and the components, or one of them. */
function loss(from: ValueType, to: ValueType): string {
  const parts = losesData(from, to) ? ['possible lose of data'] : [];
  if (from.width > to.width) parts.push('lose of components');
  if (from.width < to.width) parts.push('uninitialize components');
  return parts.length === 0 ? '' : `: ${parts.join(' and ')}`;
}

/**
 * The value as one of the type that a place has: a variable, a parameter, a result. Reports what strong typing does not
 * allow, and what there is no conversion for.
 */
export function convertFor(report: Report, value: Typed, type: BrookType, span: Span, group: string): Typed {
  if (sameType(value.type, type)) return value;
  const from = value.type;
  if (from.kind !== 'value' || type.kind !== 'value') {
    report.error(span, group, `Mismatched types: conversion from "${typeName(from)}" to "${typeName(type)}"`);
    return value;
  }
  const words = `conversion from "${typeName(from)}" to "${typeName(type)}"`;
  const lost = loss(from, type);
  if (report.options.strongTypes) report.error(span, group, `Mismatched types: ${words}`);
  else if (lost !== '') report.warning(span, group, `C${words.slice(1)}${lost}`, 1);
  return converted(value, type);
}

/**
 * The type of an operation on two operands without strong typing (A.6.3.2): that of the later scalar, or of the more components
 * where both have the same. A scalar next to a vector has all of its components.
 */
export function commonType(left: ValueType, right: ValueType): ValueType {
  const [from, to] = promotionRank(left.scalar) > promotionRank(right.scalar) ? [right, left] : [left, right];
  const takesAll = from.scalar === to.scalar || to.width === 1;
  return valueType(to.scalar, takesAll ? Math.max(left.width, right.width) : to.width);
}
