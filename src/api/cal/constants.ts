/**
 * The names of CAL and their numbers, as cal.h, calcl.h and cal_ext.h have them; where the guide leaves numbers out they are
 * those of the public headers. include/cal.h and its neighbours say the same to C.
 */

/** What functions return. */
export type CALresult = number;
export const CAL_RESULT_OK = 0;
export const CAL_RESULT_ERROR = 1;
export const CAL_RESULT_INVALID_PARAMETER = 2;
/** The guide's name for it at calGetVersion. */
export const CAL_RESULT_BAD_PARAMETER = CAL_RESULT_INVALID_PARAMETER;
export const CAL_RESULT_NOT_SUPPORTED = 3;
export const CAL_RESULT_ALREADY = 4;
export const CAL_RESULT_NOT_INITIALIZED = 5;
export const CAL_RESULT_BAD_HANDLE = 6;
export const CAL_RESULT_BAD_NAME_TYPE = 7;
export const CAL_RESULT_PENDING = 8;
export const CAL_RESULT_BUSY = 9;
export const CAL_RESULT_WARNING = 10;

/** Elements of resources: type of a component, and how many. */
export type CALformat = number;
export const CAL_FORMAT_UBYTE_1 = 0;
export const CAL_FORMAT_UBYTE_2 = 1;
export const CAL_FORMAT_UBYTE_4 = 2;
export const CAL_FORMAT_USHORT_1 = 3;
export const CAL_FORMAT_USHORT_2 = 4;
export const CAL_FORMAT_USHORT_4 = 5;
export const CAL_FORMAT_UINT_4 = 6;
export const CAL_FORMAT_BYTE_4 = 7;
export const CAL_FORMAT_SHORT_1 = 8;
export const CAL_FORMAT_SHORT_2 = 9;
export const CAL_FORMAT_SHORT_4 = 10;
export const CAL_FORMAT_FLOAT_1 = 11;
export const CAL_FORMAT_FLOAT_2 = 12;
export const CAL_FORMAT_FLOAT_4 = 13;
export const CAL_FORMAT_DOUBLE_1 = 14;
export const CAL_FORMAT_DOUBLE_2 = 15;
export const CAL_FORMAT_UINT_1 = 16;
export const CAL_FORMAT_UINT_2 = 17;
export const CAL_FORMAT_BYTE_1 = 18;
export const CAL_FORMAT_BYTE_2 = 19;
export const CAL_FORMAT_INT_1 = 20;
export const CAL_FORMAT_INT_2 = 21;
export const CAL_FORMAT_INT_4 = 22;

/** Those of later headers, which have other names for the formats above, too. */
export const CAL_FORMAT_UNSIGNED_INT8_1 = 23;
export const CAL_FORMAT_UNSIGNED_INT8_2 = 24;
export const CAL_FORMAT_UNSIGNED_INT8_4 = 25;
export const CAL_FORMAT_SIGNED_INT8_1 = 26;
export const CAL_FORMAT_SIGNED_INT8_2 = 27;
export const CAL_FORMAT_SIGNED_INT8_4 = 28;
export const CAL_FORMAT_UNSIGNED_INT16_1 = 29;
export const CAL_FORMAT_UNSIGNED_INT16_2 = 30;
export const CAL_FORMAT_UNSIGNED_INT16_4 = 31;
export const CAL_FORMAT_SIGNED_INT16_1 = 32;
export const CAL_FORMAT_SIGNED_INT16_2 = 33;
export const CAL_FORMAT_SIGNED_INT16_4 = 34;
export const CAL_FORMAT_UNSIGNED_INT32_1 = 35;
export const CAL_FORMAT_UNSIGNED_INT32_2 = 36;
export const CAL_FORMAT_UNSIGNED_INT32_4 = 37;
export const CAL_FORMAT_SIGNED_INT32_1 = 38;
export const CAL_FORMAT_SIGNED_INT32_2 = 39;
export const CAL_FORMAT_SIGNED_INT32_4 = 40;
export const CAL_FORMAT_UNORM_SHORT_565 = 41;
export const CAL_FORMAT_UNORM_SHORT_555 = 42;
export const CAL_FORMAT_UNORM_INT10_3 = 43;
export const CAL_FORMAT_FLOAT16_1 = 44;
export const CAL_FORMAT_FLOAT16_2 = 45;
export const CAL_FORMAT_FLOAT16_4 = 46;
export const CAL_FORMAT_LAST = 46;

