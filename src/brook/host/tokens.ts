/** Makes tokens of C text that stands for something the program wrote, with that as their place. */
import { IdentifierTable } from '../../c/identifier-table.ts';
import { Lexer } from '../../c/lexer.ts';
import { Token } from '../../c/token.ts';
import { Diagnostics } from '../../source/diagnostics.ts';
import { SourceFile } from '../../source/source-file.ts';

/** The tokens of a text; messages about them point to `at`. */
export function tokensOf(text: string, at: Token): Token[] {
  const lexer = new Lexer(new SourceFile('<brook>', text), new IdentifierTable(), new Diagnostics());
  const tokens: Token[] = [];
  for (;;) {
    const token = lexer.next();
    if (token.kind === 'end') return tokens;
    tokens.push(new Token(token.kind, token.text, at.file, at.start, at.end, at.expansion, token.flags));
  }
}

/** Splits what stands between brackets at its commas; nothing at all is no parts. */
export function splitAtCommas(tokens: readonly Token[]): Token[][] {
  if (tokens.length === 0) return [];
  const parts: Token[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (token.kind === 'punctuator') {
      if (token.text === '(' || token.text === '[' || token.text === '{') depth += 1;
      else if (token.text === ')' || token.text === ']' || token.text === '}') depth -= 1;
    }
    if (depth === 0 && token.is(',')) parts.push([]);
    else parts[parts.length - 1]!.push(token);
  }
  return parts;
}
