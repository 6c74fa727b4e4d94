/** What host thread and device thread of a WebGPU device tell each other besides what native-layout.ts of devices/icd has. */
import type { BoundBuffer, WgslKernel, WgslShader } from '../../codegen/wgsl/write-wgsl.ts';
import type { CommonStart } from '../icd/native-thread.ts';

export type GpuStart = CommonStart;

/** A shader as the thread gets it. */
export interface GpuShaderCode extends WgslShader {
  /** Of the variant with a binding for each buffer. */
  readonly buffers?: readonly BoundBuffer[];
}

/** A kernel as the thread gets it, in the text of a build (as JSON). */
export type GpuKernelCode = Omit<WgslKernel, 'printfSites' | 'privateBytes' | 'writes'>;

/** A program: what the thread is asked to build. */
export interface GpuProgramCode {
  readonly kernels: readonly GpuKernelCode[];
}

/**
 * Behind the arguments of a kernel, a launch has more: the pixels of each image, the program's variables (null if there are none),
 * and, as a value, address and size of the buffer of printf in the context's memory (0 and 0 for none).
 */
export const extraArguments = { globals: 0, printf: 1, count: 2 } as const;

/** Numbers of programs that the host gives: forms of kernels, which nobody waits for. The thread's own are below. */
export const firstFormNumber = 2 ** 40;
/** Those of canvases, whose kernels draw on them (gpu-screens.ts). */
export const firstScreenNumber = 2 ** 50;
