/* Formatted output (C99, 7.19.6.1). */
#include "file.h"
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "decimal.h"

/* Where the text goes: to a file, or to memory as far as there is room. */
struct sink {
  FILE *file;
  char *memory;
  size_t room; /* bytes of the memory, that of the closing zero among them */
  size_t count;
  int failed;
  size_t held;
  char buffer[256]; /* what is on its way to the file */
};

static void send(struct sink *sink) {
  if (sink->held > 0 && fwrite(sink->buffer, 1, sink->held, sink->file) != sink->held) sink->failed = 1;
  sink->held = 0;
}

static void put(struct sink *sink, const char *text, size_t length) {
  if (sink->file) {
    if (sink->held + length > sizeof sink->buffer) send(sink);
    if (length > sizeof sink->buffer) {
      if (fwrite(text, 1, length, sink->file) != length) sink->failed = 1;
    } else {
      memcpy(sink->buffer + sink->held, text, length);
      sink->held += length;
    }
  } else if (sink->count < sink->room) {
    size_t room = sink->room - sink->count;
    memcpy(sink->memory + sink->count, text, length < room ? length : room);
  }
  sink->count += length;
}

static void put_many(struct sink *sink, char c, int count) {
  char some[64];
  if (count <= 0) return;
  memset(some, c, sizeof some);
  for (; count > (int)sizeof some; count -= sizeof some) put(sink, some, sizeof some);
  put(sink, some, count);
}

/* One conversion specification. */
struct format {
  int left, plus, space, alternative, zeros;
  int width;
  int precision; /* -1 if there is none */
  char length;   /* h, H for hh, l, L for ll and its like, or 0 */
  char conversion;
};

/* A number in its parts: sign or prefix, zeros, digits, zeros; padded to the width. */
static void put_number(struct sink *sink, const struct format *format, const char *prefix, int zeros,
                       const char *digits, int length) {
  int prefix_length = strlen(prefix);
  int padding = format->width - prefix_length - zeros - length;
  if (padding > 0 && format->zeros && !format->left) {
    zeros += padding;
    padding = 0;
  }
  if (!format->left) put_many(sink, ' ', padding);
  put(sink, prefix, prefix_length);
  put_many(sink, '0', zeros);
  put(sink, digits, length);
  if (format->left) put_many(sink, ' ', padding);
}

static void put_text(struct sink *sink, const struct format *format, const char *text, size_t length) {
  int padding = format->width - (int)length;
  if (!format->left) put_many(sink, ' ', padding);
  put(sink, text, length);
  if (format->left) put_many(sink, ' ', padding);
}

static const char *sign_of(const struct format *format, int is_negative) {
  return is_negative ? "-" : format->plus ? "+" : format->space ? " " : "";
}

static void put_integer(struct sink *sink, struct format *format, uint64_t value, const char *prefix) {
  char digits[24], *end = digits + sizeof digits, *from = end;
  int base = format->conversion == 'o' ? 8 : format->conversion == 'x' || format->conversion == 'X' ? 16 : 10;
  const char *letters = format->conversion == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
  for (uint64_t rest = value; rest; rest /= base) *--from = letters[rest % base];
  int length = end - from;
  int precision = format->precision < 0 ? 1 : format->precision;
  int zeros = precision > length ? precision - length : 0;
  if (format->conversion == 'o' && format->alternative && zeros == 0 && (length == 0 || *from != '0')) zeros = 1;
  if (format->precision >= 0) format->zeros = 0;
  put_number(sink, format, prefix, zeros, from, length);
}

static int64_t signed_argument(va_list *list, char length) {
  switch (length) {
    case 'L': return va_arg(*list, long long);
    case 'h': return (short)va_arg(*list, int);
    case 'H': return (signed char)va_arg(*list, int);
    default: return va_arg(*list, int);
  }
}

static uint64_t unsigned_argument(va_list *list, char length) {
  switch (length) {
    case 'L': return va_arg(*list, unsigned long long);
    case 'h': return (unsigned short)va_arg(*list, int);
    case 'H': return (unsigned char)va_arg(*list, int);
    default: return va_arg(*list, unsigned);
  }
}

/* Digits from a place on, zeros where there are none; places before the first digit are zeros too. */
static void copy_digits(char *to, const struct decimal *decimal, int from, int count) {
  for (int i = 0; i < count; ++i) {
    int at = from + i;
    to[i] = '0' + (at >= 0 && at < decimal->count ? decimal->digits[at] : 0);
  }
}

