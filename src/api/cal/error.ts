/** Failures inside CAL: what a function throws so that its caller returns the code and keeps the words. */
import { shown } from '../../source/shown.ts';
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

/** The first `count` of a list that the caller gives, all without it. @throws CalError CAL_RESULT_INVALID_PARAMETER for what is none */
export function listed<T>(list: readonly T[], count?: number): readonly T[] {
  if (!Array.isArray(list)) throw invalid(`${shown(list)} is no array`);
  return list.slice(0, count);
}

/** Bytes that the caller gives. @throws CalError CAL_RESULT_INVALID_PARAMETER for what is none */
export function bytesGiven(buffer: Uint8Array): Uint8Array {
  if (buffer instanceof Uint8Array) return buffer;
  throw invalid(`${shown(buffer)} is no Uint8Array`);
}

export function badHandle(message: string): CalError {
  return new CalError(C.CAL_RESULT_BAD_HANDLE, message);
}
