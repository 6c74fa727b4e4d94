/* Strings and bytes (C99, 7.21). */
#ifndef MILLRACE_STRING_H
#define MILLRACE_STRING_H

#include <stddef.h>

void *memcpy(void *restrict to, const void *restrict from, size_t count);
void *memmove(void *to, const void *from, size_t count);
void *mempcpy(void *restrict to, const void *restrict from, size_t count);
void *memset(void *to, int byte, size_t count);
int memcmp(const void *a, const void *b, size_t count);
void *memchr(const void *in, int byte, size_t count);
void *memmem(const void *in, size_t size, const void *what, size_t count);

size_t strlen(const char *text);
size_t strnlen(const char *text, size_t most);
char *strcpy(char *restrict to, const char *restrict from);
char *stpcpy(char *restrict to, const char *restrict from);
char *strncpy(char *restrict to, const char *restrict from, size_t count);
char *strcat(char *restrict to, const char *restrict from);
char *strncat(char *restrict to, const char *restrict from, size_t count);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t count);
int strcoll(const char *a, const char *b);
size_t strxfrm(char *restrict to, const char *restrict from, size_t count);
char *strchr(const char *text, int c);
char *strchrnul(const char *text, int c);
char *strrchr(const char *text, int c);
size_t strspn(const char *text, const char *set);
size_t strcspn(const char *text, const char *set);
char *strpbrk(const char *text, const char *set);
char *strstr(const char *text, const char *what);
char *strtok(char *restrict text, const char *restrict set);
char *strtok_r(char *restrict text, const char *restrict set, char **restrict rest);
char *strsep(char **text, const char *set);
char *strdup(const char *text);
char *strndup(const char *text, size_t most);
char *strerror(int error);

int strcasecmp(const char *a, const char *b);
int strncasecmp(const char *a, const char *b, size_t count);

#endif
