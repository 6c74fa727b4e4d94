// pow, powr, pown and rootn of float, in double: 2^(y log2 x) with some forty good bits. Below 1 ulp.

static double log2_of(double x) {
  ulong bits = as_ulong(x) + (0x3ff0000000000000UL - 0x3fe6a09e667f3bcdUL);
  // The exponent as the last bits of 2^52.
  double k = as_double(bits >> 52 | 0x4330000000000000UL) - (0x1p52 + 1023.0);
  double f = as_double((bits & 0xfffffffffffffUL) + 0x3fe6a09e667f3bcdUL) - 1.0;
  double s = f / (2.0 + f);
  double z = s * s;
  double p = 1.0 / 17.0;
  p = mad(p, z, 1.0 / 15.0);
  p = mad(p, z, 1.0 / 13.0);
  p = mad(p, z, 1.0 / 11.0);
  p = mad(p, z, 1.0 / 9.0);
  p = mad(p, z, 1.0 / 7.0);
  p = mad(p, z, 1.0 / 5.0);
  p = mad(p, z, 1.0 / 3.0);
  double result = k + (s + s * (p * z)) * 2.8853900817779268;
  result = x < INFINITY ? result : x;
  return x == 0.0 ? -INFINITY : result;
}

static double exp2_of(double x) {
  x = x < -200.0 ? -200.0 : x;
  x = x > 200.0 ? 200.0 : x;
  // Adding this rounds to a whole number n, and leaves n + 1023 in the last bits of the sum.
  const double anchor = 0x1.8p+52 + 1023.0;
  double anchored = x + anchor;
  double z = (x - (anchored - anchor)) * 0.6931471805599453;
  double p = 1.0 / 3628800.0;
  p = mad(p, z, 1.0 / 362880.0);
  p = mad(p, z, 1.0 / 40320.0);
  p = mad(p, z, 1.0 / 5040.0);
  p = mad(p, z, 1.0 / 720.0);
  p = mad(p, z, 1.0 / 120.0);
  p = mad(p, z, 1.0 / 24.0);
  p = mad(p, z, 1.0 / 6.0);
  p = mad(p, z, 0.5);
  p = mad(p, z, 1.0);
  p = mad(p, z, 1.0);
  return p * as_double(as_ulong(anchored) << 52);
}

// x^y with x a float; y may be any double.
static float power(float x, double y) {
  double size = fabs((double)x);
  double result = exp2_of(y * log2_of(size));
  double whole = trunc(y);
  bool odd = y == whole && trunc(y * 0.5) * 2.0 != y;
  result = size == 1.0 ? 1.0 : result;
  result = signbit(x) && odd ? -result : result;
  result = x < 0.0f && x > -INFINITY && y != whole ? NAN : result;
  result = isnan(x) || isnan(y) ? NAN : result;
  return x == 1.0f || y == 0.0 ? 1.0f : (float)result;
}

float __millrace_pow_f32(float x, float y) { return power(x, (double)y); }

float __millrace_pown_f32(float x, int y) { return power(x, (double)y); }

float __millrace_powr_f32(float x, float y) {
  float result = (float)exp2_of((double)y * log2_of(fabs((double)x)));
  return x < 0.0f || isnan(x) || isnan(y) ? NAN : result;
}

float __millrace_rootn_f32(float x, int n) {
  bool odd = (n & 1) != 0;
  if (n == 0 || isnan(x) || (x < 0.0f && !odd)) return NAN;
  float result = (float)exp2_of(log2_of(fabs((double)x)) / (double)n);
  return odd ? copysign(result, x) : result;
}
