/* Sums, differences and products with as many bits as they need: for __builtin_add_overflow and its like. */

/*
 * a `operator` b, where numbers are of 64 bits and the flags say whether they are below zero. The result's low bits go to *result.
 * Whether it does not fit in an integer of so many bits.
 */
int __overflows(int operator, unsigned long long a, int a_negative, unsigned long long b, int b_negative, int bits,
                int is_signed, unsigned long long *result) {
  unsigned long long high = 0, low;
  int negative;
  if (a_negative) a = -a;
  if (b_negative) b = -b;
  if (operator == '*') {
    unsigned long long a_low = a & 0xffffffff, a_high = a >> 32, b_low = b & 0xffffffff, b_high = b >> 32;
    unsigned long long middle = a_high * b_low + (a_low * b_low >> 32);
    unsigned long long other = a_low * b_high + (middle & 0xffffffff);
    low = a * b;
    high = a_high * b_high + (middle >> 32) + (other >> 32);
    negative = a_negative != b_negative;
  } else {
    if (operator == '-') b_negative = !b_negative;
    negative = a_negative;
    if (a_negative == b_negative) {
      low = a + b;
      high = low < a;
    } else if (a >= b) {
      low = a - b;
    } else {
      low = b - a;
      negative = b_negative;
    }
  }
  *result = negative ? -low : low;
  if (high != 0) return 1;
  if (low == 0) return 0;
  if (!is_signed) return negative || (bits < 64 && low >> bits != 0);
  return low - (negative ? 1 : 0) >= 1ull << (bits - 1);
}
