/** `=`, the compound assignments, `? :` and the comma (C99, 6.5.15 to 6.5.17). */
import { joinSpans, type Span } from '../../source/span.ts';
import type { ArithmeticOperator, ErrorExpression, Expression, SharedValue } from '../ast.ts';
import {
  arithmeticOf,
  elementOf,
  isArithmetic,
  isInteger,
  isScalar,
  pointerTo,
  sameType,
  withoutAtomic,
} from '../type-facts.ts';
import {
  type ArithmeticType,
  type CType,
  type QualifiedType,
  unqualified,
  type VectorType,
  vectorType,
  voidType,
} from '../types.ts';
import { checkAssignable, convertForAssignment } from './assignments.ts';
import { type Checker, errorExpression, isError } from './checker.ts';
import { isNullConstant, makeCast, promote, splat, toValue } from './conversions.ts';
import { checkStep, commonType, invalidOperands, shiftOperands } from './operators.ts';
import { warnUnused } from './unused.ts';

/** `target = value` */
export function checkAssignment(
  checker: Checker,
  target: Expression,
  value: Expression,
  operatorSpan: Span,
): Expression {
  const span = joinSpans(target.span, value.span);
  if (isError(target) || isError(value) || !checkAssignable(checker, target, operatorSpan))
    return errorExpression(span);
  const converted = convertForAssignment(checker, value, target.type, 'assigning');
  if (isError(converted)) return errorExpression(span);
  return {
    kind: 'assignment',
    target,
    value: converted,
    type: withoutAtomic(checker.types.value(target.type)),
    span,
  };
}

/** `target op= operand` */
export function checkCompoundAssignment(
  checker: Checker,
  operator: ArithmeticOperator,
  target: Expression,
  operand: Expression,
  operatorSpan: Span,
): Expression {
  const span = joinSpans(target.span, operand.span);
  const value = toValue(checker, operand);
  if (isError(target) || isError(value) || !checkAssignable(checker, target, operatorSpan))
    return errorExpression(span);
  const type = withoutAtomic(checker.types.value(target.type));
  const current = makeCast('load', target, type);
  const done = (converted: Expression, computation: QualifiedType): Expression => ({
    kind: 'assignment',
    operator,
    target,
    value: converted,
    computation: computation.type,
    type,
    span,
  });
  if (type.type.kind === 'pointer') {
    if ((operator !== '+' && operator !== '-') || !isInteger(value.type.type)) {
      return invalidOperands(checker, target, value, operatorSpan);
    }
    return checkStep(checker, current, operatorSpan) ? done(promote(value), type) : errorExpression(span);
  }
  if (operator === '<<' || operator === '>>') {
    const operands = shiftOperands(checker, current, value, operatorSpan);
    return operands ? done(operands.right, operands.left.type) : errorExpression(span);
  }
  const a = elementOf(type.type);
  const b = elementOf(value.type.type);
  const needsIntegers = operator !== '+' && operator !== '-' && operator !== '*' && operator !== '/';
  if (a === undefined || b === undefined || (needsIntegers && (a.floating || b.floating))) {
    return invalidOperands(checker, target, value, operatorSpan);
  }
  if (type.type.kind !== 'vector' && value.type.type.kind === 'vector') {
    return checker.wrong(
      operatorSpan,
      `assigning to '${checker.show(type)}' from incompatible type '${checker.show(value.type)}'`,
    );
  }
  const pair = commonType(checker, current, value, operatorSpan);
  return pair ? done(pair.right, pair.left.type) : errorExpression(span);
}

/** `left, right` */
export function checkComma(checker: Checker, left: Expression, right: Expression): Expression {
  const span = joinSpans(left.span, right.span);
  const value = toValue(checker, right);
  if (isError(left) || isError(value)) return errorExpression(span);
  if (checker.unevaluated === 0) warnUnused(checker, left, 'left operand of comma operator has no effect');
  return { kind: 'comma', left: discarded(left), right: value, type: value.type, span };
}

/** An expression evaluated for its effects only. What is there for these anyway stands as it is. */
export function discarded(expression: Expression): Expression {
  switch (expression.kind) {
    case 'assignment':
    case 'increment':
    case 'call':
    case 'builtin-call':
    case 'error':
      return expression;
  }
  if (expression.type.type.kind === 'void') return expression;
  return makeCast('void', expression, unqualified(voidType));
}

