/** Errors and warnings as the records that `--json` prints, for programs: editors, and what annotates changes in review. */
import type { Diagnostic } from 'millrace';

type Span = Diagnostic['span'];

/** Where something is: lines and columns from 1, columns in UTF-16 units, the end behind the last. */
interface PlaceRecord {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

export interface DiagnosticRecord extends Partial<PlaceRecord> {
  readonly severity: Diagnostic['severity'];
  readonly message: string;
  /** The name of a warning as in `-Wname`. */
  readonly option?: string;
  readonly notes: readonly (Partial<PlaceRecord> & { readonly message: string })[];
}

/** What `--json` prints of a file. */
export interface FileRecord {
  readonly file: string;
  readonly ok: boolean;
  readonly kernels: readonly string[];
  readonly diagnostics: readonly DiagnosticRecord[];
  /** All that was said about it, as text: what a driver's compiler says is only here. */
  readonly log: string;
}

/** A diagnostic without a place (of build options, say) has none in its record. */
export function recordOf({ severity, message, option, span, notes }: Diagnostic): DiagnosticRecord {
  return {
    severity,
    message,
    ...(option === undefined ? {} : { option }),
    ...placeOf(span),
    notes: notes.map((note) => ({ message: note.message, ...placeOf(note.span) })),
  };
}

/** What macros made is where they are used, as in the text of the message. */
function placeOf(span: Span): PlaceRecord | undefined {
  let { file, start, end, expansion } = span;
  while (expansion !== undefined) ({ file, start, end, expansion } = expansion.use);
  if (file.name === '') return undefined;
  const first = file.presumed(start);
  const last = file.presumed(end);
  return {
    file: first.name,
    line: first.line,
    column: first.column,
    endLine: last.line,
    endColumn: last.column,
  };
}
