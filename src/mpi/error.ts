/** Failures of MPI: its code, its class by the standard's name, its words. */
import { type ErrorClassName, errorClasses, textBytes } from './constants.ts';
import type { Library } from './library.ts';

export class MPIError extends Error {
  /** `MPI_ERR_RANK`, say; the error's `name` as well. */
  readonly errorClass: ErrorClassName;
  /** The engine's code; undefined for calls that were refused before they reached it. */
  readonly code: number | undefined;

  constructor(errorClass: ErrorClassName, message: string, code?: number) {
    super(message);
    this.name = errorClass;
    this.errorClass = errorClass;
    this.code = code;
  }
}

/** The class of an engine's error code. */
export function classOf(library: Library, code: number): ErrorClassName {
  if (code === 0) return 'MPI_SUCCESS';
  const place = new Int32Array(1);
  const failed = library.function('MPI_Error_class')(code, library.addressOf(place));
  return (failed ? undefined : library.table.errorClasses[place[0]!]) ?? 'MPI_ERR_UNKNOWN';
}

/** The number that the standard has for it. */
export const classNumber = (name: ErrorClassName): number => errorClasses.indexOf(name);

/** What MPI_Error_string says of a code. */
export function errorText(library: Library, code: number): string {
  const text = new Uint8Array(textBytes);
  const length = new Int32Array(1);
  const failed = library.function('MPI_Error_string')(
    code,
    library.addressOf(text),
    library.addressOf(length),
  );
  return failed ? `error ${code}` : new TextDecoder().decode(text.subarray(0, length[0]));
}

/** @throws MPIError unless a call went well */
export function check(library: Library, call: string, code: number): void {
  if (code === 0) return;
  throw new MPIError(classOf(library, code), `${call}: ${errorText(library, code)}`, code);
}

/** Calls a function. @throws MPIError */
export function call(library: Library, name: string, ...values: number[]): void {
  const code = library.function(name)(...values);
  if (code !== 0) check(library, name, code);
}
