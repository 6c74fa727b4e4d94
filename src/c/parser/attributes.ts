/** `__attribute__((name, name(arguments)))` */
import { joinSpans } from '../../source/span.ts';
import type { Attribute } from '../ast.ts';
import { isError } from '../check/checker.ts';
import { toValue } from '../check/conversions.ts';
import { evaluateConstant } from '../constant.ts';
import { plainName } from '../feature-queries.ts';
import type { QualifiedType } from '../types.ts';
import { parseTypeName } from './declarators.ts';
import { parseAssignmentExpression } from './expressions.ts';
import type { Parser } from './parser.ts';
import { startsTypeName } from './specifiers.ts';

const none: readonly Attribute[] = [];

// attributes = ("__attribute__" "(" "(" (attribute ("," attribute)*)? ")" ")")*
export function parseAttributes(parser: Parser): readonly Attribute[] {
  if (parser.keyword()?.kind !== 'attribute') return none;
  const attributes: Attribute[] = [];
  while (parser.keyword()?.kind === 'attribute') {
    parser.next();
    const opening = parser.token;
    if (!parser.expect('(', "after 'attribute'") || !parser.expect('(', "after '('")) break;
    while (!parser.is(')') && !parser.atEnd && !parser.panicking) {
      if (!parser.accept(',')) parseAttribute(parser, attributes);
    }
    if (!parser.expect(')', '', opening) || !parser.expect(')', '', opening)) break;
  }
  return attributes;
}

/** Those of two places; most places have none. */
export function joinAttributes(
  first: readonly Attribute[],
  second: readonly Attribute[],
): readonly Attribute[] {
  if (second.length === 0) return first;
  return first.length === 0 ? second : [...first, ...second];
}

// attribute = word ("(" (argument ("," argument)*)? ")")?
function parseAttribute(parser: Parser, attributes: Attribute[]): void {
  if (parser.token.kind !== 'identifier') {
    parser.syntaxError(parser.token, 'expected identifier');
    return;
  }
  const word = parser.next();
  const name = plainName(word.text);
  const values: (bigint | QualifiedType | string)[] = [];
  let isWrong = false;
  if (parser.is('(')) {
    const opening = parser.next();
    while (!parser.is(')') && !parser.atEnd && !parser.panicking) {
      const value = parseArgument(parser);
      if (value === undefined) isWrong = true;
      else values.push(value);
      if (!parser.accept(',')) break;
    }
    parser.expect(')', '', opening);
  }
  if (!parser.panicking && !isWrong) {
    attributes.push({ name, arguments: values, span: joinSpans(word, parser.previous) });
  }
}

/** A name that is no constant: nothing that the program declares, or a function, as in `format(printf, 1, 2)`. */
function isPlainWord(parser: Parser, name: string): boolean {
  const binding = parser.checker.scopes.lookup(name);
  return binding === undefined || binding.kind === 'functions';
}

// argument = type-name | string | identifier | constant-expression
function parseArgument(parser: Parser): bigint | QualifiedType | string | undefined {
  const { token } = parser;
  if (token.kind === 'string') return parser.next().text.slice(1, -1);
  if (startsTypeName(parser, token)) return parseTypeName(parser);
  const following = parser.peek();
  const isWord = token.kind === 'identifier' && (following.is(',') || following.is(')'));
  if (isWord && isPlainWord(parser, token.text)) return parser.next().text;
  const expression = parseAssignmentExpression(parser);
  if (isError(expression)) return undefined;
  const value = evaluateConstant(toValue(parser.checker, expression), parser.checker.dialect.addressBytes);
  if (value?.kind === 'integer') return value.value;
  parser.checker.error(expression.span, 'attribute requires an integer constant');
  return undefined;
}
