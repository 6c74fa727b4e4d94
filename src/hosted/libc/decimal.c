/*
 * Between floating-point numbers and decimal digits, with as many digits as it takes: a number m * 2^e is a whole number, or
 * m * 5^-e with the point -e places from its end.
 */
#include "decimal.h"
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A whole number in limbs, the lowest first. */
enum { MOST_LIMBS = 160 };
struct whole {
  int count;
  uint32_t limbs[MOST_LIMBS];
};

/* Multiplies, and adds, in limbs that are less than `base` (2^32 if it is 0). */
static void multiply_add(struct whole *number, uint32_t factor, uint32_t summand, uint32_t base) {
  uint64_t carry = summand;
  for (int i = 0; i < number->count; ++i) {
    carry += (uint64_t)number->limbs[i] * factor;
    number->limbs[i] = base ? carry % base : (uint32_t)carry;
    carry = base ? carry / base : carry >> 32;
  }
  while (carry && number->count < MOST_LIMBS) {
    number->limbs[number->count++] = base ? carry % base : (uint32_t)carry;
    carry = base ? carry / base : carry >> 32;
  }
}

static void multiply_by_power(struct whole *number, uint32_t factor, int power, uint32_t base) {
  uint32_t most = factor;
  int step = 1;
  while ((uint64_t)most * factor < (1u << 30)) most *= factor, ++step;
  for (; power >= step; power -= step) multiply_add(number, most, 0, base);
  for (; power > 0; --power) multiply_add(number, factor, 0, base);
}

void __to_decimal(double number, struct decimal *decimal) {
  enum { BASE = 1000000000 };
  uint64_t bits = __builtin_bits_of_double(number);
  int exponent = bits >> 52 & 2047;
  uint64_t mantissa = bits & ((1ull << 52) - 1);
  if (exponent) mantissa |= 1ull << 52;
  else exponent = 1;
  exponent -= 1075;
  decimal->count = decimal->exponent = 0;
  if (!mantissa) return;
  while (exponent < 0 && !(mantissa & 1)) mantissa >>= 1, ++exponent;

  struct whole whole = {0};
  for (; mantissa; mantissa /= BASE) whole.limbs[whole.count++] = mantissa % BASE;
  multiply_by_power(&whole, exponent < 0 ? 5 : 2, abs(exponent), BASE);

  char *digit = decimal->digits;
  for (int i = whole.count - 1; i >= 0; --i) {
    for (uint32_t unit = BASE / 10; unit > 0; unit /= 10) {
      char value = whole.limbs[i] / unit % 10;
      if (value || digit > decimal->digits) *digit++ = value;
    }
  }
  decimal->count = digit - decimal->digits;
  decimal->exponent = decimal->count + (exponent < 0 ? exponent : 0);
  while (decimal->count > 0 && decimal->digits[decimal->count - 1] == 0) --decimal->count;
}

void __round_decimal(struct decimal *decimal, int count) {
  if (count >= decimal->count) return;
  if (count < 0) {
    decimal->count = decimal->exponent = 0;
    return;
  }
  char *digits = decimal->digits;
  int is_half = digits[count] == 5 && decimal->count == count + 1;
  int is_odd = count > 0 && digits[count - 1] & 1;
  int goes_up = is_half ? is_odd : digits[count] >= 5;
  decimal->count = count;
  if (goes_up) {
    while (decimal->count > 0 && digits[decimal->count - 1] == 9) --decimal->count;
    if (decimal->count > 0) ++digits[decimal->count - 1];
    else {
      digits[decimal->count++] = 1;
      ++decimal->exponent;
    }
  }
  while (decimal->count > 0 && digits[decimal->count - 1] == 0) --decimal->count;
  if (decimal->count == 0) decimal->exponent = 0;
}

/* Of a limb list: how many bits it takes. */
static int bit_length(const struct whole *number) {
  int top = number->count - 1;
  while (top >= 0 && number->limbs[top] == 0) --top;
  return top < 0 ? 0 : top * 32 + 32 - __builtin_clz(number->limbs[top]);
}

