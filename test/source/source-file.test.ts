import { describe, expect, it } from 'vitest';
import { SourceFile } from '../../src/source/source-file.ts';

describe('SourceFile', () => {
  const file = new SourceFile('k.cl', 'one\ntwo\r\nthree\rfour\n');

  it('finds lines and columns whatever ends the lines', () => {
    expect(file.position(0)).toEqual({ line: 1, column: 1 });
    expect(file.position(3)).toEqual({ line: 1, column: 4 });
    expect(file.position(4)).toEqual({ line: 2, column: 1 });
    expect(file.position(file.text.indexOf('three'))).toEqual({ line: 3, column: 1 });
    expect(file.position(file.text.indexOf('our'))).toEqual({ line: 4, column: 2 });
    expect(file.position(file.text.length)).toEqual({ line: 5, column: 1 });
  });

  it('takes offsets outside the text to its ends', () => {
    expect(file.position(-5)).toEqual({ line: 1, column: 1 });
    expect(file.position(1000)).toEqual({ line: 5, column: 1 });
    expect(new SourceFile('empty', '').position(0)).toEqual({ line: 1, column: 1 });
  });

  it('gives the text of lines without their endings', () => {
    expect([0, 1, 2, 3, 4, 5, 6].map((line) => file.lineText(line))).toEqual([
      '',
      'one',
      'two',
      'three',
      'four',
      '',
      '',
    ]);
  });

  it('presents lines as #line directives say', () => {
    const marked = new SourceFile('a.cl', 'a\n#line 100 "b.cl"\nb\nc\n#line 7\nd\n');
    marked.addLineMarker(marked.text.indexOf('#line 100'), 100, 'b.cl');
    marked.addLineMarker(marked.text.indexOf('#line 7'), 7, 'b.cl');
    const at = (text: string) => marked.presumed(marked.text.indexOf(text));
    expect(marked.presumed(0)).toEqual({ name: 'a.cl', line: 1, column: 1 });
    expect(at('#line 100')).toEqual({ name: 'a.cl', line: 2, column: 1 });
    expect(at('b\nc')).toEqual({ name: 'b.cl', line: 100, column: 1 });
    expect(at('c\n#')).toEqual({ name: 'b.cl', line: 101, column: 1 });
    expect(at('d\n')).toEqual({ name: 'b.cl', line: 7, column: 1 });
    expect(marked.position(marked.text.indexOf('d\n'))).toEqual({ line: 6, column: 1 });
  });
});
