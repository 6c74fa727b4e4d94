/**
 * What `import ... from 'millrace/c-host'` gives: programs in C and C++ that use OpenCL, compiled for WebAssembly. Most need
 * {@link runProgram} only; those that bring a system of their own take the parts: {@link shareMemory} makes a module work on
 * a shared memory, {@link openclFunctions} are what it imports from the module {@link openclModule}.
 */
export { CHost, type HostOptions, openclFunctions, openclModule } from '../api/c/index.ts';
export { OpenCLError } from '../runtime/status.ts';
export { ProgramError, type RunOptions, runProgram } from './run.ts';
export { memoryImport, type SharedModule, shareMemory, tableName } from './share-memory.ts';
