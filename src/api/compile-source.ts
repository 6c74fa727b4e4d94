/** Programs as text, in OpenCL C or in the text form of the IR: whichever it is, a text says itself. */
import { type CompileOptions, type CompileResult, compileOpenCL } from '../opencl/compile.ts';
import { compileIr, isIrText } from './compile-ir.ts';

/** Compiles a program as far as the IR. Nothing that a user writes makes this throw. */
export function compileSource(text: string, options: CompileOptions = {}): CompileResult {
  return isIrText(text) ? compileIr(text, options) : compileOpenCL(text, options);
}
