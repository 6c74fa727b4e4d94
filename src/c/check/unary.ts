/**
 * Unary operators: signs, complements, `*`, `&`, `++` and `--`, and sizeof with its like (C99, 6.5.2.4, 6.5.3).
 */
import { joinSpans, type Span } from '../../source/span.ts';
import type { BuiltinCall, Expression, IntegerLiteral, UnaryOperator, VariableSize } from '../ast.ts';
import { variableSizeName } from '../ast.ts';
import {
  alignOfObject,
  elementOf,
  findField,
  isComplete,
  isScalar,
  pointerTo,
  signedOfSize,
  sizeOf,
  valueType,
  withoutAtomic,
  withSpace,
} from '../type-facts.ts';
import { arithmeticTypes, type QualifiedType, unqualified, vectorType } from '../types.ts';
import { checkAssignable } from './assignments.ts';
import { type Checker, errorExpression, isError } from './checker.ts';
import { promote, toValue } from './conversions.ts';
import { checkStep } from './operators.ts';

/** `+x`, `-x`, `~x` and `!x`. */
export function checkUnary(
  checker: Checker,
  operator: UnaryOperator,
  operand: Expression,
  operatorSpan: Span,
): Expression {
  const span = joinSpans(operatorSpan, operand.span);
  const value = toValue(checker, operand);
  if (isError(value)) return errorExpression(span);
  const { type } = value.type;
  if (operator === '!') {
    if (type.kind === 'vector') {
      const result = unqualified(vectorType(signedOfSize(type.element.size), type.lanes));
      return { kind: 'unary', operator, operand: value, type: result, span };
    }
    if (isScalar(type)) {
      const result = unqualified(arithmeticTypes.int);
      return { kind: 'unary', operator, operand: value, type: result, span };
    }
    return invalidOperand(checker, value, span);
  }
  const element = elementOf(type);
  if (element === undefined || (operator === '~' && element.floating))
    return invalidOperand(checker, value, span);
  const promoted = promote(value);
  return { kind: 'unary', operator, operand: promoted, type: promoted.type, span };
}

function invalidOperand(checker: Checker, value: Expression, span: Span): Expression {
  return checker.wrong(span, `invalid argument type '${checker.show(value.type)}' to unary expression`);
}

/** `*p` */
export function checkDereference(checker: Checker, operand: Expression, operatorSpan: Span): Expression {
  const span = joinSpans(operatorSpan, operand.span);
  const pointer = toValue(checker, operand);
  if (isError(pointer)) return errorExpression(span);
  const { type } = pointer.type;
  if (type.kind !== 'pointer') {
    return checker.wrong(
      span,
      `indirection requires pointer operand ('${checker.show(pointer.type)}' invalid)`,
    );
  }
  return dereference(checker, pointer, type.pointee, span);
}

/** What a pointer value points to, as an lvalue or function. */
export function dereference(
  checker: Checker,
  pointer: Expression,
  pointee: QualifiedType,
  span: Span,
): Expression {
  if (pointee.type.kind === 'void' && checker.unevaluated === 0) {
    checker.warning(
      span,
      'void-pointer-dereference',
      "ISO C does not allow indirection on operand of type 'void *'",
    );
  }
  if (pointee.type.kind === 'function') {
    return { kind: 'dereference', operand: pointer, type: pointee, span };
  }
  return { kind: 'dereference', operand: pointer, type: pointee, lvalue: true, span };
}

/** `&x` */
export function checkAddressOf(checker: Checker, operand: Expression, operatorSpan: Span): Expression {
  const span = joinSpans(operatorSpan, operand.span);
  if (isError(operand)) return errorExpression(span);
  const { type } = operand;
  if (type.type.kind === 'function') {
    if (!checker.dialect.features.functionPointers) {
      return checker.wrong(operand.span, 'taking address of function is not allowed');
    }
    const pointer = unqualified(pointerTo(withSpace(type, 'private')));
    return { kind: 'address-of', operand, type: pointer, span };
  }
  if (type.type.kind === 'block') return invalidOperand(checker, operand, span);
  if (operand.kind === 'swizzle') return checker.wrong(span, 'address of vector element requested');
  if (!operand.lvalue) {
    return checker.wrong(span, `cannot take the address of an rvalue of type '${checker.show(type)}'`);
  }
  if (
    operand.kind === 'name' &&
    operand.declaration.kind === 'variable' &&
    operand.declaration.storage === 'register'
  ) {
    return checker.wrong(span, 'address of register variable requested');
  }
  if (operand.kind === 'member' && operand.field.bits !== undefined) {
    return checker.wrong(span, 'address of bit-field requested');
  }
  const space = type.space ?? checker.dialect.defaultSpace('pointee', type.type);
  if (!checker.dialect.rules.pointer(type, span, checker)) return errorExpression(span);
  return {
    kind: 'address-of',
    operand,
    type: unqualified(pointerTo(withSpace(type, space))),
    span,
  };
}