static void shift_left(struct whole *number, int by) {
  int limbs = by / 32, bits = by % 32;
  if (limbs > 0) {
    memmove(number->limbs + limbs, number->limbs, number->count * sizeof(uint32_t));
    memset(number->limbs, 0, limbs * sizeof(uint32_t));
    number->count += limbs;
  }
  if (bits > 0) multiply_add(number, 1u << bits, 0, 0);
}

/* a -= b if a is no less; whether it was. */
static int subtract(struct whole *a, const struct whole *b) {
  int count = a->count > b->count ? a->count : b->count;
#define LIMB(number, i) ((i) < (number)->count ? (number)->limbs[i] : 0)
  for (int i = count - 1; i >= 0; --i) {
    if (LIMB(a, i) < LIMB(b, i)) return 0;
    if (LIMB(a, i) > LIMB(b, i)) break;
  }
  int64_t borrow = 0;
  for (int i = 0; i < a->count; ++i) {
    borrow += (int64_t)a->limbs[i] - LIMB(b, i);
    a->limbs[i] = (uint32_t)borrow;
    borrow >>= 32;
  }
#undef LIMB
  return 1;
}

static int is_zero(const struct whole *number) { return bit_length(number) == 0; }

/*
 * The number with the given top bits, which is top * 2^exponent and a little more if `rest`: rounded to `bits` bits, or as many as
 * a number so small has, to nearest, ties to even. The highest bit of `top` is set.
 */
static double rounded(uint64_t top, int exponent, int rest, int bits) {
  int largest = bits == 53 ? 1023 : 127, smallest = bits == 53 ? -1074 : -149;
  int lowest = exponent + 64 - bits;
  int dropped = 64 - bits;
  if (lowest < smallest) dropped += smallest - lowest;
  if (dropped > 64) {
    errno = ERANGE;
    return 0;
  }
  uint64_t kept = dropped == 64 ? 0 : top >> dropped;
  uint64_t half = 1ull << (dropped - 1);
  uint64_t cut = dropped == 64 ? top : top & (half * 2 - 1);
  if (cut > half || (cut == half && (rest || kept & 1))) ++kept;
  if (lowest < smallest && (cut || rest)) errno = ERANGE;
  if (!kept) return 0;
  int place = exponent + dropped;
  int highest = 63 - __builtin_clzll(kept) + place;
  if (highest > largest) {
    errno = ERANGE;
    return HUGE_VAL;
  }
  // In two steps, since 2^-1074 alone is a power that a double's exponent has no room for.
  return scalbn((double)kept, place);
}

static double from_decimal(const char *digits, int count, int exponent, int bits) {
  static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                  1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  if (count == 0) return 0;
  if (bits == 53 && count <= 15 && exponent >= -22 && exponent <= 22) {
    // Both are exact, and so one operation rounds right.
    uint64_t whole = 0;
    for (int i = 0; i < count; ++i) whole = whole * 10 + digits[i];
    return exponent < 0 ? whole / powers[-exponent] : whole * powers[exponent];
  }
  if (exponent + count > 310) {
    errno = ERANGE;
    return HUGE_VAL;
  }
  if (exponent + count < -330) {
    errno = ERANGE;
    return 0;
  }
  struct whole number = {0}, divisor = {1, {1}};
  for (int i = 0; i < count; ++i) {
    if (number.count == 0 && digits[i]) number = (struct whole){1, {digits[i]}};
    else multiply_add(&number, 10, digits[i], 0);
  }
  if (exponent > 0) multiply_by_power(&number, 10, exponent, 0);
  else multiply_by_power(&divisor, 10, -exponent, 0);
  // Both as long, so that the quotient is from a half to two; then 64 bits of it, one after another.
  int difference = bit_length(&number) - bit_length(&divisor);
  if (difference < 0) shift_left(&number, -difference);
  else shift_left(&divisor, difference);
  uint64_t top = 0;
  int place = difference;
  for (int produced = 0; produced < 64;) {
    int bit = subtract(&number, &divisor);
    if (top || bit) {
      top = top << 1 | bit;
      ++produced;
    } else --place;
    multiply_add(&number, 2, 0, 0);
  }
  return rounded(top, place - 63, !is_zero(&number), bits);
}

