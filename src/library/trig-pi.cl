// The trigonometric functions in half turns, of float, in double.

double __millrace_sinpi_f64(double x);
double __millrace_cospi_f64(double x);
double __millrace_tanpi_f64(double x);
double __millrace_asinpi_f64(double x);
double __millrace_acospi_f64(double x);
double __millrace_atanpi_f64(double x);
double __millrace_atan2pi_f64(double y, double x);

float __millrace_sinpi_f32(float x) { return (float)__millrace_sinpi_f64(x); }
float __millrace_cospi_f32(float x) { return (float)__millrace_cospi_f64(x); }
float __millrace_tanpi_f32(float x) { return (float)__millrace_tanpi_f64(x); }
float __millrace_asinpi_f32(float x) { return (float)__millrace_asinpi_f64(x); }
float __millrace_acospi_f32(float x) { return (float)__millrace_acospi_f64(x); }
float __millrace_atanpi_f32(float x) { return (float)__millrace_atanpi_f64(x); }
float __millrace_atan2pi_f32(float y, float x) { return (float)__millrace_atan2pi_f64(y, x); }