/* %f: all digits before the point and `precision` behind it. */
static void put_fixed(struct sink *sink, const struct format *format, const char *sign, struct decimal *decimal,
                      int precision) {
  int before = decimal->exponent > 0 ? decimal->exponent : 0;
  int exact = decimal->count - decimal->exponent;
  int behind = precision > exact ? (exact > 0 ? exact : 0) : precision;
  int later = precision - behind;
  int has_point = precision > 0 || format->alternative;
  char *text = malloc(before + behind + 3);
  if (!text) {
    sink->failed = 1;
    return;
  }
  char *to = text;
  if (before == 0) *to++ = '0';
  copy_digits(to, decimal, 0, before);
  to += before;
  if (has_point) *to++ = '.';
  copy_digits(to, decimal, decimal->exponent, behind);
  to += behind;
  struct format rest = *format;
  rest.width -= later;
  if (format->left) rest.width = 0;
  put_number(sink, &rest, sign, 0, text, to - text);
  put_many(sink, '0', later);
  if (format->left) put_many(sink, ' ', format->width - (int)(strlen(sign) + (to - text) + later));
  free(text);
}

/* %e: one digit before the point and `precision` behind it. */
static void put_scientific(struct sink *sink, const struct format *format, const char *sign,
                           const struct decimal *decimal, int precision, char letter) {
  char first[MOST_DIGITS + 4], power[16];
  int behind = precision > MOST_DIGITS - 1 ? MOST_DIGITS - 1 : precision;
  int later = precision - behind;
  int length = 1;
  copy_digits(first, decimal, 0, 1);
  if (precision > 0 || format->alternative) first[length++] = '.';
  copy_digits(first + length, decimal, 1, behind);
  length += behind;
  int exponent = decimal->count == 0 ? 0 : decimal->exponent - 1;
  int magnitude = exponent < 0 ? -exponent : exponent, power_length = 0;
  power[power_length++] = letter;
  power[power_length++] = exponent < 0 ? '-' : '+';
  if (magnitude >= 100) power[power_length++] = '0' + magnitude / 100;
  power[power_length++] = '0' + magnitude / 10 % 10;
  power[power_length++] = '0' + magnitude % 10;
  struct format rest = *format;
  rest.width = format->left ? 0 : format->width - later - power_length;
  put_number(sink, &rest, sign, 0, first, length);
  put_many(sink, '0', later);
  put(sink, power, power_length);
  if (format->left) put_many(sink, ' ', format->width - (int)(strlen(sign) + length + later + power_length));
}

/* %a: the bits in hexadecimal. */
static void put_hexadecimal(struct sink *sink, const struct format *format, int is_negative, double number, int is_upper) {
  uint64_t bits = __builtin_bits_of_double(number);
  int exponent = bits >> 52 & 2047;
  uint64_t mantissa = bits & ((1ull << 52) - 1);
  if (exponent) mantissa |= 1ull << 52;
  if (!exponent && mantissa) exponent = 1;
  exponent = mantissa ? exponent - 1023 : 0;
  int precision = format->precision;
  if (precision >= 0 && precision < 13) {
    int dropped = 4 * (13 - precision);
    uint64_t half = 1ull << (dropped - 1), cut = mantissa & (half * 2 - 1);
    mantissa -= cut;
    if (cut > half || (cut == half && mantissa >> dropped & 1)) mantissa += half * 2;
  }
  const char *letters = is_upper ? "0123456789ABCDEF" : "0123456789abcdef";
  char text[40];
  int length = 0;
  text[length++] = letters[mantissa >> 52];
  int count = 13;
  if (precision < 0) {
    while (count > 0 && !(mantissa >> (52 - 4 * count) & 15)) --count;
  } else if (precision < 13) count = precision;
  int later = precision > count ? precision - count : 0;
  if (count > 0 || later > 0 || format->alternative) text[length++] = '.';
  for (int i = 1; i <= count; ++i) text[length++] = letters[mantissa >> (52 - 4 * i) & 15];
  char power[16];
  int power_length = sprintf(power, "%c%+d", is_upper ? 'P' : 'p', exponent);
  char prefix[8];
  strcpy(prefix, sign_of(format, is_negative));
  strcat(prefix, is_upper ? "0X" : "0x");
  struct format rest = *format;
  rest.width = format->left ? 0 : format->width - later - power_length;
  put_number(sink, &rest, prefix, 0, text, length);
  put_many(sink, '0', later);
  put(sink, power, power_length);
  if (format->left) put_many(sink, ' ', format->width - (int)(strlen(prefix) + length + later + power_length));
}

