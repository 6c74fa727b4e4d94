/**
 * What `import ... from 'millrace/opencl'` gives: OpenCL for JavaScript. Objects and methods are those of the Khronos WebCL
 * 1.0 binding, completed to OpenCL 3.0: one function or method a C function, with the same order of arguments. Errors are
 * thrown as {@link OpenCLError} with the specification's code and name.
 */

export { OpenCLError, type StatusName } from '../../runtime/status.ts';
export { CLBuffer } from './buffer.ts';
export type { NativeKernel } from './commands/kernels.ts';
export type { SVMFreeCallback } from './commands/svm.ts';
export { CL } from './constants.ts';
export { CLContext, type ContextExtras } from './context.ts';
export type { ContextProperty } from './context-properties.ts';
export { createContext, getGLContextInfoKHR } from './create-context.ts';
export { CLDeviceQueue } from './device-queue.ts';
export { CLEvent, CLUserEvent, type WaitList, waitForEvents } from './event.ts';
export { CLImage } from './image.ts';
export type { CLImageDescriptor, CLImageFormat } from './image-descriptors.ts';
export { CLKernel, type CLKernelArgInfo } from './kernel.ts';
export type { ArgumentValue } from './kernel-arguments.ts';
export type { CLNameVersion } from './later-queries.ts';
export type { CLMemory, MemoryInfo } from './memory.ts';
export { CLPipe } from './pipe.ts';
export {
  CLDevice,
  CLPlatform,
  type DeviceInfoValue,
  getExtensionFunctionAddress,
  getPlatforms,
  unloadCompiler,
} from './platform.ts';
export { CLProgram } from './program.ts';
export { CLCommandQueue } from './queue.ts';
export type { QueueExtras } from './queue-state.ts';
export { CLSampler } from './sampler.ts';
export { CLSVMBuffer, type SVMPointer } from './svm.ts';
