/** The comment before a kernel, for its documentation in editors. */
import type { Span } from 'millrace';

/** A line that may belong to a declaration whose name is further down: attributes, the type. */
const ofDeclaration = /^[^;{}#]*\S[^;{}#]*$/;

/**
 * The text of the comment that ends where the declaration of a name begins, without its marks; undefined if there is none.
 * @param span the name
 */
export function commentBefore({ file, start }: Span): string | undefined {
  let line = file.position(start).line - 1;
  const textOf = (number: number): string => file.lineText(number).trim();
  while (line > 0 && ofDeclaration.test(textOf(line)) && !isComment(textOf(line))) line -= 1;
  const last = textOf(line);
  if (line === 0) return undefined;
  if (last.startsWith('//')) {
    const lines: string[] = [];
    for (; line > 0 && textOf(line).startsWith('//'); line -= 1)
      lines.unshift(textOf(line).replace(/^\/\/+[!<]?\s?/, ''));
    return tidy(lines);
  }
  if (!last.endsWith('*/')) return undefined;
  const lines: string[] = [];
  for (; line > 0; line -= 1) {
    const text = textOf(line);
    lines.unshift(text);
    if (text.includes('/*')) break;
  }
  const [first = ''] = lines;
  // A comment behind something else is about that.
  if (!first.startsWith('/*')) return undefined;
  const inner = lines
    .join('\n')
    .replace(/^\/\*+[!<]?/, '')
    .replace(/\*+\/$/, '');
  return tidy(inner.split('\n').map((text) => text.replace(/^\s*\*?[ \t]?/, '').trimEnd()));
}

function isComment(text: string): boolean {
  return text.startsWith('//') || text.endsWith('*/');
}

function tidy(lines: readonly string[]): string | undefined {
  const text = lines.join('\n').trim();
  // Rules of one character are no words.
  return /\w/.test(text) ? text : undefined;
}
