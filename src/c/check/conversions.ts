/**
 * The conversions C makes silently: lvalues to values, arrays and functions to pointers, integer promotions, and the
 * usual arithmetic conversions (C99, 6.3; for vectors OpenCL 1.2, 6.2). Each becomes a Cast node.
 */
import type { Span } from '../../source/span.ts';
import type { Cast, CastKind, Expression } from '../ast.ts';
import { evaluateConstant } from '../constant.ts';
import { convertLane, wrapInteger } from '../constant-arithmetic.ts';
import { arithmeticOf, isScalar, pointerTo, valueType, withoutAtomic } from '../type-facts.ts';
import {
  type ArithmeticType,
  type ArrayType,
  arithmeticTypes,
  type CType,
  type QualifiedType,
  unqualified,
  type VectorType,
} from '../types.ts';
import { type Checker, errorExpression, isError } from './checker.ts';

/** A cast written at `span`; without it, one that C makes silently. */
export function makeCast(cast: CastKind, operand: Expression, type: QualifiedType, span?: Span): Cast {
  if (span === undefined) return { kind: 'cast', cast, operand, type, span: operand.span };
  return { kind: 'cast', cast, operand, type, isWritten: true, span };
}

/** The value of an expression: what an lvalue holds, the address of an array's first element, of a function. */
export function toValue(checker: Checker, expression: Expression): Expression {
  const { type } = expression.type;
  if (isError(expression)) return expression;
  if (type.kind === 'array') {
    const array = expression.type as QualifiedType & { type: ArrayType };
    const place = expression.lvalue ? expression : temporary(checker, expression);
    return makeCast('decay', place, checker.types.decayed(array));
  }
  if (type.kind === 'function') {
    return makeCast(
      'function',
      expression,
      unqualified(pointerTo({ ...unqualified(type), space: 'private' })),
    );
  }
  if (!expression.lvalue) return expression;
  if (!loadable(checker, expression)) return errorExpression(expression.span);
  return makeCast('load', expression, withoutAtomic(checker.types.value(expression.type)));
}

function loadable(checker: Checker, expression: Expression): boolean {
  const { type } = expression.type;
  if (type.kind === 'record' && type.fields === undefined) {
    checker.error(
      expression.span,
      `incomplete type '${checker.show(expression.type)}' where a complete type is required`,
    );
    return false;
  }
  if (checker.unevaluated > 0) return true;
  if (type.kind === 'atomic' && !checker.dialect.features.atomicObjects) {
    checker.error(expression.span, onlyAtomically(checker, expression.type));
    return false;
  }
  if (type.kind !== 'arithmetic' && type.kind !== 'vector') return true;
  return checker.dialect.rules.storageOnly(type, 'load', expression.span, checker);
}

/** What is said of an atomic object that is read or written like any other (OpenCL 2.0, 6.13.11.8). */
export function onlyAtomically(checker: Checker, type: QualifiedType): string {
  return `an object of type '${checker.show(valueType(type))}' can only be used through the atomic functions`;
}

/** An object that holds an array within a value, `f().array`, for as long as it is needed. */
function temporary(checker: Checker, expression: Expression): Expression {
  if (expression.kind !== 'member') return expression;
  const { object } = expression;
  if (object.kind === 'member' && !object.lvalue) {
    return { ...expression, lvalue: true, object: temporary(checker, object) };
  }
  const { span } = expression;
  const space = checker.dialect.defaultSpace('local', object.type.type);
  const type: QualifiedType = { ...object.type, space };
  const entry = { offset: 0, type: valueType(type), value: object };
  return {
    ...expression,
    lvalue: true,
    type: { ...expression.type, space },
    object: {
      kind: 'compound-literal',
      isStatic: false,
      initializer: { kind: 'initializer-list', entries: [entry], span, type: valueType(type) },
      span,
      type,
      lvalue: true,
    },
  };
}

/** Small integers, bool and enumerations become int or uint (C99, 6.3.1.1). Anything else stays. */
export function promote(expression: Expression): Expression {
  const type = arithmeticOf(expression.type.type);
  if (type === undefined) return expression;
  const to = promoted(type);
  return to === expression.type.type ? expression : convertArithmetic(expression, to);
}

function promoted(type: ArithmeticType): ArithmeticType {
  if (type.floating || type.size >= 4) return type;
  return arithmeticTypes.int;
}

/** The type both operands of an arithmetic operation get (C99, 6.3.1.8). */
export function commonArithmetic(a: ArithmeticType, b: ArithmeticType): ArithmeticType {
  if (a === b) return promoted(a);
  if (a.floating || b.floating) {
    if (a.floating && b.floating) return a.size >= b.size ? a : b;
    return a.floating ? a : b;
  }
  const left = promoted(a);
  const right = promoted(b);
  if (left === right) return left;
  if (left.size !== right.size) return left.size > right.size ? left : right;
  return left.signed ? right : left;
}

