/**
 * Binary operators: which operands they take, and the common type these get (C99, 6.5.5 to 6.5.14; for vectors
 * OpenCL 1.2, 6.2.6 and 6.3).
 */
import { joinSpans, type Span } from '../../source/span.ts';
import type { ArithmeticOperator, Binary, ComparisonOperator, Expression, LogicalOperator } from '../ast.ts';
import { evaluateConstant } from '../constant.ts';
import { isComparison, wrapInteger } from '../constant-arithmetic.ts';
import {
  arithmeticOf,
  elementOf,
  isComplete,
  isInteger,
  isScalar,
  sameType,
  signedOfSize,
  valueType,
} from '../type-facts.ts';
import {
  type ArithmeticType,
  arithmeticTypes,
  type CType,
  type QualifiedType,
  unqualified,
  vectorType,
} from '../types.ts';
import { type Checker, errorExpression, isError } from './checker.ts';
import {
  commonArithmetic,
  convertArithmetic,
  isNullConstant,
  makeCast,
  promote,
  splat,
  toValue,
} from './conversions.ts';

export type BinaryOperator = ArithmeticOperator | ComparisonOperator | LogicalOperator;

const intType = unqualified(arithmeticTypes.int);

/** `left operator right`. Mistakes are shown at the operator. */
export function checkBinary(
  checker: Checker,
  operator: BinaryOperator,
  left: Expression,
  right: Expression,
  operatorSpan: Span,
): Expression {
  const checked = checkOperands(
    checker,
    operator,
    toValue(checker, left),
    toValue(checker, right),
    operatorSpan,
  );
  return isError(checked) ? errorExpression(joinSpans(left.span, right.span)) : checked;
}

/** An operation on operands that suit it. */
function binary(
  operator: BinaryOperator,
  left: Expression,
  right: Expression,
  type: QualifiedType,
  operatorSpan: Span,
): Binary {
  const span = joinSpans(left.span, right.span);
  return { kind: 'binary', operator, left, right, type, operatorSpan, span };
}

/** Mistakes are shown at `span`, where the operator stands. */
function checkOperands(
  checker: Checker,
  operator: BinaryOperator,
  left: Expression,
  right: Expression,
  span: Span,
): Expression {
  if (isError(left) || isError(right)) return errorExpression(span);
  if (operator === '&&' || operator === '||') return logical(checker, operator, left, right, span);
  if (operator === '<<' || operator === '>>') return shift(checker, operator, left, right, span);
  if (isComparison(operator)) return comparison(checker, operator, left, right, span);
  const isVector = left.type.type.kind === 'vector' || right.type.type.kind === 'vector';
  if (!isVector && (left.type.type.kind === 'pointer' || right.type.type.kind === 'pointer')) {
    return pointerArithmetic(checker, operator, left, right, span);
  }
  if (!takesOperands(operator, left, right)) return invalidOperands(checker, left, right, span);
  const pair = commonType(checker, left, right, span);
  if (pair === undefined) return errorExpression(span);
  if (operator === '/' || operator === '%') warnZeroDivisor(checker, operator, pair.right, span);
  return binary(operator, pair.left, pair.right, pair.left.type, span);
}

export function invalidOperands(
  checker: Checker,
  left: Expression,
  right: Expression,
  span: Span,
): Expression {
  return checker.wrong(
    span,
    `invalid operands to binary expression ('${checker.show(left.type)}' and '${checker.show(right.type)}')`,
  );
}

/** `%` and the bitwise operators work on integers only. */
function takesOperands(operator: BinaryOperator, left: Expression, right: Expression): boolean {
  const a = elementOf(left.type.type);
  const b = elementOf(right.type.type);
  // What is no vector beside one is complained of where their common type is looked for.
  if (a === undefined || b === undefined)
    return left.type.type.kind === 'vector' || right.type.type.kind === 'vector';
  if (operator === '+' || operator === '-' || operator === '*' || operator === '/') return true;
  return !a.floating && !b.floating;
}

