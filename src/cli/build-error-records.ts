/** The errors of a source that does not compile, among the reports that `millrace check --json` prints. */
import type { BuildError, Diagnostic } from 'millrace';
import { type DiagnosticRecord, recordOf } from './commands/diagnostic-records.ts';

type Place = Readonly<Pick<Required<DiagnosticRecord>, 'file' | 'line' | 'column' | 'endLine' | 'endColumn'>>;

/** As the checker's reports, whose kinds are others. */
export interface BuildErrorRecord {
  readonly kind: 'build-error';
  readonly severity: Diagnostic['severity'];
  readonly message: string;
  /** The name of a warning as in `-Wname`, which was made an error. */
  readonly option?: string;
  /** Errors of build options have none. */
  readonly place?: Place;
  readonly notes: readonly { readonly message: string; readonly place?: Place }[];
}

/** The errors of a build that failed, one or more. */
export function buildErrorRecords({ diagnostics, log, message }: BuildError): readonly BuildErrorRecord[] {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  // A driver's compiler has only said it in words.
  if (errors.length === 0)
    return [{ kind: 'build-error', severity: 'error', message: log || message, notes: [] }];
  return errors.map((diagnostic) => {
    const { severity, message: text, option, notes, ...place } = recordOf(diagnostic);
    return {
      kind: 'build-error',
      severity,
      message: text,
      ...(option === undefined ? {} : { option }),
      ...placed(place),
      notes: notes.map(({ message: note, ...where }) => ({ message: note, ...placed(where) })),
    };
  });
}

function placed(place: Partial<Place>): { readonly place?: Place } {
  return place.file === undefined ? {} : { place: place as Place };
}
