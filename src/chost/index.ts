/** What `import ... from 'millrace/c-host'` gives: programs in C and C++ that use OpenCL, compiled for WebAssembly. */

export { OpenCLError } from '../runtime/status.ts';
export { ProgramError, type RunOptions, runProgram } from './run.ts';
