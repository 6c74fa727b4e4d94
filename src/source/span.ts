/**
 * A span is a range of one source text; it is how tokens, syntax trees, IR and diagnostics say where they come from.
 *
 * A token that a macro produced is spelled inside the macro's definition; its span therefore points there, and
 * `expansion` leads to the invocation. A token that was written as a macro's argument keeps the place where it was
 * written, for that is the place to mend when it is wrong.
 */
import { SourceFile } from './source-file.ts';

/** The range [start, end) of a file's text, in UTF-16 units. */
export interface Span {
  readonly file: SourceFile;
  readonly start: number;
  readonly end: number;
  /** set if the text of this span reached the program through a macro */
  readonly expansion?: Expansion | undefined;
}

/** One invocation of a macro; all tokens it produced share this object. */
export interface Expansion {
  readonly macro: string;
  /** the macro's name in its `#define` */
  readonly definition: Span;
  /** the invocation, which may itself lie inside another macro's definition */
  readonly use: Span;
}

/** The place of things that the compiler made itself; diagnostics there are printed without a place. */
export const noSpan: Span = { file: new SourceFile('', ''), start: 0, end: 0 };

/** A range of a text. Trees hold hundreds of thousands, so one that no macro made has no field for it. */
function range(file: SourceFile, start: number, end: number, expansion: Expansion | undefined): Span {
  return expansion === undefined ? { file, start, end } : { file, start, end, expansion };
}

/** The span alone of something that has more to it. */
export function spanOf({ file, start, end, expansion }: Span): Span {
  return range(file, start, end, expansion);
}

/** The place in a real file where the macros around a span were invoked; the span itself if no macro made it. */
export function outermostUse(span: Span): Span {
  let outer = span;
  while (outer.expansion !== undefined) outer = outer.expansion.use;
  return outer;
}

/**
 * The smallest span that covers `a` and `b`. Where they lie in different expansions, it is a span of the innermost
 * expansion (or file) that holds both; where no text holds both, it is `a`.
 */
export function joinSpans(a: Span, b: Span): Span {
  if (a.file === b.file && a.expansion === b.expansion) return cover(a, b);
  if (a.file === noSpan.file) return b;
  for (let left: Span | undefined = a; left !== undefined; left = left.expansion?.use) {
    for (let right: Span | undefined = b; right !== undefined; right = right.expansion?.use) {
      if (left.file === right.file && left.expansion === right.expansion) return cover(left, right);
    }
  }
  return a;
}

function cover(a: Span, b: Span): Span {
  return range(a.file, Math.min(a.start, b.start), Math.max(a.end, b.end), a.expansion);
}
