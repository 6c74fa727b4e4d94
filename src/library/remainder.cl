// remainder, remquo, nextafter and logb of float. Remainders of floats are floats, so those of double serve.

double __millrace_remainder_f64(double x, double y);
int __millrace_remquo_quotient_f64(double x, double y);
int __millrace_ilogb_f32(float x);

float __millrace_remainder_f32(float x, float y) { return (float)__millrace_remainder_f64(x, y); }
int __millrace_remquo_quotient_f32(float x, float y) { return __millrace_remquo_quotient_f64(x, y); }

float __millrace_nextafter_f32(float x, float y) {
  if (isnan(x) || isnan(y)) return NAN;
  if (x == y) return y;
  if (x == 0.0f) return copysign(0x1p-149f, y);
  // Of one sign, the bits count upwards with the size.
  return as_float(as_uint(x) + ((x < y) == (x > 0.0f) ? 1u : -1u));
}

float __millrace_logb_f32(float x) {
  float size = fabs(x);
  if (!(size < INFINITY)) return size;
  return x == 0.0f ? -INFINITY : (float)__millrace_ilogb_f32(x);
}
