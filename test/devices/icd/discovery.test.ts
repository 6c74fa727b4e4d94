import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { nativeDevices, nativeProblems } from '../../../src/devices/icd/discover.ts';
import type { DeviceInfo } from '../../../src/runtime/device.ts';
import { skipped } from './setup.ts';

/** What `clinfo --raw` prints for the first device of each platform, by name. */
function clinfo(): Map<string, string> | undefined {
  try {
    const text = execFileSync('clinfo', ['--raw'], { encoding: 'utf8' });
    const found = new Map<string, string>();
    for (const line of text.split('\n')) {
      const match = /^\s*(?:\[[^\]]*\])?\s*(CL_\w+)\s+(.*?)\s*$/.exec(line);
      if (match && !found.has(match[1]!)) found.set(match[1]!, match[2]!);
    }
    return found;
  } catch {
    return undefined;
  }
}

const said = skipped === '' ? clinfo() : undefined;
const why = skipped || (said ? '' : ' (SKIPPED: clinfo is not installed)');

const numbers: Readonly<Record<string, (info: DeviceInfo) => number | readonly number[]>> = {
  CL_DEVICE_VENDOR_ID: (info) => info.vendorId,
  CL_DEVICE_MAX_COMPUTE_UNITS: (info) => info.maxComputeUnits,
  CL_DEVICE_MAX_CLOCK_FREQUENCY: (info) => info.maxClockFrequency,
  CL_DEVICE_MAX_MEM_ALLOC_SIZE: (info) => info.maxMemAllocSize,
  CL_DEVICE_GLOBAL_MEM_SIZE: (info) => info.globalMemSize,
  CL_DEVICE_MAX_WORK_ITEM_SIZES: (info) => info.maxWorkItemSizes,
  CL_DEVICE_MAX_WORK_GROUP_SIZE: (info) => info.maxWorkGroupSize,
  CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE: (info) => info.preferredWorkGroupMultiple,
  CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR: (info) => info.vectorWidths.char,
  CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT: (info) => info.vectorWidths.short,
  CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT: (info) => info.vectorWidths.int,
  CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG: (info) => info.vectorWidths.long,
  CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT: (info) => info.vectorWidths.float,
  CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE: (info) => info.vectorWidths.double,
  CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF: (info) => info.vectorWidths.half,
  CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR: (info) => info.nativeVectorWidths.char,
  CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT: (info) => info.nativeVectorWidths.float,
  CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE: (info) => info.nativeVectorWidths.double,
  CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF: (info) => info.nativeVectorWidths.half,
  CL_DEVICE_ADDRESS_BITS: (info) => info.addressBits,
  CL_DEVICE_GLOBAL_MEM_CACHE_SIZE: (info) => info.globalMemCacheSize,
  CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE: (info) => info.globalMemCacheLineSize,
  CL_DEVICE_LOCAL_MEM_SIZE: (info) => info.localMemSize,
  CL_DEVICE_MAX_CONSTANT_ARGS: (info) => info.maxConstantArgs,
  CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE: (info) => info.maxConstantBufferSize,
  CL_DEVICE_MAX_PARAMETER_SIZE: (info) => info.maxParameterSize,
  CL_DEVICE_MEM_BASE_ADDR_ALIGN: (info) => info.memBaseAddrAlign,
  CL_DEVICE_MAX_SAMPLERS: (info) => info.maxSamplers,
  CL_DEVICE_MAX_READ_IMAGE_ARGS: (info) => info.maxReadImageArgs,
  CL_DEVICE_MAX_WRITE_IMAGE_ARGS: (info) => info.maxWriteImageArgs,
  CL_DEVICE_IMAGE_MAX_BUFFER_SIZE: (info) => info.imageMaxBufferSize,
  CL_DEVICE_IMAGE_MAX_ARRAY_SIZE: (info) => info.imageMaxArraySize,
  CL_DEVICE_PROFILING_TIMER_RESOLUTION: (info) => info.profilingTimerResolution,
  CL_DEVICE_PRINTF_BUFFER_SIZE: (info) => info.printfBufferSize,
  CL_DEVICE_PARTITION_MAX_SUB_DEVICES: (info) => info.partitionMaxSubDevices,
};

