/*
 * Put before the sources of the suite's conversions (-include). They compute what is expected with the processor's rounding
 * mode, which WebAssembly cannot change: set_round, called around that computation, is here what computes it again, by exact
 * comparisons. The suite calls it in one place, whose variables the macro uses.
 */
#ifndef MILLRACE_CTS_CONVERSIONS_H
#define MILLRACE_CTS_CONVERSIONS_H

#include "harness/rounding_mode.h"

#include <CL/cl.h>
#include <limits>
#include <cmath>
#include <type_traits>

namespace millrace {

// The mode that a conversion without a name for it has (OpenCL 1.2, 6.2.3.2).
inline RoundingMode modeOf(RoundingMode round, bool isToInteger) {
    if (round != kDefaultRoundingMode) return round;
    return isToInteger ? kRoundTowardZero : kRoundToNearestEven;
}

inline double wholeNumber(double value, RoundingMode mode) {
    switch (mode) {
        case kRoundUp: return ceil(value);
        case kRoundDown: return floor(value);
        case kRoundTowardZero: return trunc(value);
        default: return nearbyint(value);
    }
}

// What is outside of the destination's range has no expected result without saturation, and none is asked for.
template <typename To> To integerOf(double value, RoundingMode mode, bool saturates, To otherwise) {
    const double whole = wholeNumber(value, mode);
    const double least = static_cast<double>(std::numeric_limits<To>::min());
    const double beyond = 2.0 * static_cast<double>(To(1) << (std::numeric_limits<To>::digits - 1));
    if (whole >= least && whole < beyond) return static_cast<To>(whole);
    if (!saturates) return otherwise;
    if (std::isnan(value)) return 0;
    return whole < 0 ? std::numeric_limits<To>::min() : std::numeric_limits<To>::max();
}

// A long double has 113 bits here, and holds every source exactly.
template <typename To> To floatOf(long double value, RoundingMode mode) {
    const To nearest = static_cast<To>(value);
    const To infinity = std::numeric_limits<To>::infinity();
    const bool isAbove = static_cast<long double>(nearest) > value;
    const bool isBelow = static_cast<long double>(nearest) < value;
    switch (mode) {
        case kRoundUp: return isBelow ? std::nextafter(nearest, infinity) : nearest;
        case kRoundDown: return isAbove ? std::nextafter(nearest, -infinity) : nearest;
        case kRoundTowardZero: return (value > 0 ? isAbove : isBelow) ? std::nextafter(nearest, To(0)) : nearest;
        default: return nearest;
    }
}

template <typename From, typename To>
typename std::enable_if<std::is_floating_point<From>::value && std::is_integral<To>::value>::type
convert(const From *from, To *to, size_t count, RoundingMode mode, bool saturates) {
    for (size_t i = 0; i < count; ++i) to[i] = integerOf<To>(from[i], mode, saturates, to[i]);
}

template <typename From, typename To>
typename std::enable_if<std::is_floating_point<To>::value>::type
convert(const From *from, To *to, size_t count, RoundingMode mode, bool) {
    // To nearest is what WebAssembly does.
    if (mode == kRoundToNearestEven) return;
    for (size_t i = 0; i < count; ++i) to[i] = floatOf<To>(from[i], mode);
}

// Between integers nothing is rounded.
template <typename From, typename To>
typename std::enable_if<std::is_integral<From>::value && std::is_integral<To>::value>::type
convert(const From *, To *, size_t, RoundingMode, bool) {}

template <typename From>
void convertFrom(const void *source, Type outType, void *target, size_t count, RoundingMode round, bool saturates) {
    const From *const from = static_cast<const From *>(source);
    const RoundingMode mode = modeOf(round, outType != kfloat && outType != kdouble);
    switch (outType) {
        case kuchar: return convert(from, static_cast<cl_uchar *>(target), count, mode, saturates);
        case kchar: return convert(from, static_cast<cl_char *>(target), count, mode, saturates);
        case kushort: return convert(from, static_cast<cl_ushort *>(target), count, mode, saturates);
        case kshort: return convert(from, static_cast<cl_short *>(target), count, mode, saturates);
        case kuint: return convert(from, static_cast<cl_uint *>(target), count, mode, saturates);
        case kint: return convert(from, static_cast<cl_int *>(target), count, mode, saturates);
        case kulong: return convert(from, static_cast<cl_ulong *>(target), count, mode, saturates);
        case klong: return convert(from, static_cast<cl_long *>(target), count, mode, saturates);
        case kfloat: return convert(from, static_cast<cl_float *>(target), count, mode, saturates);
        case kdouble: return convert(from, static_cast<cl_double *>(target), count, mode, saturates);
        default: return;
    }
}

inline RoundingMode expect(RoundingMode round, bool saturates, Type inType, const void *source, Type outType, void *target,
                           size_t count) {
    switch (inType) {
        case kfloat: convertFrom<cl_float>(source, outType, target, count, round, saturates); break;
        case kdouble: convertFrom<cl_double>(source, outType, target, count, round, saturates); break;
        case kuint: convertFrom<cl_uint>(source, outType, target, count, round, saturates); break;
        case kint: convertFrom<cl_int>(source, outType, target, count, round, saturates); break;
        case kulong: convertFrom<cl_ulong>(source, outType, target, count, round, saturates); break;
        case klong: convertFrom<cl_long>(source, outType, target, count, round, saturates); break;
        default: break;
    }
    return kRoundToNearestEven;
}

} // namespace millrace

#define set_round(mode, type) ((void)(mode), millrace::expect(round, info->sat != 0, inType, s, type, d, count))

#endif
