/**
 * What `import ... from 'millrace/webcl'` gives: the Khronos WebCL 1.0 binding. `installWebCL()` makes `webcl` and its
 * classes global, as programs written for a browser with WebCL expect them (docs/webcl.md).
 */
import { WebCLContext } from './context.ts';
import { WebCLEvent, WebCLUserEvent } from './event.ts';
import { WebCLException } from './exception.ts';
import { WebCLCommandQueue } from './html-queue.ts';
import { WebCLKernel, WebCLKernelArgInfo } from './kernel.ts';
import { WebCLBuffer, WebCLImage, WebCLImageDescriptor, WebCLMemoryObject, WebCLSampler } from './memory.ts';
import { WebCLDevice, WebCLPlatform } from './platform.ts';
import { WebCLProgram } from './program.ts';
import { createWebCL, type WebCL, type WebCLOptions, webcl } from './webcl.ts';

export {
  createWebCL,
  type WebCL,
  WebCLBuffer,
  WebCLCommandQueue,
  WebCLContext,
  WebCLDevice,
  WebCLEvent,
  WebCLException,
  WebCLImage,
  WebCLImageDescriptor,
  WebCLKernel,
  WebCLKernelArgInfo,
  WebCLMemoryObject,
  type WebCLOptions,
  WebCLPlatform,
  WebCLProgram,
  WebCLSampler,
  WebCLUserEvent,
  webcl,
};

const classes = {
  WebCLBuffer,
  WebCLCommandQueue,
  WebCLContext,
  WebCLDevice,
  WebCLEvent,
  WebCLException,
  WebCLImage,
  WebCLImageDescriptor,
  WebCLKernel,
  WebCLKernelArgInfo,
  WebCLMemoryObject,
  WebCLPlatform,
  WebCLProgram,
  WebCLSampler,
  WebCLUserEvent,
};

/** Makes `webcl` and the classes properties of the global object. */
export function installWebCL(options?: WebCLOptions): WebCL {
  const root = options ? createWebCL(options) : webcl;
  Object.assign(globalThis, classes, { webcl: root });
  return root;
}
