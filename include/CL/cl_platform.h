/*
 * The types and limits that OpenCL gives to host programs (OpenCL 1.2, 6.1): cl_int and its like, the vectors cl_float4 and
 * its like, and constants about them. Also the macros that stand in front of functions, and how those get into the program.
 */
#ifndef MILLRACE_CL_PLATFORM_H
#define MILLRACE_CL_PLATFORM_H

#include <CL/cl_version.h>
#include <stddef.h>
#include <stdint.h>
/* Not for anything here: other headers of OpenCL bring it along on most machines, and programs have come to rely on that. */
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Functions come from Millrace: in WebAssembly they are imports of the module "OpenCL", so that a program needs no library
 * to link with. Elsewhere they are ordinary functions.
 */
#if defined(__wasm__)
#define CL_IMPORT(name) __attribute__((import_module("OpenCL"), import_name(#name)))
#else
#define CL_IMPORT(name)
#endif

/* Declares a function that Millrace has: CL_FUNCTION(cl_int, clFlush)(cl_command_queue queue); */
#define CL_FUNCTION(result, name) extern CL_IMPORT(name) result name

#define CL_API_ENTRY
#define CL_API_CALL
#define CL_CALLBACK

/* Vectors are aligned to their size, or kernels do not find the members of structs where the program has put them. */
#if defined(__GNUC__) || defined(__millrace__)
#define CL_ALIGNED(bytes) __attribute__((aligned(bytes)))
#define GCC_ATTRIBUTE_DEPRECATED __attribute__((deprecated))
#else
#define CL_ALIGNED(bytes)
#define GCC_ATTRIBUTE_DEPRECATED
#endif

/* Programs put these around declarations of their own; nothing is deprecated or extended here. */
#define CL_EXTENSION_WEAK_LINK
#define CL_API_PREFIX_COMMON
#define CL_API_SUFFIX_COMMON
#define CL_API_PREFIX_USER
#define CL_API_SUFFIX_USER
#define CL_API_PREFIX_DEPRECATED
#define CL_API_SUFFIX_DEPRECATED
#define CL_API_SUFFIX__VERSION_1_0
#define CL_EXT_SUFFIX__VERSION_1_0
#define CL_API_SUFFIX__VERSION_1_1
#define CL_EXT_SUFFIX__VERSION_1_1
#define CL_API_SUFFIX__VERSION_1_2
#define CL_EXT_SUFFIX__VERSION_1_2
#define CL_API_SUFFIX__VERSION_2_0
#define CL_EXT_SUFFIX__VERSION_2_0
#define CL_API_SUFFIX__VERSION_2_1
#define CL_EXT_SUFFIX__VERSION_2_1
#define CL_API_SUFFIX__VERSION_2_2
#define CL_EXT_SUFFIX__VERSION_2_2
#define CL_API_SUFFIX__VERSION_3_0
#define CL_EXT_SUFFIX__VERSION_3_0
#define CL_API_SUFFIX__EXPERIMENTAL
#define CL_EXT_SUFFIX__EXPERIMENTAL
#define CL_API_PREFIX__VERSION_1_0_DEPRECATED
#define CL_API_SUFFIX__VERSION_1_0_DEPRECATED
#define CL_EXT_PREFIX__VERSION_1_0_DEPRECATED
#define CL_EXT_SUFFIX__VERSION_1_0_DEPRECATED
#define CL_API_PREFIX__VERSION_1_1_DEPRECATED
#define CL_API_SUFFIX__VERSION_1_1_DEPRECATED
#define CL_EXT_PREFIX__VERSION_1_1_DEPRECATED
#define CL_EXT_SUFFIX__VERSION_1_1_DEPRECATED
#define CL_API_PREFIX__VERSION_1_2_DEPRECATED
#define CL_API_SUFFIX__VERSION_1_2_DEPRECATED
#define CL_EXT_PREFIX__VERSION_1_2_DEPRECATED
#define CL_EXT_SUFFIX__VERSION_1_2_DEPRECATED
#define CL_API_PREFIX__VERSION_2_0_DEPRECATED
#define CL_API_SUFFIX__VERSION_2_0_DEPRECATED
#define CL_EXT_PREFIX__VERSION_2_0_DEPRECATED
#define CL_EXT_SUFFIX__VERSION_2_0_DEPRECATED
#define CL_API_PREFIX__VERSION_2_1_DEPRECATED
#define CL_API_SUFFIX__VERSION_2_1_DEPRECATED
#define CL_EXT_PREFIX__VERSION_2_1_DEPRECATED
#define CL_EXT_SUFFIX__VERSION_2_1_DEPRECATED
#define CL_API_PREFIX__VERSION_2_2_DEPRECATED
#define CL_API_SUFFIX__VERSION_2_2_DEPRECATED
#define CL_EXT_PREFIX__VERSION_2_2_DEPRECATED
#define CL_EXT_SUFFIX__VERSION_2_2_DEPRECATED

