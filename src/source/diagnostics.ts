/**
 * What a compiler has to say about a program, and the sink that collects it.
 *
 * Every stage of a compilation reports into one Diagnostics; nothing a user wrote makes a stage throw. The list keeps
 * the order of the reports. render.ts prints it.
 */
import { counted } from './counted.ts';
import { shortened } from './shortened.ts';
import type { Span } from './span.ts';

export type Severity = 'error' | 'warning' | 'note';

/** A remark that belongs to a diagnostic and points somewhere else. */
export interface Note {
  readonly message: string;
  readonly span: Span;
}

export interface Diagnostic {
  readonly severity: Severity;
  readonly message: string;
  readonly span: Span;
  readonly notes: readonly Note[];
  /** the name of a warning as in `-Wname`; an error that has one is a warning that `-Werror` made an error */
  readonly option?: string;
}

export interface DiagnosticOptions {
  /** `-Werror`: warnings count as errors */
  readonly warningsAreErrors?: boolean;
  /** `-w`: no warnings at all */
  readonly suppressWarnings?: boolean;
  /** how many errors are kept before the rest is dropped; 0 means no limit. Default 20. */
  readonly errorLimit?: number;
}

const noNotes: readonly Note[] = [];

/** How many warnings of one option are kept; more of them tell no more. */
const warningLimit = 100;

/** The warnings of one option. */
interface Repeated {
  count: number;
  /** The note at the end that says how many were left out. */
  leftOut: { severity: 'note'; message: string; span: Span; notes: readonly Note[] } | undefined;
}

/** The sink that one compilation reports into. */
export class Diagnostics {
  readonly #list: Diagnostic[] = [];
  readonly #warningsAreErrors: boolean;
  readonly #suppressWarnings: boolean;
  readonly #errorLimit: number;
  #errorCount = 0;
  #warningCount = 0;
  #full = false;
  readonly #repeated = new Map<string, Repeated>();

  constructor(options: DiagnosticOptions = {}) {
    this.#warningsAreErrors = options.warningsAreErrors ?? false;
    this.#suppressWarnings = options.suppressWarnings ?? false;
    this.#errorLimit = options.errorLimit ?? 20;
  }

  /** Everything reported so far, in order. */
  get list(): readonly Diagnostic[] {
    return this.#list;
  }

  /** The number of errors, warnings made errors among them; the remark that there are too many does not count. */
  get errorCount(): number {
    return this.#errorCount;
  }

  get warningCount(): number {
    return this.#warningCount;
  }

  /** True once the error limit is passed or an error was the last: nothing more is recorded, so a stage may as well stop. */
  get isFull(): boolean {
    return this.#full;
  }

  error(span: Span, message: string, notes: readonly Note[] = noNotes): void {
    this.#addError({ severity: 'error', message, span, notes });
  }

  /** Reports an error after which nothing is looked at any more, so that what else there is to say would be about the rest missing. */
  fatal(span: Span, message: string): void {
    this.#addError({ severity: 'error', message, span, notes: noNotes });
    this.#full = true;
  }

  /** Reports a warning. `option` is its name as in `-Wname`, without the `-W`. */
  warning(span: Span, option: string, message: string, notes: readonly Note[] = noNotes): void {
    if (this.#suppressWarnings) return;
    if (this.#warningsAreErrors) {
      this.#addError({ severity: 'error', message, span, notes, option });
    } else if (!this.#full) {
      this.#warningCount += 1;
      if (!this.#isOneTooMany(span, option)) {
        this.#list.push(shortenedDiagnostic({ severity: 'warning', message, span, notes, option }));
      }
    }
  }

  /** Counts a warning; one that is left out is told of in a note at the first such place. */
  #isOneTooMany(span: Span, option: string): boolean {
    let repeated = this.#repeated.get(option);
    if (repeated === undefined) {
      repeated = { count: 0, leftOut: undefined };
      this.#repeated.set(option, repeated);
    }
    repeated.count += 1;
    const more = repeated.count - warningLimit;
    if (more <= 0) return false;
    if (repeated.leftOut === undefined) {
      repeated.leftOut = { severity: 'note', message: '', span, notes: noNotes };
      this.#list.push(repeated.leftOut);
    }
    repeated.leftOut.message = `${counted(more, 'more warning')} of -W${option} from here on left out`;
    return true;
  }

  /** Reports something that is neither wrong nor suspicious, on its own. */
  note(span: Span, message: string): void {
    if (!this.#full) this.#list.push({ severity: 'note', message: shortened(message), span, notes: noNotes });
  }

  #addError(diagnostic: Diagnostic): void {
    if (this.#full) return;
    if (this.#errorLimit > 0 && this.#errorCount >= this.#errorLimit) {
      this.#full = true;
      this.#list.push({
        severity: 'error',
        message: tooManyErrors,
        span: diagnostic.span,
        notes: noNotes,
      });
      return;
    }
    this.#errorCount += 1;
    this.#list.push(shortenedDiagnostic(diagnostic));
  }
}

function shortenedDiagnostic(diagnostic: Diagnostic): Diagnostic {
  const cut = <T extends Note>(part: T): T => ({ ...part, message: shortened(part.message) });
  return { ...cut(diagnostic), notes: diagnostic.notes.map(cut) };
}

/** The message of the last entry of a full list; it is no error of the program itself. */
export const tooManyErrors = 'too many errors emitted, stopping now';
