/** What a WebGPU device says about itself (OpenCL 1.2, table 4.3), by the adapter's limits. */
import { printfBufferBytes } from '../../codegen/wasm/module/abi.ts';
import type { DeviceInfo } from '../../runtime/device.ts';
import { wasmDeviceInfo } from '../wasm/device-info.ts';
import type { GpuAdapter } from './gpu-api.ts';

const widths = { char: 4, short: 2, int: 1, long: 1, float: 1, double: 1, half: 2 };
/** CL_FP_INF_NAN, _ROUND_TO_NEAREST, _FMA, _CORRECTLY_ROUNDED_DIVIDE_SQRT: what is done with denormals is up to the machine. */
const singleConfig = 0b1010_0110;
/** A device of OpenCL C 1.2 has these. */
const extensions = [
  'cl_khr_global_int32_base_atomics',
  'cl_khr_global_int32_extended_atomics',
  'cl_khr_local_int32_base_atomics',
  'cl_khr_local_int32_extended_atomics',
  'cl_khr_byte_addressable_store',
  'cl_khr_3d_image_writes',
  'cl_khr_fp64',
  'cl_khr_fp16',
];
/** Generic pointers say by the first of their 32 bits that they lead elsewhere than to global memory. */
const mostMemory = 2 ** 31;

export function webGpuDeviceInfo({ info, limits }: GpuAdapter): DeviceInfo {
  const memory = Math.min(limits['maxBufferSize']!, limits['maxStorageBufferBindingSize']!, mostMemory);
  const words = [info.description || info.device, info.vendor, info.architecture].filter(Boolean);
  const items = limits['maxComputeInvocationsPerWorkgroup']!;
  const { deviceQueues: _queues, ...base } = wasmDeviceInfo(1);
  return {
    ...base,
    name: `WebGPU ${words[0] ?? 'adapter'}`,
    vendor: info.vendor || 'unknown',
    // A program in the place of a card is not what somebody wants who asks for one.
    type: info.isFallbackAdapter ? 'cpu' : 'gpu',
    extensions,
    maxComputeUnits: 1,
    maxClockFrequency: 0,
    maxWorkGroupSize: items,
    maxWorkItemSizes: [
      limits['maxComputeWorkgroupSizeX']!,
      limits['maxComputeWorkgroupSizeY']!,
      limits['maxComputeWorkgroupSizeZ']!,
    ],
    preferredWorkGroupMultiple: 64,
    vectorWidths: widths,
    nativeVectorWidths: widths,
    maxMemAllocSize: memory - (2 << 20),
    globalMemSize: memory,
    maxConstantBufferSize: memory - (2 << 20),
    localMemSize: limits['maxComputeWorkgroupStorageSize']! - 256,
    localMemType: 'local',
    singleFpConfig: singleConfig,
    hostUnifiedMemory: false,
    nativeKernels: false,
    builtInKernels: [],
    printfBufferSize: printfBufferBytes,
    partitionMaxSubDevices: 0,
    maxNumSubGroups: 0,
    svmCapabilities: 0,
  };
}
