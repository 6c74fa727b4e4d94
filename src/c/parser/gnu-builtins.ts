/**
 * What looks like a call and takes types, or does not evaluate its arguments: `_Generic` (C11, 6.5.1.1), `__builtin_constant_p`,
 * `__builtin_types_compatible_p` and `__builtin_choose_expr` (GNU).
 */
import { joinSpans } from '../../source/span.ts';
import type { Expression } from '../ast.ts';
import { errorExpression, isError } from '../check/checker.ts';
import { toValue } from '../check/conversions.ts';
import { evaluateConstant, evaluateInteger } from '../constant.ts';
import type { Token } from '../token.ts';
import { sameType } from '../type-facts.ts';
import { arithmeticTypes, type QualifiedType, unqualified } from '../types.ts';
import { parseTypeName } from './declarators.ts';
import { parseAssignmentExpression } from './expressions.ts';
import type { Parser } from './parser.ts';

/** Reads the form that begins here; undefined if none does. */
export function parseGnuForm(parser: Parser): Expression | undefined {
  if (!parser.checker.dialect.features.gnu) return undefined;
  switch (parser.token.text) {
    case '__builtin_constant_p':
      return form(parser, constantness);
    case '__builtin_types_compatible_p':
      return form(parser, compatibility);
    case '__builtin_choose_expr':
      return form(parser, choice);
    default:
      return undefined;
  }
}

export const gnuForms: ReadonlySet<string> = new Set([
  '__builtin_constant_p',
  '__builtin_types_compatible_p',
  '__builtin_choose_expr',
]);

function form(parser: Parser, read: (parser: Parser, word: Token) => Expression): Expression {
  const word = parser.next();
  const opening = parser.token;
  if (!parser.expect('(', `after '${word.text}'`)) return errorExpression(word);
  let result: Expression = errorExpression(word);
  if (parser.enter(true)) result = read(parser, word);
  parser.leave(true);
  parser.expect(')', '', opening);
  return parser.panicking ? errorExpression(word) : result;
}

function truth(parser: Parser, word: Token, holds: boolean): Expression {
  const span = joinSpans(word, parser.previous);
  return { kind: 'integer-literal', value: holds ? 1n : 0n, type: unqualified(arithmeticTypes.int), span };
}

/** Reads an expression that is not evaluated. */
function unevaluated(parser: Parser): Expression {
  const { checker } = parser;
  checker.unevaluated += 1;
  const expression = toValue(checker, parseAssignmentExpression(parser));
  checker.unevaluated -= 1;
  return expression;
}

function constantness(parser: Parser, word: Token): Expression {
  const { checker } = parser;
  const operand = unevaluated(parser);
  if (isError(operand)) return operand;
  const constant = evaluateConstant(operand, checker.dialect.addressBytes);
  const isText = operand.kind === 'cast' && operand.operand.kind === 'string-literal';
  return truth(parser, word, isText || (constant !== undefined && constant.kind !== 'address'));
}

// compatibility = type-name "," type-name
function compatibility(parser: Parser, word: Token): Expression {
  const first = parseTypeName(parser);
  parser.expect(',');
  const second = parseTypeName(parser);
  if (!first || !second) return errorExpression(word);
  return truth(parser, word, sameType(first.type, second.type));
}

// choice = constant-expression "," assignment-expression "," assignment-expression
function choice(parser: Parser, word: Token): Expression {
  const { checker } = parser;
  const condition = toValue(checker, parseAssignmentExpression(parser));
  const value = isError(condition) ? undefined : evaluateInteger(condition, checker.dialect.addressBytes);
  if (value === undefined && !isError(condition))
    checker.error(condition.span, "'__builtin_choose_expr' requires a constant expression");
  parser.expect(',');
  const yes = chosen(parser, value !== 0n);
  parser.expect(',');
  const no = chosen(parser, value === 0n);
  if (value === undefined) return errorExpression(word);
  return value === 0n ? no : yes;
}

/** What is not chosen is not evaluated, and nothing is said of it but that it cannot be read. */
function chosen(parser: Parser, isChosen: boolean): Expression {
  if (isChosen) return parseAssignmentExpression(parser);
  parser.checker.unevaluated += 1;
  const expression = parseAssignmentExpression(parser);
  parser.checker.unevaluated -= 1;
  return expression;
}

// generic = "_Generic" "(" assignment-expression ("," (type-name | "default") ":" assignment-expression)+ ")"
export function parseGeneric(parser: Parser): Expression {
  const { checker } = parser;
  return form(parser, (_, word) => {
    const control = unevaluated(parser);
    let selected: Expression | undefined;
    let fallback: Expression | undefined;
    while (parser.accept(',') && !parser.panicking) {
      if (parser.isStatementWord('default')) {
        const { token } = parser;
        parser.next();
        parser.expect(':');
        if (fallback !== undefined) checker.error(token, 'duplicate default generic association');
        fallback = parseAssignmentExpression(parser);
        continue;
      }
      const type = parseTypeName(parser);
      parser.expect(':');
      // Types that are one here, as int and long are, are two elsewhere: the first that fits is taken.
      const fits = type !== undefined && selected === undefined && matches(control, type);
      const expression = chosen(parser, fits);
      if (fits) selected = expression;
    }
    if (isError(control)) return control;
    const result = selected ?? fallback;
    if (result !== undefined) return result;
    const shown = checker.show(control.type);
    return checker.wrong(
      word,
      `controlling expression type '${shown}' not compatible with any generic association type`,
    );
  });
}

function matches(control: Expression, { type, isConst, isVolatile }: QualifiedType): boolean {
  if (isError(control) || isConst || isVolatile) return false;
  return sameType(control.type.type, type);
}
