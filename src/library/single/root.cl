// cbrt and hypot of float. Below 2 ulp.
#include "pairs.h"

float __millrace_cbrt_f32(float x) {
  float size = fabs(x);
  uint bits = as_uint(size);
  bool tiny = bits < 0x800000u;
  bool small = bits < 0x20000000u;
  // Far from where products of three lose bits; subnormal numbers are taken as integers.
  float y = small ? size * 0x1p+66f : size;
  y = tiny ? (float)bits * 0x1p-83f : y;
  bool large = bits >= 0x60000000u;
  y = large ? size * 0x1p-66f : y;
  // A third of the exponent is a first guess of 5 bits, Halley's step makes it 15, and one of Newton's with an exact cube the rest.
  float t = as_float(as_uint(y) / 3 + 709958130u);
  float cube = t * t * t;
  t = t * ((y + y + cube) / (cube + cube + y));
  float2 square = two_product(t, t);
  float2 exact = two_product(square.x, t);
  float wrong = (exact.x - y) + (exact.y + square.y * t);
  t = t - wrong / (3.0f * square.x);
  t = small ? t * 0x1p-22f : (large ? t * 0x1p+22f : t);
  t = bits == 0 || bits >= 0x7f800000u ? size : t;
  return copysign(t, x);
}

float __millrace_hypot_f32(float x, float y) {
  float larger = fmax(fabs(x), fabs(y));
  float smaller = fmin(fabs(x), fabs(y));
  bool large = larger > 0x1p+60f;
  bool small = larger < 0x1p-40f;
  float scale = large ? 0x1p-70f : (small ? 0x1p+100f : 1.0f);
  float back = large ? 0x1p+70f : (small ? 0x1p-100f : 1.0f);
  float a = larger * scale;
  float b = smaller * scale;
  float result = sqrt(a * a + b * b) * back;
  result = isnan(x) || isnan(y) ? NAN : result;
  return isinf(x) || isinf(y) ? INFINITY : result;
}
