/**
 * What clGetDeviceInfo answers of OpenCL 2.0 to 3.0 (3.0, table 5). Millrace's own devices have what its compiler has; what the
 * devices of drivers have of it is not passed on, so they answer that there is nothing, as the specification wants of optional features.
 */
import { languageFeatures } from '../../opencl/builtins/macros.ts';
import type { Device } from '../../runtime/device.ts';
import { CL } from './constants.ts';

/** cl_name_version: an extension, a feature or a version of the language. */
export interface CLNameVersion {
  readonly name: string;
  /** See {@link numericVersion}. */
  readonly version: number;
}

type LaterAnswer = number | boolean | string | readonly CLNameVersion[];

/** cl_version: major, minor and patch in 10, 10 and 12 bits. */
export function numericVersion(major: number, minor = 0, patch = 0): number {
  return ((major << 22) | (minor << 12) | patch) >>> 0;
}

/** The numbers in a text such as `OpenCL 3.0 Millrace`. */
export function versionIn(text: string): number {
  const [, major, minor] = /(\d+)\.(\d+)/.exec(text) ?? [];
  return numericVersion(Number(major ?? 0), Number(minor ?? 0));
}

/** Names that all are of one version. */
export function withVersion(names: readonly string[], version: number): CLNameVersion[] {
  return names.map((name) => ({ name, version }));
}

const orders =
  CL.DEVICE_ATOMIC_ORDER_RELAXED | CL.DEVICE_ATOMIC_ORDER_ACQ_REL | CL.DEVICE_ATOMIC_ORDER_SEQ_CST;
const scopes =
  CL.DEVICE_ATOMIC_SCOPE_WORK_GROUP | CL.DEVICE_ATOMIC_SCOPE_DEVICE | CL.DEVICE_ATOMIC_SCOPE_ALL_DEVICES;

/** Bytes that a variable in global memory can rely on, and all of them together. */
const globalVariableBytes = 1 << 20;

const own: Readonly<Record<number, (device: Device) => LaterAnswer>> = {
  [CL.DEVICE_MAX_READ_WRITE_IMAGE_ARGS]: ({ info }) => info.maxWriteImageArgs,
  [CL.DEVICE_MAX_GLOBAL_VARIABLE_SIZE]: () => globalVariableBytes,
  [CL.DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE]: () => globalVariableBytes,
  [CL.DEVICE_ATOMIC_MEMORY_CAPABILITIES]: () => orders | scopes,
  [CL.DEVICE_ATOMIC_FENCE_CAPABILITIES]: () => orders | scopes | CL.DEVICE_ATOMIC_SCOPE_WORK_ITEM,
  [CL.DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT]: () => true,
  [CL.DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT]: () => true,
  [CL.DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT]: () => true,
  [CL.DEVICE_OPENCL_C_ALL_VERSIONS]: ownLanguages,
  [CL.DEVICE_OPENCL_C_FEATURES]: () =>
    withVersion(
      languageFeatures.map((feature) => `__opencl_c_${feature}`),
      numericVersion(3),
    ),
};

const all: Readonly<Record<number, (device: Device) => LaterAnswer>> = {
  [CL.DEVICE_MAX_READ_WRITE_IMAGE_ARGS]: () => 0,
  [CL.DEVICE_MAX_GLOBAL_VARIABLE_SIZE]: () => 0,
  [CL.DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE]: () => 0,
  [CL.DEVICE_QUEUE_ON_DEVICE_PROPERTIES]: ({ info }) =>
    info.deviceQueues ? CL.QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL.QUEUE_PROFILING_ENABLE : 0,
  [CL.DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE]: ({ info }) => info.deviceQueues?.preferredSize ?? 0,
  [CL.DEVICE_QUEUE_ON_DEVICE_MAX_SIZE]: ({ info }) => info.deviceQueues?.maxSize ?? 0,
  [CL.DEVICE_MAX_ON_DEVICE_QUEUES]: ({ info }) => info.deviceQueues?.maxQueues ?? 0,
  [CL.DEVICE_MAX_ON_DEVICE_EVENTS]: ({ info }) => info.deviceQueues?.maxEvents ?? 0,
  [CL.DEVICE_DEVICE_ENQUEUE_CAPABILITIES]: ({ info }) =>
    info.deviceQueues ? CL.DEVICE_QUEUE_SUPPORTED | CL.DEVICE_QUEUE_REPLACEABLE_DEFAULT : 0,
  // Zero says: that of the type itself.
  [CL.DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT]: () => 0,
  [CL.DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT]: () => 0,
  [CL.DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT]: () => 0,
  [CL.DEVICE_IL_VERSION]: () => '',
  [CL.DEVICE_ILS_WITH_VERSION]: () => [],
  [CL.DEVICE_MAX_NUM_SUB_GROUPS]: ({ info }) => info.maxNumSubGroups,
  // One thread runs all sub-groups of a work-group.
  [CL.DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS]: () => false,
  [CL.DEVICE_NUMERIC_VERSION]: ({ info }) => versionIn(info.version),
  [CL.DEVICE_EXTENSIONS_WITH_VERSION]: ({ info }) => withVersion(info.extensions, numericVersion(1)),
  [CL.DEVICE_BUILT_IN_KERNELS_WITH_VERSION]: ({ info }) =>
    withVersion(info.builtInKernels, numericVersion(1)),
  // Orders and scopes that OpenCL 1.2 has without saying so.
  [CL.DEVICE_ATOMIC_MEMORY_CAPABILITIES]: () =>
    CL.DEVICE_ATOMIC_ORDER_RELAXED | CL.DEVICE_ATOMIC_SCOPE_WORK_GROUP,
  [CL.DEVICE_ATOMIC_FENCE_CAPABILITIES]: () =>
    CL.DEVICE_ATOMIC_ORDER_RELAXED | CL.DEVICE_ATOMIC_ORDER_ACQ_REL | CL.DEVICE_ATOMIC_SCOPE_WORK_GROUP,
  [CL.DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT]: () => false,
  [CL.DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE]: ({ info }) => info.preferredWorkGroupMultiple,
  [CL.DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT]: () => false,
  [CL.DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT]: () => false,
  [CL.DEVICE_OPENCL_C_ALL_VERSIONS]: ({ info }) => withVersion(['OpenCL C'], versionIn(info.languageVersion)),
  [CL.DEVICE_OPENCL_C_FEATURES]: () => [],
  // None has gone the official way; the form is prescribed.
  [CL.DEVICE_LATEST_CONFORMANCE_VERSION_PASSED]: () => 'v0000-01-01-00',
};

/** What a device answers; undefined for other queries. */
export function laterAnswer(device: Device, name: number): LaterAnswer | undefined {
  const isOwn = device.platform === undefined;
  return ((isOwn ? own[name] : undefined) ?? all[name])?.(device);
}

/** OpenCL C 2.0 is a version that a device has if it has all of it: what 3.0 leaves open included. */
function ownLanguages(): CLNameVersion[] {
  const versions = [numericVersion(1), numericVersion(1, 1), numericVersion(1, 2)];
  if (['device_enqueue', 'pipes'].every((feature) => languageFeatures.includes(feature))) {
    versions.push(numericVersion(2));
  }
  return [...versions, numericVersion(3)].map((version) => ({ name: 'OpenCL C', version }));
}
