/**
 * Operators that rarely mean what they say without parentheses: what clang warns of under -Wparentheses and
 * -Wlogical-not-parentheses. The tree has no parentheses, so whether an operand stands in some is told by its tokens.
 */
import type { Span } from '../../source/span.ts';
import type { Expression } from '../ast.ts';
import { isComparison } from '../constant-arithmetic.ts';
import type { Token } from '../token.ts';
import { isInteger } from '../type-facts.ts';
import type { Parser } from './parser.ts';

/** An operand as it was parsed, with its first and its last token. */
export interface ParsedOperand {
  readonly value: Expression;
  readonly first: Token;
  readonly last: Token;
}

/** `if (a = b)`: perhaps `==` was meant. `first` is the condition's first token. */
export function warnAssignedCondition(parser: Parser, condition: Expression, first: Token): void {
  if (condition.kind !== 'assignment' || condition.operator !== undefined) return;
  if (first.start !== condition.span.start) return;
  const at = parser.assignment ?? first;
  parser.checker.warning(
    at,
    'parentheses',
    'using the result of an assignment as a condition without parentheses',
    [
      { message: 'place parentheses around the assignment to silence this warning', span: at },
      { message: "use '==' to turn this assignment into an equality comparison", span: at },
    ],
  );
}

/** `a & b == c`, which is `a & (b == c)`; `!a == b`, which is `(!a) == b`. */
export function warnPrecedence(
  parser: Parser,
  operator: Token,
  left: ParsedOperand,
  right: ParsedOperand,
): void {
  if (operator.expansion !== undefined) return;
  const { text } = operator;
  if (text === '&' || text === '|' || text === '^') {
    warnComparisonBeside(parser, operator, left);
    warnComparisonBeside(parser, operator, right);
  } else if (isComparison(text)) warnNegatedSide(parser, operator, left, right);
}

function warnComparisonBeside(parser: Parser, operator: Token, operand: ParsedOperand): void {
  const { value } = operand;
  if (value.kind !== 'binary' || !isComparison(value.operator) || isInParentheses(operand)) return;
  const words = `${operator.text} has lower precedence than ${value.operator}`;
  parser.checker.warning(operator, 'parentheses', `${words}; ${value.operator} will be evaluated first`, [
    {
      message: `place parentheses around the '${value.operator}' expression to silence this warning`,
      span: value.span,
    },
    {
      message: `place parentheses around the ${operator.text} expression to evaluate it first`,
      span: operator,
    },
  ]);
}

function warnNegatedSide(parser: Parser, operator: Token, left: ParsedOperand, right: ParsedOperand): void {
  const { value } = left;
  if (value.kind !== 'unary' || value.operator !== '!' || isInParentheses(left)) return;
  if (!isInteger(value.type.type) || isTruth(right.value)) return;
  const at: Span = value.span;
  parser.checker.warning(
    at,
    'logical-not-parentheses',
    'logical not is only applied to the left hand side of this comparison',
    [
      { message: "add parentheses after the '!' to evaluate the comparison first", span: operator },
      { message: 'add parentheses around left hand side expression to silence this warning', span: at },
    ],
  );
}

/** An operand that is 0 or 1 itself, so that `!a == b` may well be meant. */
function isTruth(value: Expression): boolean {
  switch (value.kind) {
    case 'unary':
      return value.operator === '!';
    case 'binary':
      return isComparison(value.operator) || value.operator === '&&' || value.operator === '||';
    default:
      return value.type.type.kind === 'arithmetic' && value.type.type.name === 'bool';
  }
}

/** The closing parenthesis of a call belongs to the span of the call; one around an expression does not. */
function isInParentheses({ value, first, last }: ParsedOperand): boolean {
  return first.start !== value.span.start || last.end !== value.span.end;
}
