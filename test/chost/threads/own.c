/* Variables of which each thread has its own, errno among them, and stacks of the size that is asked for. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

enum { THREADS = 8, ROUNDS = 2000 };

static const char *const names[] = {"zero", "one", "two"};
_Thread_local int counter = 40;
static _Thread_local const char *const *name = names + 1;
static _Thread_local int (*compare)(const char *, const char *) = strcmp;
static thread_local struct { char tag; double value; } pair = {'x', 2.5};
static _Thread_local char zeros[1000];
_Thread_local _Alignas(128) int aligned = 7;
extern __thread int counter;

static pthread_barrier_t barrier;

static int next(void) {
  static _Thread_local int calls;
  return ++calls;
}

static void *run(void *given) {
  int number = (int)(size_t)given, bad = 0;
  bad += counter != 40 || strcmp(*name, "one") || compare("a", "a") || pair.tag != 'x' || pair.value != 2.5;
  bad += aligned != 7 || (size_t)&aligned % 128 != 0;
  for (int i = 0; i < 1000; i++) bad += zeros[i];
  for (int round = 0; round < ROUNDS; round++) {
    counter += number;
    errno = number;
    pair.value += 1;
    zeros[round % 1000] = (char)number;
    if (round % 500 == 0) pthread_barrier_wait(&barrier);
    bad += errno != number || next() != round + 1 || zeros[round % 1000] != number;
  }
  bad += counter != 40 + number * ROUNDS || pair.value != 2.5 + ROUNDS;
  /* A call that fails sets this thread's errno alone. */
  bad += fopen("/not/there", "r") != NULL || (errno == number && number != ENOENT && number != 76);
  return (void *)(size_t)bad;
}

static int deep(int depth) {
  volatile char room[1000];
  room[0] = (char)depth;
  return depth == 0 ? room[0] : deep(depth - 1) + room[0] - (char)depth;
}

static void *descend(void *depth) { return (void *)(size_t)deep((int)(size_t)depth); }

static int descend_in(size_t bytes, int depth) {
  pthread_attr_t attributes;
  pthread_t thread;
  void *result = NULL;
  pthread_attr_init(&attributes);
  if (pthread_attr_setstacksize(&attributes, bytes)) return -1;
  if (pthread_create(&thread, &attributes, descend, (void *)(size_t)depth)) return -2;
  pthread_join(thread, &result);
  return (int)(size_t)result;
}

int main(int argc, char **argv) {
  pthread_t threads[THREADS];
  int bad = 0;
  if (argc > 1) {
    puts("descends");
    fflush(stdout);
    printf("returned %d\n", descend_in(1 << 16, atoi(argv[1])));
    return 0;
  }
  errno = 3;
  pthread_barrier_init(&barrier, NULL, THREADS);
  for (size_t i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, run, (void *)(100 + i));
  for (int i = 0; i < THREADS; i++) {
    void *result;
    pthread_join(threads[i], &result);
    bad += (int)(size_t)result;
  }
  printf("bad %d, first %d %s %g, errno %d\n", bad, counter, *name, pair.value, errno);
  printf("deep %d\n", descend_in(16 << 20, 12000));
  return 0;
}
