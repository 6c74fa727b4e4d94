/**
 * Compiles OpenCL C with all of the library there, so that it never has to be loaded: for all who cannot await. The compiler itself
 * is compile-module.ts.
 */
import { provideLibraryForAll } from '../library/wide.ts';
import * as compiler from './compile-module.ts';

export type { CompileOptions, CompileResult } from './compile-module.ts';
export { syntaxTreeOfOpenCL, tokensOfOpenCL } from './compile-module.ts';

/** Compiles a program as far as the IR. */
export function compileOpenCL(source: string, options: compiler.CompileOptions = {}): compiler.CompileResult {
  provideLibraryForAll();
  return compiler.compileOpenCL(source, options);
}
