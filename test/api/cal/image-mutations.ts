/**
 * Images with something wrong in them. Half of them are changed anywhere; in the other half a program's text is changed and its check
 * sum made anew, so that the damage reaches the reader of programs.
 */
import { crc32 } from '../../../src/build/crc32.ts';

/** The same seed gives the same images. */
export function* mutatedImages(
  images: readonly Uint8Array[],
  count: number,
  seed: number,
): Generator<Uint8Array> {
  const random = randomFrom(seed);
  for (let index = 0; index < count; index += 1) {
    const image = images[index % images.length]!;
    yield random() < 0.5 ? changedAnywhere(image, random) : changedText(image, random);
  }
}

type Random = () => number;

function changedAnywhere(image: Uint8Array, random: Random): Uint8Array {
  const at = (): number => Math.floor(random() * image.length);
  const copy = image.slice();
  switch (Math.floor(random() * 5)) {
    case 0:
      return copy.subarray(0, at());
    case 1:
      return Uint8Array.of(...copy, ...copy.subarray(at()));
    case 2:
      copy.copyWithin(at(), at(), at());
      break;
    case 3: {
      // A word that many checks look at, mostly in the headers.
      const words = [0, 1, 0x7fffffff, 0x80000000, 0xffffffff, image.length, image.length + 1];
      const place = Math.floor(random() * Math.min(image.length, 300)) & ~3;
      new DataView(copy.buffer).setUint32(place, words[Math.floor(random() * words.length)]!, true);
    }
  }
  const changes = 1 + Math.floor(random() * 4);
  for (let change = 0; change < changes; change += 1) copy[at()]! ^= 1 + Math.floor(random() * 255);
  return copy;
}

/** Where the first program's note is: behind the dictionary's header comes that of the notes, then that of the text. */
function changedText(image: Uint8Array, random: Random): Uint8Array {
  const copy = image.slice();
  const view = new DataView(copy.buffer);
  const word = (at: number): number => view.getUint32(at, true);
  const segments = word(28);
  const notesEnd = word(segments + 32 + 4) + word(segments + 32 + 16);
  const [start, size] = [word(segments + 64 + 4), word(segments + 64 + 16)];
  const text = copy.subarray(start, start + size);
  const at = (): number => Math.floor(random() * size);
  const characters = '0123456789.,()[]_xyzwr abcdefo\n';
  const changes = 1 + Math.floor(random() * 3);
  for (let change = 0; change < changes; change += 1) {
    if (random() < 0.3) text.copyWithin(at(), at(), at());
    else text[at()] = characters.charCodeAt(Math.floor(random() * characters.length));
  }
  // The check sum is the last word of our own note, which is the last one.
  view.setUint32(notesEnd - 4, crc32(text), true);
  return copy;
}

/** Numbers from 0 to 1 (mulberry32). */
function randomFrom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}
