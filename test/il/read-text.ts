import { parseIl } from '../../src/il/parse.ts';
import { printIl } from '../../src/il/print.ts';
import { readIl } from '../../src/il/read.ts';
import type { Instruction, Program } from '../../src/il/tree.ts';
import { Diagnostics } from '../../src/source/diagnostics.ts';
import { renderDiagnostics } from '../../src/source/render.ts';
import { SourceFile } from '../../src/source/source-file.ts';

/** What is said about a program, as it is shown; empty for one without mistakes. */
export function logOf(text: string): string {
  const diagnostics = new Diagnostics();
  readIl(new SourceFile('a.il', text), diagnostics);
  return renderDiagnostics(diagnostics.list);
}

/** The tree of a program, which must have no mistakes. */
export function programOf(text: string): Program {
  const diagnostics = new Diagnostics();
  const program = readIl(new SourceFile('a.il', text), diagnostics);
  if (program === undefined) throw new Error(`${text}\n${renderDiagnostics(diagnostics.list)}`);
  return program;
}

/** The only instruction of a text, which must have no mistakes. */
export function instructionOf(text: string): Instruction {
  const diagnostics = new Diagnostics();
  const { items } = parseIl(new SourceFile('a.il', text), diagnostics);
  const [item] = items;
  if (diagnostics.errorCount > 0 || items.length !== 1 || item?.kind !== 'instruction') {
    throw new Error(`not one instruction: ${text}\n${renderDiagnostics(diagnostics.list)}`);
  }
  return item;
}

/** A program read and printed again. */
export function reprinted(text: string): string {
  return printIl(programOf(text));
}

/** A tree without its places, for comparisons. */
export function shapeOf({ items }: Program): unknown {
  return JSON.parse(
    JSON.stringify(items, (key, value) => {
      if (key === 'span') return undefined;
      return key === 'opcode' ? value.name : value;
    }),
  );
}
