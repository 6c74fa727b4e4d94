// Sums and products of doubles with the rounding error beside the result: a pair (high, low) that stands for the
// unrounded high + low. There is no fused multiply-add here, so products split their factors.

double2 __millrace_two_sum_f64(double a, double b) {
  double sum = a + b;
  double part = sum - a;
  return (double2)(sum, (a - (sum - part)) + (b - part));
}

double2 __millrace_two_product_f64(double a, double b) {
  double product = a * b;
  double a_high = as_double(as_long(a) & 0xfffffffff8000000L);
  double b_high = as_double(as_long(b) & 0xfffffffff8000000L);
  double a_low = a - a_high;
  double b_low = b - b_high;
  double error = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low;
  return (double2)(product, error);
}

double2 __millrace_pair_product_f64(double2 a, double2 b) {
  double2 product = __millrace_two_product_f64(a.x, b.x);
  double low = product.y + (a.x * b.y + a.y * b.x);
  return __millrace_two_sum_f64(product.x, low);
}

double2 __millrace_pair_sum_f64(double2 a, double2 b) {
  double2 sum = __millrace_two_sum_f64(a.x, b.x);
  return __millrace_two_sum_f64(sum.x, sum.y + (a.y + b.y));
}
