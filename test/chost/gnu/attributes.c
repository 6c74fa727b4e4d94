#include <stdio.h>
__attribute__((noreturn)) void die(void);
__attribute__((pure, nonnull(1), unused, used, deprecated, warn_unused_result, format(printf, 1, 2), noinline, hot, section("x"), visibility("hidden"), nothrow, leaf, no_instrument_function)) int q(const char *f, ...);
int f(int x __attribute__((unused))) { switch (x) { case 1: x++; __attribute__((fallthrough)); case 2: x++; } return x; }
enum e { A __attribute__((deprecated)), B };
struct s { int x; } __attribute__((may_alias));
static inline void g(void) __attribute__((always_inline));
static inline void g(void) { puts("g"); }
int main(void) {
lab:
  __attribute__((unused));
  __attribute__((aligned(64))) char first[3];
  int __attribute__((aligned(32))) second;
  printf("%d %d %d\n", f(1), (int)((unsigned long)first % 64), (int)((unsigned long)&second % 32));
  g();
  return B - 1;
}
