/* Variable arguments: own functions, lists handed on, structs and all sizes among them, callbacks that take them. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct pair {
  int first;
  double second;
};
struct odd {
  char bytes[5];
};

static long long sum(const char *kinds, ...) {
  va_list list;
  long long total = 0;
  va_start(list, kinds);
  for (; *kinds; kinds++) {
    switch (*kinds) {
      case 'i': total += va_arg(list, int); break;
      case 'l': total += va_arg(list, long long); break;
      case 'd': total += (long long)(va_arg(list, double) * 10); break;
      case 's': total += (long long)strlen(va_arg(list, const char *)); break;
      case 'p': {
        struct pair pair = va_arg(list, struct pair);
        total += pair.first + (long long)pair.second;
        break;
      }
      case 'o': total += va_arg(list, struct odd).bytes[4]; break;
    }
  }
  va_end(list);
  return total;
}

static int join_list(char *to, size_t size, const char *format, va_list list) {
  va_list again;
  va_copy(again, list);
  int needed = vsnprintf(NULL, 0, format, again);
  va_end(again);
  int written = vsnprintf(to, size, format, list);
  return needed == written ? written : -1;
}
static int join(char *to, size_t size, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int result = join_list(to, size, format, list);
  va_end(list);
  return result;
}

static int largest(int count, ...) {
  va_list list;
  va_start(list, count);
  int most = va_arg(list, int);
  while (--count > 0) {
    int one = va_arg(list, int);
    if (one > most) most = one;
  }
  va_end(list);
  return most;
}

static int twice(int (*function)(int, ...), int a, int b) { return function(2, a, b) * 2; }

int main(void) {
  struct pair pair = {3, 4.5};
  struct odd odd = {{0, 0, 0, 0, 9}};
  float single = 2.5f;
  short half = -3;
  printf("%lld\n", sum("ilidlspoi", 1, 20000000000LL, 3, single, -1LL, "four", pair, odd, half));
  printf("%lld\n", sum(""));
  char text[16];
  printf("%d '%s'\n", join(text, sizeof text, "%s-%d-%.2f", "abc", 42, 2.718), text);
  printf("%d '%s'\n", join(text, sizeof text, "%s", "longer than sixteen bytes"), text);
  printf("%d %d %d\n", largest(1, -5), largest(5, 3, 9, 2, 8, 1), twice(largest, 4, 6));
  return 0;
}
