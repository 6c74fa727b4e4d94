/** What an editor can fold in a text with braces and comments as C has them. */
import type { FoldingRange } from './reading.ts';

/** A token, as far as folding looks at it. */
interface Placed {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Blocks in braces that take several lines. Tokens in order; what is unbalanced folds as far as it is balanced. */
export function foldBraces(text: string, tokens: readonly Placed[]): FoldingRange[] {
  const open: number[] = [];
  const ranges: FoldingRange[] = [];
  for (const token of tokens) {
    if (token.text === '{') open.push(token.start);
    else if (token.text === '}') {
      const start = open.pop();
      if (start !== undefined) addLines(ranges, text, start, token.end, 'block');
    }
  }
  return ranges;
}

/** Comments of several lines: one with its own end, or neighbouring lines of `//`. Strings are skipped. */
export function foldComments(text: string): FoldingRange[] {
  const ranges: FoldingRange[] = [];
  const pattern = /"(?:\\.|[^"\\\n])*"|\/\*[\s\S]*?(?:\*\/|$)|(?:^[ \t]*\/\/[^\n]*\n?)+/gm;
  for (const match of text.matchAll(pattern)) {
    if (match[0].startsWith('"')) continue;
    addLines(ranges, text, match.index, match.index + match[0].trimEnd().length, 'comment');
  }
  return ranges;
}

export function addLines(
  ranges: FoldingRange[],
  text: string,
  start: number,
  end: number,
  kind: FoldingRange['kind'],
): void {
  const line = text.indexOf('\n', start);
  if (line >= 0 && line < end) ranges.push({ start, end, kind });
}
