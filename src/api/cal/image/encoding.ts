/**
 * A program for one target, as objects and images hold it: its text in IL. IL is what every device here can make code of, so
 * that an encoding fits not just its own target (guide, B.3.5: the loader prefers the device's own encoding, then one in IL
 * with the features that the device has, then any).
 */
import { readIl } from '../../../il/read.ts';
import type { Program } from '../../../il/tree.ts';
import type { Diagnostics } from '../../../source/diagnostics.ts';
import { SourceFile } from '../../../source/source-file.ts';
import type { CALtarget } from '../constants.ts';

export interface Encoding {
  readonly target: CALtarget;
  readonly shader: 'ps' | 'cs';
  /** Compiled programs are optimised; assembled ones are taken as they are written (guide, 3.2.2.2). */
  readonly isOptimised: boolean;
  readonly source: string;
}

/** How messages call the text of a program. */
const sourceName = 'kernel.il';

/** The tree of an encoding's text; undefined if it has mistakes, which are reported. */
export function programOf(
  { source }: Pick<Encoding, 'source'>,
  diagnostics: Diagnostics,
): Program | undefined {
  return readIl(new SourceFile(sourceName, source), diagnostics);
}

/** What kind of program it is. */
export function shaderOf({ items }: Program): 'ps' | 'cs' {
  for (const item of items) if (item.kind === 'header') return item.shader;
  return 'ps';
}
