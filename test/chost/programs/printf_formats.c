/* Every conversion with its flags, and numbers that are hard to print. */
#include <float.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>

static const double doubles[] = {0.0, -0.0, 1.0, -1.5, 0.1, 123456789.0, 1e-5, 9.9999e-5, 0.00012345, 1e15, 1e16, 1e17,
                                 123456.5, 999999.0, 9999995.0, 0.5, 1.5, 2.5, 1e21, 1e22, 1e23, 5e-324, DBL_MIN,
                                 DBL_MAX, DBL_EPSILON, 1.0 / 3, 2.0 / 3, 1e100, 4.35, 0.045, 8.5, 9.995, 1234.5678};

int main(void) {
  const char *formats[] = {"%f", "%.0f", "%#.0f", "%.1f", "%.3f", "%10.2f", "%-10.2f|", "%+.2f", "% .2f", "%010.2f",
                           "%e", "%.0e", "%#.0e", "%.3E", "%15.4e", "%-15.4e|", "%015.2e", "%g", "%.0g", "%.3g",
                           "%.10g", "%#g", "%G", "%12g", "%-12g|", "%+g", "%.17g", "%a", "%.2a", "%.0a", "%A", "%20a",
                           "%020.3a", "%.20f", "%.30g"};
  for (unsigned i = 0; i < sizeof doubles / sizeof *doubles; i++) {
    for (unsigned j = 0; j < sizeof formats / sizeof *formats; j++) {
      printf(formats[j], doubles[i]);
      putchar(j % 9 == 8 ? '\n' : ' ');
    }
    putchar('\n');
  }
  double odd[] = {INFINITY, -INFINITY, NAN};
  for (int i = 0; i < 3; i++) {
    double value = i == 2 ? fabs(odd[i]) : odd[i];
    printf("%f %e %g %a %F %10f|%-10g|%+g|%010f\n", value, value, value, value, value, value, value, value, value);
  }
  int integers[] = {0, 1, -1, 42, -42, INT_MAX, INT_MIN};
  for (int i = 0; i < 7; i++) {
    int n = integers[i];
    printf("%d %i %u %o %x %X|%5d|%-5d|%05d|%+d|% d|%.3d|%8.3d|%-8.3d|%+08d\n", n, n, n, n, n, n, n, n, n, n, n, n, n, n, n);
    printf("%#x %#X %#o %#8x|%-#8x|%#08x|%.0d|%5.0d|%hhd %hd %hhu %hu\n", n, n, n, n, n, n, n, n, n, n, n, n);
  }
  printf("%lld %llu %llx %" PRId64 " %" PRIu32 " %jd %zu %td\n", LLONG_MIN, ULLONG_MAX, 0x123456789abcdefULL,
         (int64_t)-5, (uint32_t)7, (intmax_t)-9, sizeof(int), (ptrdiff_t)-3);
  printf("%c|%5c|%-5c|%s|%10s|%-10s|%.3s|%10.2s|%.*s|%*s|%-*s|%%\n", 'a', 'b', 'c', "text", "right", "left", "cut off",
         "cut", 4, "variable", 7, "star", 7, "left");
  int count, later;
  printf("abc%n def%n\n", &count, &later);
  printf("%d %d\n", count, later);
  printf("%5d%%|%-5d|%05d\n", 12, 34, 56);
  char small[5];
  int needed = snprintf(small, sizeof small, "%d", 1234567);
  printf("%d %s\n", needed, small);
  printf("%d\n", printf("%s\n", "counted"));
  return 0;
}