/** An arithmetic value in another arithmetic type. */
export function convertArithmetic(expression: Expression, to: ArithmeticType, span?: Span): Expression {
  const from = arithmeticOf(expression.type.type);
  if (from === undefined || expression.type.type === to) return expression;
  return makeCast(arithmeticCast(from, to), expression, unqualified(to), span);
}

/** How a value of one arithmetic type, or each lane of a vector, becomes one of another. */
export function arithmeticCast(from: ArithmeticType, to: ArithmeticType): CastKind {
  if (from === to) return 'same';
  if (to.name === 'bool') return 'to-bool';
  if (from.floating) return to.floating ? 'floating' : 'floating-to-integral';
  return to.floating ? 'integral-to-floating' : 'integral';
}

/** A scalar as a vector of equal lanes; a bool becomes all ones or zero in an integer vector when cast. */
export function splat(scalar: Expression, to: VectorType, span?: Span): Expression {
  const type = unqualified(to);
  const from = arithmeticOf(scalar.type.type);
  if (span !== undefined && from?.name === 'bool' && !to.element.floating) {
    return makeCast('bool-splat', scalar, type, span);
  }
  return makeCast('splat', convertArithmetic(scalar, to.element), type, span);
}

/** Warns where a constant changes its value on the way to a smaller type, as clang does without being asked. */
export function warnChangedConstant(
  checker: Checker,
  value: Expression,
  to: ArithmeticType,
  shownAs: CType = to,
): void {
  const from = arithmeticOf(value.type.type);
  if (from === undefined || to.name === 'bool' || checker.unevaluated > 0) return;
  if (from.floating ? to.floating : !to.floating && to.size >= from.size) return;
  const constant = evaluateConstant(value, checker.dialect.addressBytes);
  if (constant === undefined) return;
  const target = checker.showType(shownAs);
  const source = checker.show(value.type);
  if (constant.kind === 'integer') {
    if (to.floating) {
      if (isLiteral(value)) warnRoundedInteger(checker, value, constant.value, to, target);
      return;
    }
    const wrapped = wrapInteger(constant.value, to);
    // Minus one, and its like, is a usual way to write a mask.
    const isMask = constant.value < 0n && BigInt.asIntN(to.size * 8, constant.value) === constant.value;
    if (wrapped === constant.value || isMask) return;
    checker.warning(
      value.span,
      'constant-conversion',
      `implicit conversion from '${source}' to '${target}' changes value from ${constant.value} to ${wrapped}`,
    );
  } else if (constant.kind === 'floating') {
    if (!isLiteral(value)) return;
    const whole = Math.trunc(constant.value);
    if (!Number.isFinite(whole) || wrapInteger(BigInt(whole), to) !== BigInt(whole)) {
      checker.warning(
        value.span,
        'literal-conversion',
        `implicit conversion of out of range value from '${source}' to '${target}' is undefined`,
      );
      return;
    }
    if (whole === constant.value) return;
    checker.warning(
      value.span,
      'literal-conversion',
      `implicit conversion from '${source}' to '${target}' changes value from ${constant.value} to ${whole}`,
    );
  }
}

function warnRoundedInteger(
  checker: Checker,
  value: Expression,
  given: bigint,
  to: ArithmeticType,
  target: string,
): void {
  if (to.name === 'half') return;
  const from = arithmeticOf(value.type.type) ?? arithmeticTypes.int;
  const rounded = BigInt(convertLane(given, from, to) ?? given);
  if (rounded === given) return;
  checker.warning(
    value.span,
    'implicit-const-int-float-conversion',
    `implicit conversion from '${checker.show(value.type)}' to '${target}' changes value from ${given} to ${rounded}`,
  );
}

function isLiteral(value: Expression): boolean {
  if (value.kind === 'integer-literal') return true;
  return value.kind === 'float-literal' || (value.kind === 'unary' && isLiteral(value.operand));
}

/** A constant zero, which is a null pointer where a pointer is wanted (C99, 6.3.2.3 3). */
export function isNullConstant(expression: Expression): boolean {
  let value = expression;
  const { type } = value.type;
  if (value.kind === 'cast' && type.kind === 'pointer' && type.pointee.type.kind === 'void')
    value = value.operand;
  if (value.kind === 'integer-literal') return value.value === 0n;
  if (!isScalar(value.type.type) || arithmeticOf(value.type.type)?.floating !== false) return false;
  if (value.kind !== 'cast' && value.kind !== 'unary' && value.kind !== 'binary') return false;
  if (readsMemory(value)) return false;
  const constant = evaluateConstant(value);
  return constant?.kind === 'integer' && constant.value === 0n;
}

function readsMemory(expression: Expression): boolean {
  if (expression.kind === 'cast') return expression.cast === 'load' || readsMemory(expression.operand);
  if (expression.kind === 'unary') return readsMemory(expression.operand);
  if (expression.kind === 'binary') return readsMemory(expression.left) || readsMemory(expression.right);
  return false;
}
