/** The classes that programs for WebCL know by name; each is exported, and made global by `installWebCL`. */
export { WebCLContext } from './context.ts';
export { WebCLEvent, WebCLUserEvent } from './event.ts';
export { WebCLException } from './exception.ts';
export { WebCLCommandQueue } from './html-queue.ts';
export { WebCLKernel, WebCLKernelArgInfo } from './kernel.ts';
export { WebCLBuffer, WebCLImage, WebCLImageDescriptor, WebCLMemoryObject, WebCLSampler } from './memory.ts';
export { WebCLDevice, WebCLPlatform } from './platform.ts';
export { WebCLProgram } from './program.ts';
