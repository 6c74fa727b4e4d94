/* Numbers from text: scanf, strtol, strtod and their like. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void floats(void) {
  const char *texts[] = {"0", "-0", "1", "3.14159265358979", ".5", "5.", "1e10", "1e-10", "1e400", "-1e400", "1e-400",
                         "2.2250738585072011e-308", "4.9406564584124654e-324", "2.4703282292062327e-324",
                         "2.4703282292062328e-324", "1.7976931348623157e308", "1.7976931348623159e308",
                         "9007199254740993", "9007199254740992.9999999999999999999", "0x1.8p3", "0x.1p-4", "-0x1p-1074",
                         "inf", "-infinity", "nan", "nan(12)", "  +12.5xyz", "1e", "1e+", "e5", "", "0x", "1.5e3.7",
                         "123456789012345678901234567890", "0.1e1", "8.41e21", "1.00000005960464477539",
                         "179769313486231570814527423731704356798070567525844996598917476803157260780028538760589558632766878"};
  for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
    char *end;
    errno = 0;
    double wide = strtod(texts[i], &end);
    int error = errno == ERANGE;
    printf("%.17g %d %d | ", wide < 0 || wide == wide ? wide : 0, (int)(end - texts[i]), error);
    float narrow = strtof(texts[i], NULL);
    printf("%.9g\n", narrow == narrow ? narrow : 0);
  }
}

static void integers(void) {
  const char *texts[] = {"0", "42", "-17", "+8", "  99 bottles", "0x1F", "077", "08", "z", "2147483648", "-2147483649",
                         "9223372036854775807", "9223372036854775808", "-9223372036854775809", "1010", "-", "0x", "zz"};
  for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
    const int bases[] = {10, 0, 16, 2, 36};
    for (int j = 0; j < 5; j++) {
      char *end;
      errno = 0;
      long long value = strtoll(texts[i], &end, bases[j]);
      printf("%lld/%d%s ", value, (int)(end - texts[i]), errno == ERANGE ? "!" : "");
    }
    printf("%d %llu\n", atoi(texts[i]), strtoull(texts[i], NULL, 0));
  }
}

static void scans(void) {
  int a = -1, b = -1, c = -1, n = -1;
  unsigned u = 0;
  float f = 0;
  double d = 0;
  char word[16] = "", rest[32] = "", letter = 0;
  long long wide = 0;
  short half = 0;
  printf("%d:", sscanf("10 20,30", "%d %d,%d", &a, &b, &c));
  printf(" %d %d %d\n", a, b, c);
  printf("%d:", sscanf("ff 0x1f 017 -5", "%x %x %i %i", &u, (unsigned *)&a, &b, &c));
  printf(" %u %d %d %d\n", u, a, b, c);
  printf("%d:", sscanf("3.5 2.25e2 word x", "%f %lf %15s %c", &f, &d, word, &letter));
  printf(" %g %g %s %c\n", f, d, word, letter);
  printf("%d:", sscanf("12345", "%2d%2d%n", &a, &b, &n));
  printf(" %d %d %d\n", a, b, n);
  printf("%d:", sscanf("key = some value; more", "%15[a-z] = %31[^;]", word, rest));
  printf(" '%s' '%s'\n", word, rest);
  printf("%d %d %d\n", sscanf("abc", "%d", &a), sscanf("", "%d", &a), sscanf("5 abc", "%d %d", &a, &b));
  printf("%d:", sscanf("9000000000 -3 7", "%lld %hd %*d", &wide, &half));
  printf(" %lld %d\n", wide, half);
  printf("%d:", sscanf("100%", "%d%%", &a));
  printf(" %d\n", a);
}

static void tokens(void) {
  char line[] = "P6 # comment\n640 480\t255";
  for (char *token = strtok(line, " \n\t"); token; token = strtok(NULL, " \n\t")) printf("[%s]", token);
  puts("");
}

int main(void) {
  floats();
  integers();
  scans();
  tokens();
  return 0;
}