/** Both operands in their common type; undefined where they have none, which has been reported. */
export function commonType(
  checker: Checker,
  left: Expression,
  right: Expression,
  span: Span,
): { left: Expression; right: Expression } | undefined {
  const a = left.type.type;
  const b = right.type.type;
  if (a.kind === 'vector' && b.kind === 'vector') {
    if (a === b) return { left, right };
    checker.error(
      span,
      `implicit conversions between vector types ('${checker.show(left.type)}' and '${checker.show(right.type)}') are not permitted`,
    );
    return undefined;
  }
  if (a.kind === 'vector' || b.kind === 'vector') return scalarWithVector(checker, left, right, span);
  const leftType = arithmeticOf(a);
  const rightType = arithmeticOf(b);
  if (leftType === undefined || rightType === undefined) {
    invalidOperands(checker, left, right, span);
    return undefined;
  }
  const common = commonArithmetic(leftType, rightType);
  return { left: convertArithmetic(left, common), right: convertArithmetic(right, common) };
}

/** A scalar beside a vector is converted to its element type, which must not be of lesser rank. */
function scalarWithVector(
  checker: Checker,
  left: Expression,
  right: Expression,
  span: Span,
): { left: Expression; right: Expression } | undefined {
  const vectorOnLeft = left.type.type.kind === 'vector';
  const vector = vectorOnLeft ? left.type.type : right.type.type;
  const scalar = vectorOnLeft ? right : left;
  const from = arithmeticOf(scalar.type.type);
  if (vector.kind !== 'vector' || from === undefined) {
    checker.error(
      span,
      `cannot convert between vector and non-scalar values ('${checker.show(left.type)}' and '${checker.show(right.type)}')`,
    );
    return undefined;
  }
  const { element } = vector;
  const outranks = from.floating === element.floating ? from.size > element.size : from.floating;
  if (outranks && !keepsConstant(checker, scalar, element)) {
    checker.error(
      span,
      `scalar operand type has greater rank than the type of the vector element. ('${checker.show(left.type)}' and '${checker.show(right.type)}')`,
    );
    return undefined;
  }
  const spread = splat(scalar, vector);
  return vectorOnLeft ? { left, right: spread } : { left: spread, right };
}

function comparisonResult(type: CType): QualifiedType {
  if (type.kind !== 'vector') return intType;
  return unqualified(vectorType(signedOfSize(type.element.size), type.lanes));
}

function comparison(
  checker: Checker,
  operator: ComparisonOperator,
  left: Expression,
  right: Expression,
  span: Span,
): Expression {
  const a = left.type.type;
  const b = right.type.type;
  if (a.kind === 'pointer' || b.kind === 'pointer')
    return pointerComparison(checker, operator, left, right, span);
  const isEquality = operator === '==' || operator === '!=';
  if (isEquality && sameType(a, b) && checker.dialect.opaqueCompares?.(a)) {
    return binary(operator, left, right, intType, span);
  }
  return onCommonType(checker, operator, left, right, span);
}

/** A comparison or logical operation of arithmetic operands, brought to one type; vectors go lane by lane. */
function onCommonType(
  checker: Checker,
  operator: ComparisonOperator | LogicalOperator,
  left: Expression,
  right: Expression,
  span: Span,
): Expression {
  if (elementOf(left.type.type) === undefined || elementOf(right.type.type) === undefined)
    return invalidOperands(checker, left, right, span);
  const pair = commonType(checker, left, right, span);
  if (pair === undefined) return errorExpression(span);
  const type = comparisonResult(pair.left.type.type);
  return binary(operator, pair.left, pair.right, type, span);
}

