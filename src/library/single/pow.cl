// pow, powr, pown and rootn of float: 2^(y log2 x) with the logarithm as a pair of floats. Below 4 ulp.
#include "exponents.h"

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
