/**
 * The macros that OpenCL C predefines (OpenCL 1.2, 6.10 and the limits and constants of 6.12.2 and 6.12.3). They are
 * text; the preprocessor asks for a name when it meets it, so that a build pays only for those it uses.
 */

import { queueStatus } from '../../ir/device-queues.ts';

/** What the macros depend on. */
export interface MacroOptions {
  /** 100, 110, 120, 200 or 300: `__OPENCL_C_VERSION__`. Default 120. */
  readonly version?: number | undefined;
  readonly addressBits?: 32 | 64 | undefined;
}

const limits: readonly (readonly [name: string, bits: number])[] = [
  ['CHAR', 8],
  ['SHRT', 16],
  ['INT', 32],
  ['LONG', 64],
];

const constants: Readonly<Record<string, readonly [float: string, double: string]>> = {
  E: ['2.7182818284590452354f', '2.7182818284590452354'],
  LOG2E: ['1.4426950408889634074f', '1.4426950408889634074'],
  LOG10E: ['0.43429448190325182765f', '0.43429448190325182765'],
  LN2: ['0.69314718055994530942f', '0.69314718055994530942'],
  LN10: ['2.30258509299404568402f', '2.30258509299404568402'],
  PI: ['3.14159265358979323846f', '3.14159265358979323846'],
  PI_2: ['1.57079632679489661923f', '1.57079632679489661923'],
  PI_4: ['0.78539816339744830962f', '0.78539816339744830962'],
  '1_PI': ['0.31830988618379067154f', '0.31830988618379067154'],
  '2_PI': ['0.63661977236758134308f', '0.63661977236758134308'],
  '2_SQRTPI': ['1.12837916709551257390f', '1.12837916709551257390'],
  SQRT2: ['1.41421356237309504880f', '1.41421356237309504880'],
  SQRT1_2: ['0.70710678118654752440f', '0.70710678118654752440'],
};

/** Parts of samplers, with the bits that sampler arguments have (OpenCL 1.2, 6.12.14.1). */
const samplerConstants: Readonly<Record<string, number>> = {
  ADDRESS_NONE: 0x0,
  ADDRESS_CLAMP_TO_EDGE: 0x2,
  ADDRESS_CLAMP: 0x4,
  ADDRESS_REPEAT: 0x6,
  ADDRESS_MIRRORED_REPEAT: 0x8,
  NORMALIZED_COORDS_FALSE: 0x0,
  NORMALIZED_COORDS_TRUE: 0x1,
  FILTER_NEAREST: 0x10,
  FILTER_LINEAR: 0x20,
};

/** What get_image_channel_order gives, from 0x10B0 on, as in cl.h (OpenCL 1.2, 6.12.14.6). */
const channelOrders = 'R A RG RA RGB RGBA BGRA ARGB INTENSITY LUMINANCE Rx RGx RGBx'.split(' ');

/** Those that came with OpenCL C 2.0: from 0x10BD on. */
const laterChannelOrders = 'DEPTH DEPTH_STENCIL sRGB sRGBx sRGBA sBGRA ABGR'.split(' ');

/** What get_image_channel_data_type gives, from 0x10D0 on. */
const channelTypes = (
  'SNORM_INT8 SNORM_INT16 UNORM_INT8 UNORM_INT16 UNORM_SHORT_565 UNORM_SHORT_555 UNORM_INT_101010 SIGNED_INT8 ' +
  'SIGNED_INT16 SIGNED_INT32 UNSIGNED_INT8 UNSIGNED_INT16 UNSIGNED_INT32 HALF_FLOAT FLOAT UNORM_INT24'
).split(' ');

