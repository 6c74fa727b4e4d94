/**
 * A program for one target, as objects and images hold it: its text, in IL or in clauses of the R600 family. Either is what every
 * device here can make code of, so that an encoding fits not just its own target (guide, B.3.5: the loader prefers the device's
 * own encoding, then one in IL with the features that the device has, then any).
 */

import type { Program as Clauses } from '../../../codegen/r600/program.ts';
import { isIsaText } from '../../../codegen/r600-decompiler/interface.ts';
import { readIsa } from '../../../codegen/r600-decompiler/isa.ts';
import { readIl } from '../../../il/read.ts';
import type { Program } from '../../../il/tree.ts';
import type { Diagnostics } from '../../../source/diagnostics.ts';
import { SourceFile } from '../../../source/source-file.ts';
import type { CALtarget } from '../constants.ts';

export interface Encoding {
  readonly target: CALtarget;
  readonly shader: 'ps' | 'cs';
  /** Compiled programs are optimised; assembled ones in IL are taken as they are written (guide, 3.2.2.2). */
  readonly isOptimised: boolean;
  readonly source: string;
}

/** How messages call the text of a program. */
const ilName = 'kernel.il';
const isaName = 'kernel.isa';
const raisedName = '<kernel.isa in IL>';

/** A text as it was read. */
export interface ReadText {
  readonly program: Program;
  /** The text in IL that the tree is of. */
  readonly il: string;
  /** Of a text in clauses. */
  readonly clauses: Clauses | undefined;
}

/** Reads the text of an encoding; undefined if it has mistakes, which are reported. */
export function readText(
  { source }: Pick<Encoding, 'source'>,
  diagnostics: Diagnostics,
): ReadText | undefined {
  if (!isIsaText(source)) {
    const program = readIl(new SourceFile(ilName, source), diagnostics);
    return program && { program, il: source, clauses: undefined };
  }
  const isa = readIsa(new SourceFile(isaName, source), diagnostics);
  const program = isa && readIl(new SourceFile(raisedName, isa.il), diagnostics);
  return program && { program, il: isa.il, clauses: isa.program };
}

/** The tree of an encoding's text in IL. */
export function programOf(encoding: Pick<Encoding, 'source'>, diagnostics: Diagnostics): Program | undefined {
  return readText(encoding, diagnostics)?.program;
}

/** What kind of program it is. */
export function shaderOf({ items }: Program): 'ps' | 'cs' {
  for (const item of items) if (item.kind === 'header') return item.shader;
  return 'ps';
}
