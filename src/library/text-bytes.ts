/**
 * Bytes as text that a program's source can hold without escapes. IR is small numbers for the most part, so a byte below
 * 88 is one character and any other two; that is shorter than base64, and what packs files sees the same patterns.
 */

/** Bytes below this are one character. */
const single = 88;
/** A larger byte is one of two further characters, and another one for so many bytes each. */
const page = 84;

/** The characters are those from `#` to `}` but for the backslash. */
export function textOfBytes(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) {
    if (byte < single) text += character(byte);
    else text += character(single + Math.floor((byte - single) / page)) + character((byte - single) % page);
  }
  return text;
}

/** The bytes that a text of {@link textOfBytes} stands for. */
export function bytesOfText(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  let length = 0;
  for (let index = 0; index < text.length; index += 1) {
    let byte = numberOf(text.charCodeAt(index));
    if (byte >= single) {
      index += 1;
      byte = single + (byte - single) * page + numberOf(text.charCodeAt(index));
    }
    bytes[length] = byte;
    length += 1;
  }
  return bytes.slice(0, length);
}

const first = 0x23;
const backslash = 0x5c;

function character(number: number): string {
  const code = first + number;
  return String.fromCharCode(code < backslash ? code : code + 1);
}

function numberOf(code: number): number {
  return (code < backslash ? code : code - 1) - first;
}
