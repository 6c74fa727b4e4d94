// erf, erfc, tgamma, lgamma and the sign of lgamma_r, of float. Below 10 ulp, but for lgamma around its zeros below 0.
#include "exponents.h"

float __millrace_sinpi_f32(float x);

// erf(x) for |x| <= 1.
static float small_erf(float x) {
  float z = x * x;
  float p = mad(0x1.48edeep-14f, z, -0x1.a3c95cp-11f);
  p = mad(p, z, 0x1.53ff92p-8f);
  p = mad(p, z, -0x1.b7f858p-6f);
  p = mad(p, z, 0x1.ce2cfp-4f);
  p = mad(p, z, -0x1.81273ep-2f);
  p = mad(p, z, 0x1.06eba8p-3f);
  // Of the smallest numbers the sum's first part would be subnormal, which may be flushed; here stands 2/sqrt(pi).
  return fabs(x) < 0x1p-60f ? 0x1.20dd76p+0f * x : mad(p, x, x);
}

// erfc(x) for x >= 1/2: e^(-x*x) / (1 + 2x) times a slowly changing factor. The square is taken with its rounding error, which the
// exponential would magnify.
static float large_erfc(float x) {
  float size = x > 10.3f ? 10.3f : x;
  float q = (size - 4.0f) / (size + 4.0f);
  float p = mad(0x1.61a762p-8f, q, -0x1.0cf29p-6f);
  p = mad(p, q, 0x1.2ed228p-5f);
  p = mad(p, q, -0x1.0fc4b6p-4f);
  p = mad(p, q, 0x1.800eb4p-4f);
  p = mad(p, q, -0x1.9dce2p-4f);
  p = mad(p, q, 0x1.16eb6ap-4f);
  p = mad(p, q, 0x1.f7ebp-7f);
  p = mad(p, q, -0x1.1df1acp-3f);
  p = mad(p, q, 0x1.3ba592p+0f);
  float2 square = two_product(size, size);
  float factor = p / mad(2.0f, size, 1.0f);
  factor = mad(-square.y, factor, factor);
  // e^(-x*x) is normal wherever the result is.
  return exp_times(-square.x, 0.0f) * factor;
}

float __millrace_erf_f32(float x) {
  float size = fabs(x);
  float result = size <= 1.0f ? small_erf(x) : copysign(size < 4.0f ? 1.0f - large_erfc(size) : 1.0f, x);
  return isnan(x) ? x : result;
}

float __millrace_erfc_f32(float x) {
  float size = fabs(x);
  float large = size < 0.5f ? 0.5f : large_erfc(size);
  float result = size < 0.5f ? 1.0f - small_erf(x) : (signbit(x) ? 2.0f - large : large);
  return isnan(x) ? x : result;
}

// Stirling's series: the logarithm to base 2 of gamma(x + x_low) as a pair, for 4 <= x <= 2^60.
static float2 stirling(float x, float x_low) {
  float2 l = log2_of(x);
  float inverse = 1.0f / x;
  float z = inverse * inverse;
  float series = mad(mad(mad(-1.0f / 1680.0f, z, 1.0f / 1260.0f), z, -1.0f / 360.0f), z, 1.0f / 12.0f) * inverse;
  // (x - 1/2) log2(x) - x / ln2 + log2(2 pi)/2
  float2 first = two_product(x - 0.5f, l.x);
  float2 second = two_product(x, -0x1.715476p+0f);
  float2 sum = two_sum(first.x, second.x);
  float2 all = two_sum(sum.x, 0x1.53643ap+0f);
  // The derivative of log(gamma) is nearly log(x) - 1/(2 x).
  float slope = l.x - 0.72134752f * inverse;
  float low = ((sum.y + all.y) + (first.y + second.y)) + ((x - 0.5f) * l.y + x * -0x1.4ae0cp-26f);
  low += mad(series, 1.44269504f, mad(slope, x_low, -0x1.6ce442p-26f));
  return quick_sum(all.x, low);
}

// The logarithm to base 2 of gamma(x) times the product, for x > 0; the product is 1 from 4 up.
static float2 log2_gamma(float x, float *product) {
  // x (x + 1) (x + 2) (x + 3)
  float part = x * (x + 3.0f);
  float2 moved = x < 4.0f ? two_sum(x, 4.0f) : (float2)(x, 0.0f);
  *product = x < 4.0f ? part * (part + 2.0f) : 1.0f;
  return stirling(moved.x, moved.y);
}

