// frexp, ldexp, ilogb and fmod of double: exact work on the bits.

// The position of the first bit of |x|, for x finite and not zero.
static int exponent_of(double x) {
  bool tiny = fabs(x) < 0x1p-1022;
  double lifted = tiny ? x * 0x1p54 : x;
  int exponent = (int)((as_ulong(lifted) >> 52) & 2047) - 1023;
  return tiny ? exponent - 54 : exponent;
}

int __millrace_ilogb_f64(double x) {
  int result = x == 0.0 ? FP_ILOGB0 : exponent_of(x);
  return fabs(x) < INFINITY ? result : FP_ILOGBNAN;
}

static bool has_parts(double x) { return x != 0.0 && fabs(x) < INFINITY; }

double __millrace_frexp_fraction_f64(double x) {
  double lifted = fabs(x) < 0x1p-1022 ? x * 0x1p54 : x;
  double fraction = as_double((as_ulong(lifted) & 0x800fffffffffffffUL) | 0x3fe0000000000000UL);
  return has_parts(x) ? fraction : x;
}

int __millrace_frexp_exponent_f64(double x) { return has_parts(x) ? exponent_of(x) + 1 : 0; }

static double power_of_two(int n) { return as_double((long)(n + 1023) << 52); }

// Three factors reach everywhere; on the way down only the last may round, so the first two keep it normal.
double __millrace_ldexp_f64(double x, int n) {
  int within = clamp(n, -2200, 2200);
  int first = clamp(within, -960, 1023);
  within -= first;
  int second = clamp(within, -960, 1023);
  within -= second;
  int third = clamp(within, -1022, 1023);
  double lifted = n < 0 && has_parts(x) ? __millrace_frexp_fraction_f64(x) : x;
  int lift = n < 0 && has_parts(x) ? __millrace_frexp_exponent_f64(x) : 0;
  // For n < 0 the fraction, in [1/2, 1), is brought to just above the subnormals in one exact step.
  int total = clamp(n, -4400, 4400) + lift;
  int exact = max(total, -1000);
  int rounding = max(total - exact, -1000);
  double down = lifted * power_of_two(exact / 2) * power_of_two(exact - exact / 2) * power_of_two(rounding);
  double up = x * power_of_two(first) * power_of_two(second) * power_of_two(third);
  return n < 0 ? down : up;
}

// The remainder of the significands after as many shifts as the exponents differ, up to 11 at a time.
double __millrace_fmod_f64(double x, double y) {
  double a = fabs(x);
  double b = fabs(y);
  if (!(a < INFINITY) || !(b > 0.0)) return NAN;
  if (a < b) return x;
  int from = max(exponent_of(a), -1022);
  int to = max(exponent_of(b), -1022);
  ulong a_bits = as_ulong(a);
  ulong b_bits = as_ulong(b);
  ulong hidden = 0x10000000000000UL;
  ulong rest = (a_bits & (hidden - 1)) | (a_bits >= hidden ? hidden : 0UL);
  ulong divisor = (b_bits & (hidden - 1)) | (b_bits >= hidden ? hidden : 0UL);
  rest = rest % divisor;
  for (int left = from - to; left > 0; left -= 11) rest = (rest << min(left, 11)) % divisor;
  double result = __millrace_ldexp_f64((double)rest, to - 52);
  return copysign(result, x);
}
