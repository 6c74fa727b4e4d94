/**
 * What a file of the cache holds: a mark, the SHA-256 of all that follows, the key that it was written for, the content. The key is
 * in it so that a file under another's name is no entry, and the checksum is one that nobody meets by chance.
 */
import { sha256 } from './hash.ts';

const mark = new TextEncoder().encode('MLC2');
const digestBytes = 32;
const headBytes = mark.length + digestBytes + 4;

/** The most bytes that an entry takes besides its content, for keys of up to 64 characters. */
export const mostEntryOverhead = headBytes + 64;

/** The whole file for a key and its content. */
export function encodeEntry(key: string, content: Uint8Array): Uint8Array {
  const name = new TextEncoder().encode(key);
  const whole = new Uint8Array(headBytes + name.length + content.length);
  whole.set(mark);
  new DataView(whole.buffer).setUint32(headBytes - 4, name.length, true);
  whole.set(name, headBytes);
  whole.set(content, headBytes + name.length);
  whole.set(sha256(whole.subarray(mark.length + digestBytes)), mark.length);
  return whole;
}

/** The content of a file that was written for this key; undefined for any other file. */
export function decodeEntry(key: string, whole: Uint8Array): Uint8Array | undefined {
  if (whole.length < headBytes || !areEqual(whole.subarray(0, mark.length), mark)) return undefined;
  const view = new DataView(whole.buffer, whole.byteOffset, whole.byteLength);
  const content = headBytes + view.getUint32(headBytes - 4, true);
  if (!areEqual(whole.subarray(headBytes, content), new TextEncoder().encode(key))) return undefined;
  const digest = sha256(whole.subarray(mark.length + digestBytes));
  if (!areEqual(whole.subarray(mark.length, mark.length + digestBytes), digest)) return undefined;
  return whole.subarray(content);
}

function areEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
