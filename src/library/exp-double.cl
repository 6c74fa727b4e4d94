// exp, exp2 and exp10 of double. Below 1 ulp (exp10: 2).

// e^(high + low) times 2^n for |high| <= ln2/2 and a small low.
static double scaled_exp(double high, double low, double n) {
  double z = high + low;
  double t = z * z;
  double c = -1.65339022054652515390e-06 + t * 4.13813679705723846039e-08;
  c = 6.61375632143793436117e-05 + t * c;
  c = -2.77777777770155933842e-03 + t * c;
  c = z - t * (1.66666666666666019037e-01 + t * c);
  double p = 1.0 + (((z * c) / (2.0 - c) + low) + high);
  int whole = (int)n;
  int half_n = whole >> 1;
  double first = as_double((long)(half_n + 1023) << 52);
  double second = as_double((long)(whole - half_n + 1023) << 52);
  return p * first * second;
}

static double between(double x, double low, double high) {
  x = x < low ? low : x;
  return x > high ? high : x;
}

double __millrace_exp_f64(double x) {
  x = between(x, -746.0, 710.0);
  double n = rint(x * 1.44269504088896338700);
  double high = x - n * 6.93147180369123816490e-01;
  return scaled_exp(high, n * -1.90821492927058770002e-10, n);
}

double __millrace_exp2_f64(double x) {
  x = between(x, -1076.0, 1025.0);
  double n = rint(x);
  double r = x - n;
  // ln2 in two parts; the first has so few bits that the product loses little.
  double head = as_double(as_long(r) & 0xfffffffff8000000L);
  double tail = r - head;
  double high = head * 0.6931471675634384;
  double low = tail * 0.6931471805599453 + head * 1.2996506893889889e-08;
  return scaled_exp(high, low, n);
}

double __millrace_exp10_f64(double x) {
  x = between(x, -325.0, 309.0);
  double n = rint(x * 3.32192809488736234787);
  // log10(2) in two parts, the first of 37 bits.
  double r = x - n * 0.30102999566224753;
  double rest = n * 1.7336659603752853e-12;
  double head = as_double(as_long(r) & 0xfffffffff8000000L);
  double tail = (r - head) - rest;
  double high = head * 2.3025850653648376;
  double low = tail * 2.302585092994046 + head * 2.7629208037533617e-08;
  return scaled_exp(high, low, n);
}
