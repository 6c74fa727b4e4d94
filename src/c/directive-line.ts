/**
 * The line of a directive, as all directives read it.
 */
import type { Preprocessor } from './preprocessor.ts';
import type { Token } from './token.ts';

/** Reads the rest of a directive's line; its last token is the `end` at the end of the line. */
export function readLine(preprocessor: Preprocessor, quiet = false): Token[] {
  const { lexer } = preprocessor.current;
  const line: Token[] = [];
  lexer.quiet = quiet;
  for (;;) {
    const token = lexer.next();
    line.push(token);
    if (token.kind === 'end') break;
  }
  lexer.quiet = false;
  lexer.endDirective();
  return line;
}

/** Warns about what stands behind a directive that is complete; `index` is where its line should end. */
export function expectLineEnd(
  preprocessor: Preprocessor,
  line: readonly Token[],
  index: number,
  directive: string,
): void {
  const token = line[index];
  if (token === undefined || token.kind === 'end') return;
  preprocessor.diagnostics.warning(token, 'extra-tokens', `extra tokens at end of #${directive} directive`);
}
