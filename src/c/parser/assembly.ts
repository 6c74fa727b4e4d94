/**
 * `__asm__`: statements in assembly language, and names for the assembler (GNU). WebAssembly has no machine below it, so that only an
 * empty template can be compiled: it says that the compiler knows nothing of what memory and operands hold behind it.
 */
import { joinSpans, type Span } from '../../source/span.ts';
import type { Attribute, Expression, ExpressionStatement, Statement } from '../ast.ts';
import { checkAssignment, discarded } from '../check/assignment-operators.ts';
import { assemblerName } from '../check/attributes.ts';
import { checkNamedCall } from '../check/calls.ts';
import { isError } from '../check/checker.ts';
import { toValue } from '../check/conversions.ts';
import { stringLiteral } from '../check/literals.ts';
import { arithmeticTypes, unqualified } from '../types.ts';
import { parseExpression } from './expressions.ts';
import type { Parser } from './parser.ts';

interface Operand {
  readonly name: string | undefined;
  readonly constraint: string;
  readonly expression: Expression;
}

// assembly = ("__asm__" | "__asm") ("volatile" | "inline" | "goto")* "(" string+ (":" operands)* ")" ";"
export function parseAssembly(parser: Parser): Statement {
  const { checker } = parser;
  const word = parser.next();
  while (isAssemblyQualifier(parser)) parser.next();
  const opening = parser.token;
  const nothing: Statement = { kind: 'compound', statements: [], span: word.span };
  if (!parser.expect('(', `after '${word.text}'`)) return nothing;
  let isEmpty = parseStrings(parser).trim() === '';
  const sections: Operand[][] = [];
  while (parser.is(':') && !parser.panicking) {
    parser.next();
    // The third list names what is clobbered, the fourth labels.
    if (sections.length < 2) sections.push(parseOperands(parser));
    else while (!parser.is(':') && !parser.is(')') && !parser.atEnd && !parser.is(';')) parser.next();
  }
  parser.expect(')', '', opening);
  parser.expect(';', `after '${word.text}'`);
  if (parser.panicking) return nothing;
  const [outputs = [], inputs = []] = sections;
  if (!checker.dialect.features.gnu && outputs.length + inputs.length > 0) isEmpty = false;
  const span = joinSpans(word, opening);
  if (!isEmpty) {
    checker.error(span, 'inline assembly cannot be compiled: WebAssembly has no machine below it');
    return nothing;
  }
  return { kind: 'compound', statements: effectsOf(parser, outputs, inputs, span), span };
}

function isAssemblyQualifier(parser: Parser): boolean {
  const keyword = parser.keyword();
  if (keyword?.kind === 'qualifier') return true;
  if (keyword?.kind === 'function') return keyword.word === 'inline';
  return keyword?.kind === 'statement' && keyword.word === 'goto';
}

/** The text of a template or constraint. */
function parseStrings(parser: Parser): string {
  let text = '';
  if (parser.token.kind !== 'string') parser.syntaxError(parser.token, 'expected string literal');
  while (parser.token.kind === 'string') {
    const literal = stringLiteral(parser.checker, [parser.token], parser.token);
    if (literal.kind === 'string-literal') text += new TextDecoder().decode(literal.bytes.subarray(0, -1));
    parser.next();
  }
  return text;
}

// operands = (("[" identifier "]")? string+ "(" expression ")" ("," ...)*)?
function parseOperands(parser: Parser): Operand[] {
  const operands: Operand[] = [];
  while (!parser.is(':') && !parser.is(')') && !parser.atEnd && !parser.panicking) {
    let name: string | undefined;
    if (parser.accept('[')) {
      name = parser.next().text;
      parser.expect(']');
    }
    const constraint = parseStrings(parser);
    const opening = parser.token;
    if (!parser.expect('(', 'after constraint')) break;
    const expression = parseExpression(parser);
    parser.expect(')', '', opening);
    operands.push({ name, constraint, expression });
    if (!parser.accept(',')) break;
  }
  return operands;
}

/** What an empty template does: inputs are evaluated, and go to the outputs that share a place with them. */
function effectsOf(
  parser: Parser,
  outputs: readonly Operand[],
  inputs: readonly Operand[],
  span: Span,
): ExpressionStatement[] {
  const { checker } = parser;
  const statements: ExpressionStatement[] = [];
  const add = (expression: Expression): void => {
    if (!isError(expression)) statements.push({ kind: 'expression', expression, span });
  };
  for (const { constraint, expression } of inputs) {
    const target = outputs.find(
      ({ name }, index) => constraint === String(index) || constraint === `[${name}]`,
    );
    if (target) add(checkAssignment(checker, target.expression, expression, span));
    else if (!expression.lvalue) add(discarded(toValue(checker, expression)));
  }
  const fence = '__atomic_signal_fence';
  if (checker.dialect.builtins.isBuiltinName(fence)) {
    const order = {
      kind: 'integer-literal',
      value: 5n,
      type: unqualified(arithmeticTypes.int),
      span,
    } as const;
    add(checkNamedCall(checker, fence, span, [order], span));
  }
  return statements;
}

// assembler-name = "__asm__" "(" string+ ")"
export function parseAssemblerName(parser: Parser): Attribute[] {
  const word = parser.next();
  const opening = parser.token;
  if (!parser.expect('(', `after '${word.text}'`)) return [];
  const name = parseStrings(parser);
  parser.expect(')', '', opening);
  return [{ name: assemblerName, arguments: [name], span: joinSpans(word, parser.previous) }];
}
