/**
 * Joins lines that end in a backslash (C99 5.1.1.2, phase 2) before the lexer sees them, and keeps the way back to the
 * offsets of the text as written. Files without such lines, which is most, cost one search for a backslash.
 */
import type { Diagnostics } from '../source/diagnostics.ts';
import type { SourceFile } from '../source/source-file.ts';
import { asciiClasses, characterClass } from './characters.ts';

const lineFeed = 10;
const carriageReturn = 13;

/** A text with its splices removed. */
export class SplicedText {
  readonly text: string;
  /** offsets in `text` where something was removed, ascending, and how much was removed up to and at each */
  readonly #places: readonly number[];
  readonly #removed: readonly number[];
  /** how many places lay before the offset asked for last; the lexer asks for one after the other */
  #passed = 0;

  constructor(text: string, places: readonly number[], removed: readonly number[]) {
    this.text = text;
    this.#places = places;
    this.#removed = removed;
  }

  /** The written offset of the character at `offset`. */
  startOf(offset: number): number {
    return offset + this.#removedBefore(offset + 1);
  }

  /** The written offset right after the character before `offset`. */
  endOf(offset: number): number {
    return offset + this.#removedBefore(offset);
  }

  /** How much was removed at places less than `offset`. */
  #removedBefore(offset: number): number {
    const places = this.#places;
    let passed = this.#passed;
    while (passed < places.length && (places[passed] as number) < offset) passed += 1;
    while (passed > 0 && (places[passed - 1] as number) >= offset) passed -= 1;
    this.#passed = passed;
    return passed === 0 ? 0 : (this.#removed[passed - 1] as number);
  }
}

/** The file's text without line splices; undefined if it has none. */
export function removeSplices(file: SourceFile, diagnostics: Diagnostics): SplicedText | undefined {
  const { text } = file;
  const places: number[] = [];
  const removed: number[] = [];
  const parts: string[] = [];
  let length = 0;
  let total = 0;
  let kept = 0;
  for (let at = text.indexOf('\\'); at !== -1; at = text.indexOf('\\', at + 1)) {
    let end = at + 1;
    while (end < text.length && isBlank(text.charCodeAt(end))) end += 1;
    const code = end < text.length ? text.charCodeAt(end) : 0;
    if (code !== lineFeed && code !== carriageReturn) continue;
    const span = { file, start: at, end: at + 1 };
    if (end > at + 1) {
      diagnostics.warning(span, 'backslash-newline-escape', 'backslash and newline separated by space');
    }
    end += code === carriageReturn && text.charCodeAt(end + 1) === lineFeed ? 2 : 1;
    if (end >= text.length) {
      diagnostics.warning(span, 'backslash-newline-eof', 'backslash-newline at end of file');
    }
    parts.push(text.slice(kept, at));
    length += at - kept;
    total += end - at;
    places.push(length);
    removed.push(total);
    kept = end;
    at = end - 1;
  }
  if (places.length === 0) return undefined;
  parts.push(text.slice(kept));
  return new SplicedText(parts.join(''), places, removed);
}

function isBlank(code: number): boolean {
  return code < 128 && asciiClasses[code] === characterClass.space;
}
