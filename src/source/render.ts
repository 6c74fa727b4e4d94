/**
 * Prints diagnostics for people, in clang's manner: `file:line:column: severity: message`, the source line, and a caret
 * line under it, which a note about the same place does without. Text that a macro produced is shown at the invocation first and
 * then level by level inwards.
 */
import type { Excess } from './build-budget.ts';
import { counted } from './counted.ts';
import { type Diagnostic, type Severity, tooManyErrors } from './diagnostics.ts';
import { shortened, windowAround } from './shortened.ts';
import type { SourceFile } from './source-file.ts';
import { noSpan, type Span } from './span.ts';

export interface RenderOptions {
  /** colour by ANSI escape sequences; off by default */
  readonly color?: boolean;
  /** whether a last line counts the errors and warnings; default true */
  readonly counts?: boolean;
}

const tabWidth = 8;
/** a source line longer than this is cut around its caret */
const lineWidth = 120;
/** how much of a line around the caret is looked at */
const nearby = 1000;
/** how many levels of macros are shown; of more, the outermost and innermost halves */
const macroLevels = 6;

const ansi = '\u001b[';
const plain = `${ansi}0m`;
const bold = `${ansi}1m`;
const severityColors: Record<Severity, string> = {
  error: `${ansi}1;31m`,
  warning: `${ansi}1;35m`,
  note: `${ansi}1;36m`,
};
const caretColor = `${ansi}1;32m`;

/** The printed form of a list of diagnostics, closed by a line that counts them; empty for an empty list. */
export function renderDiagnostics(list: readonly Diagnostic[], options: RenderOptions = {}): string {
  const printer = new Printer(options.color ?? false);
  let errors = 0;
  let warnings = 0;
  for (const diagnostic of list) {
    printer.diagnostic(diagnostic);
    if (diagnostic.severity === 'error' && diagnostic.message !== tooManyErrors) errors += 1;
    if (diagnostic.severity === 'warning') warnings += 1;
  }
  const counts: string[] = [];
  if (warnings > 0) counts.push(counted(warnings, 'warning'));
  if (errors > 0) counts.push(counted(errors, 'error'));
  if (counts.length > 0 && options.counts !== false) printer.line(`${counts.join(' and ')} generated.`);
  return printer.text();
}

/** What a build log says of what is too much: errors, with their places where they have some. */
export function excessLog(excesses: readonly Excess[]): string {
  return renderDiagnostics(
    excesses.map(({ message, span = noSpan }) => ({ severity: 'error', message, span, notes: [] })),
    { counts: false },
  );
}

class Printer {
  readonly #color: boolean;
  readonly #lines: string[] = [];
  #lastIncluder: Span | undefined;

  constructor(color: boolean) {
    this.#color = color;
  }

  text(): string {
    return this.#lines.length === 0 ? '' : `${this.#lines.join('\n')}\n`;
  }

  line(text: string): void {
    this.#lines.push(text);
  }

  diagnostic(diagnostic: Diagnostic): void {
    const { severity, option } = diagnostic;
    let message = diagnostic.message;
    if (option !== undefined) message += severity === 'error' ? ` [-Werror,-W${option}]` : ` [-W${option}]`;
    this.#message(severity, message, diagnostic.span);
    let shown = diagnostic.span;
    for (const note of diagnostic.notes) {
      // Ten candidates for one call do not need its line ten times.
      if (isSamePlace(note.span, shown)) this.#place('note', note.message, outermost(note.span), false);
      else this.#message('note', note.message, note.span);
      shown = note.span;
    }
  }

