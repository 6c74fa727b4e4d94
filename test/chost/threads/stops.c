/* How a program with threads ends. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *run(void *given) {
  const char *how = given;
  if (strcmp(how, "abort") == 0) abort();
  if (strcmp(how, "exit") == 0) exit(7);
  if (strcmp(how, "trap") == 0) *(volatile int *)0xfffffff0u = 1;
  for (;;) continue;
}

int main(int argc, char **argv) {
  pthread_t thread;
  puts("begins");
  pthread_create(&thread, NULL, run, argc > 1 ? argv[1] : "forever");
  if (argc > 1 && strcmp(argv[1], "return") == 0) return 5;
  pthread_join(thread, NULL);
  return 0;
}
