/**
 * What the checker has to say, in brcc's words. A message has a group ("In Assignment expression") and a text, as brcc
 * prints them one after the other; `log` prints the whole list in brcc's form.
 *
 * What brcc calls warnings of level one are about types. Under strong type checking, which is on unless `-a` turns it off, they are
 * errors (A.6.3.3 of the guide); without it they are shown from `-w 1` on.
 */
import { Diagnostics } from '../../source/diagnostics.ts';
import { shortened, windowAround } from '../../source/shortened.ts';
import { outermostUse, type Span } from '../../source/span.ts';
import { groups } from './groups.ts';

export interface ReportOptions {
  /** brcc's `-a` turns it off. */
  readonly strongTypes: boolean;
  /** brcc's `-w`: 0 to 3. */
  readonly warningLevel: number;
  /** brcc's `-x`. */
  readonly warningsAreErrors: boolean;
  /** brcc's `-c` turns them off: then sizes of gather and scatter arrays are only warned of. */
  readonly constantBuffers: boolean;
}

/** brcc stops after so many. */
const errorLimit = 100;
/** how many lines of messages there are, with the statements that they are about */
const mostLines = 1000;
/** how much of a statement is shown, and how much of its line is looked at on either side of the caret */
const statementWidth = 240;
const nearby = 1000;

export class Report {
  readonly options: ReportOptions;
  readonly diagnostics: Diagnostics;
  readonly #lines: string[] = [];
  #errors = 0;
  #warnings = 0;
  #leftOut = 0;

  constructor(options: ReportOptions, diagnostics: Diagnostics = new Diagnostics({ errorLimit })) {
    this.options = options;
    this.diagnostics = diagnostics;
  }

  get hasErrors(): boolean {
    return this.#errors > 0;
  }

  /** Of all errors, also of those that are no longer kept. */
  get errorCount(): number {
    return this.#errors;
  }

  /** Everything so far in brcc's form: `file(line) : ERROR--n: group: text`, the line that it is about, and a caret below the place. */
  get log(): string {
    const lines = this.#lines.map((line) => `${line}\n`).join('');
    return this.#leftOut === 0 ? lines : `${lines}${this.#leftOut} more messages left out\n`;
  }

  error(span: Span, group: string, text: string): void {
    this.#errors += 1;
    const message = join(group, text);
    this.#add(span, `ERROR--${this.#errors}`, message);
    this.diagnostics.error(span, message);
  }

  /** About the sizes of arrays that could be constant buffers. */
  sizeError(span: Span, group: string, text: string): void {
    if (this.options.constantBuffers) this.error(span, group, text);
    else this.warning(span, groups.none, text);
  }

  /** One of brcc's level-one warnings: types that do not match. */
  typeWarning(span: Span, group: string, text: string): void {
    if (this.options.strongTypes) this.error(span, group, text);
    else this.warning(span, group, text, 1);
  }

  warning(span: Span, group: string, text: string, level = 0): void {
    const { warningLevel, warningsAreErrors } = this.options;
    if (level > warningLevel) return;
    this.#warnings += 1;
    const message = join(group, text);
    if (warningsAreErrors && !this.options.strongTypes) {
      this.#errors += 1;
      this.#add(span, `WARNING AS ERROR--${this.#warnings}`, message);
      this.diagnostics.error(span, message);
      return;
    }
    this.#add(span, `WARN--${this.#warnings}`, message);
    this.diagnostics.warning(span, 'brook', message);
  }

  #add(span: Span, mark: string, message: string): void {
    const { file, start } = outermostUse(span);
    const { name, line } = file.presumed(start);
    if (this.#lines.length > mostLines) {
      this.#leftOut += 1;
      return;
    }
    this.#lines.push(`${shortened(name)}(${line}) : ${mark}: ${shortened(message)}`);
    const { line: at, column } = file.position(start);
    const whole = file.lineText(at);
    const from = Math.max(0, column - 1 - nearby);
    const near = whole.slice(from, column - 1 + nearby);
    const indentation = near.length - near.trimStart().length;
    const trimmed = near.trim();
    if (trimmed === '') return;
    const place = Math.max(0, column - 1 - from - indentation);
    const { text, shift } = windowAround(trimmed, place, place + 1, statementWidth);
    const before = text.slice(0, place - shift);
    // Tabs are as wide below as above.
    const blank = `Statement: ${before}`.replace(/[^\t]/g, ' ');
    this.#lines.push(`\tStatement: ${text}`, `\t${blank}^`);
  }
}

function join(group: string, text: string): string {
  return group === '' ? text : `${group}: ${text}`;
}
