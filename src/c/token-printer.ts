/**
 * Prints a list of tokens as C text that gives the same tokens when it is read again: what `-E` shows.
 */
import { spelling, type Token } from './token.ts';

/** indentation that is kept at most */
const indentationLimit = 80;

/**
 * Tokens of one line stay on one line, with one space where there was any and where two tokens would otherwise run
 * together. The one thing that cannot be written so that it reads back is a `#` that a macro left at the beginning of a
 * line; it goes to the end of the line before.
 */
export function printTokens(tokens: readonly Token[]): string {
  const parts: string[] = [];
  let previous: Token | undefined;
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index] as Token;
    if (token.kind === 'end') break;
    if (token.kind === 'pragma') {
      if (previous !== undefined) parts.push('\n');
      parts.push(token.text === '' ? '#pragma' : `#pragma ${token.text}`);
    } else if (previous?.kind === 'pragma' || (token.lineStart && !token.is('#'))) {
      if (previous !== undefined) parts.push('\n');
      parts.push(indentation(token), spelling(token));
    } else {
      if (previous !== undefined && (token.spaceBefore || token.lineStart || runTogether(previous, token))) {
        parts.push(' ');
      }
      parts.push(spelling(token));
    }
    previous = token;
  }
  if (previous !== undefined) parts.push('\n');
  return parts.join('');
}

/** The white space that a token at the beginning of a line had before it, tabs as they were. */
function indentation(token: Token): string {
  if (!token.spaceBefore || token.expansion !== undefined) return '';
  const { text } = token.file;
  let start = token.start;
  while (start > 0 && token.start - start < indentationLimit) {
    const code = text.charCodeAt(start - 1);
    if (code !== 32 && code !== 9) break;
    start -= 1;
  }
  return text.slice(start, token.start);
}

const wordKinds = new Set<Token['kind']>(['identifier', 'integer', 'float']);

/** pairs of characters, last of one punctuator and first of the next, that could begin or continue another token */
const joiningPairs = new Set([
  '++',
  '--',
  '->',
  '<<',
  '>>',
  '&&',
  '||',
  '##',
  '//',
  '/*',
  '..',
  '<=',
  '>=',
  '==',
  '!=',
  '*=',
  '/=',
  '%=',
  '+=',
  '-=',
  '&=',
  '^=',
  '|=',
  '<:',
  '<%',
  ':>',
  '%>',
  '%:',
]);

/** Whether two tokens with nothing between them could be read as others. */
function runTogether(left: Token, right: Token): boolean {
  const isNumber = left.kind === 'integer' || left.kind === 'float';
  if (wordKinds.has(left.kind)) {
    if (wordKinds.has(right.kind)) return true;
    // an identifier may be read as the prefix of a literal
    if (right.kind === 'string' || right.kind === 'character') return left.kind === 'identifier';
    return isNumber && '.+-'.includes(right.text.charAt(0));
  }
  if (left.kind !== 'punctuator') return false;
  if (right.kind === 'float' && right.text.startsWith('.')) return left.text.endsWith('.');
  if (right.kind !== 'punctuator') return left.text === '.' && isDigit(right.text.charCodeAt(0));
  const before = spelling(left);
  return joiningPairs.has(before.charAt(before.length - 1) + spelling(right).charAt(0));
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
