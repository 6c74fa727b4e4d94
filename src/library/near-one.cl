// expm1, log1p, asinh, acosh and atanh of float, in double.

double __millrace_expm1_f64(double x);
double __millrace_log1p_f64(double x);
double __millrace_asinh_f64(double x);
double __millrace_acosh_f64(double x);
double __millrace_atanh_f64(double x);

float __millrace_expm1_f32(float x) { return (float)__millrace_expm1_f64(x); }
float __millrace_log1p_f32(float x) { return (float)__millrace_log1p_f64(x); }
float __millrace_asinh_f32(float x) { return (float)__millrace_asinh_f64(x); }
float __millrace_acosh_f32(float x) { return (float)__millrace_acosh_f64(x); }
float __millrace_atanh_f32(float x) { return (float)__millrace_atanh_f64(x); }
