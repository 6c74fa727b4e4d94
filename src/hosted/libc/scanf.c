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
  if (c < 0) return;
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

/* The characters of a number, and the one behind them; no more are taken than there may be. */
struct digits {
  struct source *source;
  char *text;
  int length, width;
  int next; /* EOF at the end, WIDTH_END if the number can have no more */
};

enum { WIDTH_END = EOF - 1 };

static struct digits begin_digits(struct source *source, char *text, int width) {
  return (struct digits){source, text, 0, width, take(source)};
}

static void keep(struct digits *digits) {
  digits->text[digits->length++] = tolower(digits->next);
  digits->next = digits->length < digits->width ? take(digits->source) : WIDTH_END;
}

static int next_is(const struct digits *digits, int c) { return digits->next >= 0 && tolower(digits->next) == c; }

static void keep_sign(struct digits *digits) {
  if (next_is(digits, '+') || next_is(digits, '-')) keep(digits);
}

/* How many digits there were. */
static int keep_digits(struct digits *digits, int base) {
  int count = 0;
  for (;; ++count) {
    int c = digits->next;
    if (c < 0) return count;
    if ((isdigit(c) ? c - '0' : isalpha(c) ? tolower(c) - 'a' + 10 : 99) >= base) return count;
    keep(digits);
  }
}

static int keep_word(struct digits *digits, const char *word) {
  for (; *word; ++word) {
    if (!next_is(digits, *word)) return 0;
    keep(digits);
  }
  return 1;
}

/* How many characters were taken for the number; 0 if they are none. */
static int end_digits(struct digits *digits, int is_number) {
  give_back(digits->source, digits->next);
  digits->text[digits->length] = 0;
  return is_number ? digits->length : 0;
}

/* Takes characters of a number as long as they may belong to one; -1 if there are none at all. */
static int take_integer(struct source *source, char *text, int width, int base) {
  struct digits digits = begin_digits(source, text, width);
  if (digits.next == EOF) return -1;
  keep_sign(&digits);
  if (next_is(&digits, '0')) {
    keep(&digits);
    if ((base == 0 || base == 16) && next_is(&digits, 'x')) {
      keep(&digits);
      base = 16;
    } else if (base == 0) base = 8;
  }
  keep_digits(&digits, base == 0 ? 10 : base);
  return end_digits(&digits, 1);
}

static int take_float(struct source *source, char *text, int width) {
  struct digits digits = begin_digits(source, text, width);
  if (digits.next == EOF) return -1;
  keep_sign(&digits);
  if (next_is(&digits, 'n')) return end_digits(&digits, keep_word(&digits, "nan"));
  if (next_is(&digits, 'i')) {
    int is_number = keep_word(&digits, "inf") && (!next_is(&digits, 'i') || keep_word(&digits, "inity"));
    return end_digits(&digits, is_number);
  }
  int base = 10, count = 0;
  if (next_is(&digits, '0')) {
    keep(&digits);
    count = 1;
    if (next_is(&digits, 'x')) {
      keep(&digits);
      base = 16;
      count = 0;
    }
  }
  count += keep_digits(&digits, base);
  if (next_is(&digits, '.')) {
    keep(&digits);
    count += keep_digits(&digits, base);
  }
  if (count > 0 && next_is(&digits, base == 16 ? 'p' : 'e')) {
    keep(&digits);
    keep_sign(&digits);
    keep_digits(&digits, 10);
  }
  return end_digits(&digits, count > 0);
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
  int length = 0, c = 0;
  for (; length < width; ++length) {
    c = take(source);
    if (c == EOF || !set[c]) {
      give_back(source, c);
      break;
    }
    if (to) to[length] = c;
  }
  /* Where nothing fits, what was there stays. */
  if (to && length > 0) to[length] = 0;
  return length == 0 && c == EOF ? -1 : length;
}

/* Of numbers: more than any number of 64 bits has when it is written out. */
enum { MOST_CHARACTERS = 1200 };

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
        if (taken == 0) taken = -1;
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
