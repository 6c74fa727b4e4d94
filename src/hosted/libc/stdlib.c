/* Sorting, searching, random numbers, integers from text (C99, 7.20). */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

typedef int compare_function(const void *, const void *);

/* Merges the sorted halves of [base, base + count) by way of `room`. Equal elements keep their order. */
static void merge_sort(char *base, size_t count, size_t size, compare_function *compare, char *room) {
  if (count < 2) return;
  size_t half = count / 2;
  char *middle = base + half * size, *end = base + count * size;
  merge_sort(base, half, size, compare, room);
  merge_sort(middle, count - half, size, compare, room);
  if (compare(middle - size, middle) <= 0) return;
  memcpy(room, base, half * size);
  char *left = room, *left_end = room + half * size, *right = middle, *to = base;
  while (left < left_end && right < end) {
    char **from = compare(left, right) <= 0 ? &left : &right;
    memcpy(to, *from, size);
    *from += size;
    to += size;
  }
  memcpy(to, left, left_end - left);
}

static void swap(char *a, char *b, size_t size) {
  for (; size > 0; --size, ++a, ++b) {
    char byte = *a;
    *a = *b;
    *b = byte;
  }
}

static void sift(char *base, size_t root, size_t count, size_t size, compare_function *compare) {
  for (size_t child; (child = 2 * root + 1) < count; root = child) {
    if (child + 1 < count && compare(base + child * size, base + (child + 1) * size) < 0) ++child;
    if (compare(base + root * size, base + child * size) >= 0) return;
    swap(base + root * size, base + child * size, size);
  }
}

/* Without memory for merging. */
static void heap_sort(char *base, size_t count, size_t size, compare_function *compare) {
  for (size_t root = count / 2; root-- > 0;) sift(base, root, count, size, compare);
  for (size_t end = count; end-- > 1;) {
    swap(base, base + end * size, size);
    sift(base, 0, end, size, compare);
  }
}

void qsort(void *base, size_t count, size_t size, compare_function *compare) {
  if (count < 2 || size == 0) return;
  char *room = malloc(count / 2 * size);
  if (room) merge_sort(base, count, size, compare, room);
  else heap_sort(base, count, size, compare);
  free(room);
}

void *bsearch(const void *key, const void *base, size_t count, size_t size, compare_function *compare) {
  const char *from = base;
  while (count > 0) {
    const char *middle = from + count / 2 * size;
    int order = compare(key, middle);
    if (order == 0) return (void *)middle;
    if (order > 0) {
      from = middle + size;
      count -= count / 2 + 1;
    } else count /= 2;
  }
  return NULL;
}

/* The additive feedback generator x[i] = x[i - 3] + x[i - 31]. */
static uint32_t feedback[31];
static int front = -1;

static uint32_t next_random(void) {
  uint32_t value = feedback[front] += feedback[(front + 28) % 31];
  front = (front + 1) % 31;
  return value >> 1;
}

void srandom(unsigned seed) {
  int32_t value = seed == 0 ? 1 : seed;
  for (int i = 0; i < 31; ++i) {
    feedback[i] = value;
    /* 16807 * value modulo 2^31 - 1, with the quotient that keeps it in 32 bits. */
    int32_t high = value / 127773, low = value % 127773;
    value = 16807 * low - 2836 * high;
    if (value < 0) value += 2147483647;
  }
  front = 3;
  for (int i = 0; i < 310; ++i) next_random();
}

long random(void) {
  if (front < 0) srandom(1);
  return next_random();
}

int rand(void) { return random(); }
void srand(unsigned seed) { srandom(seed); }

int rand_r(unsigned *seed) {
  uint32_t state = *seed, result = 0;
  for (int i = 0; i < 3; ++i) {
    static const unsigned char widths[3] = {11, 10, 10};
    state = state * 1103515245 + 12345;
    result = result << widths[i] ^ (state >> 16) % (i == 0 ? 2048 : 1024);
  }
  *seed = state;
  return result;
}

static uint64_t state48 = 0x1234abcd330eull;

