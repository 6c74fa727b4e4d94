#include <limits.h>
#include <stdio.h>
#define A(op, T, a, b) do { T r_; int o_ = __builtin_##op##_overflow(a, b, &r_); printf("%d %lld\n", o_, (long long)r_); } while (0)
int main(void) {
  long long big = 5000000000ll;
  A(add, int, INT_MAX, 1); A(add, unsigned, INT_MAX, 1); A(sub, unsigned, 1, 2u); A(sub, int, 1u, 2u);
  A(mul, long long, big, big); A(mul, long long, big, 1000000000); A(mul, long long, -big, 1844674407ll);
  A(mul, unsigned long long, ULLONG_MAX, 1); A(mul, unsigned long long, ULLONG_MAX, ULLONG_MAX); A(mul, long long, ULLONG_MAX, -1);
  A(add, signed char, 100, 28); A(add, signed char, -100, -28); A(add, unsigned char, 200, 55); A(add, unsigned char, 200, 56);
  A(add, long long, LLONG_MAX, 1); A(add, long long, LLONG_MIN, -1); A(sub, long long, LLONG_MIN, 1); A(sub, long long, 0, LLONG_MIN);
  A(add, unsigned long long, ULLONG_MAX, 1); A(sub, unsigned long long, ULLONG_MAX, LLONG_MIN); A(mul, short, -128, 256); A(mul, short, 128, 256);
  A(mul, int, 0, -5); A(mul, unsigned, 0, -5); A(mul, long long, LLONG_MIN, -1); A(mul, long long, LLONG_MIN, 1);
  int r; unsigned u; unsigned long long ull;
  int o = __builtin_sadd_overflow(1, 2, &r); printf("%d %d\n", o, r);
  o = __builtin_umul_overflow(65536u, 65536u, &u); printf("%d %u\n", o, u);
  o = __builtin_umulll_overflow(1ull << 40, 1ull << 30, &ull); printf("%d %llu\n", o, ull);
  return 0;
}
