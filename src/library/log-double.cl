// log, log2 and log10 of double, and the logarithm as a pair (high, low) of about 64 bits, which pow needs too.

double2 __millrace_two_sum_f64(double a, double b);
double2 __millrace_two_product_f64(double a, double b);
double2 __millrace_pair_product_f64(double2 a, double2 b);
double2 __millrace_pair_sum_f64(double2 a, double2 b);

// m - 1 and k where x = 2^k m, for x > 0; sqrt(1/2) <= m < sqrt(2).
static double2 split(double x) {
  double shift = x < 0x1p-1022 ? -54.0 : 0.0;
  ulong bits = as_ulong(x < 0x1p-1022 ? x * 0x1p54 : x) + (0x3ff0000000000000UL - 0x3fe6a09e667f3bcdUL);
  double k = (double)((int)(bits >> 52) - 1023) + shift;
  return (double2)(as_double((bits & 0xfffffffffffffUL) + 0x3fe6a09e667f3bcdUL) - 1.0, k);
}

// log(1 + f) as a pair: 2 atanh(s) with s = f / (2 + f), its first two terms computed as pairs.
static double2 log_of_part(double f) {
  double2 d = __millrace_two_sum_f64(2.0, f);
  double s = f / d.x;
  double2 back = __millrace_two_product_f64(s, d.x);
  double s_low = (((f - back.x) - back.y) - s * d.y) / d.x;
  double2 pair = (double2)(s, s_low);
  double2 z = __millrace_pair_product_f64(pair, pair);
  double t = z.x;
  double p = 1.0 / 27.0;
  p = p * t + 1.0 / 25.0;
  p = p * t + 1.0 / 23.0;
  p = p * t + 1.0 / 21.0;
  p = p * t + 1.0 / 19.0;
  p = p * t + 1.0 / 17.0;
  p = p * t + 1.0 / 15.0;
  p = p * t + 1.0 / 13.0;
  p = p * t + 1.0 / 11.0;
  p = p * t + 1.0 / 9.0;
  p = p * t + 1.0 / 7.0;
  p = p * t + 0.2;
  double2 third = __millrace_two_sum_f64(1.0 / 3.0, p * t);
  third.y += 1.850371707708594e-17;
  double2 rest = __millrace_pair_product_f64(__millrace_pair_product_f64(z, third), pair);
  return 2.0 * __millrace_pair_sum_f64(pair, rest);
}

// log(x) for x > 0 and finite.
double2 __millrace_log_pair_f64(double x) {
  double2 parts = split(x);
  double k = parts.y;
  // The first part of ln2 has 33 bits: its product with k is exact.
  double2 base = __millrace_two_sum_f64(k * 6.93147180369123816490e-01, k * 1.90821492927058770002e-10);
  return __millrace_pair_sum_f64(base, log_of_part(parts.x));
}

// What the logarithms have in common at zero, below it, at infinity and NaN.
static double special(double x, double result) {
  result = x < INFINITY ? result : x;
  result = x == 0.0 ? -INFINITY : result;
  return x < 0.0 ? NAN : result;
}

double __millrace_log_f64(double x) {
  double2 parts = split(x);
  double f = parts.x;
  double k = parts.y;
  double s = f / (2.0 + f);
  double z = s * s;
  double p = 1.479819860511658591e-01;
  p = p * z + 1.531383769920937332e-01;
  p = p * z + 1.818357216161805012e-01;
  p = p * z + 2.222219843214978396e-01;
  p = p * z + 2.857142874366239149e-01;
  p = p * z + 3.999999999940941908e-01;
  p = p * z + 6.666666666666735130e-01;
  double half_square = 0.5 * f * f;
  double tail = s * (half_square + p * z) + k * 1.90821492927058770002e-10;
  return special(x, k * 6.93147180369123816490e-01 - ((half_square - tail) - f));
}

double __millrace_log2_f64(double x) {
  double2 parts = split(x);
  double2 inverse = (double2)(1.4426950408889634, 2.0355273740931033e-17);
  double2 fraction = __millrace_pair_product_f64(log_of_part(parts.x), inverse);
  double2 sum = __millrace_two_sum_f64(parts.y, fraction.x);
  return special(x, sum.x + (sum.y + fraction.y));
}

double __millrace_log10_f64(double x) {
  double2 inverse = (double2)(0.4342944819032518, 1.098319650216765e-17);
  double2 product = __millrace_pair_product_f64(__millrace_log_pair_f64(x), inverse);
  return special(x, product.x + product.y);
}
