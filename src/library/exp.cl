// exp, exp2 and exp10 of float: 2^n times a polynomial on [-ln2/2, ln2/2]. Below 2 ulp.

// Adding this rounds to a whole number n, and leaves n + 254 in the last bits of the sum.
#define ANCHOR 0x1.8001fcp+23f

// e^z for |z| <= ln2/2, times 2^n for an anchored n. Two factors, so that subnormal results are rounded once.
static float scaled_exp(float z, float anchored) {
  float p = 1.9875691500e-4f;
  p = mad(p, z, 1.3981999507e-3f);
  p = mad(p, z, 8.3334519073e-3f);
  p = mad(p, z, 4.1665795894e-2f);
  p = mad(p, z, 1.6666665459e-1f);
  p = mad(p, z, 5.0000001201e-1f);
  p = mad(p, z * z, z) + 1.0f;
  uint both = as_uint(anchored);
  uint first = both >> 1;
  uint second = both - first;
  return p * as_float(first << 23) * as_float(second << 23);
}

// The bounds are beyond the last finite and the last nonzero result; NaN passes both comparisons.
static float between(float x, float low, float high) {
  x = x < low ? low : x;
  return x > high ? high : x;
}

float __millrace_exp_f32(float x) {
  x = between(x, -105.0f, 90.0f);
  float anchored = mad(x, 1.44269504f, ANCHOR);
  float n = anchored - ANCHOR;
  float z = mad(n, -0.693359375f, x);
  z = mad(n, 2.12194440e-4f, z);
  return scaled_exp(z, anchored);
}

float __millrace_exp2_f32(float x) {
  x = between(x, -152.0f, 130.0f);
  float anchored = x + ANCHOR;
  return scaled_exp((x - (anchored - ANCHOR)) * 0.693147181f, anchored);
}

float __millrace_exp10_f32(float x) {
  x = between(x, -46.0f, 39.0f);
  float anchored = mad(x, 3.32192809f, ANCHOR);
  float n = anchored - ANCHOR;
  float r = mad(n, -0.301025390625f, x);
  r = mad(n, -4.60503898e-6f, r);
  return scaled_exp(r * 2.30258509f, anchored);
}
