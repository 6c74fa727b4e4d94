// Polynomials of float that functions of both parts of the library have in common: those with doubles at hand, and those in float alone (single/).

// log(1 + f) - f + f*f/2
static float rest_of_log(float f) {
  float p = 7.0376836292e-2f;
  p = mad(p, f, -1.1514610310e-1f);
  p = mad(p, f, 1.1676998740e-1f);
  p = mad(p, f, -1.2420140846e-1f);
  p = mad(p, f, 1.4249322787e-1f);
  p = mad(p, f, -1.6668057665e-1f);
  p = mad(p, f, 2.0000714765e-1f);
  p = mad(p, f, -2.4999993993e-1f);
  p = mad(p, f, 3.3333331174e-1f);
  return p * f * (f * f);
}

// For |r| <= pi/4.
static float sine(float r) {
  float z = r * r;
  float p = mad(mad(-1.9515295891e-4f, z, 8.3321608736e-3f), z, -1.6666654611e-1f);
  return mad(p * z, r, r);
}

static float cosine(float r) {
  float z = r * r;
  float p = mad(mad(2.443315711809948e-5f, z, -1.388731625493765e-3f), z, 4.166664568298827e-2f);
  return mad(p * z, z, -0.5f * z) + 1.0f;
}