  /** A message at the outermost invocation, then the way through the macros to the span itself. */
  #message(severity: Severity, message: string, span: Span): void {
    const levels: Span[] = [];
    let outer = span;
    while (outer.expansion !== undefined) {
      levels.push(outer);
      outer = outer.expansion.use;
    }
    this.#place(severity, message, outer);
    levels.reverse();
    const skipped = Math.max(0, levels.length - macroLevels);
    const half = macroLevels / 2;
    levels.forEach((level, index) => {
      if (skipped > 0 && index === half) {
        this.line(this.#head('note', `(skipping ${skipped} expansions in backtrace)`, ''));
      }
      if (skipped > 0 && index >= half && index < half + skipped) return;
      this.#place('note', `expanded from macro '${level.expansion?.macro ?? ''}'`, level);
    });
  }

  #place(severity: Severity, message: string, span: Span, withSource = true): void {
    if (span.file === noSpan.file) {
      this.line(this.#head(severity, message, ''));
      return;
    }
    this.#includers(span.file);
    const { name, line, column } = span.file.presumed(span.start);
    this.line(this.#head(severity, message, `${printable(name)}:${line}:${column}: `));
    if (withSource) this.#snippet(span);
  }

  #head(severity: Severity, message: string, place: string): string {
    const words = printable(message);
    if (!this.#color) return `${place}${severity}: ${words}`;
    const shown = severity === 'note' ? words : `${bold}${words}${plain}`;
    return `${bold}${place}${plain}${severityColors[severity]}${severity}: ${plain}${shown}`;
  }

  /** The chain of #include directives, shown again only where it differs from the chain shown last. */
  #includers(file: SourceFile): void {
    const includer = file.includedFrom;
    if (includer === this.#lastIncluder) return;
    this.#lastIncluder = includer;
    for (let place = includer; place !== undefined; place = place.file.includedFrom) {
      const { name, line } = place.file.presumed(place.start);
      this.line(`In file included from ${printable(name)}:${line}:`);
    }
  }

  #snippet(span: Span): void {
    const { line, column } = span.file.position(span.start);
    let source = span.file.lineText(line);
    let start = Math.min(column - 1, source.length);
    if (source.length > 2 * nearby) {
      // far more than is shown on either side, so that a file without line breaks costs no more than another
      const from = Math.max(0, start - nearby);
      source = source.slice(from, start + nearby);
      start -= from;
    }
    if (source.trim() === '') return;
    const end = Math.max(start + 1, Math.min(start + (span.end - span.start), source.length));

    let shown = expandTabs(source, source.length);
    let from = expandTabs(source, start).length;
    let to = Math.max(from + 1, expandTabs(source, end).length);
    const cut = windowAround(shown, from, to, lineWidth);
    shown = cut.text;
    from -= cut.shift;
    to = Math.max(from + 1, Math.min(to - cut.shift, Math.max(shown.length, from + 1)));
    const marks = `^${'~'.repeat(Math.max(0, to - from - 1))}`;
    this.line(printable(shown));
    this.line(' '.repeat(from) + (this.#color ? `${caretColor}${marks}${plain}` : marks));
  }
}

/** Where the code itself has what macros made of it. */
function outermost(span: Span): Span {
  let outer = span;
  while (outer.expansion !== undefined) outer = outer.expansion.use;
  return outer;
}

function isSamePlace(left: Span, right: Span): boolean {
  return (
    left.file === right.file &&
    left.start === right.start &&
    left.end === right.end &&
    left.expansion === right.expansion
  );
}

/** The first `length` units of a line with its tabs made spaces. */
function expandTabs(source: string, length: number): string {
  if (!source.includes('\t')) return source.slice(0, length);
  let text = '';
  for (let index = 0; index < length; index += 1) {
    const character = source.charAt(index);
    text += character === '\t' ? ' '.repeat(tabWidth - (text.length % tabWidth)) : character;
  }
  return text;
}

/** Text without control characters, which could play with the terminal; each becomes U+FFFD; and cut where it is very long. */
function printable(whole: string): string {
  const text = shortened(whole);
  let clean = '';
  let kept = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code >= 32 && (code < 127 || code > 159)) continue;
    clean += `${text.slice(kept, index)}\ufffd`;
    kept = index + 1;
  }
  return kept === 0 ? text : clean + text.slice(kept);
}
