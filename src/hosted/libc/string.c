/* Strings and bytes (C99, 7.21). */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#undef index

#define INSTRUCTION(name) __attribute__((import_module("wasm"), import_name(name)))
INSTRUCTION("memory.copy") void __memory_copy(void *to, const void *from, size_t count);
INSTRUCTION("memory.fill") void __memory_fill(void *to, int byte, size_t count);

void *memcpy(void *restrict to, const void *restrict from, size_t count) {
  __memory_copy(to, from, count);
  return to;
}

void *memmove(void *to, const void *from, size_t count) {
  __memory_copy(to, from, count);
  return to;
}

void *mempcpy(void *restrict to, const void *restrict from, size_t count) {
  __memory_copy(to, from, count);
  return (char *)to + count;
}

void *memset(void *to, int byte, size_t count) {
  __memory_fill(to, byte, count);
  return to;
}

int memcmp(const void *a, const void *b, size_t count) {
  const unsigned char *x = a, *y = b;
  for (; count > 0; --count, ++x, ++y) {
    if (*x != *y) return *x - *y;
  }
  return 0;
}

void *memchr(const void *in, int byte, size_t count) {
  const unsigned char *bytes = in;
  for (; count > 0; --count, ++bytes) {
    if (*bytes == (unsigned char)byte) return (void *)bytes;
  }
  return NULL;
}

void *memmem(const void *in, size_t size, const void *what, size_t count) {
  const char *bytes = in;
  for (; size >= count; --size, ++bytes) {
    if (memcmp(bytes, what, count) == 0) return (void *)bytes;
  }
  return NULL;
}

size_t strlen(const char *text) {
  const char *end = text;
  while (*end) ++end;
  return end - text;
}

size_t strnlen(const char *text, size_t most) {
  const char *end = memchr(text, 0, most);
  return end ? end - text : most;
}

char *stpcpy(char *restrict to, const char *restrict from) {
  while ((*to = *from++)) ++to;
  return to;
}

char *strcpy(char *restrict to, const char *restrict from) {
  stpcpy(to, from);
  return to;
}

char *strncpy(char *restrict to, const char *restrict from, size_t count) {
  size_t length = strnlen(from, count);
  memcpy(to, from, length);
  memset(to + length, 0, count - length);
  return to;
}

char *strcat(char *restrict to, const char *restrict from) {
  stpcpy(to + strlen(to), from);
  return to;
}

char *strncat(char *restrict to, const char *restrict from, size_t count) {
  char *end = to + strlen(to);
  size_t length = strnlen(from, count);
  memcpy(end, from, length);
  end[length] = 0;
  return to;
}

int strcmp(const char *a, const char *b) {
  while (*a && *a == *b) ++a, ++b;
  return *(const unsigned char *)a - *(const unsigned char *)b;
}

int strncmp(const char *a, const char *b, size_t count) {
  for (; count > 0; --count, ++a, ++b) {
    if (*a != *b || !*a) return *(const unsigned char *)a - *(const unsigned char *)b;
  }
  return 0;
}

int strcasecmp(const char *a, const char *b) { return strncasecmp(a, b, ~(size_t)0); }

int strncasecmp(const char *a, const char *b, size_t count) {
  for (; count > 0; --count, ++a, ++b) {
    int difference = tolower((unsigned char)*a) - tolower((unsigned char)*b);
    if (difference || !*a) return difference;
  }
  return 0;
}

int strcoll(const char *a, const char *b) { return strcmp(a, b); }

size_t strxfrm(char *restrict to, const char *restrict from, size_t count) {
  size_t length = strlen(from);
  if (length < count) strcpy(to, from);
  return length;
}

char *strchrnul(const char *text, int c) {
  while (*text && *text != (char)c) ++text;
  return (char *)text;
}

char *strchr(const char *text, int c) {
  char *place = strchrnul(text, c);
  return *place == (char)c ? place : NULL;
}

char *strrchr(const char *text, int c) {
  const char *place = text + strlen(text);
  while (*place != (char)c) {
    if (place-- == text) return NULL;
  }
  return (char *)place;
}

size_t strspn(const char *text, const char *set) {
  const char *end = text;
  while (*end && strchr(set, *end)) ++end;
  return end - text;
}

size_t strcspn(const char *text, const char *set) {
  const char *end = text;
  while (*end && !strchr(set, *end)) ++end;
  return end - text;
}

char *strpbrk(const char *text, const char *set) {
  text += strcspn(text, set);
  return *text ? (char *)text : NULL;
}

char *strstr(const char *text, const char *what) {
  size_t length = strlen(what);
  for (; *text || length == 0; ++text) {
    if (strncmp(text, what, length) == 0) return (char *)text;
  }
  return NULL;
}

char *strtok_r(char *restrict text, const char *restrict set, char **restrict rest) {
  if (!text) text = *rest;
  text += strspn(text, set);
  *rest = text + strcspn(text, set);
  if (text == *rest) return NULL;
  if (**rest) *(*rest)++ = 0;
  return text;
}

char *strtok(char *restrict text, const char *restrict set) {
  static char *rest = "";
  return strtok_r(text, set, &rest);
}

char *strsep(char **text, const char *set) {
  char *token = *text;
  if (!token) return NULL;
  char *end = token + strcspn(token, set);
  *text = *end ? end + 1 : NULL;
  *end = 0;
  return token;
}

char *strndup(const char *text, size_t most) {
  size_t length = strnlen(text, most);
  char *copy = malloc(length + 1);
  if (!copy) return NULL;
  memcpy(copy, text, length);
  copy[length] = 0;
  return copy;
}

char *strdup(const char *text) { return strndup(text, ~(size_t)0 >> 1); }

char *index(const char *text, int c) { return strchr(text, c); }
