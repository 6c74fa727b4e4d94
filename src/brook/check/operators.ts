/** Checks operators against the table of A.6.3.9: which types each takes, and that both operands have the same. */
import type { Assignment, Binary, Conditional, Expression, Unary } from '../syntax/ast.ts';
import { type BrookType, isFloating, sameType, type ValueType, valueType, widest } from '../types.ts';
import { commonType, converted, convertFor, losesData } from './conversions.ts';
import { checkAnyCondition, checkExpression, checkValue, fail, firstComponent } from './expressions.ts';
import { groups } from './groups.ts';
import type { Scope } from './scope.ts';
import { checkTarget } from './targets.ts';
import type { Typed } from './tree.ts';

type Value = Typed & { readonly type: ValueType };

const relations = new Set(['<', '>', '<=', '>=', '==', '!=', '&&', '||']);
const onBits = new Set(['&', '|', '^', '<<', '>>', '~']);
const onIntegers = new Set(['%', '&&', '||', '!']);

/** Whether an operator takes a type at all; reports if not. `side` is what brcc calls the operand. */
function takes(scope: Scope, operator: string, type: ValueType, at: Expression, side: string): boolean {
  const { strongTypes } = scope.report.options;
  const isWide = type.scalar === 'int' || type.scalar === 'uint';
  const fits = onBits.has(operator)
    ? strongTypes
      ? isWide
      : !isFloating(type)
    : onIntegers.has(operator)
      ? !isFloating(type) || (!strongTypes && operator !== '%')
      : true;
  if (!fits) fail(scope, at, groups.none, `${side}operand is not a Integer type`);
  return fits;
}

export function checkUnary(scope: Scope, expression: Unary): Typed | undefined {
  const { operator, operand, isPostfix } = expression;
  if (operator === '&') return fail(scope, expression, groups.operator, 'variable address(&)');
  if (operator === '*') return fail(scope, expression, groups.operator, 'pointer dereference(*)');
  const value = checkExpression(scope, operand);
  if (!value) return undefined;
  if (value.kind === 'array')
    return fail(scope, expression, groups.operator, 'Illegal to use array type as unary operand');
  const { type } = value;
  if (type.kind !== 'value') return fail(scope, expression, groups.none, 'operand is not a Arithmetic type');
  if (!takes(scope, operator, type, operand, '')) return undefined;
  if (operator === '!') return { kind: 'not', type: valueType('int', type.width), operand: value };
  if (operator === '++' || operator === '--') {
    if (!checkTarget(scope, value, operand)) return undefined;
    scope.noteReduceChange(value, '?', 0);
  }
  return { kind: 'unary', type, operator, operand: value, isPostfix };
}

export function checkBinary(scope: Scope, expression: Binary): Typed | undefined {
  const { operator, left, right } = expression;
  if (operator === ',') {
    const first = checkExpression(scope, left);
    const second = checkExpression(scope, right);
    return first && second && { kind: 'comma', type: second.type, left: first, right: second };
  }
  const isRelation = relations.has(operator);
  const group = isRelation ? groups.relation : groups.binary;
  const a = checkValue(scope, left, 'left');
  const b = checkValue(scope, right, 'right');
  if (!a || !b) return undefined;
  if (!takes(scope, operator, a.type, left, 'left ') || !takes(scope, operator, b.type, right, 'right '))
    return undefined;
  if (operator === '<<' || operator === '>>') return checkShift(scope, expression, a, b);
  const type = operandType(scope, expression, group, a, b);
  if (!type) return undefined;
  const operands = { operator, left: converted(a, type), right: converted(b, type) };
  if (isRelation) return { kind: 'relation', type: valueType('int', type.width), ...operands };
  return { kind: 'binary', type, ...operands };
}

/** The type that both operands are brought to. */
function operandType(
  scope: Scope,
  expression: Binary,
  group: string,
  left: Value,
  right: Value,
): ValueType | undefined {
  if (sameType(left.type, right.type)) return left.type;
  const { report } = scope;
  if (report.options.strongTypes) {
    const words = 'Mismatched operands: both must have same type and same number of components';
    return fail(scope, expression, group, words);
  }
  const type = commonType(left.type, right.type);
  report.warning(expression.span, group, conversionWords(left.type, right.type, type), 1);
  return type;
}

/** What brcc says where one operand is made the type of the other. */
function conversionWords(left: ValueType, right: ValueType, common: ValueType): string {
  const isLeft = left.scalar === right.scalar ? left.width < right.width : left.scalar !== common.scalar;
  const [side, from] = isLeft ? ['left', left] : ['right', right];
  const words = `implicit conversion from ${isLeft ? 'left type to right type' : 'right type to left type'}`;
  const parts: string[] = [];
  if (from.width > common.width) parts.push(`unused ${side} operand components`);
  if (from.width < common.width) parts.push(`uninitialized ${side} operand components`);
  if (losesData(from, common)) parts.push('possible lose of data');
  return parts.length === 0 ? words : `${words}: ${parts.join(' and ')}`;
}

