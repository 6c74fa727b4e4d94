// erf, erfc, tgamma, lgamma and lgamma_r of float, in double.

double __millrace_erf_f64(double x);
double __millrace_erfc_f64(double x);
double __millrace_tgamma_f64(double x);
double __millrace_lgamma_f64(double x);
int __millrace_lgamma_sign_f64(double x);

float __millrace_erf_f32(float x) { return (float)__millrace_erf_f64(x); }
float __millrace_erfc_f32(float x) { return (float)__millrace_erfc_f64(x); }
float __millrace_tgamma_f32(float x) { return (float)__millrace_tgamma_f64(x); }
float __millrace_lgamma_f32(float x) { return (float)__millrace_lgamma_f64(x); }
int __millrace_lgamma_sign_f32(float x) { return __millrace_lgamma_sign_f64(x); }
