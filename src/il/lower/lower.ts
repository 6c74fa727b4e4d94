/** From a checked IL program to IR. */
import type { Diagnostics } from '../../source/diagnostics.ts';
import type { Program } from '../tree.ts';
import type { Bindings, LoweredProgram } from './interface.ts';

/**
 * Lowers a program that `readIl` returned, for resources of certain formats. What has no meaning here is reported, and then
 * the result is undefined. Nothing that a user writes makes this throw.
 */
export function lowerIl(
  program: Program,
  diagnostics: Diagnostics,
  bindings: Bindings = {},
): LoweredProgram | undefined {
  void bindings;
  diagnostics.error({ file: program.file, start: 0, end: 0 }, 'IL programs cannot be compiled yet');
  return undefined;
}
