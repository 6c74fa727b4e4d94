/** Statement expressions, an extension of GNU C that clang takes in OpenCL C too. */
import { joinSpans } from '../../source/span.ts';
import type { Expression, Statement } from '../ast.ts';
import { errorExpression, isError } from '../check/checker.ts';
import { toValue } from '../check/conversions.ts';
import { checkExpressionStatement } from '../check/statements.ts';
import { unqualified, voidType } from '../types.ts';
import { cleanupsBefore, endCleanups, keep } from './cleanups.ts';
import { parseExpression } from './expressions.ts';
import { closeLabels, parseLocalLabels } from './local-labels.ts';
import type { Parser } from './parser.ts';
import { parseBlockItem, parseLabelAlone, startsExpressionStatement } from './statements.ts';

// statement-expression = "{" (declaration | statement)* "}"
/** The braces of `({ ... })`; the value is that of the last statement if it is an expression. */
export function parseStatementExpression(parser: Parser): Expression {
  const { checker } = parser;
  const opening = parser.next();
  const context = checker.function;
  const gotosBefore = context?.gotos.length ?? 0;
  const labelsBefore = context?.labels.size ?? 0;
  const statements: Statement[] = [];
  let result: Expression | undefined;
  checker.scopes.push();
  const labels = context?.localLabels.length;
  const cleanups = cleanupsBefore(parser);
  parseLocalLabels(parser);
  while (!parser.is('}') && !parser.atEnd) {
    const { position } = parser;
    if (parser.isIdentifier() && parser.peek().is(':')) statements.push(parseLabelAlone(parser));
    else if (startsExpressionStatement(parser)) result = parseLastOrAnother(parser, statements);
    else statements.push(parseBlockItem(parser));
    parser.recover();
    if (parser.position === position && !parser.is('}')) parser.next();
  }
  checker.scopes.pop();
  closeLabels(parser, labels);
  if (cleanupsBefore(parser) > cleanups && result && !isError(result) && result.type.type.kind !== 'void') {
    const kept = keep(parser, result);
    statements.push(kept.declaration);
    result = kept.value;
  }
  endCleanups(parser, cleanups, statements, parser.token);
  parser.expect('}', '', opening);
  const span = joinSpans(opening, parser.previous);
  if (context === undefined) return checker.wrong(span, 'statement expression not allowed at file scope');
  const ownLabels = [...context.labels.keys()].slice(labelsBefore);
  for (const { label, span: place } of context.gotos.slice(gotosBefore)) {
    if (!ownLabels.includes(label))
      return checker.wrong(place, 'cannot compile this goto: it leaves a statement expression');
  }
  if (result?.kind === 'error' || parser.panicking) return errorExpression(span);
  const body = { kind: 'compound', statements, span } as const;
  return {
    kind: 'statement-expression',
    body,
    result,
    type: result?.type ?? unqualified(voidType),
    span,
  };
}

/** An expression and its semicolon. The last one in the braces is the result; any other is a statement. */
function parseLastOrAnother(parser: Parser, statements: Statement[]): Expression | undefined {
  const start = parser.token;
  const parsed = parseExpression(parser);
  parser.expect(';', 'after expression');
  if (parser.panicking) return errorExpression(parsed.span);
  if (parser.is('}')) return toValue(parser.checker, parsed);
  const expression = checkExpressionStatement(parser.checker, parsed);
  statements.push({ kind: 'expression', expression, span: joinSpans(start, parser.previous) });
  return undefined;
}
