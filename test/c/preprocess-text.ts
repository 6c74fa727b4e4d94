/**
 * What the tests of the preprocessor share: text in, printed tokens and diagnostics out.
 */
import { type PreprocessOptions, preprocess } from '../../src/c/preprocessor.ts';
import type { Token } from '../../src/c/token.ts';
import { printTokens } from '../../src/c/token-printer.ts';
import { Diagnostics } from '../../src/source/diagnostics.ts';
import { renderDiagnostics } from '../../src/source/render.ts';
import { SourceFile } from '../../src/source/source-file.ts';

export function tokensOf(
  text: string,
  options: PreprocessOptions = {},
): { tokens: Token[]; diagnostics: Diagnostics } {
  const diagnostics = new Diagnostics({ errorLimit: 0 });
  return { tokens: preprocess(new SourceFile('a.cl', text), options, diagnostics), diagnostics };
}

/** The printed result of a text about which there is nothing to say. */
export function expand(text: string, options: PreprocessOptions = {}): string {
  const { tokens, diagnostics } = tokensOf(text, options);
  const complaints = renderDiagnostics(diagnostics.list);
  if (complaints !== '') throw new Error(complaints);
  return printTokens(tokens).trim();
}

/** The messages about a text, each as `line:column severity: message [option]`, notes indented. */
export function complaints(text: string, options: PreprocessOptions = {}): string[] {
  const { diagnostics } = tokensOf(text, options);
  const lines: string[] = [];
  for (const { severity, message, span, notes, option } of diagnostics.list) {
    const { line, column } = span.file.position(span.start);
    lines.push(`${line}:${column} ${severity}: ${message}${option === undefined ? '' : ` [${option}]`}`);
    for (const note of notes) {
      const place = note.span.file.position(note.span.start);
      lines.push(`  ${place.line}:${place.column} note: ${note.message}`);
    }
  }
  return lines;
}

/** A file system of texts by path. */
export function filesOf(texts: Readonly<Record<string, string>>): {
  read(path: string): string | undefined;
} {
  return { read: (path) => (Object.hasOwn(texts, path) ? texts[path] : undefined) };
}
