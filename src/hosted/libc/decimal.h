/* Floating-point numbers and their decimal digits, both exact. */
#ifndef MILLRACE_DECIMAL_H
#define MILLRACE_DECIMAL_H

/* A finite number has at most so many digits, the largest before the point and the smallest behind it. */
enum { MOST_DIGITS = 800 };

/* The number is 0.d1 d2 d3 ... times 10 to the `exponent`; the first digit is not zero, but for zero, which has none. */
struct decimal {
  int count;
  int exponent;
  char digits[MOST_DIGITS];
};

/* All digits of a finite number's magnitude. */
void __to_decimal(double number, struct decimal *decimal);

/* Keeps `count` digits at most (fewer than none is none), rounded to nearest, ties to even. */
void __round_decimal(struct decimal *decimal, int count);

/* Reads a number as strtod does; `bits` is 53 for a double or 24 for a float, to which it is rounded at once. */
double __read_number(const char *text, char **end, int bits);

#endif
