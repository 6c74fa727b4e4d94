// Sums and products of floats with the rounding error beside the result, and other parts of functions that compute in float alone.
#include "../polynomials.h"

static float2 two_sum(float a, float b) {
  float sum = a + b;
  float part = sum - a;
  return (float2)(sum, (a - (sum - part)) + (b - part));
}

// For |a| >= |b|.
static float2 quick_sum(float a, float b) {
  float sum = a + b;
  return (float2)(sum, b - (sum - a));
}

// There may be no fused multiply-add, so that factors are split into halves of 12 bits.
static float2 two_product(float a, float b) {
  float product = a * b;
  float a_high = as_float(as_uint(a) & 0xfffff000u);
  float b_high = as_float(as_uint(b) & 0xfffff000u);
  float a_low = a - a_high;
  float b_low = b - b_high;
  float error = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low;
  return (float2)(product, error);
}

// m - 1 and k where x = 2^k m, for x > 0; sqrt(1/2) <= m < sqrt(2). Subnormal numbers are taken as integers, as they may be flushed.
static float2 split(float x) {
  bool tiny = as_uint(x) < 0x800000u;
  uint bits = as_uint(tiny ? (float)as_uint(x) : x) + (0x3f800000u - 0x3f3504f3u);
  float k = (float)((int)(bits >> 23) - (tiny ? 127 + 149 : 127));
  return (float2)(as_float((bits & 0x7fffffu) + 0x3f3504f3u) - 1.0f, k);
}

// log(1 + f) + k log 2 + low
static float log_of(float f, float k, float low) {
  float y = mad(-0.5f, f * f, mad(k, -2.12194440e-4f, rest_of_log(f)) + low);
  return mad(k, 0.693359375f, f + y);
}

// Adding this rounds to a whole number n, and leaves n + 254 in the last bits of the sum.
#define ANCHOR 0x1.8001fcp+23f

// (e^z - 1 - z) / z^2 for |z| <= ln2/2.
static float rest_of_exp(float z) {
  float p = 1.9875691500e-4f;
  p = mad(p, z, 1.3981999507e-3f);
  p = mad(p, z, 8.3334519073e-3f);
  p = mad(p, z, 4.1665795894e-2f);
  p = mad(p, z, 1.6666665459e-1f);
  return mad(p, z, 5.0000001201e-1f);
}

// e^z times 2^n for an anchored n, in two steps, so that subnormal results are rounded once.
static float scaled_exp(float z, float anchored) {
  float p = mad(rest_of_exp(z), z * z, z) + 1.0f;
  uint both = as_uint(anchored);
  uint first = both >> 1;
  uint second = both - first;
  return p * as_float(first << 23) * as_float(second << 23);
}

// e^x times 2^by, for |x| <= 200.
static float exp_times(float x, float by) {
  float anchored = mad(x, 1.44269504f, ANCHOR);
  float n = anchored - ANCHOR;
  float z = mad(n, -0.693359375f, x);
  z = mad(n, 2.12194440e-4f, z);
  return scaled_exp(z, anchored + by);
}

// m 2^(e - 150) for a whole m below 2^24 with 2^23 its first bit, rounded where that is subnormal.
static float packed(uint m, int e) {
  if (e >= 255) return INFINITY;
  if (e > 0) return as_float(((uint)e << 23) + (m - 0x800000u));
  uint shift = (uint)min(1 - e, 25);
  uint kept = m >> shift;
  uint cut = m << (32 - shift);
  bool up = cut > 0x80000000u || (cut == 0x80000000u && (kept & 1) != 0);
  return as_float(kept + (up ? 1u : 0u));
}

// A whole number below 2^25, not 0, times 2^e.
static float whole_times(uint whole, int e) {
  int zeros = (int)clz(whole) - 8;
  return zeros >= 0 ? packed(whole << zeros, e + 150 - zeros) : packed(whole >> 1, e + 151);
}

// The whole number that is the significand of a size, and e where the size is that times 2^e.
static uint significand(float size, int *e) {
  uint bits = as_uint(size);
  *e = (int)max(bits >> 23, 1u) - 150;
  return (bits & 0x7fffffu) | (bits >= 0x800000u ? 0x800000u : 0u);
}
