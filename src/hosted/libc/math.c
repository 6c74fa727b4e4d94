/*
 * Mathematics (C99, 7.12). Most functions are those of the built-in library of OpenCL C, which linking supplies under the
 * names `__millrace_NAME_f64` and `__millrace_NAME_f32`.
 */
#include <limits.h>
#include <math.h>
#include <stdint.h>

int signgam;

int __fpclassify(double x) {
  uint64_t bits = __builtin_bits_of_double(x) << 1 >> 1;
  if (bits >= 0x7ffull << 52) return bits > 0x7ffull << 52 ? FP_NAN : FP_INFINITE;
  return bits == 0 ? FP_ZERO : bits < 1ull << 52 ? FP_SUBNORMAL : FP_NORMAL;
}

int __fpclassifyf(float x) {
  uint32_t bits = __builtin_bits_of_float(x) << 1 >> 1;
  if (bits >= 0x7f800000) return bits > 0x7f800000 ? FP_NAN : FP_INFINITE;
  return bits == 0 ? FP_ZERO : bits < 0x800000 ? FP_SUBNORMAL : FP_NORMAL;
}

int __signbit(double x) { return __builtin_bits_of_double(x) >> 63; }

#define ONE(name)                             \
  double __millrace_##name##_f64(double x);   \
  float __millrace_##name##_f32(float x);     \
  double name(double x) { return __millrace_##name##_f64(x); } \
  float name##f(float x) { return __millrace_##name##_f32(x); }

#define TWO(name)                                     \
  double __millrace_##name##_f64(double x, double y); \
  float __millrace_##name##_f32(float x, float y);    \
  double name(double x, double y) { return __millrace_##name##_f64(x, y); } \
  float name##f(float x, float y) { return __millrace_##name##_f32(x, y); }

#define INSTRUCTION(name)                              \
  double name(double x) { return __builtin_##name(x); } \
  float name##f(float x) { return __builtin_##name##f(x); }

ONE(sin)
ONE(cos)
ONE(tan)
ONE(asin)
ONE(acos)
ONE(atan)
ONE(sinh)
ONE(cosh)
ONE(tanh)
ONE(asinh)
ONE(acosh)
ONE(atanh)
ONE(exp)
ONE(exp2)
ONE(expm1)
ONE(log)
ONE(log2)
ONE(log10)
ONE(log1p)
ONE(logb)
ONE(cbrt)
ONE(erf)
ONE(erfc)
ONE(tgamma)
TWO(pow)
TWO(atan2)
TWO(fmod)
TWO(remainder)
TWO(hypot)
TWO(nextafter)
INSTRUCTION(fabs)
INSTRUCTION(sqrt)
INSTRUCTION(floor)
INSTRUCTION(ceil)
INSTRUCTION(trunc)
INSTRUCTION(rint)

double __millrace_exp10_f64(double x);
double exp10(double x) { return __millrace_exp10_f64(x); }

double __millrace_lgamma_f64(double x);
int __millrace_lgamma_sign_f64(double x);
double lgamma(double x) {
  signgam = __millrace_lgamma_sign_f64(x) < 0 ? -1 : 1;
  return __millrace_lgamma_f64(x);
}
float lgammaf(float x) { return lgamma(x); }

double nearbyint(double x) { return __builtin_rint(x); }
float nearbyintf(float x) { return __builtin_rintf(x); }
double copysign(double x, double y) { return __builtin_copysign(x, y); }
float copysignf(float x, float y) { return __builtin_copysignf(x, y); }
double fma(double x, double y, double z) { return __builtin_fma(x, y, z); }
float fmaf(float x, float y, float z) { return __builtin_fmaf(x, y, z); }

/* Halves go away from zero; what is whole already has no bits behind the point to lose. */
double round(double x) {
  double whole = __builtin_trunc(x);
  return __builtin_fabs(x - whole) >= 0.5 ? whole + __builtin_copysign(1.0, x) : __builtin_copysign(whole, x);
}
float roundf(float x) {
  float whole = __builtin_truncf(x);
  return __builtin_fabsf(x - whole) >= 0.5f ? whole + __builtin_copysignf(1.0f, x) : __builtin_copysignf(whole, x);
}

double fmin(double x, double y) { return x != x ? y : y != y ? x : x < y || (x == y && __signbit(x)) ? x : y; }
double fmax(double x, double y) { return x != x ? y : y != y ? x : x > y || (x == y && !__signbit(x)) ? x : y; }
float fminf(float x, float y) { return fmin(x, y); }
float fmaxf(float x, float y) { return fmax(x, y); }
double fdim(double x, double y) { return x != x || y != y ? x + y : x > y ? x - y : 0; }
float fdimf(float x, float y) { return x != x || y != y ? x + y : x > y ? x - y : 0; }

double __millrace_ldexp_f64(double x, int exponent);
float __millrace_ldexp_f32(float x, int exponent);
double ldexp(double x, int exponent) { return __millrace_ldexp_f64(x, exponent); }
float ldexpf(float x, int exponent) { return __millrace_ldexp_f32(x, exponent); }
double scalbn(double x, int exponent) { return __millrace_ldexp_f64(x, exponent); }
float scalbnf(float x, int exponent) { return __millrace_ldexp_f32(x, exponent); }

double __millrace_frexp_fraction_f64(double x);
int __millrace_frexp_exponent_f64(double x);
double frexp(double x, int *exponent) {
  *exponent = __millrace_frexp_exponent_f64(x);
  return __millrace_frexp_fraction_f64(x);
}
float frexpf(float x, int *exponent) { return frexp(x, exponent); }

double modf(double x, double *whole) {
  *whole = __builtin_trunc(x);
  return __builtin_copysign(isinf(x) ? 0 : x - *whole, x);
}
float modff(float x, float *whole) {
  *whole = __builtin_truncf(x);
  return __builtin_copysignf(isinf(x) ? 0 : x - *whole, x);
}

int __millrace_remquo_quotient_f64(double x, double y);
double remquo(double x, double y, int *quotient) {
  *quotient = __millrace_remquo_quotient_f64(x, y);
  return remainder(x, y);
}
float remquof(float x, float y, int *quotient) { return remquo(x, y, quotient); }

int __millrace_ilogb_f64(double x);
int ilogb(double x) { return __millrace_ilogb_f64(x); }
int ilogbf(float x) { return __millrace_ilogb_f64(x); }

double nan(const char *text) { return (void)text, NAN; }
float nanf(const char *text) { return (void)text, NAN; }
double nexttoward(double x, long double y) { return nextafter(x, y); }

long lround(double x) { return round(x); }
long lroundf(float x) { return roundf(x); }
long lrint(double x) { return __builtin_rint(x); }
long lrintf(float x) { return __builtin_rintf(x); }
long long llround(double x) { return round(x); }
long long llroundf(float x) { return roundf(x); }
long long llrint(double x) { return __builtin_rint(x); }
long long llrintf(float x) { return __builtin_rintf(x); }

/* long double is double. */
long double sinl(long double x) { return sin(x); }
long double cosl(long double x) { return cos(x); }
long double tanl(long double x) { return tan(x); }
long double asinl(long double x) { return asin(x); }
long double acosl(long double x) { return acos(x); }
long double atanl(long double x) { return atan(x); }
long double sinhl(long double x) { return sinh(x); }
long double coshl(long double x) { return cosh(x); }
long double tanhl(long double x) { return tanh(x); }
long double asinhl(long double x) { return asinh(x); }
long double acoshl(long double x) { return acosh(x); }
long double atanhl(long double x) { return atanh(x); }
long double expl(long double x) { return exp(x); }
long double exp2l(long double x) { return exp2(x); }
long double expm1l(long double x) { return expm1(x); }
long double logl(long double x) { return log(x); }
long double log2l(long double x) { return log2(x); }
long double log10l(long double x) { return log10(x); }
long double log1pl(long double x) { return log1p(x); }
long double logbl(long double x) { return logb(x); }
long double cbrtl(long double x) { return cbrt(x); }
long double erfl(long double x) { return erf(x); }
long double erfcl(long double x) { return erfc(x); }
long double tgammal(long double x) { return tgamma(x); }
long double fabsl(long double x) { return fabs(x); }
long double sqrtl(long double x) { return sqrt(x); }
long double floorl(long double x) { return floor(x); }
long double ceill(long double x) { return ceil(x); }
long double truncl(long double x) { return trunc(x); }
long double rintl(long double x) { return rint(x); }
long double nearbyintl(long double x) { return nearbyint(x); }
long double roundl(long double x) { return round(x); }
long double lgammal(long double x) { return lgamma(x); }
long double powl(long double x, long double y) { return pow(x, y); }
long double atan2l(long double x, long double y) { return atan2(x, y); }
long double fmodl(long double x, long double y) { return fmod(x, y); }
long double remainderl(long double x, long double y) { return remainder(x, y); }
long double hypotl(long double x, long double y) { return hypot(x, y); }
long double nextafterl(long double x, long double y) { return nextafter(x, y); }
long double fminl(long double x, long double y) { return fmin(x, y); }
long double fmaxl(long double x, long double y) { return fmax(x, y); }
long double fdiml(long double x, long double y) { return fdim(x, y); }
long double copysignl(long double x, long double y) { return copysign(x, y); }
long double fmal(long double x, long double y, long double z) { return fma(x, y, z); }
long double ldexpl(long double x, int exponent) { return ldexp(x, exponent); }
long double scalbnl(long double x, int exponent) { return ldexp(x, exponent); }
long double frexpl(long double x, int *exponent) { return frexp(x, exponent); }
long double modfl(long double x, long double *whole) { return modf(x, (double *)whole); }
long double remquol(long double x, long double y, int *quotient) { return remquo(x, y, quotient); }
long double nanl(const char *text) { return nan(text); }
int ilogbl(long double x) { return ilogb(x); }
long lroundl(long double x) { return lround(x); }
long lrintl(long double x) { return lrint(x); }
long long llroundl(long double x) { return llround(x); }
long long llrintl(long double x) { return llrint(x); }
