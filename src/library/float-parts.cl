// frexp, ldexp, ilogb and fmod of float: exact work on the bits.

// The position of the first bit of |x|, for x finite and not zero.
static int exponent_of(float x) {
  float lifted = fabs(x) < 0x1p-126f ? x * 0x1p25f : x;
  int exponent = (int)((as_uint(lifted) >> 23) & 255) - 127;
  return fabs(x) < 0x1p-126f ? exponent - 25 : exponent;
}

int __millrace_ilogb_f32(float x) {
  int result = x == 0.0f ? FP_ILOGB0 : exponent_of(x);
  return fabs(x) < INFINITY ? result : FP_ILOGBNAN;
}

static bool has_parts(float x) { return x != 0.0f && fabs(x) < INFINITY; }

float __millrace_frexp_fraction_f32(float x) {
  float lifted = fabs(x) < 0x1p-126f ? x * 0x1p25f : x;
  float fraction = as_float((as_uint(lifted) & 0x807fffffu) | 0x3f000000u);
  return has_parts(x) ? fraction : x;
}

int __millrace_frexp_exponent_f32(float x) { return has_parts(x) ? exponent_of(x) + 1 : 0; }

float __millrace_ldexp_f32(float x, int n) {
  int within = clamp(n, -400, 400);
  return (float)((double)x * as_double((long)(within + 1023) << 52));
}

// The remainder of the significands after as many shifts as the exponents differ, up to 32 at a time.
float __millrace_fmod_f32(float x, float y) {
  float a = fabs(x);
  float b = fabs(y);
  if (!(a < INFINITY) || !(b > 0.0f)) return NAN;
  if (a < b) return x;
  int from = max(exponent_of(a), -126);
  int to = max(exponent_of(b), -126);
  uint a_bits = as_uint(a);
  uint b_bits = as_uint(b);
  ulong rest = (a_bits & 0x7fffffu) | (a_bits >= 0x800000u ? 0x800000u : 0u);
  ulong divisor = (b_bits & 0x7fffffu) | (b_bits >= 0x800000u ? 0x800000u : 0u);
  rest = rest % divisor;
  for (int left = from - to; left > 0; left -= 32) rest = (rest << min(left, 32)) % divisor;
  float result = (float)((double)(uint)rest * as_double((long)(to - 23 + 1023) << 52));
  return copysign(result, x);
}
