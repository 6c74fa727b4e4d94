/** What the wasm device says about itself (OpenCL 1.2, table 4.3), and its limits. */
import { printfBufferBytes } from '../../codegen/wasm/module/abi.ts';
import { subGroupSize } from '../../ir/collectives.ts';
import { builtInKernelNames } from '../../library/index.ts';
import { maximumBells } from '../../runtime/control-memory.ts';
import type { DeviceInfo } from '../../runtime/device.ts';
import { deviceQueueLimits } from '../../runtime/device-queues.ts';
import { clockFrequency, hasWebGL2 } from '../../runtime/host.ts';
import { version } from '../../runtime/version.ts';
import { maximumArgumentBytes } from './shared-layout.ts';

/** Work-items a work-group can have. They run one after another on one thread, so the limit is the memory they take. */
export const maximumWorkGroupSize = 4096;
/** Local memory of a work-group. It is ordinary memory; 64 KiB stay in a core's cache. */
export const localMemoryBytes = 65536;
/** Memory of one compute thread: private variables, context arrays and local memory of one work-group. */
export const maximumAreaBytes = 64 << 20;

const mebibyte = 1 << 20;
const gibibyte = 1 << 30;
/** CL_FP_DENORM, _INF_NAN, _ROUND_TO_NEAREST, _ROUND_TO_ZERO, _ROUND_TO_INF, _FMA. */
const doubleConfig = 0b11_1111;
/** CL_FP_DENORM, _INF_NAN, _ROUND_TO_NEAREST, _FMA, _CORRECTLY_ROUNDED_DIVIDE_SQRT. */
const singleConfig = 0b1010_0111;

/** CL_FP_DENORM, _INF_NAN, _ROUND_TO_NEAREST, _FMA. */
const halfConfig = 0b10_0111;

/**
 * CL_DEVICE_SVM_COARSE_GRAIN_BUFFER, _FINE_GRAIN_BUFFER, _FINE_GRAIN_SYSTEM, _ATOMICS: a kernel works in the memory that the
 * host sees, and its atomic operations are those of JavaScript's Atomics and of threads in WebAssembly.
 */
const allSvm = 0b1111;

/** What devices that share this runtime say of themselves each. */
export interface DeviceIdentity extends Pick<DeviceInfo, 'name' | 'type' | 'svmCapabilities'> {
  /** Of its registers; those of WebAssembly have 128. */
  readonly vectorBits?: number;
}

/** The facts for a device of so many compute threads. */
export function wasmDeviceInfo(
  threads: number,
  who: DeviceIdentity = { name: 'Millrace WebAssembly', type: 'cpu', svmCapabilities: allSvm },
): DeviceInfo {
  const widths = vectorWidths(who.vectorBits ?? 128);
  return {
    name: who.name,
    vendor: 'Millrace',
    vendorId: 0,
    type: who.type,
    version: 'OpenCL 3.0 Millrace',
    languageVersion: 'OpenCL C 1.2 Millrace',
    driverVersion: version,
    profile: 'FULL_PROFILE',
    extensions: [
      'cl_khr_global_int32_base_atomics',
      'cl_khr_global_int32_extended_atomics',
      'cl_khr_local_int32_base_atomics',
      'cl_khr_local_int32_extended_atomics',
      'cl_khr_int64_base_atomics',
      'cl_khr_int64_extended_atomics',
      'cl_khr_byte_addressable_store',
      'cl_khr_3d_image_writes',
      'cl_khr_fp64',
      'cl_khr_fp16',
      'cl_khr_depth_images',
      'cl_khr_image2d_from_buffer',
      'cl_khr_srgb_image_writes',
      ...(hasWebGL2() ? ['cl_khr_gl_sharing', 'cl_khr_gl_depth_images'] : []),
    ],
    addressBits: 32,
    littleEndian: true,
    maxComputeUnits: threads,
    // Asked for only when somebody wants to know: the system takes a millisecond to tell.
    get maxClockFrequency() {
      return clockFrequency();
    },
    maxWorkGroupSize: maximumWorkGroupSize,
    maxWorkItemSizes: [maximumWorkGroupSize, maximumWorkGroupSize, maximumWorkGroupSize],
    preferredWorkGroupMultiple: 16,
    vectorWidths: widths,
    nativeVectorWidths: widths,
    maxParameterSize: maximumArgumentBytes,
    maxMemAllocSize: 4 * gibibyte - 64 * mebibyte,
    globalMemSize: 4 * gibibyte,
    // Neither Node nor a page tells.
    globalMemCacheSize: 0,
    globalMemCacheLineSize: 64,
    globalMemCacheType: 'read-write',
    localMemSize: localMemoryBytes,
    localMemType: 'global',
    maxConstantBufferSize: gibibyte,
    maxConstantArgs: 64,
    memBaseAddrAlign: 1024,
    halfFpConfig: halfConfig,
    singleFpConfig: singleConfig,
    doubleFpConfig: doubleConfig,
    // Images are ordinary memory; coordinates and pitches are 32-bit numbers.
    imageSupport: true,
    maxReadImageArgs: 128,
    maxWriteImageArgs: 64,
    image2dMax: [16384, 16384],
    image3dMax: [2048, 2048, 2048],
    imageMaxBufferSize: 64 * mebibyte,
    imageMaxArraySize: 2048,
    imagesOfBuffers: { pitchAlignment: 1, baseAlignment: 1 },
    maxSamplers: 16,
    // Reservations lie in the pipes themselves, so only packets limit them: a number that hosts can make arrays of.
    pipes: { maxArgs: 64, maxActiveReservations: 65536, maxPacketSize: mebibyte },
    errorCorrection: false,
    hostUnifiedMemory: true,
    profilingTimerResolution: 1000,
    available: true,
    compilerAvailable: true,
    linkerAvailable: true,
    nativeKernels: true,
    outOfOrderQueues: true,
    builtInKernels: builtInKernelNames,
    printfBufferSize: printfBufferBytes,
    partitionMaxSubDevices: Math.min(threads, maximumBells),
    maxNumSubGroups: maximumWorkGroupSize / subGroupSize,
    svmCapabilities: who.svmCapabilities,
    deviceQueues: deviceQueueLimits,
  };
}

function vectorWidths(bits: number): DeviceInfo['vectorWidths'] {
  return {
    char: bits / 8,
    short: bits / 16,
    int: bits / 32,
    long: bits / 64,
    float: bits / 32,
    double: bits / 64,
    half: bits / 16,
  };
}
