/** What `import ... from 'millrace'` gives: the short form, and the errors and types around it. */

export {
  type BuildBinaryOptions,
  type BuildBinaryResult,
  buildBinary,
  type ProgramPart,
} from './api/build-binary.ts';
export type { CacheInfo } from './api/cache/build-cache.ts';
export { type CheckOptions, type CheckReport, type FoundReport, startChecking } from './api/check.ts';
export { type DiskFilesOptions, diskFiles } from './api/disk-files.ts';
export { type Examination, type ExamineOptions, examine, type KernelSignature } from './api/examine.ts';
export type { HostValue } from './api/host-values.ts';
export {
  binaryStages,
  type InspectLanguage,
  type InspectOptions,
  type InspectResult,
  ilStages,
  inspect,
  irStages,
  type Stage,
  stages,
} from './api/inspect.ts';
export { isIrText } from './api/is-ir-text.ts';
export { isProgramBinary } from './api/is-program-binary.ts';
export { cacheInfo, clearCache } from './api/machine.ts';
export {
  type ApiCall,
  type BegunCall,
  type BuildRecord,
  type CallListener,
  type CommandRecord,
  type ComparedRow,
  type ComparedSide,
  callText,
  compareProfiles,
  comparisonTable,
  type DeviceRecord,
  logHeading,
  logLine,
  type Profile,
  type Profiler,
  type ProfilingOptions,
  profileTable,
  profileTrace,
  readTrace,
  type Summary,
  type SummaryRow,
  startCallLog,
  startProfiling,
  summarise,
  type ThreadSpan,
  type Timeline,
  type TimelineItem,
  type TimelineRow,
  type Trace,
  TraceError,
  type TraceEvent,
  timelineOf,
} from './api/profile.ts';
export type { KernelArgument, KernelParameter } from './api/short-form/arguments.ts';
export { DeviceBuffer, type TypedArray, type TypedArrayConstructor } from './api/short-form/device-buffer.ts';
export {
  DeviceImage,
  Sampler,
  type SamplerSettings,
  sampler,
} from './api/short-form/device-image.ts';
export { DevicePipe } from './api/short-form/device-pipe.ts';
export type {
  Kernel,
  LaunchRange,
  LaunchTimes,
} from './api/short-form/kernel.ts';
export { LocalMemory, local } from './api/short-form/local-memory.ts';
export type {
  ChannelOrder,
  ChannelType,
  ImageContent,
  ImageDescription,
  ImageKind,
  Picture,
} from './api/short-form/picture.ts';
export { SharedMemory } from './api/short-form/shared-memory.ts';
export {
  BuildError,
  type CompileOptions,
  compile,
  type Device,
  deviceProblems,
  devices,
  Program,
} from './api/short-form/short-form.ts';
export type { FileSystem } from './c/preprocessor.ts';
export type { HostLayout } from './ir/ir.ts';
export type { PassRun } from './passes/manager.ts';
export type { DeviceInfo } from './runtime/device.ts';
export { OpenCLError, type StatusName } from './runtime/status.ts';
export type { Diagnostic } from './source/diagnostics.ts';
export { RefusedFile } from './source/refused-file.ts';
export { type RenderOptions, renderDiagnostics } from './source/render.ts';
export type { Span } from './source/span.ts';