/** A scalar that decides something, as a value. */
export function checkCondition(checker: Checker, expression: Expression): Expression {
  const value = toValue(checker, expression);
  if (isError(value) || isScalar(value.type.type)) return value;
  return checker.wrong(
    value.span,
    `statement requires expression of scalar type ('${checker.show(value.type)}' invalid)`,
  );
}

/** The condition of `condition ?: else`, which is its value too. */
export function sharedValue(checker: Checker, condition: Expression): SharedValue | ErrorExpression {
  const operand = toValue(checker, condition);
  if (operand.kind === 'error') return operand;
  return { kind: 'shared', operand, type: operand.type, span: operand.span };
}

/** `condition ? then : else`; `shared` is the condition and `then` where `then` was left out. Mistakes are shown at the `?`. */
export function checkConditional(
  checker: Checker,
  conditionOperand: Expression,
  thenOperand: Expression,
  elseOperand: Expression,
  question: Span,
  sharedOperand?: SharedValue | ErrorExpression,
): Expression {
  const span = joinSpans(conditionOperand.span, elseOperand.span);
  const condition = toValue(checker, conditionOperand);
  const yes = toValue(checker, thenOperand);
  const no = toValue(checker, elseOperand);
  if (isError(condition) || isError(yes) || isError(no)) return errorExpression(span);
  if (yes.type.type.kind === 'block' || no.type.type.kind === 'block') {
    return checker.wrong(question, 'a block cannot be chosen by a ternary expression');
  }
  const shared = sharedOperand?.kind === 'shared' ? sharedOperand : undefined;
  const conditionType = condition.type.type;
  if (conditionType.kind === 'vector') {
    const result = vectorConditional(checker, condition, conditionType, yes, no, question);
    return result.kind === 'conditional' ? { ...result, shared, span } : errorExpression(span);
  }
  if (!isScalar(conditionType)) {
    return checker.wrong(
      condition.span,
      `used type '${checker.show(condition.type)}' where arithmetic or pointer type is required`,
    );
  }
  if (arithmeticOf(conditionType)?.floating && !checker.dialect.features.floatingConditions) {
    return floatingCondition(checker, condition, question);
  }
  const choices = commonChoice(checker, yes, no, question);
  if (choices === undefined) return errorExpression(span);
  return {
    kind: 'conditional',
    condition,
    // biome-ignore lint/suspicious/noThenProperty: the tree is never awaited
    then: choices.left,
    else: choices.right,
    shared,
    type: choices.left.type,
    span,
  };
}

function floatingCondition(checker: Checker, condition: Expression, span: Span): Expression {
  return checker.wrong(
    span,
    `used type '${checker.show(condition.type)}' where floating point type is not allowed`,
  );
}

interface Pair {
  readonly left: Expression;
  readonly right: Expression;
}

function commonChoice(checker: Checker, yes: Expression, no: Expression, span: Span): Pair | undefined {
  const a = yes.type.type;
  const b = no.type.type;
  if (a.kind === 'void' || b.kind === 'void') return { left: discarded(yes), right: discarded(no) };
  if (a.kind === 'pointer' || b.kind === 'pointer') return commonPointer(checker, yes, no, span);
  if (a === b && (a.kind === 'vector' || a.kind === 'record')) return { left: yes, right: no };
  if (a.kind === 'opaque' && sameType(a, b)) {
    return checker.dialect.rules.opaqueValue(yes, yes.type, 'choosing', checker)
      ? { left: yes, right: no }
      : undefined;
  }
  if (elementOf(a) !== undefined && elementOf(b) !== undefined) return commonType(checker, yes, no, span);
  if (sameType(a, b)) return { left: yes, right: no };
  incompatible(checker, yes, no, span);
  return undefined;
}

function incompatible(checker: Checker, yes: Expression, no: Expression, span: Span): void {
  checker.error(
    span,
    `incompatible operand types ('${checker.show(yes.type)}' and '${checker.show(no.type)}')`,
  );
}

