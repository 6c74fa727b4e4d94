/**
 * What `import ... from 'millrace/c-host'` gives: compiling programs in C that use OpenCL, and running those in C and C++ that
 * are compiled for WebAssembly.
 */

export {
  type CompileHostOptions,
  type CompileHostResult,
  compileHost,
  type HostSource,
} from '../hosted/compile.ts';
export { OpenCLError } from '../runtime/status.ts';
export { ProgramError, type RunOptions, runProgram } from './run.ts';
