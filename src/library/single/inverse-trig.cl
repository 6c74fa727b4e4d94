// asin, acos, atan and atan2 of float, and the same in half turns. Below 4 ulp.
#include "pairs.h"

// (asin(s) - s) / s as a function of z = s*s, for |s| <= 1/2.
static float asin_rest(float z) {
  float p = mad(4.2163199048e-2f, z, 2.4181311049e-2f);
  p = mad(p, z, 4.5470025998e-2f);
  p = mad(p, z, 7.4953002686e-2f);
  return mad(p, z, 1.6666752422e-1f) * z;
}

// sqrt(z) as a pair.
static float2 root_of(float z) {
  float s = sqrt(z);
  float2 square = two_product(s, s);
  return (float2)(s, z > 0.0f ? ((z - square.x) - square.y) / (s + s) : 0.0f);
}

// pi/2 and pi in two parts.
#define HALF_PI 0x1.921fb6p+0f
#define HALF_PI_LOW -0x1.777a5cp-25f

static float asin_of(float x) {
  float size = fabs(x);
  if (!(size > 0.5f)) return mad(x, asin_rest(x * x), x);
  // Beyond a half, asin(x) = pi/2 - 2 asin(sqrt((1 - x) / 2)).
  float z = (1.0f - size) * 0.5f;
  float2 s = root_of(z);
  float2 sum = two_sum(HALF_PI, -2.0f * s.x);
  float low = 2.0f * (s.x * asin_rest(z) + s.y) - HALF_PI_LOW;
  float result = copysign(sum.x + (sum.y - low), x);
  return size <= 1.0f ? result : NAN;
}

static float acos_of(float x) {
  float size = fabs(x);
  if (!(size > 0.5f)) {
    float2 sum = two_sum(HALF_PI, -x);
    return sum.x + (sum.y - (x * asin_rest(x * x) - HALF_PI_LOW));
  }
  float z = (1.0f - size) * 0.5f;
  float2 s = root_of(z);
  float rest = s.x * asin_rest(z) + s.y;
  float2 sum = two_sum(2.0f * HALF_PI, -2.0f * s.x);
  float left = sum.x + (sum.y - 2.0f * (rest - HALF_PI_LOW));
  float result = x > 0.0f ? 2.0f * (s.x + rest) : left;
  return size <= 1.0f ? result : NAN;
}

// The angle whose tangent is tall / wide, for sizes that are not both 0 or infinite.
static float angle_of(float tall, float wide) {
  // atan(t) is pi/4 + atan((t - 1) / (t + 1)), and pi/2 - atan(1 / t).
  bool steep = tall > wide * 2.4142135624f;
  bool flat = !(tall > wide * 0.4142135624f);
  float above = steep ? -wide : (flat ? tall : tall - wide);
  float below = steep ? tall : (flat ? wide : tall + wide);
  float t = above / below;
  float z = t * t;
  float p = mad(mad(8.05374449538e-2f, z, -1.38776856032e-1f), z, 1.99777106478e-1f);
  p = mad(p, z, -3.33329491539e-1f) * z;
  float high = steep ? HALF_PI : (flat ? 0.0f : 0.5f * HALF_PI);
  float low = steep ? HALF_PI_LOW : (flat ? 0.0f : 0.5f * HALF_PI_LOW);
  return high + (mad(p, t, low) + t);
}

static float atan_of(float x) {
  float size = fabs(x);
  float angle = size > 0x1p+30f ? HALF_PI : angle_of(size, 1.0f);
  return isnan(x) ? NAN : copysign(angle, x);
}

static float atan2_of(float y, float x) {
  float tall = fabs(y);
  float wide = fabs(x);
  // Where sums and products of both have no meaning, or are not exact enough.
  bool same = tall == wide;
  float larger = fmax(tall, wide);
  float scale = larger > 0x1p+100f ? 0x1p-60f : (larger < 0x1p-60f ? 0x1p+60f : 1.0f);
  float a = same ? 1.0f : tall * scale;
  float b = same ? 1.0f : wide * scale;
  a = tall == INFINITY && !same ? 1.0f : a;
  b = wide == INFINITY && !same ? 1.0f : b;
  a = wide == INFINITY && !same ? 0.0f : a;
  b = tall == INFINITY && !same ? 0.0f : b;
  float angle = angle_of(a, b);
  // Both zero.
  angle = larger == 0.0f ? 0.0f : angle;
  // On the vertical axis a quarter of a circle is exact as it is.
  bool left = signbit(x) != 0 && (wide > 0.0f || tall == 0.0f);
  angle = left ? 2.0f * HALF_PI - (angle - 2.0f * HALF_PI_LOW) : angle;
  return isnan(x) || isnan(y) ? NAN : copysign(angle, y);
}

#define PER_PI 0.318309886f

float __millrace_asin_f32(float x) { return asin_of(x); }
float __millrace_acos_f32(float x) { return acos_of(x); }
float __millrace_atan_f32(float x) { return atan_of(x); }
float __millrace_atan2_f32(float y, float x) { return atan2_of(y, x); }
float __millrace_asinpi_f32(float x) { return asin_of(x) * PER_PI; }
float __millrace_acospi_f32(float x) { return acos_of(x) * PER_PI; }
float __millrace_atanpi_f32(float x) { return atan_of(x) * PER_PI; }
float __millrace_atan2pi_f32(float y, float x) { return atan2_of(y, x) * PER_PI; }
