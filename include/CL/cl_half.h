/*
 * Half precision for hosts: conversions between cl_half and the types that C can compute with, in the rounding that is asked
 * for. What is too large becomes an infinity or the largest half, as IEEE 754 has it for the direction.
 */
#ifndef MILLRACE_CL_HALF_H
#define MILLRACE_CL_HALF_H

#include <CL/cl_platform.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CL_HALF_EXP_MASK 0x7c00
#define CL_HALF_MAX_FINITE_MAG 0x7bff

/* To the nearest (ties to even), towards zero, towards plus infinity, towards minus infinity. */
typedef enum { CL_HALF_RTE, CL_HALF_RTZ, CL_HALF_RTP, CL_HALF_RTN } cl_half_rounding_mode;

static inline cl_half cl_half_from_double(cl_double value, cl_half_rounding_mode mode) {
  cl_ulong bits;
  memcpy(&bits, &value, sizeof bits);
  const cl_ushort sign = (cl_ushort)(bits >> 63 << 15);
  const cl_ulong fraction = bits & 0xfffffffffffffULL;
  const int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
  if (exponent == 1024) {
    /* NaNs keep the upper bits of their payload, and stay NaNs. */
    if (fraction != 0) return (cl_half)(sign | CL_HALF_EXP_MASK | 0x200 | (cl_ushort)(fraction >> 42));
    return (cl_half)(sign | CL_HALF_EXP_MASK);
  }
  /* The magnitude in steps of the result's last place: `kept` whole ones, and the rest below. */
  cl_ulong kept = 0;
  cl_ulong rest = 0;
  cl_ulong half = 1;
  if (exponent < -26) {
    /* Less than a quarter of the smallest step: only whether it is zero counts. */
    rest = (bits << 1) != 0;
    half = 2;
  } else {
    const cl_ulong whole = fraction | 1ULL << 52;
    const int drop = exponent < -14 ? 42 + (-14 - exponent) : 42;
    kept = whole >> drop;
    rest = whole & ((1ULL << drop) - 1);
    half = 1ULL << (drop - 1);
    if (exponent >= -14) kept += (cl_ulong)(exponent + 14) << 10;
  }
  int up = 0;
  switch (mode) {
    case CL_HALF_RTE: up = rest > half || (rest == half && (kept & 1)); break;
    case CL_HALF_RTZ: break;
    case CL_HALF_RTP: up = rest != 0 && sign == 0; break;
    case CL_HALF_RTN: up = rest != 0 && sign != 0; break;
  }
  if (kept > CL_HALF_MAX_FINITE_MAG) {
    const int away = mode == CL_HALF_RTE || (mode == CL_HALF_RTP && sign == 0) || (mode == CL_HALF_RTN && sign != 0);
    return (cl_half)(sign | (away ? CL_HALF_EXP_MASK : CL_HALF_MAX_FINITE_MAG));
  }
  /* A carry out of the fraction raises the exponent, out of the largest half to infinity. */
  return (cl_half)(sign | (cl_ushort)(kept + (cl_ulong)up));
}

static inline cl_half cl_half_from_float(cl_float value, cl_half_rounding_mode mode) {
  return cl_half_from_double((cl_double)value, mode);
}

static inline cl_float cl_half_to_float(cl_half value) {
  const cl_uint sign = (cl_uint)(value & 0x8000) << 16;
  const cl_uint magnitude = value & 0x7fffu;
  cl_uint bits;
  cl_float result;
  if (magnitude >= CL_HALF_EXP_MASK) {
    bits = sign | 0x7f800000u | (magnitude & 0x3ffu) << 13;
  } else if (magnitude >= 0x400u) {
    bits = sign | ((magnitude << 13) + ((127u - 15u) << 23));
  } else {
    /* Subnormal: so many steps of 2^-24. */
    result = (cl_float)magnitude * 0x1p-24f;
    return sign ? -result : result;
  }
  memcpy(&result, &bits, sizeof result);
  return result;
}

#ifdef __cplusplus
}
#endif

#endif
