// asin, acos, atan and atan2 of float, in double: one rounding is all that they lose.

double __millrace_asin_f64(double x);
double __millrace_acos_f64(double x);
double __millrace_atan_f64(double x);
double __millrace_atan2_f64(double y, double x);

float __millrace_asin_f32(float x) { return (float)__millrace_asin_f64(x); }
float __millrace_acos_f32(float x) { return (float)__millrace_acos_f64(x); }
float __millrace_atan_f32(float x) { return (float)__millrace_atan_f64(x); }
float __millrace_atan2_f32(float y, float x) { return (float)__millrace_atan2_f64(y, x); }