function pointerComparison(
  checker: Checker,
  operator: ComparisonOperator,
  left: Expression,
  right: Expression,
  span: Span,
): Expression {
  const a = left.type.type;
  const b = right.type.type;
  const done = (one: Expression, two: Expression): Expression => binary(operator, one, two, intType, span);
  if (a.kind === 'pointer' && b.kind === 'pointer') {
    if (isNullConstant(right)) return done(left, makeCast('null', right, left.type));
    if (isNullConstant(left)) return done(makeCast('null', left, right.type), right);
    const leftSpace = a.pointee.space ?? 'private';
    const rightSpace = b.pointee.space ?? 'private';
    if (leftSpace !== rightSpace) {
      if (checker.dialect.spaceConverts(leftSpace, rightSpace))
        return done(makeCast('space', left, right.type), right);
      if (checker.dialect.spaceConverts(rightSpace, leftSpace))
        return done(left, makeCast('space', right, left.type));
      return checker.wrong(
        span,
        `comparison between  ('${checker.show(left.type)}' and '${checker.show(right.type)}') which are pointers to non-overlapping address spaces`,
      );
    }
    const isVoid = a.pointee.type.kind === 'void' || b.pointee.type.kind === 'void';
    if (!isVoid && !sameType(a.pointee.type, b.pointee.type)) {
      checker.warning(
        span,
        'compare-distinct-pointer-types',
        `comparison of distinct pointer types ('${checker.show(left.type)}' and '${checker.show(right.type)}')`,
      );
    }
    return done(left, right);
  }
  if (a.kind === 'pointer' && isInteger(b)) {
    if (isNullConstant(right)) return done(left, makeCast('null', right, left.type));
    warnPointerInteger(checker, left, right, span);
    return done(left, makeCast('integral-to-pointer', right, left.type));
  }
  if (b.kind === 'pointer' && isInteger(a)) {
    if (isNullConstant(left)) return done(makeCast('null', left, right.type), right);
    warnPointerInteger(checker, left, right, span);
    return done(makeCast('integral-to-pointer', left, right.type), right);
  }
  return invalidOperands(checker, left, right, span);
}

function warnPointerInteger(checker: Checker, left: Expression, right: Expression, span: Span): void {
  checker.warning(
    span,
    'pointer-integer-compare',
    `comparison between pointer and integer ('${checker.show(left.type)}' and '${checker.show(right.type)}')`,
  );
}

function logical(
  checker: Checker,
  operator: LogicalOperator,
  left: Expression,
  right: Expression,
  span: Span,
): Expression {
  const a = left.type.type;
  const b = right.type.type;
  if (isScalar(a) && isScalar(b)) {
    return binary(operator, left, right, intType, span);
  }
  return onCommonType(checker, operator, left, right, span);
}

function shift(
  checker: Checker,
  operator: '<<' | '>>',
  left: Expression,
  right: Expression,
  span: Span,
): Expression {
  const operands = shiftOperands(checker, left, right, span);
  if (operands === undefined) return errorExpression(span);
  return binary(operator, operands.left, operands.right, operands.left.type, span);
}

/** The operands of a shift: each promoted alone; beside a vector the count becomes a vector too. */
export function shiftOperands(
  checker: Checker,
  left: Expression,
  right: Expression,
  span: Span,
): { left: Expression; right: Expression } | undefined {
  const a = left.type.type;
  const b = right.type.type;
  const leftElement = elementOf(a);
  const rightElement = elementOf(b);
  if (a.kind === 'vector' && rightElement !== undefined && (a.element.floating || rightElement.floating)) {
    const wrong = a.element.floating ? left : right;
    checker.error(wrong.span, `used type '${checker.show(wrong.type)}' where integer is required`);
    return undefined;
  }
  if (!leftElement || !rightElement || leftElement.floating || rightElement.floating) {
    invalidOperands(checker, left, right, span);
    return undefined;
  }
  if (a.kind !== 'vector' && b.kind === 'vector') {
    checker.error(
      span,
      `requested shift is a vector of type '${checker.show(right.type)}' but the first operand is not a vector ('${checker.show(left.type)}')`,
    );
    return undefined;
  }
  if (a.kind === 'vector' && b.kind === 'vector' && a.lanes !== b.lanes) {
    checker.error(
      span,
      `vector operands do not have the same number of elements ('${checker.show(left.type)}' and '${checker.show(right.type)}')`,
    );
    return undefined;
  }
  if (a.kind === 'vector' && b.kind !== 'vector') {
    return { left, right: splat(right, vectorType(leftElement, a.lanes)) };
  }
  if (a.kind === 'vector') return { left, right };
  const value = promote(left);
  if (!checker.dialect.features.shiftsWrap) warnShiftCount(checker, value, right);
  return { left: value, right: promote(right) };
}

