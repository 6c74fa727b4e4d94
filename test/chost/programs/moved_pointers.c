/* Pointers that are moved by more than there is memory before their objects, and indices that move them back. */
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  char name[2000];
  int values[3000];
} record;

static int big[4000000];
static record records[1200];

static int sum_from(const int *p, int from, int to) {
  int sum = 0;
  for (int i = from; i < to; i++) sum += p[i - 2900000];
  return sum;
}

static int *above(int *p, int by) { return p + by; }

int main(int argc, char **argv) {
  (void)argv;
  for (int i = 0; i < 4000000; i++) big[i] = i * 31 % 1009;
  int *p = big + 3000000;
  const int back = 2999990 + argc;
  printf("%d %d\n", p[-back], p[argc - 2900000]);
  printf("%d\n", sum_from(p, argc, 1000));
  printf("%d\n", sum_from(above(big, 3900000), -900000, -899000));
  record *r = records + 1100;
  for (int i = 0; i < 100; i++) r[i - 1100].values[i * 29] = i * argc;
  int sum = 0;
  for (int i = 0; i < 100; i++) sum = (sum * 7 + records[i].values[i * 29]) % 100003;
  printf("%d\n", sum);
  int local[900];
  int *q = local + 850;
  for (int i = 0; i < 900; i++) q[i - 850] = i * i;
  printf("%d %d\n", local[argc], q[argc - 800]);
  double *heap = malloc(800000 * sizeof(double));
  double *h = heap + 700000;
  for (int i = 0; i < 50; i++) h[i * 1000 - 650000 - argc] = i;
  printf("%.1f\n", heap[49999 + 7000]);
  free(heap);
  return 0;
}
