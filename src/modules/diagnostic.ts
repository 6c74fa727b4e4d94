/** What is wrong in a file with kernels, as bundlers want it: a place, and the line with a caret below. */
import { type Diagnostic, renderDiagnostics, type Span } from 'millrace';

export interface ModuleDiagnostic {
  readonly severity: 'error' | 'warning' | 'note';
  readonly message: string;
  /** The file, as the compiler was given it: that of the module, or a header. Undefined if there is no place. */
  readonly file: string | undefined;
  /** From 1. */
  readonly line: number;
  /** From 1, in units of UTF-16. */
  readonly column: number;
  /** Units of UTF-16 that the mark is wide. */
  readonly length: number;
  readonly lineText: string;
  /** As a compiler prints it: `file:line:column: error: message`, the line, a caret, and notes in the same way. */
  readonly text: string;
  /** The line with two around it and their numbers, as Vite and Rollup show code; empty if there is no place. */
  readonly frame: string;
}

export function moduleDiagnostic(diagnostic: Diagnostic): ModuleDiagnostic {
  const { severity, option, span } = diagnostic;
  const message = option === undefined ? diagnostic.message : `${diagnostic.message} [-W${option}]`;
  const text = renderDiagnostics([diagnostic], { counts: false }).trimEnd();
  const outer = outermost(span);
  const { file, start, end } = outer;
  const isPlaced = file.text !== '' || file.name !== '';
  const { line, column } = isPlaced ? file.position(start) : { line: 1, column: 1 };
  const lineText = file.lineText(line);
  return {
    severity,
    message,
    file: isPlaced ? file.name : undefined,
    line,
    column,
    length: Math.max(1, Math.min(end - start, lineText.length - column + 1)),
    lineText,
    text,
    frame: isPlaced ? codeFrame(file, line, column, end - start) : '',
  };
}

/** How many lines are shown before and behind the one that is meant. */
const around = 2;

function codeFrame(file: SourceFile, line: number, column: number, length: number): string {
  const last = file.position(file.text.length).line;
  const rows: string[] = [];
  for (let each = Math.max(1, line - around); each <= Math.min(last, line + around); each += 1) {
    const text = file.lineText(each);
    // Vite's page knows rows by a number and a bar.
    rows.push(`${String(each).padEnd(3)}|  ${text}`.trimEnd());
    if (each !== line) continue;
    const before = text.slice(0, column - 1).replace(/[^\t]/g, ' ');
    rows.push(`   |  ${before}${'^'.repeat(Math.max(1, Math.min(length, text.length - column + 1)))}`);
  }
  return `${rows.join('\n')}\n`;
}

type SourceFile = Span['file'];

/** A mistake without a place in the file. */
export function plainDiagnostic(
  severity: 'error' | 'warning',
  message: string,
  file: string,
): ModuleDiagnostic {
  const text = `${file}: ${severity}: ${message}`;
  return { severity, message, file, line: 1, column: 1, length: 1, lineText: '', text, frame: '' };
}

/** Where the macros around a span were used. */
export function outermost(span: Span): Span {
  let outer = span;
  while (outer.expansion !== undefined) outer = outer.expansion.use;
  return outer;
}
