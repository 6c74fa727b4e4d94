/* Atomic functions on pointers, which move by elements (C11, 7.17.7.5); gcc moves them by bytes, so the output is clang's. */
#include <stdatomic.h>
#include <stdio.h>

static int numbers[8] = {0, 10, 20, 30, 40, 50, 60, 70};

int main(void) {
  _Atomic(int *) q = numbers + 1;
  printf("%d ", *atomic_fetch_add(&q, 2));
  printf("%d ", *atomic_load(&q));
  printf("%d ", *atomic_exchange(&q, numbers + 7));
  printf("%d ", *atomic_fetch_sub_explicit(&q, 3, memory_order_relaxed));
  printf("%d ", *atomic_load_explicit(&q, memory_order_consume));
  int *expected = numbers;
  printf("%d ", atomic_compare_exchange_strong(&q, &expected, numbers + 1));
  printf("%d ", *expected);
  printf("%d ", atomic_compare_exchange_strong(&q, &expected, numbers + 1));
  printf("%d\n", *atomic_load(&q));
  return 0;
}
