/* The language: types, initializers, control flow, calls. Prints nothing that depends on the size of long or of pointers. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* Structs by value, in arguments, results and assignments. */
struct point {
  int x, y;
};
struct shape {
  char name[8];
  struct point corners[3];
  double weight;
};

static struct point add(struct point a, struct point b) { return (struct point){a.x + b.x, a.y + b.y}; }
static struct shape moved(struct shape shape, struct point by) {
  for (int i = 0; i < 3; i++) shape.corners[i] = add(shape.corners[i], by);
  shape.weight *= 2;
  return shape;
}

static void structs(void) {
  struct shape a = {"tri", {{0, 0}, {4, 0}, {0, 3}}, 1.5};
  struct shape b = moved(a, (struct point){10, 20});
  printf("%s %d,%d %d,%d %.1f; before %d,%d %.1f\n", b.name, b.corners[1].x, b.corners[1].y, b.corners[2].x,
         b.corners[2].y, b.weight, a.corners[1].x, a.corners[1].y, a.weight);
  printf("%d\n", moved(b, add(a.corners[1], a.corners[2])).corners[0].y);
  a = b = moved(b, (struct point){.y = -20});
  printf("%d %d\n", a.corners[2].y, add(a.corners[0], b.corners[1]).x);
}

/* Unions, enumerations, bit-fields. */
union number {
  float real;
  unsigned bits;
  unsigned char bytes[4];
};
enum colour { RED, GREEN = 5, BLUE, LAST = BLUE + 10 };
struct flags {
  unsigned low : 3;
  signed middle : 5;
  unsigned : 4;
  unsigned high : 20;
  unsigned long long wide : 40;
  _Bool set : 1;
};
static struct flags global_flags = {5, -7, 0xabcde, 0x123456789aULL, 1};

static void fields(void) {
  union number n = {.real = 1.0f};
  printf("%08x %02x %d %d\n", n.bits, n.bytes[3], BLUE, LAST);
  struct flags f = global_flags;
  printf("%u %d %x %llx %d\n", f.low, f.middle, f.high, (unsigned long long)f.wide, f.set);
  f.low += 4;
  f.middle -= 10;
  f.wide <<= 4;
  f.set = 0;
  unsigned assigned = f.high = 0xfffff0;
  printf("%u %d %x %llx %d %x\n", f.low, f.middle, f.high, (unsigned long long)f.wide, f.set, assigned);
}

/* Pointers to functions: tables, arguments, results, fields. */
typedef int operation(int, int);
static int plus(int a, int b) { return a + b; }
static int minus(int a, int b) { return a - b; }
static int times(int a, int b) { return a * b; }
static const struct {
  const char *sign;
  operation *apply;
} operations[] = {{"+", plus}, {"-", minus}, {"*", times}};
static operation *choose(char sign) {
  for (int i = 0; i < 3; i++) {
    if (operations[i].sign[0] == sign) return operations[i].apply;
  }
  return NULL;
}
static int fold(operation *apply, const int *values, int count) {
  int result = values[0];
  for (int i = 1; i < count; i++) result = (*apply)(result, values[i]);
  return result;
}
static void (*const tests[7])(void);
static struct point (*adder)(struct point, struct point) = &add;

static void functions(void) {
  const int values[] = {7, 5, 3};
  for (const char *sign = "+-*"; *sign; sign++) printf("%c%d ", *sign, fold(choose(*sign), values, 3));
  printf("%d %d %d\n", choose('/') == NULL, (values[0] > 6 ? plus : minus)(1, 2), adder(add((struct point){1, 2}, (struct point){3, 4}), (struct point){5, 6}).y);
  printf("%d\n", tests[0] == structs);
}

