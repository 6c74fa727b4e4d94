/* Where formatted input stops, what streams keep, and what functions leave alone. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Reads one number and the word behind it. */
static void read_number(const char *text, const char *format) {
  double number = -1;
  char word[32] = "none";
  int count = sscanf(text, format, &number, word);
  printf("%s, %s: %d %g %s\n", text, format, count, number, word);
}

static void read_integer(const char *text) {
  int number = -1;
  char word[32] = "none";
  int count = sscanf(text, "%i%s", &number, word);
  printf("%s: %d %d %s\n", text, count, number, word);
}

static void numbers(void) {
  static const char *const floats[] = {"fish",    "table",  "1.f",    "0.5t",     "0.t", "nanx", "nan(12)x", "infinite",
                                       "infinix", "infx",   "-.5x",   "1.5.6",    "1-2", "1e5-2", "0x1.8p3z", "0x",
                                       ".e5",     "100m",   "+i",     "-infinity", "",    "  ",   "10x20",    "1e400"};
  for (size_t i = 0; i < sizeof floats / sizeof *floats; ++i) read_number(floats[i], "%lf%s");
  read_number("123.45", "%3lf%s");
  read_number("-123.45", "%1lf%s");
  static const char *const integers[] = {"08", "0179", "0x1g", "00x5", "-017", "+9z", "0", "x"};
  for (size_t i = 0; i < sizeof integers / sizeof *integers; ++i) read_integer(integers[i]);
  float width = -1, height = -1;
  int count = sscanf("640x480", "%fx%f", &width, &height);
  printf("size: %d %g %g\n", count, width, height);
  char word[16] = "as it was";
  printf("nothing fits: %d", sscanf("12", "%[a-z]", word));
  printf(" %s,", word);
  printf(" %d", sscanf("", "%s", word));
  printf(" %s\n", word);
  memset(word, 0, sizeof word);
  printf("fewer: %d", sscanf("abc", "%5c", word));
  printf(" %s\n", word);
  errno = 0;
  double zero = strtod("0e99999999999999999999", NULL);
  printf("zero: %g %d\n", zero, errno);
  printf("nan: %f %f %f %F\n", NAN, nan(""), strtod("nan", NULL), -strtod("nan", NULL));
}

static const char *shown(const char *text) { return text ? text : "NULL"; }

static void streams(void) {
  char text[32];
  FILE *file = fopen("input_output.txt", "w");
  fputs("0123456789\n", file);
  fclose(file);

  file = fopen("input_output.txt", "a");
  printf("append: %ld", ftell(file));
  fputs("abc", file);
  printf(" %ld", ftell(file));
  fflush(file);
  printf(" %ld\n", ftell(file));
  fclose(file);

  file = fopen("input_output.txt", "a+");
  memset(text, 0, sizeof text);
  printf("both: %ld", ftell(file));
  printf(" %d", (int)fread(text, 1, 4, file));
  fseek(file, 0, SEEK_CUR);
  fputs("de", file);
  printf(" %ld", ftell(file));
  fclose(file);
  printf(" %s\n", text);

  file = fopen("input_output.txt", "r");
  fgetc(file);
  fseek(file, 2, SEEK_CUR);
  printf("seek: %c", fgetc(file));
  ungetc('x', file);
  fseek(file, 1, SEEK_CUR);
  printf("%c", fgetc(file));
  printf(" %ld\n", ftell(file));
  rewind(file);

  printf("error: %d", fputc('x', file));
  printf(" %s", fgets(text, sizeof text, file) ? "line" : "NULL");
  printf(" %d\n", ferror(file) != 0);
  strcpy(text, "full");
  printf("one: '%s'", shown(fgets(text, 1, file)));
  printf(" %s\n", shown(fgets(text, sizeof text, file)));
  printf("end: %s %d\n", shown(fgets(text, sizeof text, file)), feof(file) != 0);

  FILE *other = fopen("input_output.txt", "a");
  fputs("more", other);
  fclose(other);
  printf("still the end: %d", fgetc(file));
  printf(" %d", (int)fread(text, 1, sizeof text, file));
  clearerr(file);
  printf(", cleared: %c\n", fgetc(file));
  rewind(file);
  char *line = malloc(1);
  size_t size = 0;
  printf("getline: %d", (int)getline(&line, &size, file));
  printf(" %s", line);
  free(line);

  int number = fileno(file);
  FILE *again = freopen("input_output.other", "w", file);
  printf("freopen: %d %d\n", again == file, fileno(file) == number);
  fputs("other", file);
  fflush(file);
  printf("write: %d\n", (int)write(number, " file", 5));
  again = freopen("input_output.txt", "r", file);
  printf("again: %d %s", again == file, shown(fgets(text, sizeof text, file)));
  printf("none: %d\n", freopen("missing/file", "r", file) == NULL);

  int descriptor = open("input_output.other", O_RDWR | O_APPEND);
  printf("dprintf: %d", dprintf(descriptor, " %s %d", "and", 5));
  lseek(descriptor, 0, SEEK_SET);
  memset(text, 0, sizeof text);
  printf(" %d", (int)read(descriptor, text, sizeof text - 1));
  printf(" %s\n", text);
  close(descriptor);
  remove("input_output.txt");
  remove("input_output.other");
}

static int heard;
static void hear(int number) { heard += number; }

int main(void) {
  numbers();
  streams();
  signal(SIGTERM, hear);
  raise(SIGTERM);
  raise(SIGTERM);
  void (*before)(int) = signal(SIGTERM, SIG_IGN);
  raise(SIGTERM);
  printf("signals: %d %d\n", heard, before == hear);
  struct timespec time;
  errno = ERANGE;
  clock_gettime(CLOCK_MONOTONIC, &time);
  clock_getres(CLOCK_MONOTONIC, &time);
  usleep(1);
  printf("errno: %d\n", errno == ERANGE);
  return 0;
}
