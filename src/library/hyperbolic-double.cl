// sinh, cosh and tanh of double. Below 3 ulp.

double __millrace_exp_f64(double x);

// The power series of sinh, for |x| <= 1.
static double small_sinh(double x) {
  double z = x * x;
  double p = 1.0 / 355687428096000.0;
  p = p * z + 1.0 / 1307674368000.0;
  p = p * z + 1.0 / 6227020800.0;
  p = p * z + 1.0 / 39916800.0;
  p = p * z + 1.0 / 362880.0;
  p = p * z + 1.0 / 5040.0;
  p = p * z + 1.0 / 120.0;
  p = p * z + 1.0 / 6.0;
  return x + x * (z * p);
}

// e^size / 2 with no overflow before the result has one.
static double half_exp(double size) {
  double root = __millrace_exp_f64(0.5 * size);
  return (0.5 * root) * root;
}

double __millrace_sinh_f64(double x) {
  double size = fabs(x);
  if (size <= 1.0) return small_sinh(x);
  double e = __millrace_exp_f64(size);
  double result = size > 700.0 ? half_exp(size) : 0.5 * (e - 1.0 / e);
  return copysign(result, x);
}

double __millrace_cosh_f64(double x) {
  double size = fabs(x);
  double e = __millrace_exp_f64(size);
  return size > 700.0 ? half_exp(size) : 0.5 * (e + 1.0 / e);
}

double __millrace_tanh_f64(double x) {
  double size = fabs(x);
  if (size <= 1.0) return small_sinh(x) / __millrace_cosh_f64(size);
  double e = __millrace_exp_f64(2.0 * size);
  return copysign(1.0 - 2.0 / (e + 1.0), x);
}
