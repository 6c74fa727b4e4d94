// sinh, cosh and tanh of float, in double.

double __millrace_sinh_f64(double x);
double __millrace_cosh_f64(double x);
double __millrace_tanh_f64(double x);

float __millrace_sinh_f32(float x) { return (float)__millrace_sinh_f64(x); }
float __millrace_cosh_f32(float x) { return (float)__millrace_cosh_f64(x); }
float __millrace_tanh_f32(float x) { return (float)__millrace_tanh_f64(x); }
