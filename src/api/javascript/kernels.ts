/**
 * What `import ... from 'millrace/kernels'` gives: all that an application needs whose kernels come from files
 * (`import { saxpy } from './saxpy.cl'`; docs/modules.md), and what the modules made of such files import. There is no compiler of
 * OpenCL C in it.
 */

export { OpenCLError, type StatusName } from '../../runtime/status.ts';
export type { ImageArgument, Pointer, Scalar, Struct, Vector } from './argument-types.ts';
export type { KernelArgument, KernelParameter } from './arguments.ts';
export { DeviceBuffer } from './device-buffer.ts';
export { DeviceImage, Sampler, type SamplerSettings, sampler } from './device-image.ts';
export { DevicePipe } from './device-pipe.ts';
export type { Kernel, LaunchRange, LaunchTimes } from './kernel.ts';
export { type LoadOptions, loadProgram } from './load-program.ts';
export { LocalMemory, local } from './local-memory.ts';
export type { Picture } from './picture.ts';
export { BuildError, type Device, type Program, type ProgramOptions } from './program.ts';
export { SharedMemory } from './shared-memory.ts';
