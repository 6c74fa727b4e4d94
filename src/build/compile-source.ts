/** Programs as text, in OpenCL C or in the text form of the IR: whichever it is, a text says itself. */
import { provideLibraryForAll } from '../library/wide.ts';
import { type CompileOptions, type CompileResult, compileOpenCL } from '../opencl/compile.ts';
import { compileIr } from './compile-ir.ts';
import { isIrText } from './is-ir-text.ts';

/** Compiles a program as far as the IR. Nothing that a user writes makes this throw. */
export function compileSource(text: string, options: CompileOptions = {}): CompileResult {
  if (!isIrText(text)) return compileOpenCL(text, options);
  provideLibraryForAll();
  return compileIr(text, options);
}