/* Scalars (OpenCL 1.2, table 6.1). */
typedef int8_t cl_char;
typedef uint8_t cl_uchar;
typedef int16_t cl_short CL_ALIGNED(2);
typedef uint16_t cl_ushort CL_ALIGNED(2);
typedef int32_t cl_int CL_ALIGNED(4);
typedef uint32_t cl_uint CL_ALIGNED(4);
typedef int64_t cl_long CL_ALIGNED(8);
typedef uint64_t cl_ulong CL_ALIGNED(8);
typedef uint16_t cl_half CL_ALIGNED(2);
typedef float cl_float CL_ALIGNED(4);
typedef double cl_double CL_ALIGNED(8);

typedef unsigned int cl_GLuint;
typedef int cl_GLint;
typedef unsigned int cl_GLenum;

/* Limits of integers. */
#define CL_CHAR_BIT 8
#define CL_SCHAR_MAX 127
#define CL_SCHAR_MIN (-127 - 1)
#define CL_CHAR_MAX CL_SCHAR_MAX
#define CL_CHAR_MIN CL_SCHAR_MIN
#define CL_UCHAR_MAX 255
#define CL_SHRT_MAX 32767
#define CL_SHRT_MIN (-32767 - 1)
#define CL_USHRT_MAX 65535
#define CL_INT_MAX 2147483647
#define CL_INT_MIN (-2147483647 - 1)
#define CL_UINT_MAX 0xffffffffU
#define CL_LONG_MAX ((cl_long)0x7fffffffffffffffLL)
#define CL_LONG_MIN ((cl_long)-0x7fffffffffffffffLL - 1LL)
#define CL_ULONG_MAX ((cl_ulong)0xffffffffffffffffULL)

/* The formats of floating point. */
#define CL_HALF_DIG 3
#define CL_HALF_MANT_DIG 11
#define CL_HALF_MAX_10_EXP 4
#define CL_HALF_MAX_EXP 16
#define CL_HALF_MIN_10_EXP (-4)
#define CL_HALF_MIN_EXP (-13)
#define CL_HALF_RADIX 2
#define CL_HALF_MAX 65504.0f
#define CL_HALF_MIN 6.103515625e-05f
#define CL_HALF_EPSILON 9.765625e-04f

#define CL_FLT_DIG 6
#define CL_FLT_MANT_DIG 24
#define CL_FLT_MAX_10_EXP 38
#define CL_FLT_MAX_EXP 128
#define CL_FLT_MIN_10_EXP (-37)
#define CL_FLT_MIN_EXP (-125)
#define CL_FLT_RADIX 2
#define CL_FLT_MAX 0x1.fffffep127f
#define CL_FLT_MIN 0x1p-126f
#define CL_FLT_EPSILON 0x1p-23f

#define CL_DBL_DIG 15
#define CL_DBL_MANT_DIG 53
#define CL_DBL_MAX_10_EXP 308
#define CL_DBL_MAX_EXP 1024
#define CL_DBL_MIN_10_EXP (-307)
#define CL_DBL_MIN_EXP (-1021)
#define CL_DBL_RADIX 2
#define CL_DBL_MAX 0x1.fffffffffffffp1023
#define CL_DBL_MIN 0x1p-1022
#define CL_DBL_EPSILON 0x1p-52

/* Numbers of mathematics, as double and as float. */
#define CL_M_E 2.71828182845904523536
#define CL_M_LOG2E 1.44269504088896340736
#define CL_M_LOG10E 0.434294481903251827651
#define CL_M_LN2 0.693147180559945309417
#define CL_M_LN10 2.30258509299404568402
#define CL_M_PI 3.14159265358979323846
#define CL_M_PI_2 1.57079632679489661923
#define CL_M_PI_4 0.785398163397448309616
#define CL_M_1_PI 0.318309886183790671538
#define CL_M_2_PI 0.636619772367581343076
#define CL_M_2_SQRTPI 1.12837916709551257390
#define CL_M_SQRT2 1.41421356237309504880
#define CL_M_SQRT1_2 0.707106781186547524401
#define CL_M_E_F 2.71828182845904523536f
#define CL_M_LOG2E_F 1.44269504088896340736f
#define CL_M_LOG10E_F 0.434294481903251827651f
#define CL_M_LN2_F 0.693147180559945309417f
#define CL_M_LN10_F 2.30258509299404568402f
#define CL_M_PI_F 3.14159265358979323846f
#define CL_M_PI_2_F 1.57079632679489661923f
#define CL_M_PI_4_F 0.785398163397448309616f
#define CL_M_1_PI_F 0.318309886183790671538f
#define CL_M_2_PI_F 0.636619772367581343076f
#define CL_M_2_SQRTPI_F 1.12837916709551257390f
#define CL_M_SQRT2_F 1.41421356237309504880f
#define CL_M_SQRT1_2_F 0.707106781186547524401f

