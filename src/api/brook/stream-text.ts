/**
 * A stream's elements as text, for streamPrint: the guide does not have it, but the runtime of Brook+ did, and older programs
 * look at their streams with it.
 */
import { type ElementType, layoutOf, scalarBytes, type ValueType } from '../../brook/types.ts';
import type { Stream } from './stream.ts';
import { arrayOf } from './values.ts';

/** One line a row; elements of several numbers are in braces, single ones are followed by a space. */
export function streamText(stream: Stream): string {
  const bytes = new Uint8Array(stream.byteLength);
  stream.write(bytes);
  const places = numbersOf(stream.type, 0);
  const row = stream.shape.sizes[0]!;
  let text = '';
  for (let element = 0; element < stream.shape.count; element += 1) {
    const from = element * stream.elementBytes;
    const numbers = places.map(({ type, offset }) => {
      const at = bytes.slice(from + offset, from + offset + scalarBytes(type.scalar));
      return numberText(new (arrayOf(type.scalar))(at.buffer)[0]!);
    });
    text += numbers.length === 1 ? `${numbers[0]} ` : `{${numbers.join(', ')}}`;
    if ((element + 1) % row === 0) text += '\n';
  }
  return text;
}

interface Place {
  readonly type: ValueType;
  /** Bytes from the beginning of the element. */
  readonly offset: number;
}

/** Where the numbers of an element lie. */
function numbersOf(type: ElementType, offset: number): Place[] {
  if (type.kind === 'value') {
    const bytes = scalarBytes(type.scalar);
    return Array.from({ length: type.width }, (_, lane) => ({ type, offset: offset + lane * bytes }));
  }
  let at = offset;
  return type.fields.flatMap((field) => {
    const { size, alignment } = layoutOf(field.type);
    at = Math.ceil(at / alignment) * alignment + size;
    return numbersOf(field.type, at - size);
  });
}

function numberText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return 'inf';
  return Math.abs(value) < 0.000001 ? '0.00' : value.toFixed(2);
}
