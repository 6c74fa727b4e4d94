// pow, powr, pown and rootn of double: e^(y log x) with the logarithm as a pair, so that the product keeps enough bits.

double2 __millrace_log_pair_f64(double x);
double2 __millrace_two_sum_f64(double a, double b);
double2 __millrace_two_product_f64(double a, double b);
double __millrace_exp_f64(double x);

// size^y for size >= 0.
static double magnitude(double size, double y) {
  double2 logarithm = __millrace_log_pair_f64(size);
  logarithm = size < INFINITY ? logarithm : (double2)(INFINITY, 0.0);
  logarithm = size == 0.0 ? (double2)(-INFINITY, 0.0) : logarithm;
  double plain = y * logarithm.x;
  // Far outside the range of exp the exact product does not matter, and could be infinite.
  bool large = !(fabs(plain) < 1000.0);
  double2 product = __millrace_two_product_f64(large ? 0.0 : y, logarithm.x);
  double low = large ? 0.0 : product.y + y * logarithm.y;
  double e = __millrace_exp_f64(plain);
  return large || e == INFINITY ? e : e + e * low;
}

double __millrace_pow_f64(double x, double y) {
  double size = fabs(x);
  double result = magnitude(size, y);
  double whole = trunc(y);
  bool odd = y == whole && trunc(y * 0.5) * 2.0 != y;
  result = size == 1.0 ? 1.0 : result;
  result = signbit(x) && odd ? -result : result;
  result = x < 0.0 && x > -INFINITY && y != whole ? NAN : result;
  result = isnan(x) || isnan(y) ? NAN : result;
  return x == 1.0 || y == 0.0 ? 1.0 : result;
}

double __millrace_pown_f64(double x, int y) { return __millrace_pow_f64(x, (double)y); }

double __millrace_powr_f64(double x, double y) {
  double result = magnitude(fabs(x), y);
  return x < 0.0 || isnan(x) || isnan(y) ? NAN : result;
}

// The root of |x| is e^(log|x| / n), the quotient as a pair.
double __millrace_rootn_f64(double x, int n) {
  double size = fabs(x);
  double divisor = (double)n;
  bool odd = (n & 1) != 0;
  if (n == 0 || isnan(x) || (x < 0.0 && !odd)) return NAN;
  double2 logarithm = __millrace_log_pair_f64(size);
  double quotient = logarithm.x / divisor;
  double2 back = __millrace_two_product_f64(quotient, divisor);
  double low = ((logarithm.x - back.x) - back.y + logarithm.y) / divisor;
  double e = __millrace_exp_f64(quotient);
  double result = e == INFINITY ? e : e + e * low;
  result = size == 0.0 ? (n > 0 ? 0.0 : INFINITY) : result;
  result = size == INFINITY ? (n > 0 ? INFINITY : 0.0) : result;
  return odd ? copysign(result, x) : result;
}