#if defined(__GNUC__)
#define CL_HUGE_VALF __builtin_huge_valf()
#define CL_HUGE_VAL __builtin_huge_val()
#define CL_NAN __builtin_nanf("")
#else
#define CL_HUGE_VALF ((cl_float)1e50)
#define CL_HUGE_VAL ((cl_double)1e500)
#define CL_NAN (CL_HUGE_VALF - CL_HUGE_VALF)
#endif
#define CL_MAXFLOAT CL_FLT_MAX
#define CL_INFINITY CL_HUGE_VALF

/*
 * Vectors: unions with as many elements as the name says, by index as `s`, by name as x, y, z, w and s0 to sF, and by halves
 * as lo and hi. A vector of 3 is one of 4, as in OpenCL C (6.1.5).
 */
#define CL_HAS_NAMED_VECTOR_FIELDS 1
#define CL_HAS_HI_LO_VECTOR_FIELDS 1
#if defined(__cplusplus) && defined(__GNUC__)
#define __CL_ANON_STRUCT__ __extension__
#else
#define __CL_ANON_STRUCT__
#endif
#define __CL_HAS_ANON_STRUCT__ 1

#define CL_VECTORS_(type)                                                                        \
  typedef union {                                                                                \
    type CL_ALIGNED(2 * sizeof(type)) s[2];                                                      \
    __CL_ANON_STRUCT__ struct { type x, y; };                                                    \
    __CL_ANON_STRUCT__ struct { type s0, s1; };                                                  \
    __CL_ANON_STRUCT__ struct { type lo, hi; };                                                  \
  } type##2;                                                                                     \
  typedef union {                                                                                \
    type CL_ALIGNED(4 * sizeof(type)) s[4];                                                      \
    __CL_ANON_STRUCT__ struct { type x, y, z, w; };                                              \
    __CL_ANON_STRUCT__ struct { type s0, s1, s2, s3; };                                          \
    __CL_ANON_STRUCT__ struct { type##2 lo, hi; };                                               \
  } type##4;                                                                                     \
  typedef type##4 type##3;                                                                       \
  typedef union {                                                                                \
    type CL_ALIGNED(8 * sizeof(type)) s[8];                                                      \
    __CL_ANON_STRUCT__ struct { type x, y, z, w; };                                              \
    __CL_ANON_STRUCT__ struct { type s0, s1, s2, s3, s4, s5, s6, s7; };                          \
    __CL_ANON_STRUCT__ struct { type##4 lo, hi; };                                               \
  } type##8;                                                                                     \
  typedef union {                                                                                \
    type CL_ALIGNED(16 * sizeof(type)) s[16];                                                    \
    __CL_ANON_STRUCT__ struct { type x, y, z, w, other_[6], sa, sb, sc, sd, se, sf; };           \
    __CL_ANON_STRUCT__ struct {                                                                  \
      type s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, sA, sB, sC, sD, sE, sF;                       \
    };                                                                                           \
    __CL_ANON_STRUCT__ struct { type##8 lo, hi; };                                               \
  } type##16;

CL_VECTORS_(cl_char)
CL_VECTORS_(cl_uchar)
CL_VECTORS_(cl_short)
CL_VECTORS_(cl_ushort)
CL_VECTORS_(cl_int)
CL_VECTORS_(cl_uint)
CL_VECTORS_(cl_long)
CL_VECTORS_(cl_ulong)
CL_VECTORS_(cl_half)
CL_VECTORS_(cl_float)
CL_VECTORS_(cl_double)
#undef CL_VECTORS_

/* For programs that select a compiler's warnings. */
#define CL_STRINGIFY_(text) #text
#define CL_STRINGIFY(text) CL_STRINGIFY_(text)
#define CL_DO_PRAGMA(...)
#define CL_PROGRAM_STRING_DEBUG_INFO "#line " CL_STRINGIFY(__LINE__) " \"" __FILE__ "\" \n\n"

#ifdef __cplusplus
}
#endif

#endif
