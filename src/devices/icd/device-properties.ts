/** Every fact about a driver's device that the API reports (OpenCL 1.2, table 4.3). */
import type { DeviceInfo, VectorWidths } from '../../runtime/device.ts';
import { answerNumber, answerNumbers, answerText, answerWords, type Query } from './info-queries.ts';

const typeBits = { cpu: 2, gpu: 4, accelerator: 8 } as const;
const outOfOrderBit = 1;
const nativeKernelBit = 2;

/** Asks a device for everything. `query` is clGetDeviceInfo of the device. */
export function deviceProperties(query: Query): DeviceInfo {
  const number = (name: number, fallback?: number): number => answerNumber(query, name, fallback);
  const flag = (name: number): boolean => number(name) !== 0;
  const text = (name: number): string => answerText(query, name);
  const extensions = answerWords(query, 0x1030);
  const sizes = answerNumbers(query, 0x1005);
  return {
    name: text(0x102b),
    vendor: text(0x102c),
    vendorId: number(0x1001),
    type: typeOf(number(0x1000)),
    version: text(0x102f),
    languageVersion: text(0x103d),
    driverVersion: text(0x102d),
    profile: text(0x102e) === 'EMBEDDED_PROFILE' ? 'EMBEDDED_PROFILE' : 'FULL_PROFILE',
    extensions,
    addressBits: number(0x100d) === 64 ? 64 : 32,
    littleEndian: flag(0x1026),
    maxComputeUnits: number(0x1002),
    maxClockFrequency: number(0x100c),
    maxWorkGroupSize: number(0x1004),
    maxWorkItemSizes: [sizes[0] ?? 1, sizes[1] ?? 1, sizes[2] ?? 1],
    // OpenCL 3.0 asks the device; before, only kernels know.
    preferredWorkGroupMultiple: number(0x1067, 1),
    vectorWidths: widths(number, 0x1006, 0x1034),
    nativeVectorWidths: widths(number, 0x1036, 0x103c),
    maxParameterSize: number(0x1017),
    maxMemAllocSize: number(0x1010),
    globalMemSize: number(0x101f),
    globalMemCacheSize: number(0x101e),
    globalMemCacheLineSize: number(0x101d),
    globalMemCacheType: (['none', 'read-only', 'read-write'] as const)[number(0x101c)] ?? 'none',
    localMemSize: number(0x1023),
    localMemType: (['none', 'local', 'global'] as const)[number(0x1022)] ?? 'none',
    maxConstantBufferSize: number(0x1020),
    maxConstantArgs: number(0x1021),
    memBaseAddrAlign: number(0x1019),
    halfFpConfig: extensions.includes('cl_khr_fp16') ? number(0x1033) : 0,
    singleFpConfig: number(0x101b),
    doubleFpConfig: number(0x1032),
    imageSupport: flag(0x1016),
    maxReadImageArgs: number(0x100e),
    maxWriteImageArgs: number(0x100f),
    image2dMax: [number(0x1011), number(0x1012)],
    image3dMax: [number(0x1013), number(0x1014), number(0x1015)],
    imageMaxBufferSize: number(0x1040),
    imageMaxArraySize: number(0x1041),
    maxSamplers: number(0x1018),
    errorCorrection: flag(0x1024),
    hostUnifiedMemory: flag(0x1035),
    profilingTimerResolution: number(0x1025),
    available: flag(0x1027),
    compilerAvailable: flag(0x1028),
    linkerAvailable: flag(0x103e),
    nativeKernels: (number(0x1029) & nativeKernelBit) !== 0,
    outOfOrderQueues: (number(0x102a) & outOfOrderBit) !== 0,
    builtInKernels: answerWords(query, 0x103f, ';'),
    printfBufferSize: number(0x1049),
    partitionMaxSubDevices: number(0x1043),
    // What drivers can do here is not passed on.
    maxNumSubGroups: 0,
    svmCapabilities: 0,
  };
}

function typeOf(bits: number): DeviceInfo['type'] {
  if (bits & typeBits.gpu) return 'gpu';
  if (bits & typeBits.cpu) return 'cpu';
  return bits & typeBits.accelerator ? 'accelerator' : 'custom';
}

/** The widths have consecutive names in the order char, short, int, long, float, double; half lies apart. */
function widths(number: (name: number) => number, first: number, half: number): VectorWidths {
  return {
    char: number(first),
    short: number(first + 1),
    int: number(first + 2),
    long: number(first + 3),
    float: number(first + 4),
    double: number(first + 5),
    half: number(half),
  };
}
