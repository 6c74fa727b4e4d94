/** Initializers in braces (C99, 6.7.8), read as written; check/initializers.ts lays them over the type. */
import { joinSpans } from '../../source/span.ts';
import type { BracedInitializer, Designator, Initializer, InitializerItem } from '../check/initializers.ts';
import { parseAssignmentExpression, parseConditionalExpression } from './expressions.ts';
import type { Parser } from './parser.ts';

// initializer = assignment-expression | braces
export function parseInitializer(parser: Parser): Initializer {
  return parser.is('{') ? parseBraces(parser) : parseAssignmentExpression(parser);
}

// braces = "{" (item ("," item)* ","?)? "}"
// item = (designator+ "=" | identifier ":")? initializer     (* the second form is GNU's *)
export function parseBraces(parser: Parser): BracedInitializer {
  const opening = parser.next();
  const items: InitializerItem[] = [];
  if (parser.enter(true)) {
    while (!parser.is('}') && !parser.atEnd && !parser.panicking) {
      const designators = isOldDesignator(parser) ? oldDesignator(parser) : parseDesignators(parser);
      if (parser.panicking) break;
      items.push({ designators, value: parseInitializer(parser) });
      if (!parser.accept(',')) break;
    }
  }
  parser.leave(true);
  if (parser.panicking) skipToClose(parser);
  parser.expect('}', '', opening);
  return { kind: 'braces', items, span: joinSpans(opening, parser.previous) };
}

/** After a mistake: to the brace that closes the list, so that it is not taken for the end of something around it. */
function skipToClose(parser: Parser): void {
  while (!parser.atEnd && !parser.is('}') && !parser.is(';')) {
    if (parser.is('{') || parser.is('(') || parser.is('[')) parser.skipBalanced();
    else parser.next();
  }
  if (parser.is('}')) parser.next();
}

const none: readonly Designator[] = [];

function isOldDesignator(parser: Parser): boolean {
  return parser.token.kind === 'identifier' && parser.peek().is(':');
}

function oldDesignator(parser: Parser): readonly Designator[] {
  const name = parser.next();
  parser.next();
  return [{ kind: 'field', name: name.text, span: name }];
}

// designators = designator+ "="
// designator = "." identifier | "[" constant-expression ("..." constant-expression)? "]"     (* ranges are GNU's *)
function parseDesignators(parser: Parser): readonly Designator[] {
  if (!parser.is('.') && !parser.is('[')) return none;
  const designators: Designator[] = [];
  while ((parser.is('.') || parser.is('[')) && !parser.panicking) {
    const start = parser.next();
    if (start.text === '.') {
      if (parser.token.kind !== 'identifier') {
        parser.syntaxError(parser.token, "expected a field designator, such as '.field = 4'");
        break;
      }
      const name = parser.next();
      designators.push({ kind: 'field', name: name.text, span: joinSpans(start, name) });
    } else {
      const index = parseConditionalExpression(parser);
      const last = parser.accept('...') && parseConditionalExpression(parser);
      parser.expect(']', '', start);
      designators.push({ kind: 'index', index, last, span: joinSpans(start, parser.previous) });
    }
    if (designators.length > 256) parser.giveUp('nesting level exceeded maximum of 256');
  }
  parser.expect('=');
  return designators;
}
