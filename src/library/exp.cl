// exp, exp2 and exp10 of float: 2^n times a polynomial on [-ln2/2, ln2/2]. Below 2 ulp.

// e^z for |z| <= ln2/2, times 2^n. Two factors, so that subnormal results are rounded once.
static float scaled_exp(float z, float n) {
  float p = 1.9875691500e-4f;
  p = p * z + 1.3981999507e-3f;
  p = p * z + 8.3334519073e-3f;
  p = p * z + 4.1665795894e-2f;
  p = p * z + 1.6666665459e-1f;
  p = p * z + 5.0000001201e-1f;
  p = p * (z * z) + z + 1.0f;
  int whole = (int)n;
  int half_n = whole >> 1;
  float first = as_float((half_n + 127) << 23);
  float second = as_float((whole - half_n + 127) << 23);
  return p * first * second;
}

// The bounds are beyond the last finite and the last nonzero result; NaN passes both comparisons.
static float between(float x, float low, float high) {
  x = x < low ? low : x;
  return x > high ? high : x;
}

float __millrace_exp_f32(float x) {
  x = between(x, -105.0f, 90.0f);
  float n = rint(x * 1.44269504f);
  float z = x - n * 0.693359375f;
  z = z + n * 2.12194440e-4f;
  return scaled_exp(z, n);
}

float __millrace_exp2_f32(float x) {
  x = between(x, -152.0f, 130.0f);
  float n = rint(x);
  return scaled_exp((x - n) * 0.693147181f, n);
}

float __millrace_exp10_f32(float x) {
  x = between(x, -46.0f, 39.0f);
  float n = rint(x * 3.32192809f);
  float r = x - n * 0.301025390625f;
  r = r - n * 4.60503898e-6f;
  return scaled_exp(r * 2.30258509f, n);
}
