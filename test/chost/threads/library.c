/* What POSIX and C11 say of threads, case by case. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 8, ROUNDS = 20000 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_spinlock_t spin;
static pthread_key_t key;
static sem_t semaphore;
static atomic_int atomic_sum;
static int plain_sum, spin_sum, once_calls, destroyed, torn;
static int pair[2];
static int queue[16], queued, taken_sum;

static void count_once(void) { once_calls++; }
static void destroy(void *value) {
  pthread_mutex_lock(&mutex);
  destroyed += *(int *)value;
  pthread_mutex_unlock(&mutex);
  free(value);
}

static void *work(void *given) {
  int number = *(int *)given;
  int *own = malloc(sizeof *own);
  *own = number;
  pthread_setspecific(key, own);
  pthread_once(&once, count_once);
  unsigned seed = number;
  void *blocks[16] = {0};
  for (int i = 0; i < ROUNDS; i++) {
    pthread_mutex_lock(&mutex);
    plain_sum++;
    pthread_mutex_unlock(&mutex);
    pthread_spin_lock(&spin);
    spin_sum++;
    pthread_spin_unlock(&spin);
    atomic_fetch_add(&atomic_sum, 1);
    if (i % 16 == number) {
      pthread_rwlock_wrlock(&rwlock);
      pair[0]++;
      pair[1]++;
      pthread_rwlock_unlock(&rwlock);
    } else {
      pthread_rwlock_rdlock(&rwlock);
      if (pair[0] != pair[1]) atomic_fetch_add((atomic_int *)&torn, 1);
      pthread_rwlock_unlock(&rwlock);
    }
    /* The heap, with blocks that show if somebody else has them too. */
    seed = seed * 1664525 + 1013904223;
    int place = seed >> 28, size = 1 + (seed >> 8) % 3000;
    if (blocks[place]) {
      unsigned char *bytes = blocks[place];
      if (bytes[4] != number || bytes[5] != number) atomic_fetch_add((atomic_int *)&torn, 1);
    }
    blocks[place] = realloc(blocks[place], size + 6);
    memset(blocks[place], number, size + 6);
  }
  for (int i = 0; i < 16; i++) free(blocks[i]);
  if (pthread_getspecific(key) != own || !pthread_equal(pthread_self(), pthread_self())) return NULL;
  pthread_exit((void *)(size_t)(number * 100));
  return NULL;
}

static void *consume(void *given) {
  (void)given;
  for (;;) {
    pthread_mutex_lock(&mutex);
    while (queued == 0) pthread_cond_wait(&condition, &mutex);
    int one = queue[--queued];
    if (one < 0) queued++;
    else taken_sum += one;
    pthread_cond_broadcast(&condition);
    pthread_mutex_unlock(&mutex);
    if (one < 0) return NULL;
  }
}

static void *say(void *given) {
  for (int i = 0; i < 200; i++) printf("%s %s %s\n", (char *)given, (char *)given, (char *)given);
  return NULL;
}

static void *post(void *given) {
  (void)given;
  pthread_detach(pthread_self());
  sem_post(&semaphore);
  return NULL;
}

static int c11(void *given) {
  mtx_lock(given);
  plain_sum++;
  mtx_unlock(given);
  return 42;
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "say") == 0) {
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, say, (char *[]){"aaa", "bbb", "ccc", "ddd"}[i]);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    return 0;
  }
  pthread_t threads[THREADS];
  int numbers[THREADS], results = 0;
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  pthread_key_create(&key, destroy);
  for (int i = 0; i < THREADS; i++) {
    numbers[i] = i + 1;
    if (pthread_create(&threads[i], NULL, work, &numbers[i])) return 1;
  }
  for (int i = 0; i < THREADS; i++) {
    void *result;
    pthread_join(threads[i], &result);
    results += (int)(size_t)result;
  }
  printf("sums %d %d %d\n", plain_sum, spin_sum, atomic_load(&atomic_sum));
  printf("pair %d %d, torn %d\n", pair[0], pair[1], torn);
  printf("results %d, destroyed %d, once %d\n", results, destroyed, once_calls);

  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, consume, NULL);
  for (int i = 1; i <= 1000; i++) {
    pthread_mutex_lock(&mutex);
    while (queued == 15) pthread_cond_wait(&condition, &mutex);
    queue[queued++] = i;
    pthread_cond_broadcast(&condition);
    pthread_mutex_unlock(&mutex);
  }
  pthread_mutex_lock(&mutex);
  while (queued > 0) pthread_cond_wait(&condition, &mutex);
  queue[queued++] = -1;
  pthread_cond_broadcast(&condition);
  pthread_mutex_unlock(&mutex);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  printf("taken %d\n", taken_sum);

  sem_init(&semaphore, 0, 0);
  for (int i = 0; i < 5; i++) {
    pthread_create(&threads[0], NULL, post, NULL);
    sem_wait(&semaphore);
  }
  printf("posted, %d %d\n", sem_trywait(&semaphore), errno == EAGAIN);

  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += 30000000;
  if (until.tv_nsec >= 1000000000) until.tv_sec++, until.tv_nsec -= 1000000000;
  pthread_mutex_lock(&mutex);
  int timed = pthread_cond_timedwait(&condition, &mutex, &until);
  printf("timed %d, busy %d\n", timed == ETIMEDOUT, pthread_mutex_trylock(&mutex) == EBUSY);
  pthread_mutex_unlock(&mutex);

  pthread_mutexattr_t attributes;
  pthread_mutex_t again;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&again, &attributes);
  for (int i = 0; i < 2; i++) printf("%s %d", i ? "" : "recursive", pthread_mutex_lock(&again));
  for (int i = 0; i < 2; i++) printf(" %d", pthread_mutex_unlock(&again));
  printf(" %d\n", pthread_mutex_unlock(&again) == EPERM);

  thrd_t thread;
  mtx_t plain;
  int code = 0;
  mtx_init(&plain, mtx_plain);
  plain_sum = 0;
  printf("c11 %d", thrd_create(&thread, c11, &plain));
  printf(" %d", thrd_join(thread, &code));
  printf(" %d %d\n", code, plain_sum);
  return 0;
}
