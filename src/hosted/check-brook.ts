/** What is wrong in a .br file, in its kernels and in the C between them, for those who look at a text and run nothing: editors. */
import { BrookProgram } from '../brook/program.ts';
import type { FileSystem } from '../c/preprocessor.ts';
import { type Diagnostic, Diagnostics } from '../source/diagnostics.ts';
import { compileUnit, type HostSource, type UnitOptions } from './compile-unit.ts';

/** A folder that is looked in last: what is asked of it is nowhere. */
const nowhere = '<nowhere>';

/**
 * Compiles one .br file as a part of a program, as `compileHost` does, but for the code that it would become. Never throws.
 * @returns undefined if a header is not found, of C++ say: nobody can tell then what the host part means
 */
export function checkBrookSource(
  source: HostSource,
  options: UnitOptions,
): readonly Diagnostic[] | undefined {
  let isWhole = true;
  const files: FileSystem = {
    read: (path) => {
      if (!path.startsWith(nowhere)) return options.files?.read(path);
      isWhole = false;
      return '';
    },
  };
  const includePaths = [...(options.includePaths ?? []), nowhere];
  const diagnostics = new Diagnostics();
  compileUnit(source, { ...options, files, includePaths }, diagnostics, new BrookProgram());
  return isWhole ? diagnostics.list : undefined;
}
