#include "linked.h"

const char *const names[] = {"first", "second"};
static int own = 2;
static int helper(void) { return own * 10; }
int other_helper(void) { return helper(); }
void add_to_shared(int amount) { shared += amount; }
static int times_three(int n) { return 3 * n; }
static int plus_one(int n) { return n + 1; }
handler *handler_of(int n) { return n == 3 ? times_three : plus_one; }
double without_prototype(int a, double b) { return a * b; }
