// The trigonometric functions in half turns, of float: sinpi(x) is sin(pi x). The nearest quarter turn is taken off x without error; what
// is left becomes an angle. Below 3 ulp.
#include "../polynomials.h"

// The angle for a size >= 0, and the number of quarter turns taken off, modulo 4.
static float reduce(float size, int *n) {
  float within = size - 2.0f * trunc(size * 0.5f);
  float quarters = rint(2.0f * within);
  *n = (int)quarters;
  float rest = within - 0.5f * quarters;
  // pi in two parts.
  return rest * 0x1.921fb6p+1f + rest * -0x1.777a5cp-24f;
}

float __millrace_sinpi_f32(float x) {
  float size = fabs(x);
  int n;
  float r = reduce(size < INFINITY ? size : 0.0f, &n);
  float result = n & 1 ? cosine(r) : sine(r);
  result = (n & 2) && result != 0.0f ? -result : result;
  result = signbit(x) ? -result : result;
  return size < INFINITY ? result : NAN;
}

float __millrace_cospi_f32(float x) {
  float size = fabs(x);
  int n;
  float r = reduce(size < INFINITY ? size : 0.0f, &n);
  float result = n & 1 ? sine(r) : cosine(r);
  result = ((n + 1) & 2) && result != 0.0f ? -result : result;
  return size < INFINITY ? result : NAN;
}

// At whole numbers zero and at halves infinite, with the sign of the side that comes first.
float __millrace_tanpi_f32(float x) {
  float size = fabs(x);
  int n;
  float r = reduce(size < INFINITY ? size : 0.0f, &n);
  float s = sine(r);
  float c = cosine(r);
  float result = n & 1 ? -c / s : s / c;
  float pole = n & 1 ? INFINITY : 0.0f;
  result = r == 0.0f ? (n == 2 || n == 3 ? -pole : pole) : result;
  result = signbit(x) ? -result : result;
  return size < INFINITY ? result : NAN;
}
