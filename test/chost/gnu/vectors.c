#include <stdio.h>
typedef float v4 __attribute__((vector_size(16)));
typedef int i4 __attribute__((__vector_size__(16)));
typedef double v2 __attribute__((vector_size(16)));
typedef unsigned char b16 __attribute__((vector_size(16)));
struct s { char c; v4 v; float w __attribute__((vector_size(8))); };
static v4 table[2] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
static v4 twice(v4 x) { return x + x; }
int main(int argc, char **argv) {
  v4 a = table[0], b = table[argc];
  v4 c = twice(a * b) - 1;
  for (int i = 0; i < 4; i++) printf("%g ", c[i]);
  i4 bits = (i4)a, less = a < (v4){2, 2, 5, 1};
  printf("%d %d %d %d %x\n", less[0], less[1], less[2], less[3], bits[argc]);
  c[argc] = 100;
  c[3] += 0.5f;
  printf("%g %g\n", c[1], c[3]);
  v2 d = {1.5, 2.5};
  d = -d / 2;
  b16 e = {1, 2, 3};
  e = (e << 7) | 1;
  printf("%g %g %d %d %d\n", d[0], d[1], e[0], e[1], e[2]);
  printf("%d %d %d\n", (int)sizeof(struct s), (int)__builtin_offsetof(struct s, v), (int)sizeof(v4));
  i4 k = {7, 8, 9, 10};
  k = k % 4 & ~(i4){1, 0, 0, 1};
  printf("%d %d %d %d\n", k[0], k[1], k[2], k[3]);
  return 0;
}
