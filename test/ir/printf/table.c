// Makes table.txt: what the C library's printf writes, a line each of kind, format, value and text.
//
//     gcc -w -fno-builtin table.c -o table && ./table > table.txt
//
// One line was taken out by hand: glibc 2.36 writes %#g of 999999.5 as "1.e+06", where C asks for "1.00000e+06".
#include <stdio.h>
#include <string.h>
#include <math.h>

#define COUNT(list) (sizeof list / sizeof list[0])
#define EACH(kind, formats, values, shown)                                                           \
  for (unsigned i = 0; i < COUNT(formats); i++)                                                      \
    for (unsigned j = 0; j < COUNT(values); j++) {                                                   \
      if ((i + 2 * j) % 3 == 0) continue; /* two thirds are enough */                                \
      printf(kind "\t%s\t" shown "\t", formats[i], values[j]);                                       \
      printf(formats[i], values[j]);                                                                 \
      printf("\n");                                                                                  \
    }

static const char *floatFormats[] = {
  "%f", "%.0f", "%.1f", "%#.0f", "%10.3f", "%-10.3f|", "%+.2f", "% .2f", "%010.2f", "%F", "%e", "%.0e", "%#.0e",
  "%.3E", "%+12.4e", "%-12.2e|", "%g", "%.0g", "%.3g", "%#g", "%G", "%.10g", "%012g", "%a", "%.0a", "%.1a", "%.3A",
  "%#.0a", "%+a", "%20a", "%-20a|", "%020a", "%.20f", "%.25e", "%.17g", "%.15a"};
static double floats[] = {
  0.0, -0.0, 1.0, -1.5, 0.5, 2.5, 3.5, 0.1, 1e-5, 123456.0, 1234567.0, 999999.5, 9.9999995, 0.00012345, 1e22, 1e23,
  123456789012345678.0, 4.9406564584124654e-324, 2.2250738585072011e-308, 1.7976931348623157e308, 3.14159265358979,
  0.045, 1.005, 8.5, 9.5, 99.5, 0.000099995, INFINITY, -INFINITY, NAN, 1e100, 6.02214076e23, 0x1.fffffffffffffp+0,
  0x1.8p-1030};
static const char *intFormats[] = {
  "%d", "%i", "%5d", "%-5d|", "%05d", "%+d", "% d", "%.3d", "%8.3d", "%-8.3d|", "%08.3d", "%.0d", "%u", "%o", "%#o",
  "%x", "%X", "%#x", "%#X", "%#10x", "%#010x", "%-#10x|", "%#.5x", "%.0o", "%#.0o", "%hd", "%hhd", "%hu", "%hhu",
  "%hhx", "%+5hhd"};
static int ints[] = {0, 1, -1, 42, -42, 255, 65535, 2147483647, -2147483647 - 1, 123456};
static const char *longFormats[] = {"%ld", "%lu", "%lx", "%#lo", "%20ld", "%-20lu|", "%020ld", "%+ld", "%.25ld"};
static long longs[] = {0, -1, 9223372036854775807L, -9223372036854775807L - 1, 1234567890123L};
static const char *stringFormats[] = {"%s", "%10s", "%-10s|", "%.2s", "%8.3s", "%.0s"};
static const char *strings[] = {"abc", "", "hello, world"};
static const char *charFormats[] = {"%c", "%3c", "%-3c|"};
static int chars[] = {'x', '%', 'A'};

int main(void) {
  EACH("double", floatFormats, floats, "%.17g")
  EACH("int", intFormats, ints, "%d")
  EACH("long", longFormats, longs, "%ld")
  EACH("string", stringFormats, strings, "%s")
  EACH("int", charFormats, chars, "%d")
  return 0;
}
