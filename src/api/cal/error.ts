/** Failures inside CAL: what a function throws so that its caller returns the code and keeps the words. */
import * as C from './constants.ts';

export class CalError extends Error {
  readonly result: C.CALresult;

  constructor(result: C.CALresult, message: string) {
    super(message);
    this.name = resultName(result);
    this.result = result;
  }
}

/** `CAL_RESULT_ERROR`. */
function resultName(result: C.CALresult): string {
  const names = Object.entries(C).find(([name, value]) => name.startsWith('CAL_RESULT_') && value === result);
  return names?.[0] ?? 'CalError';
}

/** Something went wrong that has no code of its own. */
export function failed(message: string): CalError {
  return new CalError(C.CAL_RESULT_ERROR, message);
}

export function invalid(message: string): CalError {
  return new CalError(C.CAL_RESULT_INVALID_PARAMETER, message);
}

export function badHandle(message: string): CalError {
  return new CalError(C.CAL_RESULT_BAD_HANDLE, message);
}
