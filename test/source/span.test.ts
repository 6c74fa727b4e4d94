import { describe, expect, it } from 'vitest';
import { SourceFile } from '../../src/source/source-file.ts';
import { joinSpans, noSpan, outermostUse, type Span } from '../../src/source/span.ts';

const file = new SourceFile('a.cl', '#define M x + y\nM * z\n');
const span = (start: number, end: number): Span => ({ file, start, end });
const use = span(16, 17);
const expansion = { macro: 'M', definition: span(8, 9), use };
const x: Span = { file, start: 10, end: 11, expansion };
const y: Span = { file, start: 14, end: 15, expansion };

describe('joinSpans', () => {
  it('covers both in one file, in either order', () => {
    expect(joinSpans(span(4, 6), span(1, 2))).toMatchObject({ start: 1, end: 6 });
  });

  it('stays inside an expansion that holds both', () => {
    expect(joinSpans(x, y)).toEqual({ file, start: 10, end: 15, expansion });
  });

  it('goes out to the use where one lies outside', () => {
    for (const joined of [joinSpans(x, span(20, 21)), joinSpans(span(20, 21), y)]) {
      expect(joined).toMatchObject({ start: 16, end: 21 });
      expect(joined.expansion).toBeUndefined();
    }
  });

  it('finds the innermost expansion that holds both', () => {
    const inner = { macro: 'N', definition: span(8, 9), use: x };
    const deep: Span = { file, start: 2, end: 3, expansion: inner };
    expect(joinSpans(deep, y)).toEqual({ file, start: 10, end: 15, expansion });
  });

  it('keeps the first where no text holds both', () => {
    const other = new SourceFile('b.cl', 'b');
    expect(joinSpans(x, { file: other, start: 0, end: 1 })).toBe(x);
  });

  it('takes the other for what has no place', () => {
    expect(joinSpans(noSpan, x)).toBe(x);
    expect(joinSpans(x, noSpan)).toBe(x);
  });
});

describe('outermostUse', () => {
  it('is the invocation in the file', () => {
    expect(outermostUse(x)).toBe(use);
    expect(outermostUse(use)).toBe(use);
  });
});