const flags: Readonly<Record<string, (info: DeviceInfo) => boolean>> = {
  CL_DEVICE_AVAILABLE: (info) => info.available,
  CL_DEVICE_COMPILER_AVAILABLE: (info) => info.compilerAvailable,
  CL_DEVICE_LINKER_AVAILABLE: (info) => info.linkerAvailable,
  CL_DEVICE_ENDIAN_LITTLE: (info) => info.littleEndian,
  CL_DEVICE_ERROR_CORRECTION_SUPPORT: (info) => info.errorCorrection,
  CL_DEVICE_HOST_UNIFIED_MEMORY: (info) => info.hostUnifiedMemory,
  CL_DEVICE_IMAGE_SUPPORT: (info) => info.imageSupport,
};

const texts: Readonly<Record<string, (info: DeviceInfo) => string>> = {
  CL_DEVICE_NAME: (info) => info.name,
  CL_DEVICE_VENDOR: (info) => info.vendor,
  CL_DEVICE_VERSION: (info) => info.version,
  CL_DRIVER_VERSION: (info) => info.driverVersion,
  CL_DEVICE_OPENCL_C_VERSION: (info) => info.languageVersion,
  CL_DEVICE_PROFILE: (info) => info.profile,
  CL_DEVICE_EXTENSIONS: (info) => info.extensions.join(' '),
  CL_DEVICE_BUILT_IN_KERNELS: (info) => info.builtInKernels.join(';'),
  CL_DEVICE_GLOBAL_MEM_CACHE_TYPE: (info) =>
    ({ none: 'CL_NONE', 'read-only': 'CL_READ_ONLY_CACHE', 'read-write': 'CL_READ_WRITE_CACHE' })[
      info.globalMemCacheType
    ],
  CL_DEVICE_LOCAL_MEM_TYPE: (info) =>
    ({ none: 'CL_NONE', local: 'CL_LOCAL', global: 'CL_GLOBAL' })[info.localMemType],
  CL_DEVICE_TYPE: (info) => `CL_DEVICE_TYPE_${info.type.toUpperCase()}`,
};

describe.skipIf(!said)(`what a driver says, against clinfo${why}`, () => {
  const device = nativeDevices()[0]!;

  it('finds no problem', () => {
    expect(nativeProblems()).toEqual([]);
  });

  it('gives the same objects at every call', () => {
    expect(nativeDevices()[0]).toBe(device);
  });

  it.each(Object.keys(numbers))('%s', (name) => {
    if (!said!.has(name)) return;
    const value = numbers[name]!(device.info);
    const printed = said!.get(name)!.replace(/0x[0-9a-f]+/gi, (hex) => String(Number(hex)));
    expect(printed.split(/[x\s]+/).map(Number)).toEqual(typeof value === 'number' ? [value] : value);
  });

  it.each(Object.keys(flags))('%s', (name) => {
    expect(said!.get(name)).toBe(flags[name]!(device.info) ? 'CL_TRUE' : 'CL_FALSE');
  });

  it.each(Object.keys(texts))('%s', (name) => {
    if (!said!.has(name)) return;
    expect(texts[name]!(device.info)).toBe(said!.get(name)!.replace(/ +/g, ' '));
  });

  it('knows its platform', () => {
    const { platform } = device;
    expect(platform.name).toBe(said!.get('CL_PLATFORM_NAME'));
    expect(platform.vendor).toBe(said!.get('CL_PLATFORM_VENDOR'));
    expect(platform.version).toBe(said!.get('CL_PLATFORM_VERSION'));
    expect(platform.extensions.join(' ')).toBe(said!.get('CL_PLATFORM_EXTENSIONS'));
  });
});
