/* Strings, characters, sorting, searching, random numbers, mathematics, dates. */
#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

static int by_value(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}
struct entry {
  char name[12];
  int rank;
};
static int by_rank(const void *a, const void *b) {
  return ((const struct entry *)a)->rank - ((const struct entry *)b)->rank;
}
static int by_name(const void *key, const void *entry) { return strcmp(key, ((const struct entry *)entry)->name); }

static void strings(void) {
  char buffer[64] = "start";
  strcat(buffer, " middle");
  strncat(buffer, " ending", 4);
  printf("%s %d %s %s %s\n", buffer, (int)strlen(buffer), strchr(buffer, 'm'), strrchr(buffer, 'd'), strstr(buffer, "dd"));
  printf("%d %d %d %d %d\n", strcmp("a", "b") < 0, strcmp("b", "a") > 0, strcmp("same", "same"), strncmp("abc", "abd", 2),
         strcasecmp("HeLLo", "hEllO"));
  printf("%d %d %s\n", (int)strspn("12ab", "0123456789"), (int)strcspn("key=value", "="), strpbrk("a,b;c", ";,"));
  char padded[8];
  memset(padded, 'z', 8);
  strncpy(padded, "abc", 6);
  printf("%s %d %c\n", padded, padded[5], padded[6]);
  memmove(buffer + 2, buffer, 10);
  printf("%.12s %d\n", buffer, memcmp("abc", "abd", 3) < 0);
  char *copy = strdup("copied"), *rest = copy;
  copy[0] = toupper(copy[0]);
  printf("%s %s %s\n", copy, (char *)memchr(copy, 'i', 6), strsep(&rest, "p"));
  free(copy);
  int kinds = 0;
  for (int c = 0; c < 128; c++) {
    kinds += !!isalpha(c) + 2 * !!isdigit(c) + 3 * !!isspace(c) + 5 * !!ispunct(c) + 7 * !!isxdigit(c) + 11 * !!isprint(c) +
             13 * !!iscntrl(c) + 17 * !!isupper(c);
  }
  printf("%d\n", kinds);
}

static void sorting(void) {
  int values[2000];
  srand(7);
  for (int i = 0; i < 2000; i++) values[i] = rand() % 5000;
  qsort(values, 2000, sizeof *values, by_value);
  int is_sorted = 1;
  for (int i = 1; i < 2000; i++) is_sorted &= values[i - 1] <= values[i];
  printf("%d %d %d\n", is_sorted, values[0], values[1999]);
  struct entry entries[] = {{"delta", 2}, {"alpha", 1}, {"echo", 2}, {"bravo", 1}, {"charlie", 2}};
  qsort(entries, 5, sizeof *entries, by_rank);
  for (int i = 0; i < 5; i++) printf("%s ", entries[i].name);
  struct entry sorted[] = {{"ant", 5}, {"bee", 6}, {"cat", 7}, {"dog", 8}};
  struct entry *found = bsearch("cat", sorted, 4, sizeof *sorted, by_name);
  printf("%d %d\n", found ? found->rank : -1, bsearch("eel", sorted, 4, sizeof *sorted, by_name) == NULL);
  div_t parts = div(-17, 5);
  printf("%d %d %d %lld\n", parts.quot, parts.rem, abs(-4), llabs(-5000000000LL));
}

static void mathematics(void) {
  double x = 0.7;
  printf("%.14f %.14f %.14f %.14f\n", sin(x), cos(x), tan(x), atan2(-x, 2));
  printf("%.14f %.14f %.14f %.14f\n", exp(x), log(x), pow(x, 3.3), sqrt(x));
  printf("%.12f %.12f %.12f %.12f\n", sinh(x), tanh(x), asin(x), acosh(1 + x));
  printf("%.12f %.12f %.12f %.12f\n", erf(x), tgamma(4.5), lgamma(10.5), cbrt(27.5));
  printf("%g %g %g %g %g %g\n", floor(-2.5), ceil(-2.5), round(-2.5), trunc(-2.5), rint(2.5), nearbyint(3.5));
  printf("%g %g %g %g %g\n", fmod(10.5, 3), remainder(10.5, 3), hypot(3, 4), fmax(2, NAN), fdim(5, 3));
  int exponent;
  double whole, fraction = frexp(48.75, &exponent), behind = modf(-3.25, &whole);
  printf("%g %d %g %g %g %g\n", fraction, exponent, whole, behind, ldexp(0.75, 5), copysign(3, -0.0));
  printf("%d %d %d %d %d\n", isnan(NAN) != 0, isinf(-INFINITY) != 0, isfinite(1.0) != 0, signbit(-0.0) != 0, isnormal(1e-310) != 0);
  printf("%.6f %.6f %.6f %ld %lld\n", sinf(0.5f), powf(2.0f, 0.5f), fabsf(-1.25f), lround(2.5), llrint(3.5));
}

static void dates(void) {
  time_t moments[] = {0, 951782400, 1704067199, -1, 4102444800LL};
  for (int i = 0; i < 5; i++) {
    struct tm parts = *gmtime(&moments[i]);
    char text[100];
    strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S %a %b %j %U %V %G %y %I%p", &parts);
    printf("%s %s", text, asctime(&parts));
  }
  struct tm parts = {.tm_year = 124, .tm_mon = 13, .tm_mday = 30, .tm_hour = 25};
  time_t made = mktime(&parts);
  printf("%d %d %d %d\n", made > 1700000000, parts.tm_mon, parts.tm_mday, parts.tm_wday);
  clock_t start = clock();
  time_t now = time(NULL);
  printf("%d %d\n", now > 1600000000, clock() - start < CLOCKS_PER_SEC);
}

int main(void) {
  strings();
  sorting();
  mathematics();
  dates();
  assert(1 + 1 == 2);
  return 0;
}
