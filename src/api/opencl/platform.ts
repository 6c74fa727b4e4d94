/** Platforms and devices (OpenCL 1.2, 4.1 and 4.2). */

import { allDevices, newOwnDevices, ownDevices } from '../../build/all-devices.ts';
import { begin } from '../../build/machine.ts';
import { requestedDevices } from '../../devices/requested.ts';
import type { Device, DeviceInfo, PlatformInfo } from '../../runtime/device.ts';
import { now } from '../../runtime/host.ts';
import { calledByProgram } from '../../runtime/observe-calls.ts';
import { OpenCLError } from '../../runtime/status.ts';
import { shown } from '../../source/shown.ts';
import { CL, type CLValue } from './constants.ts';
import { Handle, invalidQuery, isBitsOf, watchOpenCL } from './handle.ts';
import { type CLNameVersion, laterAnswer, numericVersion, versionIn, withVersion } from './later-queries.ts';
import { divideDevice, partitionKinds } from './sub-devices.ts';
import { capabilitiesOf } from './svm.ts';

const typeBits = {
  cpu: CL.DEVICE_TYPE_CPU,
  gpu: CL.DEVICE_TYPE_GPU,
  accelerator: CL.DEVICE_TYPE_ACCELERATOR,
  custom: CL.DEVICE_TYPE_CUSTOM,
} as const;
const anyType = 0x1f;
const cacheTypes = { none: CL.NONE, 'read-only': CL.READ_ONLY_CACHE, 'read-write': CL.READ_WRITE_CACHE };
const localTypes = { none: CL.NONE, local: CL.LOCAL, global: CL.GLOBAL };

/** Adds devices to a platform that have been found since it was made. */
let offerTo: (platform: CLPlatform, devices: readonly Device[]) => void;

export class CLPlatform {
  /** What profiles and logs call it, in minified bundles too. */
  static readonly name: string = 'CLPlatform';
  static {
    offerTo = (platform, devices) => {
      const all = platform.#devices;
      for (const device of devices) {
        if (!all.some(({ runtime }) => runtime === device)) all.push(new CLDevice(platform, device, false));
      }
    };
  }

  readonly #devices: CLDevice[];
  readonly #info: PlatformInfo;

