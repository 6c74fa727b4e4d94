/**
 * OpenCL for programs in C and C++ that run as WebAssembly: the functions of the headers in include/CL, as the imports of the
 * module "OpenCL". They work on the program's own memory, which is the device memory of its contexts too, so that host
 * pointers and mapped memory cost no copies. docs/c-hosts.md has the whole picture.
 */
import { bufferFunctions } from './buffers.ts';
import type { ImportedFunctions } from './calls.ts';
import { contextFunctions } from './contexts.ts';
import { eventFunctions } from './events.ts';
import type { CHost } from './host.ts';
import { imageFunctions } from './images.ts';
import { kernelFunctions } from './kernels.ts';
import { memoryObjectFunctions } from './memory-objects.ts';
import { missingFunctions } from './missing.ts';
import { pipeFunctions } from './pipes.ts';
import { platformFunctions } from './platforms.ts';
import { programFunctions } from './programs.ts';
import { queueFunctions } from './queues.ts';
import { svmFunctions } from './svm.ts';

export type { FileSystem } from '../../c/preprocessor.ts';
export { threadFiles } from '../../devices/wasm/thread-files.ts';
export { defaultPlatform, ownPlatform } from '../opencl/platform.ts';
export type { ImportedFunctions } from './calls.ts';
export { CHost, type HostOptions } from './host.ts';
export { platformOf } from './platform-of.ts';

/** The module that programs import. */
export const openclModule = 'OpenCL';

/** All functions of the module, for one program. */
export function openclFunctions(host: CHost): ImportedFunctions {
  return {
    ...platformFunctions(host),
    ...contextFunctions(host),
    ...queueFunctions(host),
    ...bufferFunctions(host),
    ...imageFunctions(host),
    ...pipeFunctions(host),
    ...memoryObjectFunctions(host),
    ...svmFunctions(host),
    ...programFunctions(host),
    ...kernelFunctions(host),
    ...eventFunctions(host),
    ...missingFunctions(host),
  };
}