/* Recursion, one function through another, and static locals. */
static int is_odd(int n);
static int is_even(int n) { return n == 0 ? 1 : is_odd(n - 1); }
static int is_odd(int n) { return n == 0 ? 0 : is_even(n - 1); }
static int ackermann(int m, int n) {
  return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
static int hanoi(int discs, int from, int to) {
  static int moves;
  int through = 3 - from - to;
  if (discs == 0) return moves;
  hanoi(discs - 1, from, through);
  ++moves;
  return hanoi(discs - 1, through, to);
}
static int depth_of(const int *outer, int left) {
  int here = left;
  return left == 0 ? *outer : depth_of(&here, left - 1) + (outer != &here);
}
static void recursion(void) {
  int start = 9;
  printf("%d %d %d %d %d\n", is_even(10), is_odd(7), ackermann(2, 3), hanoi(6, 0, 2), depth_of(&start, 5));
}

/* Initializers: designators, nested arrays, addresses of all kinds. */
static int grid[3][4] = {[1] = {1, 2, 3, 4}, [2][1] = 7, 8};
static int *const cell = &grid[1][2];
static const char *words[] = {[2] = "two", [0] = "zero", "one"};
static struct {
  int *to;
  const char *text;
  size_t size;
  struct point inner[2];
} record = {&grid[2][1], "text" + 1, sizeof grid / sizeof *grid, {[1] = {.y = 4}}};
static char letters[] = "abc", fixed[2] = "xy";
static double table[] = {1, 2.5, -3e2, 0x1p-2};
static unsigned char mixed[] = {'a', 300 % 256, 0377, '\n'};
static void initializers(void) {
  printf("%d %d %d %d %s %s %d\n", *cell, grid[2][2], grid[0][0], *record.to, words[1], record.text, record.inner[1].y);
  printf("%d %c%c %g %d\n", (int)sizeof letters, fixed[0], fixed[1], table[3], mixed[2]);
  int *literal = (int[]){1, 2, 3};
  literal[1] += 10;
  printf("%d %d\n", literal[1], ((struct point){.y = 3, .x = 2}).x);
  for (int i = 0; i < 2; i++) {
    struct point fresh = {.x = i};
    fresh.y += 5;
    printf("%d%d ", fresh.x, fresh.y);
  }
  puts("");
}

/* Control flow: switch with fall-through and ranges of cases in between, goto both ways, Duff's device. */
static const char *classify(int c) {
  switch (c) {
    case '0': case '1': case '2': case '3': case '4':
      return "low";
    default:
      return "other";
    case '5':
    case '6':
      c++;
      /* fall through */
    case '9':
      return c == '9' ? "nine" : "middle";
  }
}
static int count_pairs(int limit) {
  int i = 0, j, found = 0;
again:
  for (j = 0; j < limit; j++) {
    if ((i * j) % 7 == 3) goto next;
    if (i + j > 2 * limit - 3) goto done;
    found++;
  }
next:
  if (++i < limit) goto again;
done:
  return found;
}
static void copy(char *to, const char *from, int count) {
  int rounds = (count + 3) / 4;
  switch (count % 4) {
    case 0: do { *to++ = *from++;
    case 3: *to++ = *from++;
    case 2: *to++ = *from++;
    case 1: *to++ = *from++;
            } while (--rounds > 0);
  }
}
static void control(void) {
  char buffer[12] = {0};
  copy(buffer, "hello world", 11);
  printf("%s %s %s %s %d %s\n", classify('3'), classify('6'), classify('9'), classify('x'), count_pairs(9), buffer);
  int i = 0, sum = 0;
  do {
    if (i == 3) continue;
    if (i == 8) break;
    sum += i;
  } while (++i < 100);
  for (int a = 0, b = 10; a < b; a++, b--) sum += a * b;
  printf("%d %d\n", i, sum);
}

/* Arithmetic that goes wrong easily. */
static void arithmetic(void) {
  signed char small = 127;
  small++;
  unsigned char byte = 250;
  byte += 10;
  short half = (short)40000;
  unsigned big = 4000000000u;
  long long wide = -5000000000LL;
  printf("%d %d %d %u %lld %lld\n", small, byte, half, big + 500000000u, wide / 3, wide % 7);
  printf("%d %d %d %u\n", -7 / 2, -7 % 2, -7 >> 1, (unsigned)-7 >> 28);
  printf("%d %d %d\n", (char)200, (unsigned char)-1, -1 < (int)sizeof(int));
  printf("%llu %lld\n", 0xffffffffffffffffULL / 10, (long long)1e15 + 1);
  float single = (float)16777217;
  double exact = 0.1 + 0.2;
  printf("%.1f %.17g %d %d\n", single, exact, (int)-3.99, (unsigned char)(int)300.7);
  int i = 5;
  int first = i++ * 2, second = --i;
  i <<= 3;
  i ^= 0x55;
  printf("%d %d %d %d %d\n", first, second, i, !i, ~i & 0xf);
  int *pointer = grid[1];
  int taken = *pointer++;
  taken = taken * 10 + *++pointer;
  printf("%d %d\n", taken, (int)(pointer - grid[0]));
  printf("%d\n", (i = 3, i > 2 && i < 5 || i == 9) ? (i++, 42) : 0);
}

static void (*const tests[])(void) = {structs, fields, functions, recursion, initializers, control, arithmetic};

int main(void) {
  for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) tests[i]();
  printf("%s %d %d\n", strrchr(__FILE__, 'l') ? "file" : "", __LINE__, (int)strlen(__func__));
  return 0;
}