/** What cl_khr_fp16 brings (OpenCL 1.2 extensions, 9.5.12). */
export function halfMacros(): Record<string, string> {
  const macros: Record<string, string> = {
    HALF_DIG: '3',
    HALF_MANT_DIG: '11',
    HALF_MAX_10_EXP: '+4',
    HALF_MAX_EXP: '+16',
    HALF_MIN_10_EXP: '-4',
    HALF_MIN_EXP: '-13',
    HALF_RADIX: '2',
    HALF_MAX: '0x1.ffcp15h',
    HALF_MIN: '0x1.0p-14h',
    HALF_EPSILON: '0x1.0p-10h',
  };
  for (const [name, [, value]] of Object.entries(constants)) macros[`M_${name}_H`] = `${value}h`;
  return macros;
}

let shared: Record<string, string> | undefined;

function sharedMacros(): Record<string, string> {
  if (shared) return shared;
  const macros: Record<string, string> = {
    // That of the device, whatever the version of the language.
    __OPENCL_VERSION__: '300',
    CL_VERSION_1_0: '100',
    CL_VERSION_1_1: '110',
    CL_VERSION_1_2: '120',
    __ENDIAN_LITTLE__: '1',
    __IMAGE_SUPPORT__: '1',
    __MILLRACE__: '1',
    cl_khr_fp64: '1',
    cl_khr_3d_image_writes: '1',
    cl_khr_byte_addressable_store: '1',
    cl_khr_global_int32_base_atomics: '1',
    cl_khr_global_int32_extended_atomics: '1',
    cl_khr_local_int32_base_atomics: '1',
    cl_khr_local_int32_extended_atomics: '1',
    cl_khr_int64_base_atomics: '1',
    cl_khr_int64_extended_atomics: '1',
    CLK_LOCAL_MEM_FENCE: '1u',
    CLK_GLOBAL_MEM_FENCE: '2u',
    NULL: '((void*)0)',
    MAXFLOAT: '0x1.fffffep127f',
    HUGE_VALF: '(1e30f*1e30f)',
    HUGE_VAL: '(1e300*1e300)',
    INFINITY: '(1e30f*1e30f)',
    NAN: '((1e30f*1e30f)-(1e30f*1e30f))',
    FP_ILOGB0: '(-2147483647-1)',
    FP_ILOGBNAN: '2147483647',
    FLT_DIG: '6',
    FLT_MANT_DIG: '24',
    FLT_MAX_10_EXP: '+38',
    FLT_MAX_EXP: '+128',
    FLT_MIN_10_EXP: '-37',
    FLT_MIN_EXP: '-125',
    FLT_RADIX: '2',
    FLT_MAX: '0x1.fffffep127f',
    FLT_MIN: '0x1.0p-126f',
    FLT_EPSILON: '0x1.0p-23f',
    DBL_DIG: '15',
    DBL_MANT_DIG: '53',
    DBL_MAX_10_EXP: '+308',
    DBL_MAX_EXP: '+1024',
    DBL_MIN_10_EXP: '-307',
    DBL_MIN_EXP: '-1021',
    DBL_RADIX: '2',
    DBL_MAX: '0x1.fffffffffffffp1023',
    DBL_MIN: '0x1.0p-1022',
    DBL_EPSILON: '0x1.0p-52',
    CHAR_BIT: '8',
    SCHAR_MAX: '127',
    SCHAR_MIN: '(-127-1)',
    UCHAR_MAX: '255',
    USHRT_MAX: '65535',
    UINT_MAX: '0xffffffffu',
    ULONG_MAX: '0xffffffffffffffffUL',
  };
  for (const [name, bits] of limits) {
    const maximum = `${(1n << BigInt(bits - 1)) - 1n}${bits === 64 ? 'L' : ''}`;
    macros[`${name}_MAX`] = maximum;
    macros[`${name}_MIN`] = `(-${maximum}-1)`;
  }
  for (const [name, [single, double]] of Object.entries(constants)) {
    macros[`M_${name}_F`] = single;
    macros[`M_${name}`] = double;
  }
  for (const [name, bits] of Object.entries(samplerConstants)) macros[`CLK_${name}`] = hex(bits);
  channelOrders.forEach((name, index) => {
    macros[`CLK_${name}`] = hex(0x10b0 + index);
  });
  channelTypes.forEach((name, index) => {
    macros[`CLK_${name}`] = hex(0x10d0 + index);
  });
  shared = macros;
  return macros;
}

