// sin, cos and tan of double: x = n pi/2 + r, where r has a second part for its low bits. Below 1 ulp (tan: 3).

double2 __millrace_two_sum_f64(double a, double b);
double2 __millrace_two_product_f64(double a, double b);

// The first bits of 2/pi after 64 zeros.
__constant ulong two_over_pi_64[21] = {
    0UL, 0xa2f9836e4e441529UL, 0xfc2757d1f534ddc0UL, 0xdb6295993c439041UL, 0xfe5163abdebbc561UL,
    0xb7246e3a424dd2e0UL, 0x06492eea09d1921cUL, 0xfe1deb1cb129a73eUL, 0xe88235f52ebb4484UL,
    0xe99c7026b45f7e41UL, 0x3991d639835339f4UL, 0x9c845f8bbdf9283bUL, 0x1ff897ffde05980fUL,
    0xef2f118b5a0a6d1fUL, 0x6d367ecf27cb09b7UL, 0x4f463f669e5fea2dUL, 0x7527bac7ebe5f17bUL,
    0x3d0739f78a5292eaUL, 0x6bfb5fb11f8d5d08UL, 0x56033046fc7b6babUL, 0xf0cfbc209af4361dUL};

// r as a pair, and n modulo 4 as z.
static double4 reduce_large(double x) {
  ulong bits = as_ulong(x);
  int exponent = (int)((bits >> 52) & 2047) - 1075;
  ulong mantissa = (bits & 0xfffffffffffffUL) | 0x10000000000000UL;
  uint start = (uint)(exponent + 62);
  uint word = min(start >> 6, 17u);
  uint shift = start & 63;
  ulong a = two_over_pi_64[word];
  ulong b = two_over_pi_64[word + 1];
  ulong c = two_over_pi_64[word + 2];
  ulong d = two_over_pi_64[word + 3];
  ulong first = shift == 0 ? a : (a << shift) | (b >> (64 - shift));
  ulong second = shift == 0 ? b : (b << shift) | (c >> (64 - shift));
  ulong third = shift == 0 ? c : (c << shift) | (d >> (64 - shift));
  // The product in quarter turns, 128 bits of it: two before the point.
  ulong carried = mul_hi(mantissa, third);
  ulong low = mantissa * second + carried;
  ulong high = mantissa * first + mul_hi(mantissa, second) + (low < carried ? 1UL : 0UL);
  int n = (int)((high + (1UL << 61)) >> 62);
  high = (high << 2) | (low >> 62);
  low <<= 2;
  bool above = (high >> 63) != 0;
  // The distance to the nearest whole quarter turn, without its sign, its first bit moved to the top.
  high = above ? ~high : high;
  low = above ? ~low : low;
  int zeros = (int)clz(high);
  ulong top = zeros == 0 ? high : (high << zeros) | (low >> (64 - zeros));
  ulong rest = low << zeros;
  double scale = as_double((long)(1023 - 53 - zeros) << 52);
  double turn = (double)(top >> 11);
  double turn_low = (double)(((top & 2047) << 53) | (rest >> 11)) * 0x1p-64;
  double2 product = __millrace_two_product_f64(turn, 1.5707963267948966);
  double product_low = product.y + (turn * 6.123233995736766e-17 + turn_low * 1.5707963267948966);
  double2 r = __millrace_two_sum_f64(product.x, product_low) * scale;
  bool negative = x < 0.0;
  r = negative != above ? -r : r;
  n = negative ? 4 - n : n;
  return fabs(x) < INFINITY ? (double4)(r.x, r.y, (double)n, 0.0) : (double4)(NAN, NAN, 0.0, 0.0);
}

static double4 reduce(double x) {
  if (fabs(x) >= 1000000.0) return reduce_large(x);
  double n = rint(x * 0.63661977236758134308);
  // pi/2 in parts of 33 bits, so that their products with n are exact; e collects what the differences lose.
  double r = x - n * 1.57079632673412561417e+00;
  double part = n * 6.07710050630396597660e-11;
  double r1 = r - part;
  double e = (r - r1) - part;
  part = n * 2.02226624871116645580e-21;
  double r2 = r1 - part;
  e += (r1 - r2) - part;
  e -= n * 8.47842766036889956997e-32;
  double2 sum = __millrace_two_sum_f64(r2, e);
  return (double4)(sum.x, sum.y, n, 0.0);
}

// sin of the pair x + low, for |x| <= pi/4.
double __millrace_sin_part_f64(double x, double low) {
  double z = x * x;
  double p = -2.50507602534068634195e-08 + z * 1.58969099521155010221e-10;
  p = 2.75573137070700676789e-06 + z * p;
  p = -1.98412698298579493134e-04 + z * p;
  p = 8.33333333332248946124e-03 + z * p;
  double cube = z * x;
  return x - ((z * (0.5 * low - cube * p) - low) - cube * -1.66666666666666324348e-01);
}

// cos of the pair x + low, for |x| <= pi/4.
double __millrace_cos_part_f64(double x, double low) {
  double z = x * x;
  double p = 2.08757232129817482790e-09 + z * -1.13596475577881948265e-11;
  p = -2.75573143513906633035e-07 + z * p;
  p = 2.48015872894767294178e-05 + z * p;
  p = -1.38888888888741095749e-03 + z * p;
  p = 4.16666666666666019037e-02 + z * p;
  double half_z = 0.5 * z;
  double w = 1.0 - half_z;
  return w + (((1.0 - w) - half_z) + (z * (z * p) - x * low));
}

double __millrace_sin_f64(double x) {
  double4 reduced = reduce(x);
  int n = (int)reduced.z;
  double result = n & 1 ? __millrace_cos_part_f64(reduced.x, reduced.y) : __millrace_sin_part_f64(reduced.x, reduced.y);
  result = n & 2 ? -result : result;
  return fabs(x) < 0x1p-27 ? x : result;
}

double __millrace_cos_f64(double x) {
  double4 reduced = reduce(x);
  int n = (int)reduced.z;
  double result = n & 1 ? __millrace_sin_part_f64(reduced.x, reduced.y) : __millrace_cos_part_f64(reduced.x, reduced.y);
  return (n + 1) & 2 ? -result : result;
}

double __millrace_tan_f64(double x) {
  double4 reduced = reduce(x);
  double s = __millrace_sin_part_f64(reduced.x, reduced.y);
  double c = __millrace_cos_part_f64(reduced.x, reduced.y);
  bool odd = ((int)reduced.z & 1) != 0;
  double result = (odd ? -c : s) / (odd ? s : c);
  return fabs(x) < 0x1p-27 ? x : result;
}
