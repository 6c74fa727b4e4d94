/** Words of a text, for languages whose names are made of letters, digits and underscores. */
import type { TextRange } from './reading.ts';

/** The part of a word that stands before an offset; empty where there is none. */
export function wordBefore(text: string, offset: number): TextRange {
  let start = offset;
  while (start > 0 && isWordPart(text.charCodeAt(start - 1))) start -= 1;
  return { start, end: offset };
}

/** The word around an offset. */
export function wordAround(text: string, offset: number): TextRange | undefined {
  const { start } = wordBefore(text, offset);
  let end = offset;
  while (end < text.length && isWordPart(text.charCodeAt(end))) end += 1;
  return end > start ? { start, end } : undefined;
}

function isWordPart(code: number): boolean {
  return (
    (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95 || (code >= 97 && code <= 122)
  );
}
