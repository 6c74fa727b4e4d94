/**
 * What `import ... from 'millrace/c-host'` gives: compiling programs in C that use OpenCL, and running those in C and C++ that
 * are compiled for WebAssembly. Who brings another system than Node's takes the parts: {@link shareMemory} makes a module
 * work on a shared memory, {@link openclFunctions} are what it imports from the module {@link openclModule}.
 */
export { CHost, type HostOptions, openclFunctions, openclModule, platformOf } from '../api/c/index.ts';
export { checkBrookSource } from '../hosted/check-brook.ts';
export type { CompileHostOptions, CompileHostResult, HostSource, SourceResult } from '../hosted/compile.ts';
export { OpenCLError } from '../runtime/status.ts';
export { compileHost } from './cached-compile.ts';
export { MemoryFiles } from './memory-files.ts';
export { remembered } from './remembered.ts';
export { type MemoryStreams, ProgramError, type RunOptions, runProgram } from './run.ts';
export { memoryImport, type SharedModule, shareMemory, tableName } from './share-memory.ts';
export {
  type ProgramEnd,
  type ProgramReport,
  type RunningProgram,
  type StartOptions,
  startProgram,
} from './start-program.ts';
export { abortCode, type Stopped, stoppedBy } from './stopped.ts';
