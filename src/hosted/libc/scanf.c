/* Formatted input (C99, 7.19.6.2). */
#include "file.h"
#include <ctype.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "decimal.h"

/* Where characters come from: a file or a text. */
struct source {
  FILE *file;
  const char *text;
  int count; /* of characters taken */
};

static int take(struct source *source) {
  int c;
  if (source->file) c = fgetc(source->file);
  else c = *source->text ? (unsigned char)*source->text++ : EOF;
  if (c != EOF) ++source->count;
  return c;
}

static void give_back(struct source *source, int c) {
  if (c == EOF) return;
  --source->count;
  if (source->file) ungetc(c, source->file);
  else --source->text;
}

static void skip_spaces(struct source *source) {
  int c;
  do c = take(source);
  while (isspace(c));
  give_back(source, c);
}

/* Where a value goes, which the length says the type of; NULL for none. */
static void store_integer(void *place, char length, uint64_t value) {
  if (!place) return;
  switch (length) {
    case 'L': *(uint64_t *)place = value; break;
    case 'h': *(uint16_t *)place = value; break;
    case 'H': *(uint8_t *)place = value; break;
    default: *(uint32_t *)place = value; break;
  }
}

/* Takes characters of a number as long as they may belong to one; -1 if there are none at all. */
static int take_integer(struct source *source, char *text, int width, int base) {
  int length = 0, c = take(source);
  if (c == EOF) return -1;
  if ((c == '+' || c == '-') && length < width) {
    text[length++] = c;
    c = take(source);
  }
  int has_zero = 0;
  while (length < width) {
    int is_mark = (c | 32) == 'x' && has_zero == 1 && (base == 0 || base == 16);
    if (is_mark) base = 16;
    else if (base == 0 && isdigit(c)) base = c == '0' ? 0 : 10;
    int digit = isdigit(c) ? c - '0' : isalpha(c) ? tolower(c) - 'a' + 10 : 99;
    int is_digit = digit < (base == 0 ? 8 : base);
    if (!is_mark && !is_digit) break;
    has_zero = has_zero == 0 && c == '0' ? 1 : 2;
    text[length++] = c;
    c = take(source);
  }
  give_back(source, c);
  text[length] = 0;
  return length;
}

static int take_float(struct source *source, char *text, int width) {
  int length = 0, c = take(source);
  if (c == EOF) return -1;
  for (; length < width; c = take(source)) {
    int before = length > 0 ? tolower(text[length - 1]) : 0;
    int is_hexadecimal = length > 1 && memchr(text, 'x', length) != NULL;
    int has_power = memchr(text, is_hexadecimal ? 'p' : 'e', length) != NULL;
    int lower = tolower(c);
    int fits = isdigit(c) || (lower == '.' && !memchr(text, '.', length) && !has_power) ||
               ((c == '+' || c == '-') && (length == 0 || before == (is_hexadecimal ? 'p' : 'e'))) ||
               (lower == 'x' && before == '0') || (is_hexadecimal && isxdigit(c)) ||
               (lower == (is_hexadecimal ? 'p' : 'e') && length > 0 && !has_power && isxdigit(before ? before : ' ')) ||
               (lower == 'e' && before == '.') || (strchr("infatyINFATY", c) && c && !isdigit(before));
    if (!fits) break;
    text[length++] = lower;
  }
  give_back(source, c);
  text[length] = 0;
  return length;
}

/* The set of %[...]; gives the place behind it. */
static const char *read_set(const char *from, unsigned char *set) {
  int is_inverted = *from == '^';
  if (is_inverted) ++from;
  memset(set, is_inverted, 256);
  do {
    unsigned char first = *from, last = first;
    if (from[1] == '-' && from[2] && from[2] != ']') {
      last = from[2];
      from += 2;
    }
    for (int c = first; c <= last; ++c) set[c] = !is_inverted;
    ++from;
  } while (*from && *from != ']');
  return *from ? from + 1 : from;
}

/* Takes characters of the set; how many, or -1 at the end of the input. */
static int take_text(struct source *source, char *to, int width, const unsigned char *set) {
  int length = 0, c;
  while ((c = take(source)) != EOF && set[c] && length < width) {
    if (to) to[length] = c;
    ++length;
  }
  give_back(source, c);
  if (to) to[length] = 0;
  return length == 0 && c == EOF ? -1 : length;
}

enum { MOST_CHARACTERS = 1000 };

