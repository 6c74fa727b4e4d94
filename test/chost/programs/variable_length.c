/* Arrays of variable length: each in its own place, as large as was asked for, and gone with the iteration that made it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
  int key;
  char text[12];
};

static long long sum(int n, const int values[n]) {
  long long total = 0;
  for (int i = 0; i < n; i++) total += values[i];
  return total;
}

static int fill(int n) {
  int first[n], second[n + 1];
  char text[2 * n];
  for (int i = 0; i < n; i++) first[i] = i;
  for (int i = 0; i <= n; i++) second[i] = 10 * i;
  memset(text, 'x', sizeof text);
  text[sizeof text - 1] = 0;
  n = 0;
  return (int)(sizeof first / sizeof *first) + (int)sizeof(second) + (int)strlen(text) + first[2] + second[3] + n;
}

static int recursive(int n) {
  int own[n + 1];
  own[n] = n;
  int below = n > 0 ? recursive(n - 1) : 0;
  return own[n] + below;
}

int main(void) {
  int counts[] = {3, 10, 100};
  for (int i = 0; i < 3; i++) printf("%d %d\n", fill(counts[i]), recursive(counts[i]));
  int kept = 0;
  for (int i = 0; i < 100000; i++) {
    struct item items[i % 50 + 1];
    items[i % 50].key = i;
    if (i % 3 == 0) continue;
    sprintf(items[0].text, "%d", items[i % 50].key);
    kept += atoi(items[0].text) % 7;
  }
  size_t size = 4;
  int values[size];
  for (size_t i = 0; i < size; i++) values[i] = 1 << i;
  int(*whole) = values;
  printf("%d %lld %d\n", kept, sum(4, values), whole[3]);
  return 0;
}
