// asin, acos, atan and atan2 of double.

// (asin(x) - x) / x as a function of z = x*x, for |x| <= 1/2.
static double asin_rest(double z) {
  double p = 3.47933107596021167570e-05;
  p = p * z + 7.91534994289814532176e-04;
  p = p * z - 4.00555345006794114027e-02;
  p = p * z + 2.01212532134862925881e-01;
  p = p * z - 3.25565818622400915405e-01;
  p = p * z + 1.66666666666666657415e-01;
  double q = 7.70381505559019352791e-02;
  q = q * z - 6.88283971605453293030e-01;
  q = q * z + 2.02094576023350569471e+00;
  q = q * z - 2.40339491173441421878e+00;
  q = q * z + 1.0;
  return z * p / q;
}

double __millrace_asin_f64(double x) {
  double size = fabs(x);
  bool large = size > 0.5;
  // Beyond a half, asin(x) = pi/2 - 2 asin(sqrt((1 - x) / 2)).
  double z = large ? (1.0 - size) * 0.5 : x * x;
  double r = asin_rest(z);
  double s = sqrt(z);
  // What the root lost: head has so few bits that its square is exact.
  double head = as_double(as_long(s) & 0xffffffff00000000L);
  double low = s > 0.0 ? (z - head * head) / (s + head) : 0.0;
  double outer = 0.7853981633974483 -
                 ((2.0 * s * r - (6.123233995736766e-17 - 2.0 * low)) - (0.7853981633974483 - 2.0 * head));
  double result = large ? outer : size + size * r;
  return copysign(result, x);
}

double __millrace_acos_f64(double x) {
  double size = fabs(x);
  bool large = size > 0.5;
  double z = large ? (1.0 - size) * 0.5 : x * x;
  double r = asin_rest(z);
  double inner = 1.5707963267948966 - (x - (6.123233995736766e-17 - x * r));
  double s = sqrt(z);
  double head = as_double(as_long(s) & 0xffffffff00000000L);
  double low = s > 0.0 ? (z - head * head) / (s + head) : 0.0;
  double right = 2.0 * (head + (r * s + low));
  double left = 3.141592653589793 - 2.0 * (s + (r * s - 6.123233995736766e-17));
  return large ? (x > 0.0 ? right : left) : inner;
}

double __millrace_atan_f64(double x) {
  double size = fabs(x);
  // atan(x) = atan(c) + atan((x - c) / (1 + c x)) with c of 0, 1/2, 1, 3/2 or infinity.
  double high = 0.0;
  double low = 0.0;
  double above = size;
  double below = 1.0;
  if (size >= 2.4375) {
    high = 1.57079632679489655800e+00;
    low = 6.12323399573676603587e-17;
    above = -1.0;
    below = size;
  } else if (size >= 1.1875) {
    high = 9.82793723247329054082e-01;
    low = 1.39033110312309984516e-17;
    above = size - 1.5;
    below = 1.0 + 1.5 * size;
  } else if (size >= 0.6875) {
    high = 7.85398163397448278999e-01;
    low = 3.06161699786838301793e-17;
    above = size - 1.0;
    below = size + 1.0;
  } else if (size >= 0.4375) {
    high = 4.63647609000806093515e-01;
    low = 2.26987774529616870924e-17;
    above = 2.0 * size - 1.0;
    below = 2.0 + size;
  }
  double t = above / below;
  double z = t * t;
  double p = 1.62858201153657823623e-02;
  p = p * z - 3.65315727442169155270e-02;
  p = p * z + 4.97687799461593236017e-02;
  p = p * z - 5.83357013379057348645e-02;
  p = p * z + 6.66107313738753120669e-02;
  p = p * z - 7.69187620504482999495e-02;
  p = p * z + 9.09088713343650656196e-02;
  p = p * z - 1.11111104054623557880e-01;
  p = p * z + 1.42857142725034663711e-01;
  p = p * z - 1.99999999998764832476e-01;
  p = p * z + 3.33333333333329318027e-01;
  double result = high - ((t * (p * z) - low) - t);
  return copysign(result, x);
}

double __millrace_atan2_f64(double y, double x) {
  double tall = fabs(y);
  double wide = fabs(x);
  double ratio = tall / wide;
  // Where the division has no meaning: both zero, both infinite.
  ratio = tall == 0.0 ? 0.0 : ratio;
  ratio = tall == wide && tall > 1.0 ? 1.0 : ratio;
  double angle = __millrace_atan_f64(ratio);
  // On the vertical axis a quarter turn is exact as it is.
  bool left = signbit(x) != 0 && (wide > 0.0 || tall == 0.0);
  angle = left ? 3.141592653589793 - (angle - 1.2246467991473532e-16) : angle;
  return isnan(x) || isnan(y) ? NAN : copysign(angle, y);
}
