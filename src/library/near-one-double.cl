// expm1 and log1p of double, and the inverse hyperbolic functions that log1p makes. Below 3 ulp (log1p: 1).

double2 __millrace_two_sum_f64(double a, double b);
double2 __millrace_log_pair_f64(double x);
double __millrace_log_f64(double x);

// e^x - 1 for |x| <= 1/2: its power series.
static double small_expm1(double x) {
  double p = 1.0 / 20922789888000.0;
  p = p * x + 1.0 / 1307674368000.0;
  p = p * x + 1.0 / 87178291200.0;
  p = p * x + 1.0 / 6227020800.0;
  p = p * x + 1.0 / 479001600.0;
  p = p * x + 1.0 / 39916800.0;
  p = p * x + 1.0 / 3628800.0;
  p = p * x + 1.0 / 362880.0;
  p = p * x + 1.0 / 40320.0;
  p = p * x + 1.0 / 5040.0;
  p = p * x + 1.0 / 720.0;
  p = p * x + 1.0 / 120.0;
  p = p * x + 1.0 / 24.0;
  p = p * x + 1.0 / 6.0;
  p = p * x + 0.5;
  return x + x * x * p;
}

double __millrace_expm1_f64(double x) {
  if (fabs(x) <= 0.5) return fabs(x) < 0x1p-54 ? x : small_expm1(x);
  double within = x < -40.0 ? -40.0 : (x > 710.0 ? 710.0 : x);
  double n = rint(within * 1.44269504088896338700);
  // ln2 in two parts; the product with the first is exact.
  double high = within - n * 6.93147180369123816490e-01;
  double low = n * 1.90821492927058770002e-10;
  double r = high - low;
  double lost = (high - r) - low;
  double part = small_expm1(r);
  part = part + lost * (1.0 + part);
  // 2^n (1 + part) - 1; beyond 2^60 the 1 no longer counts, and 2^1024 needs two steps.
  int whole = (int)n;
  if (whole > 60) return (1.0 + part) * as_double((long)(whole - 1 + 1023) << 52) * 2.0;
  double scale = as_double((long)(whole + 1023) << 52);
  double result = scale * part + (scale - 1.0);
  return isnan(x) ? x : result;
}

// log(1 + x) from the rounded sum and what it lost.
double __millrace_log1p_f64(double x) {
  if (fabs(x) < 0x1p-54) return x;
  if (!(x > -1.0)) return x == -1.0 ? -INFINITY : NAN;
  if (x >= 0x1p60) return __millrace_log_f64(x);
  double2 sum = __millrace_two_sum_f64(1.0, x);
  double2 logarithm = __millrace_log_pair_f64(sum.x);
  return logarithm.x + (logarithm.y + sum.y / sum.x);
}

double __millrace_asinh_f64(double x) {
  double size = fabs(x);
  if (size < 0x1p-30) return x;
  double square = size * size;
  double result = size > 0x1p30 ? __millrace_log_f64(size) + 0.6931471805599453
                                : __millrace_log1p_f64(size + square / (1.0 + sqrt(1.0 + square)));
  return copysign(result, x);
}

double __millrace_acosh_f64(double x) {
  double t = x - 1.0;
  if (x < 1.0) return NAN;
  return x > 0x1p30 ? __millrace_log_f64(x) + 0.6931471805599453 : __millrace_log1p_f64(t + sqrt(t * (2.0 + t)));
}

double __millrace_atanh_f64(double x) {
  double size = fabs(x);
  if (size < 0x1p-30) return x;
  double twice = 2.0 * size;
  double t = size < 0.5 ? twice + twice * size / (1.0 - size) : twice / (1.0 - size);
  return copysign(0.5 * __millrace_log1p_f64(t), x);
}
