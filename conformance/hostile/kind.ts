/** What hostile inputs are of one kind: what they are made from, and what must become of them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mutate } from '../../test/fuzz/mutate.ts';
import type { Random } from '../../test/support/random.ts';

export interface HostileKind {
  /** How many originals are damaged. */
  readonly originals: number;
  /** A damaged one. The same random numbers give the same input. */
  make(random: Random): Uint8Array | string;
  /**
   * Tries an input.
   * @returns what became of it, in a word or two
   * @throws Error what is wrong with us: anything but a refusal in words
   */
  run(input: Uint8Array | string, random: Random): string | Promise<string>;
}

type ErrorClass = abstract new (...args: never) => Error;

/** `refused` if the action throws an error of one of these classes, which must have something to say. */
export async function refusedAs(
  kinds: readonly ErrorClass[],
  action: () => string | Promise<string>,
): Promise<string> {
  try {
    return await action();
  } catch (error) {
    const isRefusal = kinds.some((kind) => error instanceof kind);
    if (!isRefusal || (error as Error).message === '') throw error;
    return 'refused';
  }
}

/** The texts of files under a folder of the checkout. */
export function textsUnder(folder: string, ending: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
}

/** A piece of a text: damage is felt more than in a whole file. */
export function pieceOf(text: string, random: Random): string {
  if (text.length < 4000 || random.below(10) === 0) return text;
  const lines = text.split('\n');
  const start = random.below(lines.length);
  return lines.slice(start, start + 20 + random.below(60)).join('\n');
}

/** A damaged text, or, one time in fifty, one that asks for too much of something. */
export function hostileText(originals: readonly string[], bombs: readonly Bomb[], random: Random): string {
  if (bombs.length > 0 && random.below(50) === 0) return random.pick(bombs)(2 ** random.below(18));
  return mutate(pieceOf(random.pick(originals), random), originals, random);
}

/** A text that asks for `size` of something. */
export type Bomb = (size: number) => string;

/** A copy with bytes changed, taken out, doubled or taken from another. */
export function damagedBytes(originals: readonly Uint8Array[], random: Random): Uint8Array {
  const bytes = [...random.pick(originals)];
  const times = 1 + random.below(random.below(4) === 0 ? 12 : 3);
  for (let time = 0; time < times; time += 1) {
    // What says sizes is at the begin, as a rule.
    const at = random.below(random.below(2) === 0 ? Math.min(64, bytes.length + 1) : bytes.length + 1);
    const length = 1 + random.below(random.below(4) === 0 ? 60 : 3);
    switch (random.below(7)) {
      case 0:
        bytes.splice(at, length);
        break;
      case 1:
        bytes.splice(at, 0, ...bytes.slice(at, at + length));
        break;
      case 2: {
        const other = random.pick(originals);
        const from = random.below(other.length);
        bytes.splice(at, random.below(length + 1), ...other.subarray(from, from + length));
        break;
      }
      case 3:
        bytes.splice(at, 4, ...random.pick(largeNumbers));
        break;
      case 4:
        bytes[at] = random.below(256);
        break;
      case 5:
        if (random.below(4) === 0) bytes.length = Math.min(at, bytes.length);
        break;
      default:
        bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8));
    }
  }
  return Uint8Array.from(bytes);
}

const largeNumbers = [
  [0xff, 0xff, 0xff, 0xff],
  [0xff, 0xff, 0xff, 0x7f],
  [0x7f, 0xff, 0xff, 0xff],
  [0, 0, 0, 0],
  [0, 0, 0, 0x80],
  [0x80, 0, 0, 0],
  [0, 0, 1, 0],
  [0xff, 0xff, 0, 0],
];
