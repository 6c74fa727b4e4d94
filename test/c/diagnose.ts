/** What the front end says of a source, a diagnostic or note a line: `line:column: severity: message [-Wname]`. */
import type { TranslationUnit } from '../../src/c/ast.ts';
import type { Dialect } from '../../src/c/dialect.ts';
import { parseTranslationUnit } from '../../src/c/parse.ts';
import { Preprocessor } from '../../src/c/preprocessor.ts';
import { Diagnostics } from '../../src/source/diagnostics.ts';
import { SourceFile } from '../../src/source/source-file.ts';
import type { Span } from '../../src/source/span.ts';

export interface Compiled {
  readonly unit: TranslationUnit;
  readonly lines: readonly string[];
}

export function compile(source: string, dialect: Dialect): Compiled {
  const diagnostics = new Diagnostics();
  const file = new SourceFile('test.c', source);
  const tokens = new Preprocessor(file, { predefined: dialect.predefinedMacros }, diagnostics);
  const unit = parseTranslationUnit(tokens, dialect, diagnostics);
  const lines: string[] = [];
  for (const { severity, message, option, span, notes } of diagnostics.list) {
    const name = option === undefined ? '' : ` [-W${option}]`;
    lines.push(`${place(span)}: ${severity}: ${message}${name}`);
    for (const note of notes) lines.push(`${place(note.span)}: note: ${note.message}`);
  }
  return { unit, lines };
}

function place(span: Span): string {
  const { line, column } = span.file.presumed(span.start);
  return `${line}:${column}`;
}

export function diagnose(source: string, dialect: Dialect): readonly string[] {
  return compile(source, dialect).lines;
}
