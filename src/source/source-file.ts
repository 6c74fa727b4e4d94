/**
 * A piece of source text with a name, and the way from an offset in it to a line and a column.
 *
 * Everything after the lexer speaks of places as offsets (see span.ts); only a diagnostic that is printed asks for
 * lines, so the table of line starts is made on the first question.
 */
import type { Span } from './span.ts';

/** A place as people count: 1-based line, and 1-based column in UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A place as `#line` directives make it seem. */
export interface PresumedPosition extends Position {
  readonly name: string;
}

/** What a `#line` directive says. */
export interface LineMarker {
  /** the physical line that holds the directive; the effect begins on the line after it */
  readonly directiveLine: number;
  readonly line: number;
  readonly name: string;
}

const lineFeed = 10;
const carriageReturn = 13;

export class SourceFile {
  /** the name as the user gave it, for messages and `__FILE__` */
  readonly name: string;
  readonly text: string;
  /** the `#include` that brought this text in; each inclusion of one header is a SourceFile of its own */
  readonly includedFrom: Span | undefined;
  #lineStarts: number[] | undefined;
  readonly #markers: LineMarker[];

  constructor(name: string, text: string, includedFrom?: Span, markers: readonly LineMarker[] = []) {
    this.name = name;
    this.text = text;
    this.includedFrom = includedFrom;
    this.#markers = [...markers];
  }

  /** The `#line` directives so far, for those who make the same file again. */
  get lineMarkers(): readonly LineMarker[] {
    return this.#markers;
  }

  /** The physical place of an offset; offsets outside the text are taken to its nearest end. */
  position(offset: number): Position {
    const starts = this.#starts();
    const place = Math.max(0, Math.min(offset, this.text.length));
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= place) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: place - (starts[low] ?? 0) + 1 };
  }

  /** The place of an offset after the `#line` directives before it. */
  presumed(offset: number): PresumedPosition {
    const { line, column } = this.position(offset);
    const marker = this.#markerBefore(line);
    if (marker !== undefined) {
      return { name: marker.name, line: marker.line + (line - marker.directiveLine - 1), column };
    }
    return { name: this.name, line, column };
  }

  /** The text of a physical line (1-based) without its line ending; empty for a line that is not there. */
  lineText(line: number): string {
    const starts = this.#starts();
    const start = starts[line - 1];
    if (start === undefined) return '';
    let end = starts[line] ?? this.text.length;
    if (end > start && this.text.charCodeAt(end - 1) === lineFeed) end -= 1;
    if (end > start && this.text.charCodeAt(end - 1) === carriageReturn) end -= 1;
    return this.text.slice(start, end);
  }

  /**
   * Records a `#line` directive: the line after the one that holds `offset` presents itself as `line` of `name`.
   * Directives come in the order of the text, as the preprocessor meets them.
   */
  addLineMarker(offset: number, line: number, name: string): void {
    this.#markers.push({ directiveLine: this.position(offset).line, line, name });
  }

  #markerBefore(line: number): LineMarker | undefined {
    let low = 0;
    let high = this.#markers.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#markers[middle]?.directiveLine ?? 0) < line) low = middle + 1;
      else high = middle;
    }
    return this.#markers[low - 1];
  }

  #starts(): number[] {
    if (this.#lineStarts !== undefined) return this.#lineStarts;
    const { text } = this;
    const starts = [0];
    for (let offset = 0; offset < text.length; offset += 1) {
      const code = text.charCodeAt(offset);
      if (code === lineFeed) starts.push(offset + 1);
      else if (code === carriageReturn && text.charCodeAt(offset + 1) !== lineFeed) starts.push(offset + 1);
    }
    this.#lineStarts = starts;
    return starts;
  }
}