static int read_formatted(struct source *source, const char *format, va_list list) {
  int assigned = 0;
  char text[MOST_CHARACTERS + 1];
  for (; *format; ++format) {
    if (isspace((unsigned char)*format)) {
      skip_spaces(source);
      continue;
    }
    if (*format != '%' || format[1] == '%') {
      if (*format == '%') {
        ++format;
        skip_spaces(source);
      }
      int c = take(source);
      if (c == (unsigned char)*format) continue;
      give_back(source, c);
      return c == EOF && assigned == 0 ? EOF : assigned;
    }
    ++format;
    int is_dropped = *format == '*';
    if (is_dropped) ++format;
    int width = 0;
    for (; isdigit((unsigned char)*format); ++format) width = width * 10 + (*format - '0');
    char length = 0;
    for (; *format && strchr("hljztLq", *format); ++format) {
      if (*format == 'h') length = length == 'h' ? 'H' : 'h';
      else if (*format == 'l') length = length == 'l' ? 'L' : 'l';
      else if (*format == 'j' || *format == 'L' || *format == 'q') length = 'L';
    }
    char conversion = *format;
    if (conversion == 'n') {
      if (!is_dropped) store_integer(va_arg(list, void *), length, source->count);
      continue;
    }
    if (conversion != 'c' && conversion != '[') skip_spaces(source);
    void *place = is_dropped ? NULL : va_arg(list, void *);
    int taken;
    int most = width == 0 || width > MOST_CHARACTERS ? MOST_CHARACTERS : width;
    unsigned char set[256];
    switch (conversion) {
      case 'd':
      case 'i':
      case 'u':
      case 'o':
      case 'x':
      case 'X':
      case 'p': {
        int base = conversion == 'i' ? 0 : conversion == 'o' ? 8 : conversion == 'd' || conversion == 'u' ? 10 : 16;
        taken = take_integer(source, text, most, base);
        char *end = text;
        uint64_t value = taken <= 0 ? 0
                         : conversion == 'd' || conversion == 'i' ? (uint64_t)strtoll(text, &end, base)
                                                                  : strtoull(text, &end, base);
        if (taken > 0 && end == text) taken = 0;
        if (taken > 0) store_integer(place, length, value);
        break;
      }
      case 'e':
      case 'E':
      case 'f':
      case 'F':
      case 'g':
      case 'G':
      case 'a':
      case 'A': {
        taken = take_float(source, text, most);
        char *end = text;
        double value = taken > 0 ? __read_number(text, &end, length == 'l' || length == 'L' ? 53 : 24) : 0;
        if (taken > 0 && end == text) taken = 0;
        if (taken > 0 && place) {
          if (length == 'l' || length == 'L') *(double *)place = value;
          else *(float *)place = value;
        }
        break;
      }
      case 'c': {
        char *to = place;
        int count = width == 0 ? 1 : width, c = 0;
        for (taken = 0; taken < count && (c = take(source)) != EOF; ++taken) {
          if (to) to[taken] = c;
        }
        if (taken < count) taken = -1;
        break;
      }
      case 's':
        for (int c = 0; c < 256; ++c) set[c] = !isspace(c);
        taken = take_text(source, place, width == 0 ? 0x7fffffff : width, set);
        break;
      case '[':
        format = read_set(format + 1, set) - 1;
        taken = take_text(source, place, width == 0 ? 0x7fffffff : width, set);
        break;
      default: return assigned;
    }
    if (taken <= 0) return taken < 0 && assigned == 0 ? EOF : assigned;
    if (!is_dropped) ++assigned;
  }
  return assigned;
}

int vfscanf(FILE *restrict file, const char *restrict format, va_list list) {
  LOCKED(&__file_lock);
  struct source source = {file, NULL, 0};
  return read_formatted(&source, format, list);
}

int vsscanf(const char *restrict text, const char *restrict format, va_list list) {
  struct source source = {NULL, text, 0};
  return read_formatted(&source, format, list);
}

int vscanf(const char *restrict format, va_list list) { return vfscanf(stdin, format, list); }

int scanf(const char *restrict format, ...) {
  va_list list;
  va_start(list, format);
  return vfscanf(stdin, format, list);
}

int fscanf(FILE *restrict file, const char *restrict format, ...) {
  va_list list;
  va_start(list, format);
  return vfscanf(file, format, list);
}

int sscanf(const char *restrict text, const char *restrict format, ...) {
  va_list list;
  va_start(list, format);
  return vsscanf(text, format, list);
}
