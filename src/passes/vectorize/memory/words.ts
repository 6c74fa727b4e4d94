/**
 * User vectors of small components, such as the uchar4 of a pixel, fill whole words of 32 bits. A vector loads and stores the
 * words, and splits them and puts them together in registers:
 *
 *     %v = load %p : i8x4              %w = load %p : i32x8               eight pixels
 *                                      %x = trunc %w : i8x8
 *                                =>    %1 = ushr %w, 8
 *                                      %y = trunc %1 : i8x8
 *                                      ...
 *
 * A gather is one access a lane then, not four. Who widens the components again, to make floats of them say, leaves
 * nothing but the shifts: constant-folding sees to that.
 */

import type * as ir from '../../../ir/ir.ts';
import {
  elementOf,
  i32,
  lanesOf,
  type ScalarType,
  sizeOf,
  type Type,
  vectorType,
} from '../../../ir/types.ts';
import type { VectorWriter } from '../emit/vector-writer.ts';

const wordBytes = 4;

/** What a user vector is as words: a type of so many of them. Undefined if it does not fill words, or is of words. */
export function wordsOf(type: Type): Type | undefined {
  const element = elementOf(type);
  // Halves are widened faster as they come.
  if (type.kind !== 'vector' || element.kind !== 'int') return undefined;
  const words = (sizeOf(element, wordBytes) * lanesOf(type)) / wordBytes;
  if (element.bits >= 32 || (words !== 1 && words !== 2 && words !== 4)) return undefined;
  return words === 1 ? i32 : vectorType(i32, words);
}

/** How many components of a type are in a word. */
function perWord(element: ScalarType): number {
  return wordBytes / sizeOf(element, wordBytes);
}

/** The components of each lane's vector, from its words. */
export function apart(writer: VectorWriter, type: Type, words: readonly ir.Value[]): ir.Value[] {
  const element = elementOf(type) as ScalarType;
  const count = perWord(element);
  return Array.from({ length: lanesOf(type) }, (_, component) => {
    const word = words[Math.floor(component / count)]!;
    const bits = ((component % count) * 32) / count;
    const low = bits === 0 ? word : writer.binary('ushr', word, numbers(writer, bits));
    return writer.convert('trunc', low, vectorType(element, writer.lanes));
  });
}

/** The words of each lane's vector, from its components. */
export function together(writer: VectorWriter, type: Type, components: readonly ir.Value[]): ir.Value[] {
  const element = elementOf(type) as ScalarType;
  const count = perWord(element);
  return Array.from({ length: components.length / count }, (_, word) => {
    const parts = components.slice(word * count, (word + 1) * count).map((component, at) => {
      const wide = writer.convert('zext', component, vectorType(i32, writer.lanes));
      return at === 0 ? wide : writer.binary('shl', wide, numbers(writer, (at * 32) / count));
    });
    return parts.reduce((whole, part) => writer.binary('or', whole, part));
  });
}

function numbers(writer: VectorWriter, value: number): ir.Value {
  return writer.once(vectorType(i32, writer.lanes), value);
}
