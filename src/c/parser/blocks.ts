/** Block literals (OpenCL 2.0, 6.12.5.3): functions without a name, in the middle of an expression. */
import { joinSpans } from '../../source/span.ts';
import type { Expression } from '../ast.ts';
import { beginBlock, endBlock } from '../check/blocks.ts';
import { errorExpression } from '../check/checker.ts';
import { applyDeclarator, type FunctionPart } from '../check/declarators.ts';
import type { QualifiedType } from '../types.ts';
import { parseDeclarator, parseFunctionSuffix } from './declarators.ts';
import type { Parser } from './parser.ts';
import { parseSpecifiers } from './specifiers.ts';
import { parseCompound } from './statements.ts';

interface BlockHead {
  /** Undefined where it is left to the body. */
  readonly result: QualifiedType | undefined;
  readonly parameters: FunctionPart | undefined;
}

// block-literal = "^" (function-suffix | type-name)? compound     (* the type name is that of a function *)
export function parseBlockLiteral(parser: Parser): Expression {
  const { checker } = parser;
  const caret = parser.next();
  const head = parseHead(parser);
  if (!parser.is('{')) {
    if (head !== undefined) parser.syntaxError(parser.token, 'expected the body of a block');
    return errorExpression(caret);
  }
  if (head === undefined || parser.panicking) {
    parser.skipBalanced();
    return errorExpression(caret);
  }
  const begun = beginBlock(checker, head.result, head.parameters, joinSpans(caret, parser.previous));
  if (begun === undefined) {
    parser.skipBalanced();
    return errorExpression(caret);
  }
  const body = parseCompound(parser, false);
  return endBlock(checker, begun, body, parser.previous, joinSpans(caret, parser.previous));
}

/** What stands between the caret and the brace. Undefined if it is wrong, which has been reported. */
function parseHead(parser: Parser): BlockHead | undefined {
  if (parser.is('{')) return { result: undefined, parameters: undefined };
  if (parser.is('(')) return { result: undefined, parameters: parseFunctionSuffix(parser) };
  const specifiers = parseSpecifiers(parser, true);
  const declarator = parseDeclarator(parser, 'unnamed');
  if (specifiers.isWrong || declarator.isWrong) return undefined;
  const last = declarator.parts.at(-1);
  if (last?.kind !== 'function') {
    const result = applyDeclarator(parser.checker, specifiers.type, declarator);
    return result && { result, parameters: undefined };
  }
  const returned = { ...declarator, parts: declarator.parts.slice(0, -1) };
  const result = applyDeclarator(parser.checker, specifiers.type, returned);
  return result && { result, parameters: last };
}
