/**
 * Documents in addresses: the part behind `#` is the document as JSON, deflated, in the alphabet of addresses. It never
 * leaves the browser with a request.
 */
import { type Document, isDocument } from './document.ts';

/** More would be more than anybody writes by hand. */
const mostCharacters = 1 << 20;
/** The same of what comes out: deflated, a little text can be a thousand times as much. */
const mostBytes = 1 << 22;
/** Inflated at a time, so that no more than some megabytes come out before anybody counts them. */
const portion = 1024;

/** What an address was to open: a document, or why there is none. */
export type Shared = { readonly document: Document } | { readonly problem: string };

/** What cannot be done, in words for the page. */
class ShareError extends Error {}

/** @throws ShareError for more than `most` bytes */
async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: GenericTransformStream,
  most: number,
): Promise<Uint8Array> {
  const writer = (stream.writable as WritableStream<Uint8Array>).getWriter();
  const reader = (stream.readable as ReadableStream<Uint8Array>).getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  const read = async (): Promise<void> => {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      parts.push(next.value);
      length += next.value.length;
      if (length > most) throw new ShareError(`it holds more than ${most >> 20} MiB of text`);
    }
  };
  const write = async (): Promise<void> => {
    for (let at = 0; at < bytes.length; at += portion) {
      await writer.ready;
      await writer.write(bytes.subarray(at, at + portion));
    }
    await writer.close();
  };
  const reading = read();
  // A reader that has given up lets the writer end, too.
  const writing = write().catch((error) => reading.then(() => Promise.reject(error)));
  try {
    await Promise.all([reading, writing]);
  } catch (error) {
    await Promise.allSettled([reader.cancel(), writer.abort()]);
    throw error;
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/**
 * What stands behind the `#` of a document's address.
 * @throws Error that says why for a document that is too large to be opened again
 */
export async function encodeDocument(document: Document): Promise<string> {
  const text = new TextEncoder().encode(JSON.stringify(document));
  if (text.length > mostBytes) throw new ShareError(`the document has more than ${mostBytes >> 20} MiB`);
  const packed = await through(text, new CompressionStream('deflate-raw'), mostCharacters);
  let characters = '';
  for (const byte of packed) characters += String.fromCharCode(byte);
  const encoded = btoa(characters).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  if (encoded.length > mostCharacters) throw new ShareError('the document is too large for a link');
  return encoded;
}

/** The document of such a text. */
export async function decodeDocument(text: string): Promise<Shared> {
  if (text.length > mostCharacters)
    return { problem: `it is longer than the ${mostCharacters} characters of the longest link` };
  try {
    const characters = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    const packed = Uint8Array.from(characters, (character) => character.charCodeAt(0));
    const bytes = await through(packed, new DecompressionStream('deflate-raw'), mostBytes);
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return isDocument(value) ? { document: value } : { problem: 'what it holds is no document' };
  } catch (error) {
    return { problem: error instanceof ShareError ? error.message : 'it is damaged or cut off' };
  }
}
