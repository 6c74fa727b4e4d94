// ldexp, fmod, remainder and remquo of float: exact work on the bits, in words of 32 bits.
#include "pairs.h"

float __millrace_ldexp_f32(float x, int n) {
  int e;
  uint whole = significand(fabs(x), &e);
  float result = whole_times(max(whole, 1u), e + clamp(n, -400, 400));
  bool itself = whole == 0 || (as_uint(x) & 0x7fffffffu) >= 0x7f800000u;
  return itself ? x : copysign(result, x);
}

static bool divides(float x, float y) { return fabs(x) < INFINITY && (as_uint(y) << 1) != 0 && !isnan(y); }

float __millrace_fmod_f32(float x, float y) {
  if (!divides(x, y)) return NAN;
  float a = fabs(x);
  float b = fabs(y);
  if (as_uint(a) < as_uint(b)) return x;
  int from;
  int to;
  uint rest = significand(a, &from);
  uint divisor = significand(b, &to);
  rest = rest % divisor;
  for (int left = from - to; left > 0; left -= 8) rest = (rest << (uint)min(left, 8)) % divisor;
  return copysign(rest == 0 ? 0.0f : whole_times(rest, to), x);
}

// The remainder of |x| by |y| to the nearest whole quotient, with its sign for positive x, and the last 7 bits of the quotient.
static float divide(float x, float y, uint *quotient) {
  float a = fabs(x);
  float b = fabs(y);
  *quotient = 0;
  int from;
  int to;
  uint rest = significand(a, &from);
  uint divisor = significand(b, &to);
  // Below half of |y| nothing is to be done.
  if (rest == 0 || b == INFINITY || from < to - 1) return a;
  // Counted in halves of the last place of y, so that x may have the next smaller exponent.
  divisor <<= 1;
  uint whole = rest / divisor;
  rest = rest % divisor;
  for (int left = from - to + 1; left > 0; left -= 6) {
    uint step = (uint)min(left, 6);
    uint shifted = rest << step;
    whole = (whole << step) + shifted / divisor;
    rest = shifted % divisor;
  }
  bool up = 2 * rest > divisor || (2 * rest == divisor && (whole & 1) != 0);
  uint distance = up ? divisor - rest : rest;
  float result = distance == 0 ? 0.0f : whole_times(distance, to - 1);
  *quotient = (whole + (up ? 1 : 0)) & 127;
  return up ? -result : result;
}

float __millrace_remainder_f32(float x, float y) {
  if (!divides(x, y)) return NAN;
  uint quotient;
  float result = divide(x, y, &quotient);
  // A zero has the sign of x.
  result = (as_uint(result) << 1) == 0 ? 0.0f : result;
  return signbit(x) ? -result : result;
}

int __millrace_remquo_quotient_f32(float x, float y) {
  if (!divides(x, y)) return 0;
  uint quotient;
  divide(x, y, &quotient);
  return signbit(x) != signbit(y) ? -(int)quotient : (int)quotient;
}
