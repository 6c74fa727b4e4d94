/** A place in the text of an IL program. Nothing here crosses the end of a line but `nextLine`. */
import { LineCursor } from '../source/line-cursor.ts';

export class Cursor extends LineCursor {
  restOfLine(): string {
    const start = this.offset;
    while (!this.isAtEnd && !this.isLineEnd) this.offset += 1;
    return this.file.text.slice(start, this.offset);
  }

  /** Over what ends a line. */
  nextLine(): void {
    while (this.isLineEnd) this.offset += 1;
  }
}
