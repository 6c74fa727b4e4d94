/** What `import ... from 'millrace'` gives: the short form, and the errors and types around it. */

export type { KernelArgument, KernelParameter } from './api/javascript/arguments.ts';
export {
  BuildError,
  type CompileOptions,
  compile,
  type Device,
  deviceProblems,
  devices,
  Program,
  requestDevice,
} from './api/javascript/compile.ts';
export { DeviceBuffer, type TypedArray, type TypedArrayConstructor } from './api/javascript/device-buffer.ts';
export {
  DeviceImage,
  Sampler,
  type SamplerSettings,
  sampler,
} from './api/javascript/device-image.ts';
export { DevicePipe } from './api/javascript/device-pipe.ts';
export type {
  Kernel,
  LaunchRange,
  LaunchTimes,
} from './api/javascript/kernel.ts';
export { LocalMemory, local } from './api/javascript/local-memory.ts';
export type {
  ChannelOrder,
  ChannelType,
  ImageContent,
  ImageDescription,
  ImageKind,
  Picture,
} from './api/javascript/picture.ts';
export { openScreen, type PixelKind, type Screen, type ShownBuffer } from './api/javascript/screen.ts';
export { SharedMemory } from './api/javascript/shared-memory.ts';
export {
  type BuildBinaryOptions,
  type BuildBinaryResult,
  buildBinary,
  type ProgramPart,
} from './build/build-binary.ts';
export type { CacheInfo } from './build/cache/build-cache.ts';
export { type DiskFilesOptions, diskFiles } from './build/disk-files.ts';
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
} from './build/inspect.ts';
export { isIrText } from './build/is-ir-text.ts';
export { isProgramBinary } from './build/is-program-binary.ts';
export { cacheInfo, clearCache } from './build/machine.ts';
export type { FileSystem } from './c/preprocessor.ts';
export type { HostLayout } from './ir/ir.ts';
export type { PassRun } from './passes/manager.ts';
export type { DeviceInfo } from './runtime/device.ts';
export type { HostValue } from './runtime/host-values.ts';
export { OpenCLError, type StatusName } from './runtime/status.ts';
export type { Diagnostic } from './source/diagnostics.ts';
export { RefusedFile } from './source/refused-file.ts';
export { type RenderOptions, renderDiagnostics } from './source/render.ts';
export type { Span } from './source/span.ts';
export { type CheckOptions, type CheckReport, type FoundReport, startChecking } from './tools/check/index.ts';
export {
  type Examination,
  type ExamineOptions,
  examine,
  type KernelSignature,
} from './tools/examine/examine.ts';
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
} from './tools/profile/index.ts';
