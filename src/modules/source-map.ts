/** Source maps of declarations: the names in `saxpy.d.cl.ts` lead to those in `saxpy.cl` (revision 3 of the format). */

export interface Mapping {
  /** In the declarations, from 0. */
  readonly line: number;
  readonly column: number;
  /** The file as the compiler was given it, and the place in it, from 0. */
  readonly source: string;
  readonly sourceLine: number;
  readonly sourceColumn: number;
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** A number in base64 VLQ: the sign in the lowest bit, five bits a digit, the sixth bit saying that more follow. */
function encoded(value: number): string {
  let rest = value < 0 ? (-value << 1) | 1 : value << 1;
  let text = '';
  do {
    const more = rest > 31 ? 32 : 0;
    text += digits[(rest & 31) | more];
    rest >>>= 5;
  } while (rest > 0);
  return text;
}

/**
 * The text of a source map.
 * @param file the name of the declarations
 * @param mappings in the order of the declarations
 * @param nameOf a source as the map is to call it: relative to the declarations
 */
export function sourceMap(
  file: string,
  mappings: readonly Mapping[],
  nameOf: (source: string) => string,
): string {
  const sources = [...new Set(mappings.map(({ source }) => source))];
  const lines: string[][] = [];
  let last = { line: -1, column: 0, source: 0, sourceLine: 0, sourceColumn: 0 };
  for (const { line, column, source, sourceLine, sourceColumn } of mappings) {
    while (lines.length <= line) lines.push([]);
    const index = sources.indexOf(source);
    const before = line === last.line ? last.column : 0;
    const fields = [
      column - before,
      index - last.source,
      sourceLine - last.sourceLine,
      sourceColumn - last.sourceColumn,
    ];
    lines[line]!.push(fields.map(encoded).join(''));
    last = { line, column, source: index, sourceLine, sourceColumn };
  }
  return JSON.stringify({
    version: 3,
    file,
    sourceRoot: '',
    sources: sources.map(nameOf),
    names: [],
    mappings: lines.map((segments) => segments.join(',')).join(';'),
  });
}
