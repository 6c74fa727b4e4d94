// Logarithms to base 2 as pairs of floats, and powers of 2 of such pairs: what pow and the gamma functions compute with.
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