static uint64_t next48(uint64_t *state) {
  return *state = (*state * 0x5deece66dull + 0xb) & 0xffffffffffffull;
}

void srand48(long seed) { state48 = (uint64_t)(uint32_t)seed << 16 | 0x330e; }
double drand48(void) { return next48(&state48) / 281474976710656.0; }
long lrand48(void) { return next48(&state48) >> 17; }
long mrand48(void) { return (int32_t)(next48(&state48) >> 16); }

double erand48(unsigned short state[3]) {
  uint64_t whole = state[0] | (uint64_t)state[1] << 16 | (uint64_t)state[2] << 32;
  next48(&whole);
  for (int i = 0; i < 3; ++i) state[i] = whole >> (16 * i);
  return whole / 281474976710656.0;
}

static int digit_value(int c) {
  if (isdigit(c)) return c - '0';
  return isalpha(c) ? tolower(c) - 'a' + 10 : 36;
}

/* The magnitude, its sign, and whether it is more than `most` (of the sign). */
struct number {
  uint64_t value;
  int is_negative;
  int is_too_large;
};

static struct number read_integer(const char *text, char **end, int base) {
  struct number number = {0, 0, 0};
  const char *from = text;
  while (isspace((unsigned char)*from)) ++from;
  if (*from == '+' || *from == '-') number.is_negative = *from++ == '-';
  if ((base == 0 || base == 16) && from[0] == '0' && (from[1] | 32) == 'x' && isxdigit((unsigned char)from[2])) {
    from += 2;
    base = 16;
  } else if (base == 0) base = *from == '0' ? 8 : 10;
  const char *digits = from;
  for (int digit; (digit = digit_value((unsigned char)*from)) < base; ++from) {
    if (number.value > (UINT64_MAX - digit) / base) number.is_too_large = 1;
    number.value = number.value * base + digit;
  }
  if (end) *end = (char *)(from == digits ? text : from);
  return number;
}

static int64_t signed_value(const char *text, char **end, int base, int64_t most) {
  struct number number = read_integer(text, end, base);
  uint64_t limit = (uint64_t)most + number.is_negative;
  if (number.is_too_large || number.value > limit) {
    errno = ERANGE;
    return number.is_negative ? -most - 1 : most;
  }
  return number.is_negative ? -number.value : number.value;
}

static uint64_t unsigned_value(const char *text, char **end, int base, uint64_t most) {
  struct number number = read_integer(text, end, base);
  if (number.is_too_large || number.value > most) {
    errno = ERANGE;
    return most;
  }
  return number.is_negative ? -number.value : number.value;
}

long strtol(const char *restrict text, char **restrict end, int base) {
  return signed_value(text, end, base, LONG_MAX);
}
unsigned long strtoul(const char *restrict text, char **restrict end, int base) {
  return unsigned_value(text, end, base, ULONG_MAX);
}
long long strtoll(const char *restrict text, char **restrict end, int base) {
  return signed_value(text, end, base, LLONG_MAX);
}
unsigned long long strtoull(const char *restrict text, char **restrict end, int base) {
  return unsigned_value(text, end, base, ULLONG_MAX);
}
intmax_t strtoimax(const char *text, char **end, int base) { return strtoll(text, end, base); }
uintmax_t strtoumax(const char *text, char **end, int base) { return strtoull(text, end, base); }

int atoi(const char *text) { return strtoll(text, NULL, 10); }
long atol(const char *text) { return strtoll(text, NULL, 10); }
long long atoll(const char *text) { return strtoll(text, NULL, 10); }
double atof(const char *text) { return strtod(text, NULL); }

int abs(int value) { return value < 0 ? -value : value; }
long labs(long value) { return value < 0 ? -value : value; }
long long llabs(long long value) { return value < 0 ? -value : value; }
intmax_t imaxabs(intmax_t value) { return value < 0 ? -value : value; }

div_t div(int a, int b) { return (div_t){a / b, a % b}; }
ldiv_t ldiv(long a, long b) { return (ldiv_t){a / b, a % b}; }
lldiv_t lldiv(long long a, long long b) { return (lldiv_t){a / b, a % b}; }
