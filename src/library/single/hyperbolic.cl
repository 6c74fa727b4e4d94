// expm1, log1p, the hyperbolic functions and their inverses, of float. Below 4 ulp.
#include "pairs.h"

static float expm1_of(float x) {
  float within = x < -20.0f ? -20.0f : (x > 89.0f ? 89.0f : x);
  float anchored = mad(within, 1.44269504f, ANCHOR);
  float n = anchored - ANCHOR;
  // ln2 in two parts; the product with the first is exact.
  float high = within - n * 0.693359375f;
  float low = n * -2.12194440e-4f;
  float z = high - low;
  float lost = (high - z) - low;
  float part = z + (rest_of_exp(z) * (z * z) + lost);
  // 2^n (1 + part) - 1, by halves, for 2^128 is no float.
  float half_scale = as_float((as_uint(anchored) - 128u) << 23);
  float result = 2.0f * (half_scale * part + (half_scale - 0.5f));
  result = n == 0.0f ? part : result;
  return isnan(x) ? x : (fabs(x) < 0x1p-25f ? x : result);
}

static float log1p_of(float x) {
  bool near = x > -0.29f && x < 0.41f;
  float2 sum = two_sum(1.0f, x);
  float u = near ? 1.0f : sum.x;
  float2 parts = split(u);
  float low = near ? 0.0f : sum.y / u;
  float result = log_of(near ? x : parts.x, near ? 0.0f : parts.y, low);
  result = x < INFINITY ? result : x;
  result = fabs(x) < 0x1p-25f ? x : result;
  return x > -1.0f || isnan(x) ? result : (x == -1.0f ? -INFINITY : NAN);
}

float __millrace_expm1_f32(float x) { return expm1_of(x); }
float __millrace_log1p_f32(float x) { return log1p_of(x); }

// e^x 2^by for x >= 0
static float large_exp(float x, float by) {
  float result = exp_times(x > 100.0f ? 100.0f : x, by);
  return isnan(x) ? x : result;
}

float __millrace_sinh_f32(float x) {
  float size = fabs(x);
  float z = x * x;
  float p = mad(mad(mad(mad(2.5052108e-8f, z, 2.7557319e-6f), z, 1.9841270e-4f), z, 8.3333333e-3f), z, 1.6666667e-1f);
  float small = mad(p * z, x, x);
  float e = large_exp(size, -1.0f);
  float large = size > 15.0f ? e : e - 0.25f / e;
  return size <= 1.0f ? small : copysign(large, x);
}

float __millrace_cosh_f32(float x) {
  float size = fabs(x);
  float e = large_exp(size, -1.0f);
  return size > 15.0f ? e : e + 0.25f / e;
}

float __millrace_tanh_f32(float x) {
  float size = fabs(x);
  float t = expm1_of(size > 20.0f ? 40.0f : 2.0f * size);
  float result = size < 0.55f ? t / (t + 2.0f) : 1.0f - 2.0f / (t + 2.0f);
  result = size > 20.0f ? 1.0f : result;
  return isnan(x) ? x : (size < 0x1p-13f ? x : copysign(result, x));
}

float __millrace_asinh_f32(float x) {
  float size = fabs(x);
  float within = size > 0x1p+20f ? 1.0f : size;
  float square = within * within;
  float near = log1p_of(within + square / (1.0f + sqrt(1.0f + square)));
  float2 parts = split(size);
  float far = log_of(parts.x, parts.y + 1.0f, 0.0f);
  float result = size > 0x1p+20f ? far : near;
  result = size < INFINITY ? result : size;
  return size < 0x1p-12f ? x : copysign(result, x);
}

float __millrace_acosh_f32(float x) {
  float t = x > 0x1p+20f ? 1.0f : x - 1.0f;
  float near = log1p_of(t + sqrt(t * (2.0f + t)));
  float2 parts = split(x);
  float far = log_of(parts.x, parts.y + 1.0f, 0.0f);
  float result = x > 0x1p+20f ? far : near;
  result = x < INFINITY ? result : x;
  return x < 1.0f ? NAN : result;
}

float __millrace_atanh_f32(float x) {
  float size = fabs(x);
  float twice = 2.0f * size;
  float result = 0.5f * log1p_of(size < 0.5f ? twice + twice * size / (1.0f - size) : twice / (1.0f - size));
  result = size < 1.0f ? result : (size == 1.0f ? INFINITY : NAN);
  return size < 0x1p-12f ? x : copysign(result, x);
}
