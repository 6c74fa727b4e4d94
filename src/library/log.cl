// log, log2 and log10 of float: x = 2^k m with m around 1, and a polynomial in m - 1. Below 2 ulp.
#include "polynomials.h"

// m - 1 and k, for x > 0; sqrt(1/2) <= m < sqrt(2).
static float2 split(float x) {
  float shift = x < 0x1p-126f ? -25.0f : 0.0f;
  uint bits = as_uint(x < 0x1p-126f ? x * 0x1p25f : x) + (0x3f800000u - 0x3f3504f3u);
  float k = (float)((int)(bits >> 23) - 127) + shift;
  return (float2)(as_float((bits & 0x7fffffu) + 0x3f3504f3u) - 1.0f, k);
}

// What the logarithms have in common at zero, below it, at infinity and NaN.
static float special(float x, float result) {
  result += x < INFINITY ? 0.0f : x;
  result += x == 0.0f ? -INFINITY : 0.0f;
  // All bits make a NaN.
  return as_float(as_int(result) | (x < 0.0f ? -1 : 0));
}

float __millrace_log_f32(float x) {
  float2 parts = split(x);
  float f = parts.x;
  float k = parts.y;
  float y = mad(-0.5f, f * f, mad(k, -2.12194440e-4f, rest_of_log(f)));
  return special(x, mad(k, 0.693359375f, f + y));
}

float __millrace_log2_f32(float x) {
  float2 parts = split(x);
  float f = parts.x;
  float y = mad(-0.5f, f * f, rest_of_log(f));
  float sum = mad(y, 0.442695041f, f * 0.442695041f) + y + f;
  return special(x, sum + parts.y);
}

float __millrace_log10_f32(float x) {
  float2 parts = split(x);
  float f = parts.x;
  float k = parts.y;
  float y = mad(-0.5f, f * f, rest_of_log(f));
  float sum = mad(f + y, 7.00731903251827651129e-4f, y * 4.3359375e-1f);
  sum = mad(f, 4.3359375e-1f, sum);
  return special(x, mad(k, 0.301025390625f, mad(k, 4.605038981195214e-06f, sum)));
}
