/**
 * Documents in addresses: the part behind `#` is the document as JSON, deflated, in the alphabet of addresses. It never
 * leaves the browser with a request.
 */
import { type Document, isDocument } from './document.ts';

/** More would be more than anybody writes by hand. */
const mostCharacters = 1 << 20;

async function through(bytes: Uint8Array<ArrayBuffer>, stream: GenericTransformStream): Promise<Uint8Array> {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

export async function encodeDocument(document: Document): Promise<string> {
  const text = new TextEncoder().encode(JSON.stringify(document));
  const packed = await through(text, new CompressionStream('deflate-raw'));
  let characters = '';
  for (const byte of packed) characters += String.fromCharCode(byte);
  return btoa(characters).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Undefined for what is no document. */
export async function decodeDocument(text: string): Promise<Document | undefined> {
  if (text.length === 0 || text.length > mostCharacters) return undefined;
  try {
    const characters = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    const packed = Uint8Array.from(characters, (character) => character.charCodeAt(0));
    const bytes = await through(packed, new DecompressionStream('deflate-raw'));
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return isDocument(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
