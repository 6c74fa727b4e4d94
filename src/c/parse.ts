/**
 * From tokens to the checked syntax tree: the door of the front end after the preprocessor.
 *
 * The parser (parser/) reads the grammar and calls the checker (check/) at every node, because C cannot be parsed
 * without knowing which names are types.
 */
import type { Diagnostics } from '../source/diagnostics.ts';
import { isStackFull } from '../source/stack-full.ts';
import type { TranslationUnit } from './ast.ts';
import { Checker } from './check/checker.ts';
import type { Dialect } from './dialect.ts';
import { parseExternalDeclaration } from './parser/declarations.ts';
import { Parser } from './parser/parser.ts';
import type { TokenReader } from './token.ts';

// translation-unit = external-declaration*
/**
 * Parses and checks a whole program. The tree is meant for lowering only if the diagnostics hold no error; otherwise
 * it has what could be understood. Never throws.
 * @param checker a new one, for who wants to ask it more afterwards
 */
export function parseTranslationUnit(
  tokens: TokenReader,
  dialect: Dialect,
  diagnostics: Diagnostics,
  checker = new Checker(dialect, diagnostics),
): TranslationUnit {
  const parser = new Parser(tokens, checker);
  try {
    while (!parser.atEnd && !diagnostics.isFull) {
      const position = parser.position;
      parseExternalDeclaration(parser);
      parser.recover();
      if (parser.position === position) parser.next();
    }
  } catch (error) {
    // The limits on nesting keep the stack small; should types nest deeper still, that is the program's mistake too.
    if (!isStackFull(error)) throw error;
    checker.error(parser.token, 'program is nested too deeply');
  }
  const unit: TranslationUnit = { declarations: checker.declarations };
  dialect.rules.unit(unit, checker.calls, checker);
  return unit;
}