float __millrace_tgamma_f32(float x) {
  float size = fabs(x);
  float within = size > 200.0f ? 200.5f : (size < 0x1p-26f ? 1.0f : size);
  float product;
  float2 l = log2_gamma(within, &product);
  float result = exp2_of(l.x, l.y) / product;
  if (x < 0.0f) {
    // gamma(-x) gamma(x) = -pi / (x sin(pi x)). Its inverse is taken larger by 2^24, as it would lose bits below the normal numbers.
    float sine = __millrace_sinpi_f32(size);
    float2 raised = two_sum(24.0f, -l.x);
    float inverse = exp2_of(raised.x, raised.y - l.y) * product;
    result = -3.14159265f * inverse / (within * sine) * 0x1p-24f;
    result = x == trunc(x) ? NAN : result;
  }
  result = size > 200.0f && x > 0.0f ? INFINITY : result;
  result = size < 0x1p-26f ? 1.0f / x : result;
  return isnan(x) ? x : result;
}

// log(gamma(2 + t)) / t for |t| <= 1/2.
static float around_two(float t) {
  float p = mad(0x1.0ceea6p-14f, t, -0x1.3d031ep-12f);
  p = mad(p, t, 0x1.17b1fp-11f);
  p = mad(p, t, -0x1.2fbadcp-10f);
  p = mad(p, t, 0x1.7a4562p-9f);
  p = mad(p, t, -0x1.e464ccp-8f);
  p = mad(p, t, 0x1.513368p-6f);
  p = mad(p, t, -0x1.13df9ep-4f);
  p = mad(p, t, 0x1.4a34ccp-2f);
  return mad(p, t, 0x1.b0ee6p-2f);
}

static float log_of_size(float x) {
  float2 parts = split(x);
  return log_of(parts.x, parts.y, 0.0f);
}

// log(gamma(x)) for x > 0.
static float positive_lgamma(float x) {
  if (x > 0x1p+50f) return x * (log_of_size(x) - 1.0f);
  if (x >= 4.0f) {
    float2 l = stirling(x, 0.0f);
    return mad(l.x, 0x1.62e43p-1f, mad(l.x, -0x1.05c61p-29f, l.y * 0x1.62e43p-1f));
  }
  // gamma(x) is gamma(2 + t), with |t| <= 1/2, times or by a product that is known.
  float n = rint(x) - 2.0f;
  float t = x - rint(x);
  float near = t * around_two(t);
  if (n == -2.0f) return near - log_of_size(x) - log_of(x < 0.41f ? x : 0.5f * (1.0f + x) - 1.0f, x < 0.41f ? 0.0f : 1.0f, 0.0f);
  if (n == -1.0f) {
    float2 parts = split(x);
    return near - log_of(t > -0.29f && t < 0.41f ? t : parts.x, t > -0.29f && t < 0.41f ? 0.0f : parts.y, 0.0f);
  }
  float product = n == 0.0f ? 1.0f : (n == 1.0f ? x - 1.0f : (x - 1.0f) * (x - 2.0f));
  return n == 0.0f ? near : near + log_of_size(product);
}

float __millrace_lgamma_f32(float x) {
  float size = fabs(x);
  bool tiny = size < 0x1p-26f;
  float result = positive_lgamma(tiny ? 1.0f : size);
  if (x < 0.0f) {
    float sine = fabs(__millrace_sinpi_f32(size));
    float other = log_of_size(3.14159265f / (tiny ? 1.0f : size * sine)) - result;
    result = x == trunc(x) ? INFINITY : other;
  }
  result = tiny ? -log_of_size(size) : result;
  result = size == 0.0f || size == INFINITY ? INFINITY : result;
  return isnan(x) ? x : result;
}

// The sign of gamma(x); it is the zero's own at a zero and 1 at the other poles.
int __millrace_lgamma_sign_f32(float x) {
  if ((as_uint(x) << 1) == 0) return signbit(x) ? -1 : 1;
  float below = floor(x);
  bool odd = trunc(0.5f * below) * 2.0f != below;
  return x < 0.0f && x != below && odd ? -1 : 1;
}
