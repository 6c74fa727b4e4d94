/** A source of which only places are known, not the text: what is left of it in a binary. */
import { SourceFile } from './source-file.ts';
import type { Span } from './span.ts';

/** Columns beyond this are shown as this. */
const lastColumn = 4095;

/** Offsets in it are a line and a column in one number. */
export class RememberedFile extends SourceFile {
  constructor(name: string) {
    super(name, '');
  }

  /** The place of a 1-based line and column. */
  place(line: number, column: number): Span {
    const offset = line * (lastColumn + 1) + Math.min(column, lastColumn);
    return { file: this, start: offset, end: offset };
  }

  override position(offset: number): { line: number; column: number } {
    return { line: Math.floor(offset / (lastColumn + 1)), column: offset % (lastColumn + 1) };
  }
}