function warnShiftCount(checker: Checker, left: Expression, right: Expression): void {
  const count = checker.unevaluated > 0 ? undefined : evaluateConstant(right, checker.dialect.addressBytes);
  if (count?.kind !== 'integer') return;
  const width = (arithmeticOf(left.type.type)?.size ?? 8) * 8;
  if (count.value < 0n) {
    checker.warning(right.span, 'shift-count-negative', 'shift count is negative');
  } else if (count.value >= BigInt(width)) {
    checker.warning(right.span, 'shift-count-overflow', 'shift count >= width of type');
  }
}

function pointerArithmetic(
  checker: Checker,
  operator: BinaryOperator,
  left: Expression,
  right: Expression,
  span: Span,
): Expression {
  const a = left.type.type;
  const b = right.type.type;
  if (operator === '-' && a.kind === 'pointer' && b.kind === 'pointer') {
    const isSame =
      sameType(a.pointee.type, b.pointee.type) &&
      (a.pointee.space ?? 'private') === (b.pointee.space ?? 'private');
    if (!isSame) {
      return checker.wrong(
        span,
        `'${checker.show(left.type)}' and '${checker.show(right.type)}' are not pointers to compatible types`,
      );
    }
    if (!checkStep(checker, left, span)) return errorExpression(span);
    return binary(operator, left, right, unqualified(checker.dialect.differenceType), span);
  }
  const pointer = a.kind === 'pointer' ? left : right;
  const other = a.kind === 'pointer' ? right : left;
  const isStep =
    (operator === '+' || (operator === '-' && a.kind === 'pointer')) && isInteger(other.type.type);
  if (!isStep) return invalidOperands(checker, left, right, span);
  if (!checkStep(checker, pointer, span)) return errorExpression(span);
  const step = promote(other);
  const type = valueType(pointer.type);
  return a.kind === 'pointer'
    ? binary(operator, left, step, type, span)
    : binary(operator, step, right, type, span);
}

/** A constant that the elements of a vector can hold may be of a larger type (GNU). */
function keepsConstant(checker: Checker, scalar: Expression, element: ArithmeticType): boolean {
  if (!checker.dialect.features.gnu) return false;
  const constant = evaluateConstant(scalar, checker.dialect.addressBytes);
  if (constant?.kind === 'integer')
    return element.floating || wrapInteger(constant.value, element) === constant.value;
  return constant?.kind === 'floating' && element.floating && Math.fround(constant.value) === constant.value;
}

/** Whether steps on a pointer have a size. */
export function checkStep(checker: Checker, pointer: Expression, span: Span): boolean {
  const { type } = pointer.type;
  if (type.kind !== 'pointer') return false;
  const pointee = type.pointee.type;
  if (pointee.kind === 'void' || isComplete(pointee)) return true;
  if (pointee.kind === 'function') {
    checker.error(span, `arithmetic on a pointer to the function type '${checker.show(type.pointee)}'`);
  } else {
    checker.error(span, `arithmetic on a pointer to an incomplete type '${checker.show(type.pointee)}'`);
  }
  return false;
}

function warnZeroDivisor(checker: Checker, operator: '/' | '%', right: Expression, span: Span): void {
  if (checker.unevaluated > 0 || (right.kind === 'cast' && right.cast === 'load')) return;
  if (!isInteger(right.type.type)) return;
  const value = evaluateConstant(right, checker.dialect.addressBytes);
  if (value?.kind !== 'integer' || value.value !== 0n) return;
  checker.warning(
    span,
    'division-by-zero',
    `${operator === '/' ? 'division' : 'remainder'} by zero is undefined`,
  );
}
