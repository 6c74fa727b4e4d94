/* With linked_other.c: functions and variables of another file, and names that each keeps for itself. */
#include "linked.h"
#include <stdio.h>

int shared = 40;
static int own = 1;
static int helper(void) { return own; }
double without_prototype();

int main(int argc, char **argv) {
  printf("%d %d %d\n", helper(), other_helper(), shared);
  add_to_shared(2);
  printf("%d %s %d\n", shared, names[1], twice_each(handler_of(3), 5));
  printf("%g\n", without_prototype(3, 2.5f));
  for (int i = 1; i < argc; i++) printf("%d: %s\n", i, argv[i]);
  return argc;
}
