// remainder, remquo and nextafter of double, and logb: exact work on the bits.

int __millrace_ilogb_f64(double x);
double __millrace_ldexp_f64(double x, int n);

static ulong significand(double size) {
  ulong bits = as_ulong(size);
  ulong hidden = 0x10000000000000UL;
  return (bits & (hidden - 1)) | (bits >= hidden ? hidden : 0UL);
}

static bool divides(double x, double y) { return fabs(x) < INFINITY && y != 0.0 && !isnan(y); }

// The remainder of |x| by |y| to the nearest whole quotient, with its sign for positive x; and the last 7 bits of the
// quotient. Both finite; long division, at most 9 bits of the quotient at a time.
static double2 divide(double x, double y) {
  double a = fabs(x);
  double b = fabs(y);
  int from = max(__millrace_ilogb_f64(a), -1022);
  int to = max(__millrace_ilogb_f64(b), -1022);
  // Below half of |y| nothing is to be done.
  if (a == 0.0 || b == INFINITY || from < to - 1) return (double2)(a, 0.0);
  // Counted in halves of the last place of y, so that x may have the next smaller exponent.
  ulong divisor = significand(b) << 1;
  ulong rest = significand(a);
  ulong quotient = rest / divisor;
  rest = rest % divisor;
  for (int left = from - to + 1; left > 0; left -= 9) {
    int step = min(left, 9);
    ulong shifted = rest << step;
    quotient = (quotient << step) + shifted / divisor;
    rest = shifted % divisor;
  }
  bool up = 2 * rest > divisor || (2 * rest == divisor && (quotient & 1) != 0);
  double distance = up ? (double)(divisor - rest) : (double)rest;
  double result = __millrace_ldexp_f64(distance, to - 53);
  return (double2)(up ? -result : result, (double)((quotient + (up ? 1 : 0)) & 127));
}

double __millrace_remainder_f64(double x, double y) {
  if (!divides(x, y)) return NAN;
  double result = divide(x, y).x;
  // A zero has the sign of x.
  result = result == 0.0 ? 0.0 : result;
  return signbit(x) ? -result : result;
}

int __millrace_remquo_quotient_f64(double x, double y) {
  if (!divides(x, y)) return 0;
  int quotient = (int)divide(x, y).y;
  return signbit(x) != signbit(y) ? -quotient : quotient;
}

double __millrace_nextafter_f64(double x, double y) {
  if (isnan(x) || isnan(y)) return NAN;
  if (x == y) return y;
  if (x == 0.0) return copysign(0x1p-1074, y);
  // Of one sign, the bits count upwards with the size.
  return as_double(as_ulong(x) + ((x < y) == (x > 0.0) ? 1UL : -1UL));
}

double __millrace_logb_f64(double x) {
  double size = fabs(x);
  if (!(size < INFINITY)) return size;
  return x == 0.0 ? -INFINITY : (double)__millrace_ilogb_f64(x);
}
