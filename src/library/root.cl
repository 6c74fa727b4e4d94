// cbrt and hypot. float is computed in double.

double __millrace_cbrt_f64(double x);

float __millrace_cbrt_f32(float x) { return (float)__millrace_cbrt_f64(x); }

float __millrace_hypot_f32(float x, float y) {
  double a = x;
  double b = y;
  double result = sqrt(a * a + b * b);
  return isinf(x) || isinf(y) ? INFINITY : (float)result;
}