static double read_hexadecimal(const char *from, const char **end, int bits) {
  uint64_t top = 0;
  int exponent = 0, rest = 0, has_point = 0, has_digits = 0;
  for (;; ++from) {
    int c = (unsigned char)*from;
    if (c == '.' && !has_point) {
      has_point = 1;
      continue;
    }
    if (!isxdigit(c)) break;
    int digit = isdigit(c) ? c - '0' : tolower(c) - 'a' + 10;
    has_digits = 1;
    if (top >> 60) {
      rest |= digit;
      if (!has_point) exponent += 4;
    } else {
      top = top << 4 | digit;
      if (has_point) exponent -= 4;
    }
  }
  if (!has_digits) return 0;
  *end = from;
  if (tolower(*from) == 'p') {
    char *after;
    int before = errno;
    long power = strtol(from + 1, &after, 10);
    errno = before;
    if (after != from + 1 && !isspace((unsigned char)from[1])) {
      *end = after;
      exponent += power > 100000 ? 100000 : power < -100000 ? -100000 : power;
    }
  }
  if (!top) return 0;
  int shift = __builtin_clzll(top);
  return rounded(top << shift, exponent - shift, rest, bits);
}

double __read_number(const char *text, char **end, int bits) {
  const char *from = text, *last = text;
  double number = 0;
  while (isspace((unsigned char)*from)) ++from;
  int is_negative = *from == '-';
  if (*from == '+' || *from == '-') ++from;
  if (strncasecmp(from, "inf", 3) == 0) {
    number = HUGE_VAL;
    last = from + (strncasecmp(from, "infinity", 8) == 0 ? 8 : 3);
  } else if (strncasecmp(from, "nan", 3) == 0) {
    number = NAN;
    last = from + 3;
    if (*last == '(') {
      const char *close = last + 1;
      while (isalnum((unsigned char)*close) || *close == '_') ++close;
      if (*close == ')') last = close + 1;
    }
  } else if (from[0] == '0' && (from[1] | 32) == 'x' &&
             (isxdigit((unsigned char)from[2]) || (from[2] == '.' && isxdigit((unsigned char)from[3])))) {
    number = read_hexadecimal(from + 2, &last, bits);
  } else {
    char digits[MOST_DIGITS];
    int count = 0, exponent = 0, has_point = 0, has_digits = 0, is_more = 0;
    for (;; ++from) {
      if (*from == '.' && !has_point) {
        has_point = 1;
        continue;
      }
      if (!isdigit((unsigned char)*from)) break;
      has_digits = 1;
      int digit = *from - '0';
      if (count == 0 && digit == 0) {
        exponent -= has_point;
      } else if (count < MOST_DIGITS - 1) {
        digits[count++] = digit;
        exponent -= has_point;
      } else {
        is_more |= digit;
        exponent += !has_point;
      }
    }
    if (has_digits) {
      last = from;
      if (tolower(*from) == 'e' && !isspace((unsigned char)from[1])) {
        char *after;
        int before = errno;
        long power = strtol(from + 1, &after, 10);
        errno = before;
        if (after != from + 1) {
          last = after;
          exponent += power > 100000 ? 100000 : power < -100000 ? -100000 : power;
        }
      }
      if (is_more) {
        // More digits than any number in the middle between two has: that they are there is all that counts.
        digits[count++] = 1;
        --exponent;
      }
      while (count > 0 && digits[count - 1] == 0) --count, ++exponent;
      number = from_decimal(digits, count, exponent, bits);
    }
  }
  if (end) *end = (char *)last;
  return is_negative ? -number : number;
}

double strtod(const char *restrict text, char **restrict end) { return __read_number(text, end, 53); }
long double strtold(const char *restrict text, char **restrict end) { return __read_number(text, end, 53); }
float strtof(const char *restrict text, char **restrict end) { return __read_number(text, end, 24); }
