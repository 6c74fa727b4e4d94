/* General utilities (C99, 7.20). */
#ifndef MILLRACE_STDLIB_H
#define MILLRACE_STDLIB_H

#include <stddef.h>

#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
#define MB_CUR_MAX 1

typedef struct {
  int quot, rem;
} div_t;
typedef struct {
  long quot, rem;
} ldiv_t;
typedef struct {
  long long quot, rem;
} lldiv_t;

void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *block, size_t size);
void free(void *block);
void *aligned_alloc(size_t align, size_t size);
int posix_memalign(void **block, size_t align, size_t size);
void *memalign(size_t align, size_t size);
void *valloc(size_t size);
size_t malloc_usable_size(void *block);

int atoi(const char *text);
long atol(const char *text);
long long atoll(const char *text);
double atof(const char *text);
long strtol(const char *restrict text, char **restrict end, int base);
unsigned long strtoul(const char *restrict text, char **restrict end, int base);
long long strtoll(const char *restrict text, char **restrict end, int base);
unsigned long long strtoull(const char *restrict text, char **restrict end, int base);
float strtof(const char *restrict text, char **restrict end);
double strtod(const char *restrict text, char **restrict end);
long double strtold(const char *restrict text, char **restrict end);

int rand(void);
void srand(unsigned seed);
int rand_r(unsigned *seed);
long random(void);
void srandom(unsigned seed);
double drand48(void);
double erand48(unsigned short state[3]);
long lrand48(void);
long mrand48(void);
void srand48(long seed);

_Noreturn void abort(void);
_Noreturn void exit(int code);
_Noreturn void _Exit(int code);
int atexit(void (*function)(void));
char *getenv(const char *name);
int setenv(const char *name, const char *value, int replace);
int unsetenv(const char *name);
int putenv(char *setting);
int system(const char *command);

void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *));
void *bsearch(const void *key, const void *base, size_t count, size_t size,
              int (*compare)(const void *, const void *));
int abs(int value);
long labs(long value);
long long llabs(long long value);
div_t div(int a, int b);
ldiv_t ldiv(long a, long b);
lldiv_t lldiv(long long a, long long b);
char *realpath(const char *restrict path, char *restrict resolved);

#include <alloca.h>

#endif