function hex(value: number): string {
  return `0x${value.toString(16)}`;
}

/** The optional parts of OpenCL C 3.0 that are there (OpenCL C 3.0, 6.2.1). */
export const languageFeatures: readonly string[] = (
  '3d_image_writes atomic_order_acq_rel atomic_order_seq_cst atomic_scope_all_devices atomic_scope_device ' +
  'device_enqueue fp64 generic_address_space images int64 pipes program_scope_global_variables read_write_images subgroups ' +
  'work_group_collective_functions'
).split(' ');

const orders: Readonly<Record<string, number>> = {
  relaxed: 0,
  acquire: 2,
  release: 3,
  acq_rel: 4,
  seq_cst: 5,
};

const scopes: Readonly<Record<string, number>> = {
  work_item: 0,
  work_group: 1,
  device: 2,
  all_svm_devices: 3,
  all_devices: 3,
  sub_group: 4,
};

/** What enqueueing a kernel leads to (OpenCL 2.0, 6.13.17.3). */
const statuses: Readonly<Record<string, number>> = {
  SUCCESS: queueStatus.success,
  ENQUEUE_FAILURE: queueStatus.enqueueFailure,
  INVALID_QUEUE: queueStatus.invalidQueue,
  INVALID_NDRANGE: queueStatus.invalidRange,
  INVALID_EVENT_WAIT_LIST: queueStatus.invalidWaitList,
  DEVICE_QUEUE_FULL: queueStatus.queueFull,
  INVALID_ARG_SIZE: queueStatus.invalidArgumentSize,
  EVENT_ALLOCATION_FAILURE: queueStatus.eventAllocationFailure,
  OUT_OF_RESOURCES: queueStatus.outOfResources,
};

/** What came with OpenCL C 2.0: atomics (6.13.11), and names of its own. */
function laterMacros(version: number): Record<string, string> {
  const macros: Record<string, string> = {
    CL_VERSION_2_0: '200',
    CLK_IMAGE_MEM_FENCE: '4u',
    ATOMIC_FLAG_INIT: '0',
    CLK_ENQUEUE_FLAGS_NO_WAIT: '0',
    CLK_ENQUEUE_FLAGS_WAIT_KERNEL: '1',
    CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP: '2',
    CLK_PROFILING_COMMAND_EXEC_TIME: '1',
    CLK_NULL_QUEUE: '((queue_t)0)',
    CLK_NULL_EVENT: '((clk_event_t)0)',
    CL_COMPLETE: '0',
    CL_RUNNING: '1',
    CL_SUBMITTED: '2',
    CL_QUEUED: '3',
    CLK_NULL_RESERVE_ID: '((reserve_id_t)0)',
    cl_khr_subgroups: '1',
    cl_khr_depth_images: '1',
    cl_khr_image2d_from_buffer: '1',
    cl_khr_srgb_image_writes: '1',
  };
  for (const [name, status] of Object.entries(statuses)) macros[`CLK_${name}`] = `(${status})`;
  for (const [name, order] of Object.entries(orders)) macros[`memory_order_${name}`] = String(order);
  laterChannelOrders.forEach((name, index) => {
    macros[`CLK_${name}`] = hex(0x10bd + index);
  });
  for (const [name, scope] of Object.entries(scopes)) macros[`memory_scope_${name}`] = String(scope);
  if (version < 300) return macros;
  for (const name of languageFeatures) macros[`__opencl_c_${name}`] = '1';
  return { ...macros, CL_VERSION_3_0: '300' };
}

/** The predefined object-like macros by name. */
export function predefinedMacros(options: MacroOptions = {}): Record<string, string> {
  return {
    ...sharedMacros(),
    ...((options.version ?? 120) >= 200 ? laterMacros(options.version ?? 120) : {}),
    __OPENCL_C_VERSION__: String(options.version ?? 120),
    __ADDRESS_BITS__: String(options.addressBits ?? 32),
  };
}
