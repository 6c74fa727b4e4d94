/**
 * What the C compiler says of the host part of a .br file, in the words of the program: it speaks of the C that was made of streams and
 * calls of kernels, whose names and header nobody wrote.
 */
import { Diagnostics, type Note } from '../../source/diagnostics.ts';
import type { Span } from '../../source/span.ts';

/** The header that such files begin with. */
const header = 'brook.h';

/** Hands on to another sink. Pointers of other types where streams or the results of reductions should be are errors. */
export class HostDiagnostics extends Diagnostics {
  readonly #sink: Diagnostics;
  readonly #reductions: readonly Span[];

  /** `reductions`: the names of kernels where host code calls them with a variable for the result. */
  constructor(sink: Diagnostics, reductions: readonly Span[]) {
    super();
    this.#sink = sink;
    this.#reductions = reductions;
  }

  override get list() {
    return this.#sink.list;
  }

  override get errorCount(): number {
    return this.#sink.errorCount;
  }

  override get warningCount(): number {
    return this.#sink.warningCount;
  }

  override get isFull(): boolean {
    return this.#sink.isFull;
  }

  override error(span: Span, message: string, notes: readonly Note[] = []): void {
    this.#sink.error(span, inWords(message), notesInWords(notes));
  }

  override fatal(span: Span, message: string): void {
    this.#sink.fatal(span, inWords(message));
  }

  override warning(span: Span, option: string, message: string, notes: readonly Note[] = []): void {
    const isPointer = option === 'incompatible-pointer-types';
    const isOfReduction = this.#reductions.some(
      ({ file, start }) => span.file === file && span.start === start,
    );
    // The runtime would look for a stream, or write a number, where there is something else.
    if (isPointer && (isOfReduction || message.includes('__brook_stream'))) this.error(span, message, notes);
    else this.#sink.warning(span, option, inWords(message), notesInWords(notes));
  }

  override note(span: Span, message: string): void {
    if (span.file.name !== header) this.#sink.note(span, inWords(message));
  }
}

/** Names as the program writes them: `__brook_kernel_sum` is `sum`, `__brook_is_sync` is `isSync`. */
function inWords(message: string): string {
  return message
    .replace(/__brook_(?:global|kernel)_(\w+?)(?:_variable)?\b/g, '$1')
    .replace(/__brook_(\w+)/g, (_, name: string) =>
      name.replace(/_(\w)/g, (_match, letter: string) => letter.toUpperCase()),
    );
}

/** Without those that point into the header. */
function notesInWords(notes: readonly Note[]): readonly Note[] {
  return notes
    .filter(({ span }) => span.file.name !== header)
    .map(({ span, message }) => ({ span, message: inWords(message) }));
}