export const CAL_FORMAT_UNORM_INT8_1 = CAL_FORMAT_UBYTE_1;
export const CAL_FORMAT_UNORM_INT8_2 = CAL_FORMAT_UBYTE_2;
export const CAL_FORMAT_UNORM_INT8_4 = CAL_FORMAT_UBYTE_4;
export const CAL_FORMAT_UNORM_INT16_1 = CAL_FORMAT_USHORT_1;
export const CAL_FORMAT_UNORM_INT16_2 = CAL_FORMAT_USHORT_2;
export const CAL_FORMAT_UNORM_INT16_4 = CAL_FORMAT_USHORT_4;
export const CAL_FORMAT_UNORM_INT32_1 = CAL_FORMAT_UINT_1;
export const CAL_FORMAT_UNORM_INT32_2 = CAL_FORMAT_UINT_2;
export const CAL_FORMAT_UNORM_INT32_4 = CAL_FORMAT_UINT_4;
export const CAL_FORMAT_SNORM_INT8_1 = CAL_FORMAT_BYTE_1;
export const CAL_FORMAT_SNORM_INT8_2 = CAL_FORMAT_BYTE_2;
export const CAL_FORMAT_SNORM_INT8_4 = CAL_FORMAT_BYTE_4;
export const CAL_FORMAT_SNORM_INT16_1 = CAL_FORMAT_SHORT_1;
export const CAL_FORMAT_SNORM_INT16_2 = CAL_FORMAT_SHORT_2;
export const CAL_FORMAT_SNORM_INT16_4 = CAL_FORMAT_SHORT_4;
export const CAL_FORMAT_SNORM_INT32_1 = CAL_FORMAT_INT_1;
export const CAL_FORMAT_SNORM_INT32_2 = CAL_FORMAT_INT_2;
export const CAL_FORMAT_SNORM_INT32_4 = CAL_FORMAT_INT_4;
export const CAL_FORMAT_FLOAT32_1 = CAL_FORMAT_FLOAT_1;
export const CAL_FORMAT_FLOAT32_2 = CAL_FORMAT_FLOAT_2;
export const CAL_FORMAT_FLOAT32_4 = CAL_FORMAT_FLOAT_4;
export const CAL_FORMAT_FLOAT64_1 = CAL_FORMAT_DOUBLE_1;
export const CAL_FORMAT_FLOAT64_2 = CAL_FORMAT_DOUBLE_2;
export const CAL_FORMAT_32BIT_TYPELESS = CAL_FORMAT_UNSIGNED_INT32_1;

/** What programs are compiled for. */
export type CALtarget = number;
export const CAL_TARGET_600 = 0;
export const CAL_TARGET_610 = 1;
export const CAL_TARGET_630 = 2;
export const CAL_TARGET_670 = 3;
export const CAL_TARGET_7XX = 4;
export const CAL_TARGET_770 = 5;
export const CAL_TARGET_710 = 6;
export const CAL_TARGET_730 = 7;
export const CAL_TARGET_CYPRESS = 8;
export const CAL_TARGET_JUNIPER = 9;
export const CAL_TARGET_REDWOOD = 10;
export const CAL_TARGET_CEDAR = 11;
export const CAL_TARGET_WRESTLER = 14;
export const CAL_TARGET_CAYMAN = 15;
export const CAL_TARGET_BARTS = 17;

/** Resources by their dimensions, for programs that use the numbers of later headers. */
export const CAL_DIM_BUFFER = 0;
export const CAL_DIM_1D = 1;
export const CAL_DIM_2D = 2;
export const CAL_DIM_3D = 3;
export const CAL_DIM_CUBEMAP = 4;
export const CAL_DIM_FIRST = CAL_DIM_BUFFER;
export const CAL_DIM_LAST = CAL_DIM_CUBEMAP;