function commonPointer(checker: Checker, yes: Expression, no: Expression, span: Span): Pair | undefined {
  if (isNullConstant(no) && yes.type.type.kind === 'pointer')
    return { left: yes, right: makeCast('null', no, yes.type) };
  if (isNullConstant(yes) && no.type.type.kind === 'pointer')
    return { left: makeCast('null', yes, no.type), right: no };
  const a = yes.type.type;
  const b = no.type.type;
  const names = `('${checker.show(yes.type)}' and '${checker.show(no.type)}')`;
  if (a.kind === 'pointer' && b.kind === 'pointer') {
    const leftSpace = a.pointee.space ?? 'private';
    const rightSpace = b.pointee.space ?? 'private';
    let space = leftSpace;
    if (leftSpace !== rightSpace) {
      if (checker.dialect.spaceConverts(leftSpace, rightSpace)) space = rightSpace;
      else if (!checker.dialect.spaceConverts(rightSpace, leftSpace)) {
        checker.error(
          span,
          `conditional operator with the second and third operands of type  ${names} which are pointers to non-overlapping address spaces`,
        );
        return undefined;
      }
    }
    const isSame = sameType(a.pointee.type, b.pointee.type);
    const isVoid = a.pointee.type.kind === 'void' || b.pointee.type.kind === 'void';
    if (!isSame && !isVoid) checker.warning(span, 'pointer-type-mismatch', `pointer type mismatch ${names}`);
    const pointee: QualifiedType = {
      ...(isSame ? a.pointee : unqualified(voidType)),
      isConst: a.pointee.isConst || b.pointee.isConst,
      isVolatile: a.pointee.isVolatile || b.pointee.isVolatile,
      space,
    };
    const type = unqualified(pointerTo(pointee));
    return {
      left: toChoice(yes, type, leftSpace !== space),
      right: toChoice(no, type, rightSpace !== space),
    };
  }
  const pointer = a.kind === 'pointer' ? yes : no;
  const other = pointer === yes ? no : yes;
  if (isInteger(other.type.type)) {
    checker.warning(
      span,
      'conditional-type-mismatch',
      `pointer/integer type mismatch in conditional expression ${names}`,
    );
    const converted = makeCast('integral-to-pointer', other, pointer.type);
    return pointer === yes ? { left: yes, right: converted } : { left: converted, right: no };
  }
  incompatible(checker, yes, no, span);
  return undefined;
}

function toChoice(value: Expression, type: QualifiedType, changesSpace: boolean): Expression {
  if (sameType(value.type.type, type.type)) return value;
  return makeCast(changesSpace ? 'space' : 'pointer', value, type);
}

/** With a vector condition each lane is chosen by its sign bit (OpenCL 1.2, 6.3 i). */
function vectorConditional(
  checker: Checker,
  condition: Expression,
  conditionType: VectorType,
  yes: Expression,
  no: Expression,
  span: Span,
): Expression {
  if (conditionType.element.floating) return floatingCondition(checker, condition, span);
  const choices = vectorChoices(checker, conditionType, yes, no, span);
  if (choices === undefined) return errorExpression(span);
  const result = choices.left.type.type;
  const shown = `vector condition type '${checker.show(condition.type)}' and result type '${checker.show(choices.left.type)}'`;
  if (result.kind !== 'vector' || result.lanes !== conditionType.lanes) {
    return checker.wrong(span, `${shown} do not have the same number of elements`);
  }
  if (result.element.size !== conditionType.element.size) {
    return checker.wrong(span, `${shown} do not have elements of the same size`);
  }
  return {
    kind: 'conditional',
    condition,
    // biome-ignore lint/suspicious/noThenProperty: the tree is never awaited
    then: choices.left,
    else: choices.right,
    type: choices.left.type,
    span,
  };
}

function vectorChoices(
  checker: Checker,
  condition: VectorType,
  yes: Expression,
  no: Expression,
  span: Span,
): Pair | undefined {
  if (!isArithmetic(yes.type.type) || !isArithmetic(no.type.type))
    return commonChoice(checker, yes, no, span);
  const narrow = narrowType(yes.type.type, no.type.type);
  const pair = narrow ? { left: yes, right: no } : commonType(checker, yes, no, span);
  const element = narrow ?? (pair && arithmeticOf(pair.left.type.type));
  if (pair === undefined || element === undefined) return undefined;
  const type = vectorType(element, condition.lanes);
  return { left: splat(pair.left, type), right: splat(pair.right, type) };
}

/**
 * The type that scalars of less than an int become elements of. They are not promoted, for otherwise `c2 ? c : c` would be
 * the choice of ints by a char2. Undefined for all other operands.
 */
function narrowType(a: CType, b: CType): ArithmeticType | undefined {
  const isNarrow = (type: CType) =>
    type.kind === 'arithmetic' && !type.floating && type.size < 4 && type.name !== 'bool';
  if (!isNarrow(a) || !isNarrow(b)) return undefined;
  const [left, right] = [arithmeticOf(a)!, arithmeticOf(b)!];
  if (left.size !== right.size) return left.size > right.size ? left : right;
  return left.signed ? right : left;
}
