/**
 * What `import ... from 'millrace/brook'` gives: Brook+ for JavaScript. Kernels compile to functions; streams are objects with
 * the methods of the guide's `Stream`, and keep what goes wrong.
 */
export { type BrookDevice, type BrookDeviceType, getDevices, useDevices } from './devices.ts';
export type { BrookErrorName } from './errors.ts';
export { type BrccOptions, type BrccResult, type BrookExport, brcc } from './generate-module.ts';
export {
  type BrookArgument,
  BrookError,
  type BrookKernel,
  type BrookKernelOf,
  type BrookModule,
  type BrookModuleOptions,
  brook,
} from './module.ts';
export { Stream } from './stream.ts';
