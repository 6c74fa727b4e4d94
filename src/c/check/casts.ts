/** Casts that a program writes: `(T)x`, and reinterpretations by name (C99, 6.5.4; OpenCL 1.2, 6.2.2 and 6.2.4). */
import { joinSpans, type Span } from '../../source/span.ts';
import type { CastKind, Expression } from '../ast.ts';
import {
  arithmeticOf,
  isInteger,
  isScalar,
  sameType,
  sizeOf,
  valueType,
  withoutAtomic,
  withSpace,
} from '../type-facts.ts';
import { type Field, type QualifiedType, unqualified, voidType } from '../types.ts';
import { type Checker, errorExpression, isError } from './checker.ts';
import {
  arithmeticCast,
  convertArithmetic,
  isNullConstant,
  makeCast,
  splat,
  toValue,
} from './conversions.ts';

/** `(type)operand`; `start` is the opening parenthesis. */
export function checkCast(
  checker: Checker,
  target: QualifiedType,
  operand: Expression,
  start: Span,
): Expression {
  const span = joinSpans(start, operand.span);
  const value = toValue(checker, operand);
  if (isError(value)) return errorExpression(span);
  const type = checker.dialect.features.atomicObjects ? withoutAtomic(valueType(target)) : valueType(target);
  const to = type.type;
  const from = value.type.type;
  if (to.kind === 'void') return makeCast('void', value, unqualified(voidType), span);
  if (from === to) return makeCast('same', value, type, span);
  if (to.kind === 'vector') return toVector(checker, value, target, span);
  const shownTo = checker.show(type);
  const shownFrom = checker.show(value.type);
  if (to.kind === 'opaque' && sameType(from, to)) return makeCast('same', value, type, span);
  if (to.kind === 'opaque' && checker.dialect.opaqueConverts(from, to)) {
    if (!checker.dialect.rules.opaqueValue(value, type, 'initializing', checker))
      return errorExpression(span);
    return makeCast('same', value, type, span);
  }
  if (to.kind === 'record' && to.union && checker.dialect.features.gnu) {
    const field = to.fields?.find((one) => one.name !== undefined && sameType(one.type.type, from));
    if (field) return unionOf(checker, type, field, value, span);
  }
  if (!isScalar(to)) {
    return checker.wrong(span, `used type '${shownTo}' where arithmetic or pointer type is required`);
  }
  if (from.kind === 'vector') {
    return checker.wrong(
      span,
      `invalid conversion between vector type '${shownFrom}' and scalar type '${shownTo}'`,
    );
  }
  if (!isScalar(from)) {
    return checker.wrong(span, `operand of type '${shownFrom}' where arithmetic or pointer type is required`);
  }
  const fromArithmetic = arithmeticOf(from);
  const toArithmetic = arithmeticOf(to);
  if (fromArithmetic && toArithmetic)
    return makeCast(arithmeticCast(fromArithmetic, toArithmetic), value, type, span);
  if (to.kind === 'pointer' && from.kind === 'pointer') return pointerCast(checker, value, type, span);
  if (to.kind === 'pointer') {
    if (isNullConstant(value)) return makeCast('null', value, type, span);
    if (isInteger(from)) return makeCast('integral-to-pointer', value, type, span);
    return checker.wrong(span, `operand of type '${shownFrom}' cannot be cast to a pointer type`);
  }
  if (toArithmetic?.floating) return checker.wrong(span, `pointer cannot be cast to type '${shownTo}'`);
  if (toArithmetic?.name === 'bool') return makeCast('to-bool', value, type, span);
  return makeCast('pointer-to-integral', value, type, span);
}

/** `(union u)value` (GNU): a union whose member of that type has the value. */
function unionOf(
  checker: Checker,
  type: QualifiedType,
  field: Field,
  value: Expression,
  span: Span,
): Expression {
  const entry = { offset: 0, type: valueType(field.type), value };
  const initializer = { kind: 'initializer-list', entries: [entry], span, type } as const;
  const object = withSpace(type, checker.dialect.defaultSpace('local', type.type));
  const isStatic = checker.scopes.isProgram;
  return toValue(checker, {
    kind: 'compound-literal',
    isStatic,
    initializer,
    span,
    type: object,
    lvalue: true,
  });
}

function toVector(checker: Checker, value: Expression, target: QualifiedType, span: Span): Expression {
  const to = target.type;
  const from = value.type.type;
  if (to.kind !== 'vector') return errorExpression(span);
  if (arithmeticOf(from) !== undefined) return splat(value, to, span);
  const shownTo = checker.show(valueType(target));
  const shownFrom = checker.show(value.type);
  if (from.kind === 'vector' && checker.dialect.features.gnu && from.size === to.size)
    return makeCast('reinterpret', value, valueType(target), span);
  if (from.kind === 'vector') {
    return checker.wrong(span, `invalid conversion between ext-vector type '${shownTo}' and '${shownFrom}'`);
  }
  return checker.wrong(
    span,
    `invalid conversion between vector type '${shownTo}' and scalar type '${shownFrom}'`,
  );
}

function pointerCast(checker: Checker, value: Expression, type: QualifiedType, span: Span): Expression {
  const to = type.type;
  const from = value.type.type;
  if (to.kind !== 'pointer' || from.kind !== 'pointer') return errorExpression(span);
  const source = from.pointee.space ?? 'private';
  const target = to.pointee.space ?? 'private';
  let kind: CastKind = sameType(from.pointee.type, to.pointee.type) ? 'same' : 'pointer';
  if (source !== target) {
    if (isNullConstant(value)) return makeCast('null', value, type, span);
    if (!checker.dialect.spaceCasts(source, target)) {
      return checker.wrong(
        span,
        `casting '${checker.show(value.type)}' to type '${checker.show(type)}' changes address space of pointer`,
      );
    }
    kind = 'space';
  }
  return makeCast(kind, value, type, span);
}

/** `as_T(operand)`: the same bytes in another type of the same size. */
export function checkReinterpret(
  checker: Checker,
  target: QualifiedType,
  operand: Expression,
  span: Span,
): Expression {
  const value = toValue(checker, operand);
  if (isError(value)) return errorExpression(span);
  const from = value.type.type;
  const { addressBytes } = checker.dialect;
  const isPlain = arithmeticOf(from) !== undefined || from.kind === 'vector';
  if (!isPlain || sizeOf(from, addressBytes) !== sizeOf(target.type, addressBytes)) {
    return checker.wrong(
      span,
      `invalid reinterpretation: sizes of '${checker.show(target)}' and '${checker.show(value.type)}' must match`,
    );
  }
  const arithmetic = from.kind === 'enum' ? arithmeticOf(from) : undefined;
  const bytes = arithmetic ? convertArithmetic(value, arithmetic) : value;
  return makeCast('reinterpret', bytes, target, span);
}
