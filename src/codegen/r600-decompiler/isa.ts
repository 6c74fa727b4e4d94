/** Programs in clauses as text: {@link printIsa} writes what {@link readIsa} reads. */

import type { Diagnostics } from '../../source/diagnostics.ts';
import type { SourceFile } from '../../source/source-file.ts';
import { assemble } from '../r600/assemble/assemble.ts';
import { printProgram } from '../r600/print.ts';
import type { Program } from '../r600/program.ts';
import { type IsaInterface, printInterface, readInterface, scratchElementBytes } from './interface.ts';
import { raise } from './raise.ts';

export interface IsaProgram {
  readonly declared: IsaInterface;
  readonly program: Program;
  /** The same in IL. */
  readonly il: string;
}

export function printIsa(declared: IsaInterface, program: Program): string {
  return `${printInterface(declared).join('\n')}\n${printProgram(program)}`;
}

/** Undefined if it has mistakes, which are reported. Nothing that a user writes makes this throw. */
export function readIsa(file: SourceFile, diagnostics: Diagnostics): IsaProgram | undefined {
  const begun = readInterface(file, diagnostics);
  if (!begun) return undefined;
  const { declared, end } = begun;
  const program = assemble(file, diagnostics, {
    chip: declared.chip,
    kind: declared.groupSize ? 'compute' : 'pixel',
    from: end,
    localBytes: declared.localBytes,
    scratchBytes: declared.scratchElements * scratchElementBytes,
  });
  const il = program && raise(program, declared, { file, start: 0, end: 0 }, diagnostics);
  return il === undefined ? undefined : { declared, program: program!, il };
}
