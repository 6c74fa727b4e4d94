// sin, cos and tan of float: x = n pi/2 + r, and polynomials in r. Below 4 ulp for every argument.
#include "polynomials.h"

// The first bits of 2/pi after 32 zeros, for the reduction of large arguments.
__constant uint two_over_pi[9] = {
    0u, 0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u,
    0xdb629599u, 0x3c439041u, 0xfe5163abu, 0xdebbc561u};

// |x| in quarter turns, two bits before the point and 62 after it, for |x| of at least 2^12: only the bits of 2/pi that matter are
// multiplied with x's 24 bits.
static ulong turns_of(float x) {
  uint bits = as_uint(x);
  int exponent = (int)((bits >> 23) & 255) - 150;
  ulong mantissa = (bits & 0x7fffffu) | 0x800000u;
  uint start = (uint)(exponent + 30);
  // In bounds for every x.
  uint word = min(start >> 5, 5u);
  uint shift = start & 31;
  ulong a = two_over_pi[word];
  ulong b = two_over_pi[word + 1];
  ulong c = two_over_pi[word + 2];
  ulong d = two_over_pi[word + 3];
  ulong first = (((a << 32) | b) << shift) >> 32;
  ulong second = (((b << 32) | c) << shift) >> 32;
  ulong third = (((c << 32) | d) << shift) >> 32;
  return ((mantissa * first) << 32) + mantissa * second + ((mantissa * third) >> 32);
}

__attribute__((cold)) float __millrace_large_angle_f32(float x) {
  ulong fraction = turns_of(x) << 2;
  // The distance to the nearest whole quarter, without its sign; its first 32 bits are more than the result has.
  bool above = (fraction >> 63) != 0;
  fraction = above ? 0 - fraction : fraction;
  int zeros = (int)clz(fraction);
  uint bits = (uint)((fraction << (zeros & 63)) >> 32);
  // times pi/2, all in parts whose products are exact, so that little more than the sum is rounded.
  float first = (float)(bits & 0xfff00000u);
  float second = (float)(bits & 0x000fff00u);
  float third = (float)(bits & 0xffu);
  float rest = (second * 0x1.fb4p-12f + first * 0x1.4442d2p-24f) + (third * 0x1.921fb6p+0f + second * 0x1.4442d2p-24f);
  float r = first * 0x1.92p+0f + (first * 0x1.fb4p-12f + second * 0x1.92p+0f + rest);
  r *= as_float((uint)(95 - zeros) << 23);
  r = (x < 0.0f) != above ? -r : r;
  return fabs(x) < INFINITY ? r : NAN;
}

__attribute__((cold)) int __millrace_large_quarters_f32(float x) {
  int quarters = (int)((turns_of(x) + (1UL << 61)) >> 62);
  return x < 0.0f ? 4 - quarters : quarters;
}

// Adding this rounds to a whole number and leaves it in the last bits of the sum.
#define ANCHOR 0x1.8p+23f

// r; n is right modulo 4.
static float reduce(float x, int *n) {
  if (fabs(x) >= 8000.0f) {
    *n = __millrace_large_quarters_f32(x);
    return __millrace_large_angle_f32(x);
  }
  float anchored = mad(x, 0.636619772f, ANCHOR);
  float turns = anchored - ANCHOR;
  *n = as_int(anchored);
  // pi/2 in parts of 11 bits, so that their products with n are exact.
  float r = mad(turns, -0x1.92p+0f, x);
  r = mad(turns, -0x1.fb4p-12f, r);
  r = mad(turns, -0x1.444p-24f, r);
  r = mad(turns, -0x1.68cp-39f, r);
  return mad(turns, -0x1.1a6264p-54f, r);
}

// The sign turned round where bit 1 of n is set.
static float turned(float x, int n) { return as_float(as_int(x) ^ ((n & 2) << 30)); }

float __millrace_sin_f32(float x) {
  int n;
  float r = reduce(x, &n);
  float result = turned(n & 1 ? cosine(r) : sine(r), n);
  return fabs(x) < 0x1p-12f ? x : result;
}

float __millrace_cos_f32(float x) {
  int n;
  float r = reduce(x, &n);
  return turned(n & 1 ? sine(r) : cosine(r), n + 1);
}

float __millrace_tan_f32(float x) {
  int n;
  float r = reduce(x, &n);
  float s = sine(r);
  float c = cosine(r);
  bool odd = (n & 1) != 0;
  float result = (odd ? -c : s) / (odd ? s : c);
  return fabs(x) < 0x1p-12f ? x : result;
}