/** `++x`, `x--` and their like. */
export function checkIncrement(
  checker: Checker,
  operator: '++' | '--',
  operand: Expression,
  prefix: boolean,
  operatorSpan: Span,
): Expression {
  const span = joinSpans(operatorSpan, operand.span);
  if (isError(operand)) return errorExpression(span);
  const value = withoutAtomic(operand.type);
  const { type } = value;
  const takes = isScalar(type) || (type.kind === 'vector' && !type.element.floating);
  if (!takes) {
    const verb = operator === '++' ? 'increment' : 'decrement';
    return checker.wrong(span, `cannot ${verb} value of type '${checker.show(operand.type)}'`);
  }
  if (!checkAssignable(checker, operand, span)) return errorExpression(span);
  if (type.kind === 'pointer' && !checkStep(checker, { ...operand, type: value }, span))
    return errorExpression(span);
  return { kind: 'increment', operator, prefix, operand, type: valueType(value), span };
}

/** A constant of type size_t. */
function sizeLiteral(checker: Checker, value: number, span: Span): IntegerLiteral {
  const type = unqualified(checker.dialect.sizeType);
  return { kind: 'integer-literal', value: BigInt(value), type, span };
}

/** `sizeof`, `_Alignof` or `vec_step` of a type. */
export function checkTypeQuery(
  checker: Checker,
  query: 'sizeof' | 'alignof' | 'vec_step',
  type: QualifiedType,
  span: Span,
): Expression {
  const { addressBytes } = checker.dialect;
  if (query === 'vec_step') return vectorStep(checker, type, span);
  const word = query === 'sizeof' ? "'sizeof'" : "'__alignof'";
  const isCounted = type.type.kind === 'function' || type.type.kind === 'void';
  // GNU C moves pointers to these by one byte, too.
  if (isCounted && checker.dialect.features.gnu) return sizeLiteral(checker, 1, span);
  if (type.type.kind === 'function') {
    return checker.wrong(span, `invalid application of ${word} to a function type`);
  }
  if (type.type.kind === 'void') return checker.wrong(span, `invalid application of ${word} to a void type`);
  if (!isComplete(type.type)) {
    return checker.wrong(
      span,
      `invalid application of ${word} to an incomplete type '${checker.show(type)}'`,
    );
  }
  const value = query === 'sizeof' ? sizeOf(type.type, addressBytes) : alignOfObject(type, addressBytes);
  return sizeLiteral(checker, value, span);
}

/** `__builtin_offsetof(type, name.name)`: the bytes from the start of a record to one of its fields. */
export function checkOffset(
  checker: Checker,
  type: QualifiedType,
  names: readonly { readonly text: string; readonly span: Span }[],
  span: Span,
): Expression {
  let offset = 0;
  let inner = type.type;
  for (const name of names) {
    if (inner.kind !== 'record' || inner.fields === undefined) {
      return checker.wrong(
        span,
        `offsetof requires struct or union type, '${checker.showType(inner)}' invalid`,
      );
    }
    const path = findField(inner, name.text);
    const last = path?.[path.length - 1];
    if (path === undefined || last === undefined) {
      return checker.wrong(name.span, `no member named '${name.text}' in '${checker.showType(inner)}'`);
    }
    if (last.bits !== undefined) {
      return checker.wrong(name.span, `cannot compute offset of bit-field '${name.text}'`);
    }
    for (const field of path) offset += field.offset;
    inner = last.type.type;
  }
  return sizeLiteral(checker, offset, span);
}

/** The lanes of a vector, 4 for one of 3; 1 for scalars (OpenCL 1.2, 6.12.12). */
function vectorStep(checker: Checker, type: QualifiedType, span: Span): Expression {
  const inner = type.type;
  if (inner.kind !== 'vector' && inner.kind !== 'arithmetic' && inner.kind !== 'void') {
    return checker.wrong(
      span,
      `'vec_step' requires built-in scalar or vector type, '${checker.show(type)}' invalid`,
    );
  }
  const lanes = inner.kind === 'vector' ? (inner.lanes === 3 ? 4 : inner.lanes) : 1;
  const result = unqualified(arithmeticTypes.int);
  return { kind: 'integer-literal', value: BigInt(lanes), type: result, span };
}

/** The same of an expression, which is not evaluated. */
export function checkExpressionQuery(
  checker: Checker,
  query: 'sizeof' | 'alignof' | 'vec_step',
  operand: Expression,
  span: Span,
): Expression {
  if (isError(operand)) return errorExpression(span);
  if (operand.kind === 'member' && operand.field.bits !== undefined) {
    return checker.wrong(span, `invalid application of '${query}' to bit-field`);
  }
  const { type } = operand.type;
  if (query === 'sizeof' && type.kind === 'array' && type.count !== undefined) {
    return variableSize(checker, operand, span);
  }
  return checkTypeQuery(checker, query, valueType(operand.type), span);
}

/** The bytes of an array of variable length, which its declaration has computed. */
function variableSize(checker: Checker, operand: Expression, span: Span): Expression {
  if (operand.kind !== 'name' || operand.declaration.kind !== 'variable') {
    return checker.wrong(span, "'sizeof' of an array of variable length takes the name of a variable");
  }
  const builtin: VariableSize = { name: variableSizeName, variable: operand.declaration };
  const type = unqualified(checker.dialect.sizeType);
  const call: BuiltinCall = {
    kind: 'builtin-call',
    builtin,
    arguments: [],
    parameters: [],
    type,
    span,
  };
  return call;
}
