/** Declarations of modules, with the map that leads from their names into the sources: `saxpy.d.cl.ts` and `saxpy.d.cl.ts.map`. */
import type { Span } from 'millrace';
import { outermost } from './diagnostic.ts';
import { type Mapping, sourceMap } from './source-map.ts';

/** Something that a module exports. */
export interface Declared {
  /** Documentation, as text. */
  readonly comment: string;
  readonly name: string;
  readonly type: string;
  /**
   * Of a kernel its parameters and what it returns, `(range: LaunchRange, a: Scalar): Promise<LaunchTimes>`: it is declared as a function,
   * so that editors show it as one and know one place of it.
   */
  readonly call?: string | undefined;
  /** The name in the source. */
  readonly span: Span | undefined;
}

export interface DeclarationTexts {
  /** All but what is exported by name: imports, types. */
  readonly head: string;
  readonly exported: readonly Declared[];
}

/** Declarations as text, with the places of names. */
class Writer {
  readonly mappings: Mapping[] = [];
  #text = '';
  #line = 0;
  #column = 0;

  get text(): string {
    return this.#text;
  }

  write(text: string): void {
    this.#text += text;
    const lines = text.split('\n');
    this.#line += lines.length - 1;
    this.#column = lines.length > 1 ? lines.at(-1)!.length : this.#column + text.length;
  }

  /** Writes a name; editors go from it to the one in the source. */
  name(name: string, span: Span | undefined): void {
    const outer = span && outermost(span);
    if (outer) this.#map(outer, outer.start);
    this.write(name);
    if (outer) this.#map(outer, outer.end);
  }

  #map({ file }: Span, offset: number): void {
    const { line, column } = file.position(offset);
    this.mappings.push({
      line: this.#line,
      column: this.#column,
      source: file.name,
      sourceLine: line - 1,
      sourceColumn: column - 1,
    });
  }
}

/** A documentation comment. */
function commentOf(text: string, indent: string): string {
  const lines = text.replaceAll('*/', '*\\/').split('\n');
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
}

/** The declarations of a name: what is before it in each, and behind it. */
function around({ type, call }: Declared, exporting: string): [before: string, after: string][] {
  if (call === undefined) return [[`${exporting}const `, `: ${type};\n`]];
  const group = 'readonly [number, number, number] | undefined';
  const members = `const parameters: readonly KernelParameter[];\n  const requiredWorkGroupSize: ${group};`;
  return [
    [`${exporting}function `, `${call};\n`],
    [`${exporting}namespace `, ` {\n  ${members}\n}\n`],
  ];
}

/** The declarations of a module that is imported by the name of its file, and their map. */
export function declarationFile(
  { head, exported }: DeclarationTexts,
  file: string,
  nameOf: (source: string) => string,
): { readonly declarations: string; readonly map: string } {
  const writer = new Writer();
  writer.write(head);
  for (const declared of exported) {
    const { comment, name, span } = declared;
    writer.write(`\n${commentOf(comment, '')}`);
    for (const [before, after] of around(declared, 'export declare ')) {
      writer.write(before);
      writer.name(name, span);
      writer.write(after);
    }
  }
  writer.write(`\n//# sourceMappingURL=${file}.map\n`);
  return { declarations: writer.text, map: `${sourceMap(file, writer.mappings, nameOf)}\n` };
}

/**
 * The same for a file with a query, of which TypeScript knows by a pattern alone: for any folder.
 * @param specifier as what imports it ends: `saxpy.cl?load`
 */
export function ambientFile({ head, exported }: DeclarationTexts, specifier: string): string {
  const indented = (text: string): string =>
    text
      .split('\n')
      .map((line) => (line === '' ? '' : `  ${line}`))
      .join('\n');
  const [first = '', ...rest] = head.split('\n');
  const consts = exported.map((declared) => {
    const texts = around(declared, 'export ').map(([before, after]) => before + declared.name + after);
    return `\n${commentOf(declared.comment, '')}${texts.join('')}`;
  });
  return `${first}\ndeclare module '*/${specifier.replaceAll("'", "\\'")}' {\n${indented(rest.join('\n') + consts.join(''))}}\n`;
}
