// cbrt and hypot of double.

double __millrace_cbrt_f64(double x) {
  double size = fabs(x);
  bool tiny = size < 0x1p-1022;
  double scaled = tiny ? size * 0x1p54 : size;
  // A third of the exponent is a first guess of 5 bits; a polynomial makes it 23.
  uint high = (uint)(as_ulong(scaled) >> 32) / 3 + (tiny ? 696219795u : 715094163u);
  double t = as_double((ulong)high << 32);
  double r = (t * t) * (t / size);
  t = t * ((1.87595182427177009643 + r * (-1.88497979543377169875 + r * 1.621429720105354466140)) +
           ((r * r) * r) * (-0.758397934778766047437 + r * 0.145996192886612446982));
  // Cut to so few bits that the square is exact, then one step of Newton's.
  t = as_double((as_ulong(t) + 0x80000000UL) & 0xffffffffc0000000UL);
  double quotient = size / (t * t);
  t = t + t * ((quotient - t) / (t + t + quotient));
  t = size == 0.0 || !(size < INFINITY) ? size : t;
  return copysign(t, x);
}

double __millrace_hypot_f64(double x, double y) {
  double larger = fmax(fabs(x), fabs(y));
  double smaller = fmin(fabs(x), fabs(y));
  // Scaled by a power of two, so that the squares neither overflow nor vanish.
  double scale = larger > 0x1p500 ? 0x1p-600 : (larger < 0x1p-480 ? 0x1p590 : 1.0);
  double a = larger * scale;
  double b = smaller * scale;
  double result = sqrt(a * a + b * b) / scale;
  result = isnan(x) || isnan(y) ? NAN : result;
  return isinf(x) || isinf(y) ? INFINITY : result;
}
