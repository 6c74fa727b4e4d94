/** The front end of AMD IL: from a text to a tree that is right in itself. */
import type { Diagnostics } from '../source/diagnostics.ts';
import type { SourceFile } from '../source/source-file.ts';
import { checkIl } from './check.ts';
import { checkUses } from './check-uses.ts';
import { parseIl } from './parse.ts';
import type { Program } from './tree.ts';

/**
 * Reads a program and checks that its blocks are in order and that what it uses is declared; undefined if it has mistakes, which are reported. Nothing that
 * a user writes makes this throw.
 */
export function readIl(file: SourceFile, diagnostics: Diagnostics): Program | undefined {
  const before = diagnostics.errorCount;
  const program = parseIl(file, diagnostics);
  // an instruction that could not be read may be the one that opens or closes a block
  if (diagnostics.errorCount === before) checkIl(program, diagnostics);
  if (diagnostics.errorCount === before) checkUses(program, diagnostics);
  return diagnostics.errorCount === before ? program : undefined;
}
