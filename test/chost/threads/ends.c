/* Threads that go on when main has left, and keys that are used again. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void at_exit(void) { puts("exit"); }

static void *last(void *given) {
  usleep(100000);
  puts(given);
  return NULL;
}

static int destroyed;
static void destroy(void *value) {
  (void)value;
  destroyed++;
}

static pthread_key_t key;
static pthread_barrier_t barrier;

static void *keep(void *given) {
  pthread_setspecific(key, given);
  pthread_barrier_wait(&barrier);
  pthread_barrier_wait(&barrier);
  return pthread_getspecific(key);
}

int main(int argc, char **argv) {
  (void)argv;
  atexit(at_exit);
  if (argc > 1) pthread_exit(NULL);
  pthread_t thread;
  void *kept = "";
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_key_create(&key, destroy);
  pthread_setspecific(key, "old");
  pthread_create(&thread, NULL, keep, "old");
  pthread_barrier_wait(&barrier);
  pthread_key_delete(key);
  pthread_key_create(&key, destroy);
  pthread_barrier_wait(&barrier);
  pthread_join(thread, &kept);
  printf("kept %d %d, destroyed %d\n", kept != NULL, pthread_getspecific(key) != NULL, destroyed);
  pthread_create(&thread, NULL, last, "last");
  pthread_detach(thread);
  pthread_exit(NULL);
}