  /** Platforms come from {@link getPlatforms}. `info` is that of a driver; Millrace's own without. */
  constructor(devices: readonly Device[], info?: PlatformInfo) {
    watchOpenCL(new.target);
    this.#info = info ?? {
      name: 'Millrace',
      vendor: 'Millrace',
      version: 'OpenCL 3.0 Millrace',
      profile: 'FULL_PROFILE',
      extensions: devices[0]?.info.extensions ?? [],
    };
    this.#devices = devices.map((device, index) => new CLDevice(this, device, index === 0));
  }

  /**
   * clGetPlatformInfo: PLATFORM_PROFILE, _VERSION, _NAME, _VENDOR, _EXTENSIONS; of OpenCL 2.1 and 3.0 _HOST_TIMER_RESOLUTION,
   * _NUMERIC_VERSION, _EXTENSIONS_WITH_VERSION.
   */
  getInfo(name: CLValue<PlatformText>): string;
  getInfo(name: number): string | number | readonly CLNameVersion[];
  getInfo(name: number): string | number | readonly CLNameVersion[] {
    switch (name) {
      case CL.PLATFORM_PROFILE:
        return this.#info.profile;
      case CL.PLATFORM_VERSION:
        return this.#info.version;
      case CL.PLATFORM_NAME:
        return this.#info.name;
      case CL.PLATFORM_VENDOR:
        return this.#info.vendor;
      case CL.PLATFORM_EXTENSIONS:
        return this.#info.extensions.join(' ');
      case CL.PLATFORM_HOST_TIMER_RESOLUTION:
        return this.#devices[0]?.runtime.info.profilingTimerResolution ?? 0;
      case CL.PLATFORM_NUMERIC_VERSION:
        return versionIn(this.#info.version);
      case CL.PLATFORM_EXTENSIONS_WITH_VERSION:
        return withVersion(this.#info.extensions, numericVersion(1));
      default:
        return invalidQuery(name);
    }
  }

  /** clGetDeviceIDs. Devices of type CUSTOM are listed only when asked for (OpenCL 1.2, table 4.2). */
  getDevices(deviceType: number = CL.DEVICE_TYPE_ALL): [CLDevice, ...CLDevice[]] {
    const all = deviceType === CL.DEVICE_TYPE_ALL || deviceType === -1;
    const wanted = all ? anyType & ~CL.DEVICE_TYPE_CUSTOM : deviceType;
    if (!all && (!isBitsOf(wanted, anyType) || wanted === 0)) {
      throw new OpenCLError('CL_INVALID_DEVICE_TYPE', `${shown(deviceType)} is not a device type`);
    }
    const [first, ...others] = this.#devices.filter(
      (device) =>
        (wanted & typeBits[device.runtime.info.type]) !== 0 ||
        (device.isDefault && (wanted & CL.DEVICE_TYPE_DEFAULT) !== 0),
    );
    if (!first) {
      const names = Object.entries(typeBits).flatMap(([name, bit]) =>
        wanted & bit ? name.toUpperCase() : [],
      );
      const type = names.length === 0 ? shown(deviceType) : names.join(' or ');
      throw new OpenCLError('CL_DEVICE_NOT_FOUND', `the platform has no device of type ${type}`);
    }
    return [first, ...others];
  }

  /** clUnloadPlatformCompiler (OpenCL 1.2, 5.6.6): a hint, of which nothing is made: our compiler is part of the program. */
  unloadCompiler(): void {}

  /**
   * clGetExtensionFunctionAddressForPlatform (OpenCL 1.2, 9.2): null, as functions of extensions are methods like
   * all others.
   * @throws OpenCLError CL_INVALID_VALUE if the name is no string
   */
  getExtensionFunctionAddress(functionName: string): null {
    if (typeof functionName !== 'string')
      throw new OpenCLError('CL_INVALID_VALUE', 'the name of a function is a string');
    return null;
  }

  getSupportedExtensions(): string[] {
    return [...this.#info.extensions];
  }
}

export class CLDevice extends Handle {
  /** What profiles and logs call it, in minified bundles too. */
  static override readonly name: string = 'CLDevice';
  protected readonly kind = { error: 'CL_INVALID_DEVICE', noun: 'device' } as const;
  readonly platform: CLPlatform;
  /** The runtime's device. */
  readonly runtime: Device;
  readonly isDefault: boolean;
  /** The device that this is a part of. */
  readonly parent: CLDevice | undefined;
  readonly #partition: readonly number[];
  /** Contexts that have it. */
  #holders = 0;

  /** Devices come from CLPlatform.getDevices and createSubDevices. `partition` is what a sub-device was made with. */
  constructor(
    platform: CLPlatform,
    runtime: Device,
    isDefault: boolean,
    parent?: CLDevice,
    partition: readonly number[] = [],
  ) {
    super();
    this.platform = platform;
    this.runtime = runtime;
    this.isDefault = isDefault;
    this.parent = parent;
    this.#partition = partition;
  }

  /** clGetDeviceInfo: everything of OpenCL 3.0, table 5. Sizes are numbers, flags booleans, lists arrays. */
  getInfo(name: CLValue<DeviceText>): string;
  getInfo(name: CLValue<DeviceNumber>): number;
  getInfo(name: CLValue<'DEVICE_MAX_WORK_ITEM_SIZES'>): readonly number[];
  getInfo(name: CLValue<DeviceFlag>): boolean;
  getInfo(name: number): DeviceInfoValue;
  getInfo(name: number): DeviceInfoValue {
    this.check();
    const { info } = this.runtime;
    const answer = deviceQueries[name];
    if (answer) return answer(info);
    switch (name) {
      case CL.DEVICE_TYPE:
        return typeBits[info.type] | (this.isDefault ? CL.DEVICE_TYPE_DEFAULT : 0);
      case CL.DEVICE_PLATFORM:
        return this.platform;
      case CL.DEVICE_PARENT_DEVICE:
        return this.parent ?? null;
      case CL.DEVICE_PARTITION_PROPERTIES:
        return partitionKinds(this.runtime);
      case CL.DEVICE_PARTITION_AFFINITY_DOMAIN:
        return this.runtime.partitions?.affinityDomains ?? 0;
      case CL.DEVICE_PARTITION_TYPE:
        return this.#partition;
      case CL.DEVICE_REFERENCE_COUNT:
        return this.references;
      case CL.DEVICE_SVM_CAPABILITIES:
        // JavaScript has no pointers to memory of its own.
        return capabilitiesOf(info, false);
      default:
        return laterAnswer(this.runtime, name) ?? invalidQuery(name);
    }
  }

  /**
   * clCreateSubDevices: devices of parts of this one's compute units, for a context of their own or together. `properties`
   * is the list of C, such as `[CL.DEVICE_PARTITION_BY_COUNTS, 3, 1, CL.DEVICE_PARTITION_BY_COUNTS_LIST_END, 0]`.
   * @throws OpenCLError CL_INVALID_DEVICE, CL_INVALID_VALUE, CL_DEVICE_PARTITION_FAILED,
   *   CL_INVALID_DEVICE_PARTITION_COUNT
   */
  createSubDevices(properties: readonly number[]): CLDevice[] {
    this.check();
    const parts = divideDevice(this.runtime, properties);
    const made = properties.at(-1) === 0 ? [...properties] : [...properties, 0];
    return parts.map((part) => new CLDevice(this.platform, part, false, this, made));
  }

  /** clRetainDevice: counts for sub-devices only (OpenCL 1.2, 4.3). */
  override retain(): void {
    if (this.parent) super.retain();
  }

  /** clReleaseDevice: counts for sub-devices only. Contexts and queues that use the device go on, and keep it. */
  override release(): void {
    if (this.parent) super.release();
  }

  /** A context has it, and with that who asks the context for its devices (OpenCL 1.2, 4.3). */
  hold(): void {
    this.#holders += 1;
  }

  /** The context has ended. */
  letGo(): void {
    this.#holders -= 1;
  }

  override get isKept(): boolean {
    return this.#holders > 0;
  }

  getSupportedExtensions(): string[] {
    return [...this.runtime.info.extensions];
  }

  /** clGetDeviceAndHostTimer (OpenCL 2.1): nanoseconds on the clock of events' profiling times, which host and devices share. */
  getDeviceAndHostTimer(): { readonly deviceTimestamp: bigint; readonly hostTimestamp: bigint } {
    const time = this.getHostTimer();
    return { deviceTimestamp: time, hostTimestamp: time };
  }

  /** clGetHostTimer (OpenCL 2.1); see {@link getDeviceAndHostTimer}. */
  getHostTimer(): bigint {
    this.check();
    return BigInt(Math.round(now()));
  }

  protected destroy(): void {}
}

type PlatformText = `PLATFORM_${'NAME' | 'VENDOR' | 'VERSION' | 'PROFILE' | 'EXTENSIONS'}`;
/** What programs ask devices for most, by the kind of the answer. */
type DeviceText =
  | 'DEVICE_NAME'
  | 'DEVICE_VENDOR'
  | 'DEVICE_VERSION'
  | 'DRIVER_VERSION'
  | 'DEVICE_PROFILE'
  | 'DEVICE_EXTENSIONS'
  | 'DEVICE_OPENCL_C_VERSION'
  | 'DEVICE_BUILT_IN_KERNELS';
type DeviceNumber =
  | 'DEVICE_TYPE'
  | 'DEVICE_VENDOR_ID'
  | 'DEVICE_MAX_COMPUTE_UNITS'
  | 'DEVICE_MAX_CLOCK_FREQUENCY'
  | 'DEVICE_MAX_WORK_ITEM_DIMENSIONS'
  | 'DEVICE_MAX_WORK_GROUP_SIZE'
  | 'DEVICE_ADDRESS_BITS'
  | 'DEVICE_MAX_MEM_ALLOC_SIZE'
  | 'DEVICE_MEM_BASE_ADDR_ALIGN'
  | 'DEVICE_GLOBAL_MEM_SIZE'
  | 'DEVICE_GLOBAL_MEM_CACHE_SIZE'
  | 'DEVICE_GLOBAL_MEM_CACHELINE_SIZE'
  | 'DEVICE_LOCAL_MEM_SIZE'
  | 'DEVICE_MAX_CONSTANT_BUFFER_SIZE'
  | 'DEVICE_IMAGE2D_MAX_WIDTH'
  | 'DEVICE_IMAGE2D_MAX_HEIGHT'
  | 'DEVICE_IMAGE3D_MAX_WIDTH'
  | 'DEVICE_IMAGE3D_MAX_HEIGHT'
  | 'DEVICE_IMAGE3D_MAX_DEPTH'
  | 'DEVICE_SVM_CAPABILITIES'
  | 'DEVICE_PROFILING_TIMER_RESOLUTION';
type DeviceFlag = 'DEVICE_IMAGE_SUPPORT' | 'DEVICE_AVAILABLE' | 'DEVICE_COMPILER_AVAILABLE';

export type DeviceInfoValue =
  | number
  | boolean
  | string
  | null
  | readonly number[]
  | readonly CLNameVersion[]
  | CLPlatform
  | CLDevice;

/** clUnloadCompiler (OpenCL 1.1): a hint, of which nothing is made. */
export function unloadCompiler(): void {
  calledByProgram('OpenCL', 'unloadCompiler', [], () => {});
}

/** clGetExtensionFunctionAddress (OpenCL 1.1); see CLPlatform.getExtensionFunctionAddress. */
export function getExtensionFunctionAddress(functionName: string): null {
  return calledByProgram('OpenCL', 'getExtensionFunctionAddress', [functionName], () =>
    defaultPlatform().getExtensionFunctionAddress(functionName),
  );
}

const deviceQueries: Readonly<Record<number, (info: DeviceInfo) => DeviceInfoValue>> = {
  [CL.DEVICE_VENDOR_ID]: (info) => info.vendorId,
  [CL.DEVICE_MAX_COMPUTE_UNITS]: (info) => info.maxComputeUnits,
  [CL.DEVICE_MAX_WORK_ITEM_DIMENSIONS]: () => 3,
  [CL.DEVICE_MAX_WORK_GROUP_SIZE]: (info) => info.maxWorkGroupSize,
  [CL.DEVICE_MAX_WORK_ITEM_SIZES]: (info) => info.maxWorkItemSizes,
  [CL.DEVICE_PREFERRED_VECTOR_WIDTH_CHAR]: (info) => info.vectorWidths.char,
  [CL.DEVICE_PREFERRED_VECTOR_WIDTH_SHORT]: (info) => info.vectorWidths.short,
  [CL.DEVICE_PREFERRED_VECTOR_WIDTH_INT]: (info) => info.vectorWidths.int,
  [CL.DEVICE_PREFERRED_VECTOR_WIDTH_LONG]: (info) => info.vectorWidths.long,
  [CL.DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT]: (info) => info.vectorWidths.float,
  [CL.DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE]: (info) => info.vectorWidths.double,
  [CL.DEVICE_PREFERRED_VECTOR_WIDTH_HALF]: (info) => info.vectorWidths.half,
  [CL.DEVICE_NATIVE_VECTOR_WIDTH_CHAR]: (info) => info.nativeVectorWidths.char,
  [CL.DEVICE_NATIVE_VECTOR_WIDTH_SHORT]: (info) => info.nativeVectorWidths.short,
  [CL.DEVICE_NATIVE_VECTOR_WIDTH_INT]: (info) => info.nativeVectorWidths.int,
  [CL.DEVICE_NATIVE_VECTOR_WIDTH_LONG]: (info) => info.nativeVectorWidths.long,
  [CL.DEVICE_NATIVE_VECTOR_WIDTH_FLOAT]: (info) => info.nativeVectorWidths.float,
  [CL.DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE]: (info) => info.nativeVectorWidths.double,
  [CL.DEVICE_NATIVE_VECTOR_WIDTH_HALF]: (info) => info.nativeVectorWidths.half,
  [CL.DEVICE_MAX_CLOCK_FREQUENCY]: (info) => info.maxClockFrequency,
  [CL.DEVICE_ADDRESS_BITS]: (info) => info.addressBits,
  [CL.DEVICE_MAX_MEM_ALLOC_SIZE]: (info) => info.maxMemAllocSize,
  [CL.DEVICE_IMAGE_SUPPORT]: (info) => info.imageSupport,
  [CL.DEVICE_MAX_READ_IMAGE_ARGS]: (info) => info.maxReadImageArgs,
  [CL.DEVICE_MAX_WRITE_IMAGE_ARGS]: (info) => info.maxWriteImageArgs,
  [CL.DEVICE_IMAGE2D_MAX_WIDTH]: (info) => info.image2dMax[0],
  [CL.DEVICE_IMAGE2D_MAX_HEIGHT]: (info) => info.image2dMax[1],
  [CL.DEVICE_IMAGE3D_MAX_WIDTH]: (info) => info.image3dMax[0],
  [CL.DEVICE_IMAGE3D_MAX_HEIGHT]: (info) => info.image3dMax[1],
  [CL.DEVICE_IMAGE3D_MAX_DEPTH]: (info) => info.image3dMax[2],
  [CL.DEVICE_IMAGE_MAX_BUFFER_SIZE]: (info) => info.imageMaxBufferSize,
  [CL.DEVICE_IMAGE_MAX_ARRAY_SIZE]: (info) => info.imageMaxArraySize,
  [CL.DEVICE_MAX_SAMPLERS]: (info) => info.maxSamplers,
  [CL.DEVICE_IMAGE_PITCH_ALIGNMENT]: (info) => info.imagesOfBuffers?.pitchAlignment ?? 0,
  [CL.DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT]: (info) => info.imagesOfBuffers?.baseAlignment ?? 0,
  [CL.DEVICE_PIPE_SUPPORT]: (info) => info.pipes !== undefined,
  [CL.DEVICE_MAX_PIPE_ARGS]: (info) => info.pipes?.maxArgs ?? 0,
  [CL.DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS]: (info) => info.pipes?.maxActiveReservations ?? 0,
  [CL.DEVICE_PIPE_MAX_PACKET_SIZE]: (info) => info.pipes?.maxPacketSize ?? 0,
  [CL.DEVICE_MAX_PARAMETER_SIZE]: (info) => info.maxParameterSize,
  [CL.DEVICE_MEM_BASE_ADDR_ALIGN]: (info) => info.memBaseAddrAlign,
  [CL.DEVICE_MIN_DATA_TYPE_ALIGN_SIZE]: (info) => info.memBaseAddrAlign / 8,
  [CL.DEVICE_HALF_FP_CONFIG]: (info) => info.halfFpConfig,
  [CL.DEVICE_SINGLE_FP_CONFIG]: (info) => info.singleFpConfig,
  [CL.DEVICE_DOUBLE_FP_CONFIG]: (info) => info.doubleFpConfig,
  [CL.DEVICE_GLOBAL_MEM_CACHE_TYPE]: (info) => cacheTypes[info.globalMemCacheType],
  [CL.DEVICE_GLOBAL_MEM_CACHELINE_SIZE]: (info) => info.globalMemCacheLineSize,
  [CL.DEVICE_GLOBAL_MEM_CACHE_SIZE]: (info) => info.globalMemCacheSize,
  [CL.DEVICE_GLOBAL_MEM_SIZE]: (info) => info.globalMemSize,
  [CL.DEVICE_MAX_CONSTANT_BUFFER_SIZE]: (info) => info.maxConstantBufferSize,
  [CL.DEVICE_MAX_CONSTANT_ARGS]: (info) => info.maxConstantArgs,
  [CL.DEVICE_LOCAL_MEM_TYPE]: (info) => localTypes[info.localMemType],
  [CL.DEVICE_LOCAL_MEM_SIZE]: (info) => info.localMemSize,
  [CL.DEVICE_ERROR_CORRECTION_SUPPORT]: (info) => info.errorCorrection,
  [CL.DEVICE_HOST_UNIFIED_MEMORY]: (info) => info.hostUnifiedMemory,
  [CL.DEVICE_PROFILING_TIMER_RESOLUTION]: (info) => info.profilingTimerResolution,
  [CL.DEVICE_ENDIAN_LITTLE]: (info) => info.littleEndian,
  [CL.DEVICE_AVAILABLE]: (info) => info.available,
  [CL.DEVICE_COMPILER_AVAILABLE]: (info) => info.compilerAvailable,
  [CL.DEVICE_LINKER_AVAILABLE]: (info) => info.linkerAvailable,
  [CL.DEVICE_EXECUTION_CAPABILITIES]: (info) =>
    CL.EXEC_KERNEL | (info.nativeKernels ? CL.EXEC_NATIVE_KERNEL : 0),
  [CL.DEVICE_QUEUE_PROPERTIES]: (info) =>
    CL.QUEUE_PROFILING_ENABLE | (info.outOfOrderQueues ? CL.QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0),
  [CL.DEVICE_BUILT_IN_KERNELS]: (info) => info.builtInKernels.join(';'),
  [CL.DEVICE_NAME]: (info) => info.name,
  [CL.DEVICE_VENDOR]: (info) => info.vendor,
  [CL.DRIVER_VERSION]: (info) => info.driverVersion,
  [CL.DEVICE_PROFILE]: (info) => info.profile,
  [CL.DEVICE_VERSION]: (info) => info.version,
  [CL.DEVICE_OPENCL_C_VERSION]: (info) => info.languageVersion,
  [CL.DEVICE_EXTENSIONS]: (info) => info.extensions.join(' '),
  [CL.DEVICE_PRINTF_BUFFER_SIZE]: (info) => info.printfBufferSize,
  [CL.DEVICE_PREFERRED_INTEROP_USER_SYNC]: () => true,
  [CL.DEVICE_PARTITION_MAX_SUB_DEVICES]: (info) => info.partitionMaxSubDevices,
};

let own: CLPlatform | undefined;
let platforms: readonly [CLPlatform, ...CLPlatform[]] | undefined;

/** clGetPlatformIDs. The same objects at every call, Millrace's own platform first. */
export function getPlatforms(): [CLPlatform, ...CLPlatform[]] {
  begin();
  return calledByProgram('OpenCL', 'getPlatforms', [], () => {
    const first = defaultPlatform();
    platforms ??= [first, ...driverPlatforms()];
    return [...platforms];
  });
}

/** Millrace's own platform. Unlike {@link getPlatforms} this loads no drivers. */
export function defaultPlatform(): CLPlatform {
  own ??= new CLPlatform(ownDevices());
  offerTo(own, requestedDevices());
  return own;
}

/** Millrace's own platform with a device of so many threads, whose files lie somewhere else than beside this module. */
export function ownPlatform(options: Parameters<typeof newOwnDevices>[0]): CLPlatform {
  return new CLPlatform(newOwnDevices(options));
}

function driverPlatforms(): CLPlatform[] {
  const byPlatform = new Map<PlatformInfo, Device[]>();
  for (const device of allDevices()) {
    if (!device.platform) continue;
    const known = byPlatform.get(device.platform);
    if (known) known.push(device);
    else byPlatform.set(device.platform, [device]);
  }
  return [...byPlatform].map(([info, devices]) => new CLPlatform(devices, info));
}