static void put_float(struct sink *sink, struct format *format, double number) {
  int is_upper = format->conversion < 'a';
  int conversion = format->conversion | 32;
  const char *sign = sign_of(format, signbit(number));
  if (!isfinite(number)) {
    char text[8];
    strcpy(text, sign);
    strcat(text, isnan(number) ? (is_upper ? "NAN" : "nan") : is_upper ? "INF" : "inf");
    put_text(sink, format, text, strlen(text));
    return;
  }
  if (conversion == 'a') {
    put_hexadecimal(sink, format, signbit(number), number, is_upper);
    return;
  }
  int precision = format->precision < 0 ? 6 : format->precision;
  struct decimal decimal;
  __to_decimal(number, &decimal);
  if (conversion == 'f') {
    __round_decimal(&decimal, decimal.exponent + precision);
    put_fixed(sink, format, sign, &decimal, precision);
    return;
  }
  char letter = is_upper ? 'E' : 'e';
  if (conversion == 'e') {
    __round_decimal(&decimal, precision + 1);
    put_scientific(sink, format, sign, &decimal, precision, letter);
    return;
  }
  if (precision == 0) precision = 1;
  __round_decimal(&decimal, precision);
  int exponent = decimal.count == 0 ? 0 : decimal.exponent - 1;
  int is_fixed = exponent >= -4 && exponent < precision;
  int behind = is_fixed ? precision - 1 - exponent : precision - 1;
  if (!format->alternative) {
    // Zeros at the end are not written.
    int digits = decimal.count == 0 ? 1 : decimal.count;
    int needed = is_fixed ? digits - 1 - exponent : digits - 1;
    if (needed < 0) needed = 0;
    if (behind > needed) behind = needed;
  }
  if (is_fixed) put_fixed(sink, format, sign, &decimal, behind);
  else put_scientific(sink, format, sign, &decimal, behind, letter);
}

static const char *read_flags(const char *from, struct format *format) {
  for (;; ++from) {
    switch (*from) {
      case '-': format->left = 1; break;
      case '+': format->plus = 1; break;
      case ' ': format->space = 1; break;
      case '#': format->alternative = 1; break;
      case '0': format->zeros = 1; break;
      case '\'': break;
      default: return from;
    }
  }
}

static const char *read_count(const char *from, int *count, va_list *list) {
  if (*from == '*') {
    *count = va_arg(*list, int);
    return from + 1;
  }
  long value = 0;
  for (; *from >= '0' && *from <= '9'; ++from) {
    if (value < 100000000) value = value * 10 + (*from - '0');
  }
  *count = value;
  return from;
}

static const char *read_length(const char *from, struct format *format) {
  switch (*from) {
    case 'h':
      format->length = from[1] == 'h' ? 'H' : 'h';
      return from + (from[1] == 'h' ? 2 : 1);
    case 'l':
      format->length = from[1] == 'l' ? 'L' : 'l';
      return from + (from[1] == 'l' ? 2 : 1);
    case 'q':
    case 'L':
    case 'j': format->length = 'L'; return from + 1;
    case 'z':
    case 't': format->length = 'l'; return from + 1;
    default: return from;
  }
}

static void store_count(const struct format *format, size_t count, va_list *list) {
  void *place = va_arg(*list, void *);
  switch (format->length) {
    case 'L': *(long long *)place = count; break;
    case 'h': *(short *)place = count; break;
    case 'H': *(signed char *)place = count; break;
    default: *(int *)place = count; break;
  }
}

/* A wide character as UTF-8; how many bytes. */
static int encode(unsigned c, char *to) {
  if (c < 0x80) {
    to[0] = c;
    return 1;
  }
  int length = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
  for (int i = length - 1; i > 0; --i, c >>= 6) to[i] = 0x80 | (c & 63);
  to[0] = (0xf0 << (4 - length)) | c;
  return length;
}

