/** Pragmas, which may stand between any two tokens (C99, 6.10.6; OpenCL 1.2, 9.1). */
import type { Token } from '../token.ts';
import type { Parser } from './parser.ts';

/** Obeys a pragma of the core, `unroll` and its like, or hands it to the dialect. Unknown ones say nothing. */
export function obeyPragma(parser: Parser, token: Token): void {
  const words = wordsOf(token.text);
  const [first] = words;
  if (first === 'unroll' || first === 'nounroll') {
    parser.unroll = {
      count: first === 'nounroll' ? 1 : unrollCount(parser, token, words.slice(1)),
      span: token,
    };
    return;
  }
  if (first === undefined || first === 'once' || first === 'clang' || first === 'GCC') return;
  if (first === 'pack') {
    parser.packing.obey(words.slice(1), token, parser.checker);
    return;
  }
  parser.checker.dialect.rules.pragma(words, token, parser.checker);
  if ((first === 'STDC' || first === 'OPENCL') && words[1] === 'FP_CONTRACT') {
    if (words[2] === 'OFF') parser.mayContract = false;
    else if (words[2] === 'ON' || words[2] === 'DEFAULT') parser.mayContract = true;
  }
}

/** `unroll`, `unroll 4`, `unroll (4)`; a name, which pragmas do not expand, means as far as possible. */
function unrollCount(parser: Parser, token: Token, words: readonly string[]): number {
  const count = words.filter((word) => word !== '(' && word !== ')').join('');
  if (count === '') return 0;
  const value = Number(count);
  if (Number.isNaN(value)) return 0;
  if (Number.isInteger(value) && value > 0 && value <= 0x7fff_ffff) return value;
  parser.checker.error(token, `invalid value '${count}'; must be positive`);
  return 0;
}

/** Names and numbers, and every other character by itself. */
function wordsOf(text: string): string[] {
  return text.match(/[A-Za-z0-9_.]+|[^\sA-Za-z0-9_.]/g) ?? [];
}
