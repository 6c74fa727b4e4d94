/** Answers of clGet...Info functions as JavaScript values. What a driver does not know is the given fallback. */
import type { Bytes } from './driver.ts';

/** One object's clGet...Info with the object filled in. */
export type Query = (name: number, size: number, value: Bytes, needed: Bytes) => number;

/** The bytes of an answer; undefined if the driver refuses. */
function answerBytes(query: Query, name: number): Uint8Array | undefined {
  const needed = new BigUint64Array(1);
  if (query(name, 0, null, needed) !== 0) return undefined;
  const bytes = new Uint8Array(Number(needed[0]));
  if (bytes.length > 0 && query(name, bytes.length, bytes, null) !== 0) return undefined;
  return bytes;
}

/** A text, without the zero byte at its end and blanks around it. */
export function answerText(query: Query, name: number, fallback = ''): string {
  const bytes = answerBytes(query, name);
  if (!bytes) return fallback;
  const end = bytes.indexOf(0);
  return new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end)).trim();
}

/** The words of a text that are separated by `separator`. */
export function answerWords(query: Query, name: number, separator = ' '): string[] {
  return answerText(query, name).split(separator).filter(Boolean);
}

/** cl_uint, cl_ulong, size_t, cl_bool, bit fields, handles: a number of 4 or 8 bytes. */
export function answerNumber(query: Query, name: number, fallback = 0): number {
  return answerNumbers(query, name)[0] ?? fallback;
}

/** An array of size_t or of other numbers of 8 bytes; one number of 4 bytes is an array of length 1. */
export function answerNumbers(query: Query, name: number): number[] {
  const bytes = answerBytes(query, name);
  if (!bytes) return [];
  const view = new DataView(bytes.buffer);
  if (bytes.length === 4) return [view.getUint32(0, true)];
  return Array.from({ length: bytes.length >> 3 }, (_, index) => Number(view.getBigUint64(index * 8, true)));
}
