/** Failures inside CAL: what a function throws so that its caller returns the code and keeps the words. */
import type { HostBytes } from '../../runtime/device-memory.ts';
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

/** A typed array that the caller gives. @throws CalError CAL_RESULT_INVALID_PARAMETER for what is none */
export function arrayGiven(array: HostBytes): HostBytes {
  if (ArrayBuffer.isView(array)) return array;
  throw invalid(`${shown(array)} is no typed array`);
}

/** Bytes that the caller gives. @throws CalError CAL_RESULT_INVALID_PARAMETER for what is none */
export function bytesGiven(buffer: Uint8Array): Uint8Array {
  if (buffer instanceof Uint8Array) return buffer;
  throw invalid(`${shown(buffer)} is no Uint8Array`);
}

/** A structure that the caller gives. @throws CalError CAL_RESULT_INVALID_PARAMETER for null and what else is none */
export function structureGiven<T extends object>(structure: T, what: string): T {
  if (typeof structure === 'object' && structure !== null) return structure;
  throw invalid(`${shown(structure)} is no ${what}`);
}

/** A name that the caller gives. @throws CalError CAL_RESULT_INVALID_PARAMETER for what is no text */
export function nameGiven(name: string): string {
  if (typeof name === 'string') return name;
  throw invalid(`${shown(name)} is no name`);
}

export function badHandle(message: string): CalError {
  return new CalError(C.CAL_RESULT_BAD_HANDLE, message);
}
