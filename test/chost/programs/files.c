/* Files: writing and reading, positions, the end, errors. Works in the current folder and leaves nothing there. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *name = "millrace-files-test.tmp";

static void text(void) {
  FILE *file = fopen(name, "w");
  if (!file) {
    printf("cannot write: %s\n", strerror(errno));
    exit(1);
  }
  for (int i = 1; i <= 5; i++) fprintf(file, "line %d of five\n", i);
  fputs("no end", file);
  printf("at %d\n", (int)ftell(file));
  fclose(file);

  char line[64];
  file = fopen(name, "r");
  int count = 0;
  while (fgets(line, sizeof line, file)) {
    line[strcspn(line, "\n")] = 0;
    printf("%d '%s' %d\n", ++count, line, feof(file) != 0);
  }
  rewind(file);
  int number, read = 0;
  char word[16];
  while (fscanf(file, "line %d of %15s ", &number, word) == 2) read += number;
  printf("sum %d, then '%c'\n", read, fgetc(file));
  int c = fgetc(file);
  ungetc(c, file);
  int again = fgetc(file);
  printf("%c %c %d\n", c, again, (int)ftell(file));
  fclose(file);
}

static void binary(void) {
  unsigned char bytes[10000];
  for (int i = 0; i < 10000; i++) bytes[i] = i * 7 + i / 256;
  FILE *file = fopen(name, "wb+");
  printf("%d\n", (int)fwrite(bytes, 100, 100, file));
  fseek(file, 5000, SEEK_SET);
  unsigned char some[16];
  int count = fread(some, 1, 16, file);
  printf("%d %d %d\n", count, memcmp(some, bytes + 5000, 16), (int)ftell(file));
  fseek(file, -4, SEEK_END);
  fwrite("end!", 1, 4, file);
  fseek(file, -8, SEEK_CUR);
  count = fread(some, 1, 16, file);
  printf("%d %.4s\n", count, some + 4);
  printf("%d %d\n", feof(file) != 0, ferror(file));
  clearerr(file);
  fseek(file, 0, SEEK_END);
  printf("%d\n", (int)ftell(file));
  fclose(file);
  file = fopen(name, "ab");
  fputc('x', file);
  fclose(file);
  struct stat facts;
  int result = stat(name, &facts);
  printf("%d %d %d\n", result, (int)facts.st_size, S_ISREG(facts.st_mode) != 0);
}

static void mistakes(void) {
  errno = 0;
  FILE *file = fopen("no/such/file", "r");
  printf("%d %s\n", file == NULL, errno == ENOENT ? "ENOENT" : strerror(errno));
  file = fopen(name, "r");
  int result = fputc('x', file);
  printf("%d %d\n", result, ferror(file) != 0);
  fclose(file);
  printf("%d\n", fopen(name, "q") == NULL);
  result = remove(name);
  printf("%d %d\n", result, remove(name));
  printf("%d\n", access(name, F_OK));
}

int main(void) {
  text();
  binary();
  mistakes();
  return 0;
}
