// pow, powr, pown and rootn of float: 2^(y log2 x) with the logarithm as a pair of floats. Below 4 ulp.
#include "pairs.h"

// log2 of a size as a pair: that of 2^k (1 + f) is k + 2 atanh(f / (2 + f)) / ln2.
static float2 log2_of(float size) {
  float2 parts = split(size);
  float f = parts.x;
  float2 d = two_sum(2.0f, f);
  float inverse = 1.0f / d.x;
  float s = f * inverse;
  float2 back = two_product(s, d.x);
  float s_low = (((f - back.x) - back.y) - s * d.y) * inverse;
  float z = s * s;
  float p = mad(mad(mad(mad(z, 1.0f / 11.0f, 1.0f / 9.0f), z, 1.0f / 7.0f), z, 0.2f), z, 1.0f / 3.0f);
  float2 l = quick_sum(s, s_low + s * (z * p));
  // 2 / ln2 in two parts.
  float2 scaled = two_product(l.x, 0x1.715476p+1f);
  float low = scaled.y + (l.x * 0x1.4ae0cp-25f + l.y * 0x1.715476p+1f);
  float2 sum = two_sum(parts.y, scaled.x);
  float2 result = quick_sum(sum.x, sum.y + low);
  result = as_uint(size) >= 0x7f800000u ? (float2)(size, 0.0f) : result;
  return as_uint(size) == 0 ? (float2)(-INFINITY, 0.0f) : result;
}

// 2^(high + low)
static float exp2_of(float high, float low) {
  float x = high < -152.0f ? -152.0f : high;
  x = x > 130.0f ? 130.0f : x;
  low = x == high ? low : 0.0f;
  float anchored = x + ANCHOR;
  float r = (x - (anchored - ANCHOR)) + low;
  return scaled_exp(r * 0.693147181f, anchored);
}

// size^(y + y_low) for size >= 0.
static float magnitude(float size, float y, float y_low) {
  float2 l = log2_of(size);
  float plain = y * l.x;
  bool ordinary = fabs(plain) < 200.0f;
  float2 product = two_product(ordinary ? y : 0.0f, ordinary ? l.x : 0.0f);
  float low = product.y + (y * l.y + y_low * l.x);
  float result = exp2_of(plain, ordinary ? low : 0.0f);
  return isnan(plain) ? NAN : result;
}

// Below zero, however little.
static bool is_negative(float x) { return as_uint(x) > 0x80000000u; }

float __millrace_pow_f32(float x, float y) {
  float size = fabs(x);
  float result = magnitude(size, y, 0.0f);
  float whole = trunc(y);
  bool odd = y == whole && trunc(y * 0.5f) * 2.0f != y;
  result = size == 1.0f ? 1.0f : result;
  result = signbit(x) && odd ? -result : result;
  result = is_negative(x) && as_uint(x) != 0xff800000u && y != whole ? NAN : result;
  result = isnan(x) || isnan(y) ? NAN : result;
  return x == 1.0f || y == 0.0f ? 1.0f : result;
}

float __millrace_powr_f32(float x, float y) {
  float result = magnitude(fabs(x), y, 0.0f);
  return is_negative(x) || isnan(x) || isnan(y) ? NAN : result;
}

// A whole number as a pair.
static float2 pair_of(int n) { return quick_sum((float)(n & ~255), (float)(n & 255)); }

float __millrace_pown_f32(float x, int n) {
  float size = fabs(x);
  float2 y = pair_of(n);
  float result = magnitude(size, y.x, y.y);
  result = size == 1.0f ? 1.0f : result;
  result = signbit(x) && (n & 1) != 0 ? -result : result;
  result = isnan(x) ? NAN : result;
  return n == 0 ? 1.0f : result;
}

float __millrace_rootn_f32(float x, int n) {
  bool odd = (n & 1) != 0;
  float size = fabs(x);
  float divisor = pair_of(n).x;
  float2 l = log2_of(size);
  float quotient = l.x / divisor;
  float2 back = two_product(quotient, divisor);
  float low = (((l.x - back.x) - back.y) + l.y) / divisor;
  bool ordinary = as_uint(size) - 1u < 0x7f7fffffu;
  float result = exp2_of(quotient, ordinary ? low : 0.0f);
  result = odd ? copysign(result, x) : result;
  return n == 0 || isnan(x) || (is_negative(x) && !odd) ? NAN : result;
}
