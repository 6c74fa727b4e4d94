/** A place in the text of a listing. */
import { LineCursor } from '../../../source/line-cursor.ts';

export class Cursor extends LineCursor {
  /** To the beginning of the next line. */
  nextLine(): void {
    this.read(/[^\r\n]*(?:\r\n|\n|\r)?/y);
  }

  /** What a sticky pattern matches behind blanks; empty if it does not match. */
  word(pattern: RegExp): string {
    this.skipBlanks();
    return this.read(pattern);
  }

  /** A number in decimal digits, at most `most`. */
  number(what: string, most: number): number {
    const start = this.here();
    const digits = this.word(/\d+/y);
    if (digits === '') this.lost(`expected ${what}`);
    const value = Number(digits);
    if (value > most) this.fail(start, `${what} is ${digits}, and at most ${most}`);
    return value;
  }

  /** Where the next word begins. */
  here(): number {
    this.skipBlanks();
    return this.offset;
  }
}
