// tgamma, lgamma and lgamma_r of double: Stirling's series from 13 up; below, arguments are moved there (tgamma) or
// to around 2 (lgamma); negative ones are reflected. tgamma below 6 ulp.

double2 __millrace_two_sum_f64(double a, double b);
double2 __millrace_two_product_f64(double a, double b);
double2 __millrace_pair_product_f64(double2 a, double2 b);
double2 __millrace_pair_sum_f64(double2 a, double2 b);
double2 __millrace_log_pair_f64(double x);
double __millrace_log_f64(double x);
double __millrace_log1p_f64(double x);
double __millrace_exp_f64(double x);
double __millrace_sinpi_f64(double x);

// What Stirling's series adds: 1/(12 x) - 1/(360 x^3) + ...
static double stirling_rest(double x) {
  double r = 1.0 / x;
  double z = r * r;
  double p = 0.00641025641025641;
  p = p * z - 0.0019175269175269176;
  p = p * z + 0.0008417508417508417;
  p = p * z - 0.0005952380952380953;
  p = p * z + 0.0007936507936507937;
  p = p * z - 0.002777777777777778;
  p = p * z + 0.08333333333333333;
  return p * r;
}

// The logarithm of gamma(x) as a pair, for x of at least 13: (x - 1/2) log(x) - x + log(2 pi)/2 + ...
static double2 stirling(double x) {
  double2 product = __millrace_pair_product_f64(__millrace_two_sum_f64(x, -0.5), __millrace_log_pair_f64(x));
  double2 sum = __millrace_pair_sum_f64(product, (double2)(-x, 0.0));
  sum = __millrace_pair_sum_f64(sum, (double2)(0.9189385332046728, -3.878294158067242e-17));
  return __millrace_pair_sum_f64(sum, (double2)(stirling_rest(x), 0.0));
}

// gamma(x) for x > 0 as a product of two numbers, because it overflows before what needs it does.
static double2 gamma_halves(double x) {
  double moved = x;
  double lost = 0.0;
  double2 divisor = (double2)(1.0, 0.0);
  if (x < 13.0) {
    int steps = 13 - (int)x;
    for (int i = 0; i < steps; i++) {
      divisor = __millrace_pair_product_f64(divisor, __millrace_two_sum_f64(x, (double)i));
    }
    double2 sum = __millrace_two_sum_f64(x, (double)steps);
    moved = sum.x;
    lost = sum.y;
  }
  double2 logarithm = stirling(moved);
  // The derivative of log(gamma) is nearly log(x) - 1/(2 x).
  double low = logarithm.y + lost * (__millrace_log_f64(moved) - 0.5 / moved);
  double root = __millrace_exp_f64(0.5 * logarithm.x);
  return (double2)(root / divisor.x, root + root * (low - divisor.y / divisor.x));
}

double __millrace_tgamma_f64(double x) {
  double size = fabs(x);
  if (size < 0x1p-60) return 1.0 / x;
  if (!(size < 200.0)) {
    // Far to the left only the whole numbers are poles; the rest has vanished.
    bool whole = x == trunc(x);
    double sign = trunc(0.5 * floor(x)) * 2.0 == floor(x) ? 1.0 : -1.0;
    return x > 0.0 ? INFINITY : (whole || isnan(x) ? NAN : copysign(0.0, sign));
  }
  double2 halves = gamma_halves(size);
  if (x > 0.0) return halves.x * halves.y;
  if (x == trunc(x)) return NAN;
  // gamma(-x) gamma(x) = -pi / (x sin(pi x))
  double reflected = 3.141592653589793 / (size * __millrace_sinpi_f64(size));
  return -(reflected / halves.x) / halves.y;
}

// log(gamma(2 + t)) / t for |t| <= 1/2, a Chebyshev fit.
static double around_two(double t) {
  double p = 6.379047507619774e-08;
  p = p * t - 1.3412819758517287e-07;
  p = p * t + 2.0304806751615227e-07;
  p = p * t - 4.303558760359961e-07;
  p = p * t + 9.578663334114758e-07;
  p = p * t - 2.0449201467015115e-06;
  p = p * t + 4.374374916915131e-06;
  p = p * t - 9.438458716242811e-06;
  p = p * t + 2.050726741605779e-05;
  p = p * t - 4.4926351103833334e-05;
  p = p * t + 9.945750909889392e-05;
  p = p * t - 0.00022315475074520367;
  p = p * t + 0.0005096695248853096;
  p = p * t - 0.0011927539120010226;
  p = p * t + 0.002890510330738737;
  p = p * t - 0.0073855510286681535;
  p = p * t + 0.02058080842778457;
  p = p * t - 0.06735230105319814;
  p = p * t + 0.3224670334241132;
  p = p * t + 0.42278433509846713;
  return p;
}

// log(gamma(x)) for x > 0.
static double positive_lgamma(double x) {
  if (x >= 13.0) {
    // Beyond this the logarithm's small parts no longer count, and pairs could overflow.
    if (x >= 0x1p60) return x * (__millrace_log_f64(x) - 1.0);
    return stirling(x).x;
  }
  if (x < 0.5) return x * around_two(x) - __millrace_log1p_f64(x) - __millrace_log_f64(x);
  if (x < 1.5) return (x - 1.0) * around_two(x - 1.0) - __millrace_log1p_f64(x - 1.0);
  double product = 1.0;
  while (x > 2.5) {
    x -= 1.0;
    product *= x;
  }
  return (x - 2.0) * around_two(x - 2.0) + __millrace_log_f64(product);
}

double __millrace_lgamma_f64(double x) {
  double size = fabs(x);
  if (isnan(x)) return x;
  if (size == INFINITY) return INFINITY;
  if (size < 0x1p-60) return -__millrace_log_f64(size);
  double result = positive_lgamma(size);
  if (x > 0.0) return result;
  if (x == trunc(x)) return INFINITY;
  return __millrace_log_f64(3.141592653589793 / (size * fabs(__millrace_sinpi_f64(size)))) - result;
}

// The sign of gamma(x); it is the zero's own at a zero and 1 at the other poles.
int __millrace_lgamma_sign_f64(double x) {
  if (x == 0.0) return signbit(x) ? -1 : 1;
  double below = floor(x);
  bool odd = trunc(0.5 * below) * 2.0 != below;
  return x < 0.0 && x != below && odd ? -1 : 1;
}
