/** What the editor asks about a place in the source, answered in the compiler's worker. */
import { type Completion, type Reading, readText, type TextLanguage } from 'millrace/language-service';
import type { CompletionsAnswer, HoverAnswer } from './messages.ts';

const languages: readonly string[] = ['opencl', 'brook', 'il'] satisfies readonly TextLanguage[];

/** One letter is typed, several questions are asked: the source is read once. */
let last: { readonly key: string; readonly reading: Reading } | undefined;

function readingOf(language: string, source: string, options: string): Reading | undefined {
  if (!languages.includes(language)) return undefined;
  const key = `${language}\n${options}\n${source}`;
  if (last?.key !== key) {
    last = { key, reading: readText(language as TextLanguage, source, { buildOptions: options }) };
  }
  return last.reading;
}

export function completionsAt(
  language: string,
  source: string,
  options: string,
  offset: number,
): CompletionsAnswer {
  const found = readingOf(language, source, options)?.completions(offset);
  if (!found) return { from: offset, options: [] };
  return { from: found.range.start, options: found.items.map(shown) };
}

/** The editor's own names for kinds, which choose the icons; what is nearer comes first. */
const types: Readonly<Record<Completion['kind'], string>> = {
  variable: 'variable',
  parameter: 'variable',
  function: 'function',
  kernel: 'function',
  builtin: 'function',
  type: 'type',
  keyword: 'keyword',
  constant: 'constant',
  macro: 'constant',
  field: 'property',
  directive: 'keyword',
  extension: 'namespace',
  file: 'text',
};

/** Parts of objects stay in their order; names are sorted by how near they are and then by their letters. */
function shown(
  { label, kind, detail, rank }: Completion,
  index: number,
): CompletionsAnswer['options'][number] {
  const boost = kind === 'field' ? Math.max(99 - index, 3) : 2 - rank;
  return { label, type: types[kind], boost, ...(detail === undefined ? {} : { detail }) };
}

/** What a completion is, once it is chosen in the list. */
export function explain(language: string, source: string, options: string, name: string): string | undefined {
  return readingOf(language, source, options)?.explain(name);
}

export function hoverAt(
  language: string,
  source: string,
  options: string,
  offset: number,
): HoverAnswer | undefined {
  return readingOf(language, source, options)?.hover(offset);
}
