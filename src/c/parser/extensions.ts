/** What C11 and GNU C add and clang takes in every dialect: assertions, types of expressions, offsets of fields. */
import { joinSpans } from '../../source/span.ts';
import type { Expression } from '../ast.ts';
import { errorExpression, isError } from '../check/checker.ts';
import { toValue } from '../check/conversions.ts';
import { checkOffset } from '../check/unary.ts';
import { evaluateConstant, isTrue } from '../constant.ts';
import type { Token } from '../token.ts';
import type { QualifiedType } from '../types.ts';
import { parseTypeName } from './declarators.ts';
import { parseConditionalExpression, parseExpression } from './expressions.ts';
import type { Parser } from './parser.ts';
import { startsTypeName } from './specifiers.ts';

// static-assertion = "_Static_assert" "(" conditional-expression ("," string)? ")" ";"
export function parseStaticAssertion(parser: Parser): void {
  const { checker } = parser;
  const word = parser.next();
  const opening = parser.token;
  if (!parser.expect('(', `after '${word.text}'`)) return;
  const condition = toValue(checker, parseConditionalExpression(parser));
  let message = '';
  if (parser.accept(',')) {
    while (parser.token.kind === 'string') message += ` ${parser.next().text}`;
    if (message === '') parser.syntaxError(parser.token, 'expected string literal');
  }
  parser.expect(')', '', opening);
  parser.expect(';', `after '${word.text}'`);
  if (parser.panicking || isError(condition)) return;
  const value = evaluateConstant(condition, checker.dialect.addressBytes);
  if (value === undefined) {
    checker.error(condition.span, 'static_assert expression is not an integral constant expression');
  } else if (!isTrue(value)) {
    checker.error(condition.span, `static_assert failed${message}`);
  }
}

// typeof = ("__typeof__" | "__typeof") "(" (type-name | expression) ")"
/** The type of an expression with its qualifiers, but not where it lives; undefined if that is wrong. */
export function parseTypeof(parser: Parser): QualifiedType | undefined {
  const { checker } = parser;
  const word = parser.next();
  const opening = parser.token;
  if (!parser.expect('(', `after '${word.text}'`)) return undefined;
  let type: QualifiedType | undefined;
  if (startsTypeName(parser, parser.token)) type = parseTypeName(parser);
  else {
    checker.unevaluated += 1;
    const operand = parseExpression(parser);
    checker.unevaluated -= 1;
    if (!isError(operand)) type = { ...operand.type, space: undefined };
  }
  parser.expect(')', '', opening);
  return parser.panicking ? undefined : type;
}

// offset = "__builtin_offsetof" "(" type-name "," identifier ("." identifier)* ")"
export function parseOffset(parser: Parser): Expression {
  const word = parser.next();
  const opening = parser.next();
  const type = parseTypeName(parser);
  parser.expect(',');
  const names: Token[] = [];
  do {
    if (parser.token.kind !== 'identifier') parser.syntaxError(parser.token, 'expected identifier');
    names.push(parser.next());
  } while (parser.accept('.') && !parser.panicking);
  parser.expect(')', '', opening);
  const span = joinSpans(word, parser.previous);
  if (type === undefined || parser.panicking) return errorExpression(span);
  const fields = names.map((name) => ({ text: name.text, span: name }));
  return checkOffset(parser.checker, type, fields, span);
}