/** Flags of calResAlloc*. */
export const CAL_RESALLOC_GLOBAL_BUFFER = 1;
export const CAL_RESALLOC_CACHEABLE = 2;

export type CALlanguage = number;
export const CAL_LANGUAGE_IL = 1;
/** Text in clauses of the R600 family, as the disassemblers write it. The public headers have no number for it. */
export const CAL_LANGUAGE_ISA = 2;

export type CALCLprogramType = number;
export const CAL_PROGRAM_TYPE_PS = 0;
export const CAL_PROGRAM_TYPE_CS = 1;

export type CALextid = number;
export const CAL_EXT_D3D9 = 0x1001;
export const CAL_EXT_OPENGL = 0x1002;
export const CAL_EXT_D3D10 = 0x1003;
export const CAL_EXT_COUNTERS = 0x1004;
export const CAL_EXT_DOMAIN_PARAMS = 0x1005;
export const CAL_EXT_RES_CREATE = 0x1006;
export const CAL_EXT_COMPUTE_SHADER = 0x1007;
export const CAL_EXT_SAMPLER_PARAM = 0x1008;
/** That of calCtxWaitForEvents; the public headers have only its number, in programs that ask for it. */
export const CAL_EXT_WAIT_FOR_EVENTS = 0x8009;

export type CALcountertype = number;
export const CAL_COUNTER_IDLE = 0;
export const CAL_COUNTER_INPUT_CACHE_HIT_RATE = 1;

export type CALsamplerParameter = number;
export const CAL_SAMPLER_PARAM_FETCH4 = 0;
export const CAL_SAMPLER_PARAM_DEFAULT = 0;
export const CAL_SAMPLER_PARAM_MIN_FILTER = 1;
export const CAL_SAMPLER_PARAM_MAG_FILTER = 2;
export const CAL_SAMPLER_PARAM_WRAP_S = 3;
export const CAL_SAMPLER_PARAM_WRAP_T = 4;
export const CAL_SAMPLER_PARAM_WRAP_R = 5;
export const CAL_SAMPLER_PARAM_BORDER_COLOR = 6;
export const CAL_SAMPLER_PARAM_LAST = 7;

export const CAL_SAMPLER_MIN_LINEAR = 0;
export const CAL_SAMPLER_MIN_NEAREST = 1;
export const CAL_SAMPLER_MIN_NEAREST_MIPMAP_NEAREST = 2;
export const CAL_SAMPLER_MIN_NEAREST_MIPMAP_LINEAR = 3;
export const CAL_SAMPLER_MIN_LINEAR_MIPMAP_NEAREST = 4;
export const CAL_SAMPLER_MIN_LINEAR_MIPMAP_LINEAR = 5;
export const CAL_SAMPLER_MIN_LINEAR_FOUR_SAMPLE = 7;
export const CAL_SAMPLER_MIN_LINEAR_FOUR_SAMPLE_MIPMAP_NEAREST = 8;

export const CAL_SAMPLER_MAG_NEAREST = 0;
export const CAL_SAMPLER_MAG_LINEAR = 1;
export const CAL_SAMPLER_MAG_LINEAR_FOUR_SAMPLE = 4;

export const CAL_SAMPLER_WRAP_REPEAT = 0;
export const CAL_SAMPLER_WRAP_MIRRORED_REPEAT = 1;
export const CAL_SAMPLER_WRAP_CLAMP_TO_EDGE = 2;
export const CAL_SAMPLER_WRAP_MIRROR_CLAMP_TO_EDGE_EXT = 3;
export const CAL_SAMPLER_WRAP_CLAMP = 4;
export const CAL_SAMPLER_WRAP_MIRROR_CLAMP_EXT = 5;
export const CAL_SAMPLER_WRAP_CLAMP_TO_BORDER = 6;
export const CAL_SAMPLER_WRAP_MIRROR_CLAMP_TO_BORDER_EXT = 7;
