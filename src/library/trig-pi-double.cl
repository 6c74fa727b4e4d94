// The trigonometric functions in half turns, of double: sinpi(x) is sin(pi x). The nearest quarter turn is taken off x
// without error; what is left becomes an angle as a pair. Below 2 ulp (tanpi: 3).

double2 __millrace_two_product_f64(double a, double b);
double __millrace_sin_part_f64(double x, double low);
double __millrace_cos_part_f64(double x, double low);
double __millrace_asin_f64(double x);
double __millrace_acos_f64(double x);
double __millrace_atan_f64(double x);
double __millrace_atan2_f64(double y, double x);

// The angle as a pair and the number of quarter turns taken off, modulo 4, for a size >= 0.
static double4 reduce(double size) {
  double within = size - 2.0 * trunc(size * 0.5);
  double n = rint(2.0 * within);
  double rest = within - 0.5 * n;
  double2 angle = __millrace_two_product_f64(rest, 3.141592653589793);
  return (double4)(angle.x, angle.y + rest * 1.2246467991473532e-16, n, 0.0);
}

double __millrace_sinpi_f64(double x) {
  double size = fabs(x);
  if (size < 0x1p-30) return x * 3.141592653589793;
  if (!(size < INFINITY)) return NAN;
  double4 reduced = reduce(size);
  int n = (int)reduced.z;
  double result = n & 1 ? __millrace_cos_part_f64(reduced.x, reduced.y)
                        : __millrace_sin_part_f64(reduced.x, reduced.y);
  result = (n & 2) && result != 0.0 ? -result : result;
  return signbit(x) ? -result : result;
}

double __millrace_cospi_f64(double x) {
  double size = fabs(x);
  if (!(size < INFINITY)) return NAN;
  double4 reduced = reduce(size);
  int n = (int)reduced.z;
  double result = n & 1 ? __millrace_sin_part_f64(reduced.x, reduced.y)
                        : __millrace_cos_part_f64(reduced.x, reduced.y);
  return ((n + 1) & 2) && result != 0.0 ? -result : result;
}

// At whole numbers zero and at halves infinite, with the sign of the side that comes first.
double __millrace_tanpi_f64(double x) {
  double size = fabs(x);
  if (size < 0x1p-30) return x * 3.141592653589793;
  if (!(size < INFINITY)) return NAN;
  double4 reduced = reduce(size);
  int n = (int)reduced.z;
  double s = __millrace_sin_part_f64(reduced.x, reduced.y);
  double c = __millrace_cos_part_f64(reduced.x, reduced.y);
  double result = n & 1 ? -c / s : s / c;
  if (reduced.x == 0.0) {
    double pole = n & 1 ? INFINITY : 0.0;
    result = n == 2 || n == 3 ? -pole : pole;
  }
  return signbit(x) ? -result : result;
}

// The double nearest to pi divides its own quarters without a rest, so that 1/2 and its like come out exactly.
double __millrace_asinpi_f64(double x) { return __millrace_asin_f64(x) / 3.141592653589793; }
double __millrace_acospi_f64(double x) { return __millrace_acos_f64(x) / 3.141592653589793; }
double __millrace_atanpi_f64(double x) { return __millrace_atan_f64(x) / 3.141592653589793; }
double __millrace_atan2pi_f64(double y, double x) { return __millrace_atan2_f64(y, x) / 3.141592653589793; }