function checkShift(scope: Scope, expression: Binary, value: Value, count: Value): Typed | undefined {
  const { report } = scope;
  const { type } = value;
  if (count.type.width < type.width)
    report.typeWarning(expression.span, groups.binary, 'shift count not specified for all components');
  if (count.type.width > type.width)
    report.typeWarning(expression.span, groups.binary, 'unused shift count components');
  const { operator } = expression;
  return { kind: 'binary', type, operator, left: value, right: converted(count, type) };
}

/**
 * `a ? b : c`. With a vector for a condition, which only goes without strong typing, each component is chosen by its own: so it was
 * in Brook before Brook+, whose programs `-a` is for.
 */
export function checkConditional(scope: Scope, expression: Conditional): Typed | undefined {
  const condition = checkAnyCondition(scope, expression.condition, 'each component decides for itself');
  const yes = checkExpression(scope, expression.yes);
  const no = checkExpression(scope, expression.no);
  if (!condition || !yes || !no) return undefined;
  for (const [value, side] of [
    [yes, 'left'],
    [no, 'right'],
  ] as const) {
    if (value.kind === 'array')
      return fail(scope, expression, groups.expression, `Illegal to use array type as ${side} operand`);
  }
  if (sameType(yes.type, no.type)) return chosen(condition, yes.type, yes, no);
  const words =
    'Mismatched types: True expression type and false expression type must have same types and same number of components';
  if (yes.type.kind !== 'value' || no.type.kind !== 'value')
    return fail(scope, expression, groups.trinary, words);
  scope.report.typeWarning(expression.span, groups.trinary, words);
  if (scope.report.options.strongTypes) return undefined;
  const type = commonType(yes.type, no.type);
  return chosen(condition, type, converted(yes, type), converted(no, type));
}

/** What `?:` chooses from two values of a type. */
function chosen(condition: Value, type: BrookType, yes: Typed, no: Typed): Typed {
  const { width } = condition.type;
  if (width === 1 || type.kind !== 'value')
    return { kind: 'conditional', type, condition: firstComponent(condition), yes, no };
  // Scalars are chosen for each component; of vectors there are as many components as the shorter one has.
  const common = valueType(type.scalar, Math.min(width, type.width === 1 ? 4 : type.width, widest(type)));
  return {
    kind: 'select',
    type: common,
    condition: converted(condition, valueType(condition.type.scalar, common.width)),
    yes: converted(yes, common),
    no: converted(no, common),
  };
}

export function checkAssignment(scope: Scope, expression: Assignment): Typed | undefined {
  const { operator, span } = expression;
  const target = checkExpression(scope, expression.target);
  const usesBefore = scope.reduceUses;
  const given = checkExpression(scope, expression.value);
  if (!target || !given) return undefined;
  if (target.kind === 'array')
    return fail(scope, expression, groups.target, 'Illegal to use array type as left operand');
  if (given.kind === 'array')
    return fail(scope, expression, groups.target, 'Illegal to use array type as right operand');
  if (!checkTarget(scope, target, expression.target)) return undefined;
  if (target.type.kind === 'void' || given.type.kind === 'void')
    return fail(scope, expression, groups.none, 'right operand is not a Arithmetic type');
  const { type } = target;
  if (operator !== '=') {
    const bare = operator.slice(0, -1);
    if (type.kind !== 'value')
      return fail(scope, expression, groups.none, 'left operand is not a Arithmetic type');
    if (!takes(scope, bare, type, expression.target, 'left ')) return undefined;
    if (given.type.kind === 'value' && !takes(scope, bare, given.type, expression.value, 'right '))
      return undefined;
    if (scope.reduceUses === usesBefore) scope.noteReduceChange(target, bare, 1);
  } else scope.noteReduceAssignment(target, given);
  const value = convertFor(scope.report, given, type, span, groups.assignment);
  if (!sameType(value.type, type)) return undefined;
  if (type.kind !== 'value' || given.type.kind !== 'value' || !computesInCommon(operator))
    return { kind: 'assignment', type, operator, target, value };
  // As in C `i *= 1.5` multiplies numbers that are not whole, and cuts the result.
  const common = valueType(commonType(type, given.type).scalar, type.width);
  // There are no vectors of more than two doubles to compute in.
  const operand = common.width === type.width ? converted(given, common) : value;
  return { kind: 'assignment', type, operator, target, value: operand };
}

/** Whether an operator brings its operands to one type; shifts do not. */
function computesInCommon(operator: string): boolean {
  return /^[-+*/%&|^]=$/.test(operator);
}