static void convert(struct sink *sink, struct format *format, va_list *list) {
  switch (format->conversion) {
    case 'd':
    case 'i': {
      int64_t value = signed_argument(list, format->length);
      uint64_t magnitude = value < 0 ? -(uint64_t)value : value;
      put_integer(sink, format, magnitude, sign_of(format, value < 0));
      return;
    }
    case 'u':
    case 'o':
    case 'x':
    case 'X': {
      uint64_t value = unsigned_argument(list, format->length);
      const char *prefix = format->conversion == 'x' ? "0x" : "0X";
      int has_prefix = format->alternative && value && (format->conversion | 32) == 'x';
      put_integer(sink, format, value, has_prefix ? prefix : "");
      return;
    }
    case 'p': {
      unsigned address = va_arg(*list, unsigned);
      if (!address) {
        put_text(sink, format, "(nil)", 5);
        return;
      }
      format->conversion = 'x';
      put_integer(sink, format, address, "0x");
      return;
    }
    case 'c': {
      char text[4];
      int c = va_arg(*list, int), length = 1;
      text[0] = c;
      if (format->length == 'l') length = encode(c, text);
      put_text(sink, format, text, length);
      return;
    }
    case 's': {
      if (format->length == 'l') {
        const wchar_t *wide = va_arg(*list, const wchar_t *);
        char part[4];
        for (int room = format->precision; *wide; ++wide) {
          int length = encode(*wide, part);
          if (format->precision >= 0 && (room -= length) < 0) break;
          put(sink, part, length);
        }
        return;
      }
      const char *text = va_arg(*list, const char *);
      if (!text) text = format->precision >= 0 && format->precision < 6 ? "" : "(null)";
      put_text(sink, format, text, format->precision < 0 ? strlen(text) : strnlen(text, format->precision));
      return;
    }
    case 'n': store_count(format, sink->count, list); return;
    case '%': put(sink, "%", 1); return;
    default: put_float(sink, format, va_arg(*list, double)); return;
  }
}

static int write_formatted(struct sink *sink, const char *format, va_list list) {
  while (*format) {
    const char *plain = strchrnul(format, '%');
    put(sink, format, plain - format);
    format = plain;
    if (!*format) break;
    struct format specification = {0};
    specification.precision = -1;
    const char *from = read_flags(format + 1, &specification);
    from = read_count(from, &specification.width, &list);
    if (specification.width < 0) {
      specification.left = 1;
      specification.width = -specification.width;
    }
    if (*from == '.') from = read_count(from + 1, &specification.precision, &list);
    from = read_length(from, &specification);
    specification.conversion = *from;
    if (!*from || !strchr("diouxXpcsneEfFgGaA%", *from)) {
      // No conversion that there is: it stands for itself.
      put(sink, format, 1);
      ++format;
      continue;
    }
    convert(sink, &specification, &list);
    format = from + 1;
  }
  if (sink->file) send(sink);
  else if (sink->room > 0) sink->memory[sink->count < sink->room ? sink->count : sink->room - 1] = 0;
  return sink->failed || sink->count > INT_MAX ? -1 : (int)sink->count;
}

int vfprintf(FILE *restrict file, const char *restrict format, va_list list) {
  LOCKED(&__file_lock);
  struct sink sink;
  sink.file = file;
  sink.count = sink.held = sink.failed = 0;
  return write_formatted(&sink, format, list);
}

int vsnprintf(char *restrict to, size_t size, const char *restrict format, va_list list) {
  struct sink sink;
  sink.file = NULL;
  sink.memory = to;
  sink.room = size;
  sink.count = sink.held = sink.failed = 0;
  return write_formatted(&sink, format, list);
}

int vprintf(const char *restrict format, va_list list) { return vfprintf(stdout, format, list); }
int vsprintf(char *restrict to, const char *restrict format, va_list list) {
  return vsnprintf(to, INT_MAX, format, list);
}

int vasprintf(char **to, const char *restrict format, va_list list) {
  int length = vsnprintf(NULL, 0, format, list);
  *to = length < 0 ? NULL : malloc(length + 1);
  return *to ? vsnprintf(*to, length + 1, format, list) : -1;
}

#define WITH_LIST(call)   \
  va_list list;           \
  va_start(list, format); \
  int count = call;       \
  va_end(list);           \
  return count

int printf(const char *restrict format, ...) { WITH_LIST(vfprintf(stdout, format, list)); }
int fprintf(FILE *restrict file, const char *restrict format, ...) { WITH_LIST(vfprintf(file, format, list)); }
int sprintf(char *restrict to, const char *restrict format, ...) { WITH_LIST(vsprintf(to, format, list)); }
int snprintf(char *restrict to, size_t size, const char *restrict format, ...) {
  WITH_LIST(vsnprintf(to, size, format, list));
}
int asprintf(char **to, const char *restrict format, ...) { WITH_LIST(vasprintf(to, format, list)); }

int dprintf(int descriptor, const char *restrict format, ...) {
  char *text;
  va_list list;
  va_start(list, format);
  int length = vasprintf(&text, format, list);
  va_end(list);
  for (int done = 0; done < length;) {
    ssize_t written = write(descriptor, text + done, length - done);
    if (written < 0) length = -1;
    else done += written;
  }
  free(text);
  return length;
}
