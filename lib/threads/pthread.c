/*
 * Threads of POSIX and C11, over what starts threads in WASI (wasi-threads) and functions of Millrace's own, which put a thread to sleep at
 * an address and wake those that sleep there. Millrace compiles it for its C library, and clang for programs with -pthread, where
 * the C library for WASI has no threads (lib/c++/threads).
 *
 * A thread has one block: this object at its beginning, the variables that are its own, its stack from the end down.
 */
#include <pthread.h>
#include <errno.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>
#include "lock.h"

#define MILLRACE(name) __attribute__((import_module("millrace"), import_name(#name)))
/* Sleeps while the value is there, for so many milliseconds at most if they are not negative; 1 if they are over. */
MILLRACE(wait) int __wait(int *address, int expected, int milliseconds);
MILLRACE(wake) int __wake(int *address, int count);
/* Ends the thread at once. */
MILLRACE(leave) void __leave(void);
__attribute__((import_module("wasi"), import_name("thread-spawn"))) int __wasi_thread_spawn(void *argument);

enum { STACK = 1 << 20, KEYS = PTHREAD_KEYS_MAX, ROUNDS = 4 };
/* Of a thread that nobody joins the end frees the block. */
enum { RUNS, ENDED, RUNS_ALONE };

struct __thread_object {
  char *stack; /* its upper end, where it begins */
  char *variables;
  char *stack_end;
  void *(*start)(void *);
  void *argument;
  void *result;
  int state; /* those who join sleep here */
  struct {
    const void *value;
    unsigned round; /* of the key that it was set by */
  } specific[KEYS];
};

static struct __thread_object first;
/* Threads that have not ended; the last of them ends the program. */
static int running_threads = 1;
static void (*destructors[KEYS])(void *);
/* Odd while the key is in use. Each use has a number of its own: what threads have set by an earlier one is nothing to it. */
static unsigned key_rounds[KEYS];

static _Thread_local pthread_t running;
static _Thread_local int running_number;

/* What tells the running thread from others; not 0. */
int __thread_number(void) { return running_number + 1; }

pthread_t pthread_self(void) { return running ? running : &first; }

int pthread_equal(pthread_t a, pthread_t b) { return a == b; }

/* NULL if the key is another now, or none. */
static void *value_of(pthread_t self, pthread_key_t key) {
  unsigned round = __atomic_load_n(&key_rounds[key], __ATOMIC_ACQUIRE);
  return round & 1 && self->specific[key].round == round ? (void *)self->specific[key].value : NULL;
}

static void destroy_specific(pthread_t self) {
  for (int round = 0; round < ROUNDS; round++) {
    int any = 0;
    for (int key = 0; key < KEYS; key++) {
      void *value = value_of(self, key);
      self->specific[key].value = NULL;
      if (!value || !destructors[key]) continue;
      destructors[key](value);
      any = 1;
    }
    if (!any) return;
  }
}

static void leave_threads(pthread_t self) {
  __run_thread_exits();
  destroy_specific(self);
  if (__atomic_sub_fetch(&running_threads, 1, __ATOMIC_ACQ_REL) == 0) exit(0);
}

/* After it nothing of the block is used: who joins frees it. */
static void end_thread(pthread_t self, void *result) {
  leave_threads(self);
  self->result = result;
  if (__atomic_exchange_n(&self->state, ENDED, __ATOMIC_ACQ_REL) == RUNS_ALONE) free(self);
  else __wake(&self->state, -1);
}

/* On the thread's own stack, with its own variables. */
__attribute__((noinline)) void __begin_thread(int number, pthread_t self) {
  running = self;
  running_number = number;
  end_thread(self, self->start(self->argument));
}

#ifdef __clang__
/* In start.s, which no C can say: sets the stack, has the variables begin, and goes on with __begin_thread. */
void wasi_thread_start(int number, pthread_t self);
static unsigned variable_bytes(void) { return __builtin_wasm_tls_size(); }
static unsigned variable_align(void) { return __builtin_wasm_tls_align(); }
static void begin_variables(pthread_t thread) { (void)thread; }
#else
#define INSTRUCTION(name) __attribute__((import_module("wasm"), import_name(name)))
INSTRUCTION("stack.restore") void __stack_restore(char *pointer);
INSTRUCTION("stack.limit") void __stack_limit(char *end);
INSTRUCTION("thread.rebase") void __thread_rebase(char *variables);

void wasi_thread_start(int number, pthread_t self) {
  __stack_restore(self->stack);
  __stack_limit(self->stack_end);
  __thread_rebase(self->variables);
  __begin_thread(number, self);
}

/* What the variables of each thread begin as: src/hosted/thread-locals.ts fills it in. */
volatile struct {
  const char *start;
  unsigned bytes, align;
} __thread_image;

static unsigned variable_bytes(void) { return __thread_image.bytes; }
static unsigned variable_align(void) { return __thread_image.align; }
static void begin_variables(pthread_t thread) {
  if (__thread_image.bytes) memcpy(thread->variables, (const char *)__thread_image.start, __thread_image.bytes);
}
#endif

/* Keeps the function in the program, which nothing else calls. */
static void (*volatile const begins)(int, pthread_t) = wasi_thread_start;

int pthread_create(
    pthread_t *restrict thread, const pthread_attr_t *restrict attributes, void *(*start)(void *), void *restrict argument) {
  if (!begins) return EAGAIN;
  unsigned align = variable_align() > 16 ? variable_align() : 16;
  unsigned variables = (sizeof **thread + align - 1) & -align;
  unsigned stack_end = (variables + variable_bytes() + 15) & -16u;
  unsigned size = stack_end + (((attributes ? attributes->stack : STACK) + 15) & -16u);
  void *block;
  if (posix_memalign(&block, align, size)) return EAGAIN;
  pthread_t made = block;
  memset(made, 0, sizeof *made);
  made->stack = (char *)made + size;
  made->variables = (char *)made + variables;
  made->stack_end = (char *)made + stack_end;
  made->start = start;
  made->argument = argument;
  made->state = attributes && attributes->detached ? RUNS_ALONE : RUNS;
  begin_variables(made);
  __has_threads = 1;
  *thread = made;
  __atomic_add_fetch(&running_threads, 1, __ATOMIC_ACQ_REL);
  if (__wasi_thread_spawn(made) > 0) return 0;
  __atomic_sub_fetch(&running_threads, 1, __ATOMIC_ACQ_REL);
  free(made);
  return EAGAIN;
}

int pthread_join(pthread_t thread, void **result) {
  if (thread == pthread_self()) return EDEADLK;
  int state = __atomic_load_n(&thread->state, __ATOMIC_ACQUIRE);
  if (state == RUNS_ALONE) return EINVAL;
  for (; state == RUNS; state = __atomic_load_n(&thread->state, __ATOMIC_ACQUIRE)) __wait(&thread->state, RUNS, -1);
  if (result) *result = thread->result;
  free(thread);
  return 0;
}

int pthread_detach(pthread_t thread) {
  int found = RUNS;
  if (__atomic_compare_exchange_n(&thread->state, &found, RUNS_ALONE, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) return 0;
  if (found != ENDED) return EINVAL;
  free(thread);
  return 0;
}

_Noreturn void pthread_exit(void *result) {
  pthread_t self = pthread_self();
  if (self == &first) {
    /* The others go on, and the program ends with the last of them, or with one that says so. */
    leave_threads(self);
    for (;;) __wait(&self->state, RUNS, -1);
  }
  end_thread(self, result);
  for (;;) __leave();
}

int pthread_attr_init(pthread_attr_t *attributes) {
  attributes->detached = PTHREAD_CREATE_JOINABLE;
  attributes->stack = STACK;
  return 0;
}
int pthread_attr_destroy(pthread_attr_t *attributes) { return 0; }
int pthread_attr_setdetachstate(pthread_attr_t *attributes, int state) {
  attributes->detached = state;
  return 0;
}
int pthread_attr_getdetachstate(const pthread_attr_t *attributes, int *state) {
  *state = attributes->detached;
  return 0;
}
int pthread_attr_setstacksize(pthread_attr_t *attributes, size_t bytes) {
  if (bytes < PTHREAD_STACK_MIN || bytes > (1u << 30)) return EINVAL;
  attributes->stack = bytes;
  return 0;
}
int pthread_attr_getstacksize(const pthread_attr_t *restrict attributes, size_t *restrict bytes) {
  *bytes = attributes->stack;
  return 0;
}

/* Milliseconds until a moment; 0 if it is over, at least 1 else. */
static int milliseconds_until(const struct timespec *until, clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  int64_t left = ((int64_t)until->tv_sec - now.tv_sec) * 1000000000 + until->tv_nsec - now.tv_nsec;
  if (left <= 0) return 0;
  left = (left + 999999) / 1000000;
  return left > INT32_MAX ? INT32_MAX : (int)left;
}

/* A mutex: 0 free, 1 taken, 2 taken and somebody may sleep. */
static int lock_word(int *word, const struct timespec *until) {
  int found = 0;
  if (__atomic_compare_exchange_n(word, &found, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) return 0;
  while (__atomic_exchange_n(word, 2, __ATOMIC_ACQUIRE) != 0) {
    int left = -1;
    if (until && (left = milliseconds_until(until, CLOCK_REALTIME)) == 0) return ETIMEDOUT;
    __wait(word, 2, left);
  }
  return 0;
}

static void unlock_word(int *word) {
  if (__atomic_exchange_n(word, 0, __ATOMIC_RELEASE) == 2) __wake(word, 1);
}

/* Others ask whose it is while it is taken: their own it is only if they have set it themselves. */
static pthread_t owner_of(pthread_mutex_t *mutex) { return __atomic_load_n(&mutex->owner, __ATOMIC_RELAXED); }
static void set_owner(pthread_mutex_t *mutex, pthread_t owner) {
  __atomic_store_n(&mutex->owner, owner, __ATOMIC_RELAXED);
}

int pthread_mutex_init(pthread_mutex_t *restrict mutex, const pthread_mutexattr_t *restrict attributes) {
  mutex->state = mutex->depth = 0;
  mutex->owner = NULL;
  mutex->type = attributes ? attributes->type : PTHREAD_MUTEX_DEFAULT;
  return 0;
}
int pthread_mutex_destroy(pthread_mutex_t *mutex) { return 0; }

int pthread_mutex_timedlock(pthread_mutex_t *restrict mutex, const struct timespec *restrict until) {
  pthread_t self = pthread_self();
  if (mutex->type != PTHREAD_MUTEX_NORMAL && owner_of(mutex) == self) {
    if (mutex->type == PTHREAD_MUTEX_ERRORCHECK) return EDEADLK;
    mutex->depth++;
    return 0;
  }
  int error = lock_word(&mutex->state, until);
  if (error) return error;
  set_owner(mutex, self);
  mutex->depth = 1;
  return 0;
}

int pthread_mutex_lock(pthread_mutex_t *mutex) { return pthread_mutex_timedlock(mutex, NULL); }

int pthread_mutex_trylock(pthread_mutex_t *mutex) {
  pthread_t self = pthread_self();
  if (mutex->type == PTHREAD_MUTEX_RECURSIVE && owner_of(mutex) == self) {
    mutex->depth++;
    return 0;
  }
  int found = 0;
  if (!__atomic_compare_exchange_n(&mutex->state, &found, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) return EBUSY;
  set_owner(mutex, self);
  mutex->depth = 1;
  return 0;
}

int pthread_mutex_unlock(pthread_mutex_t *mutex) {
  if (mutex->type != PTHREAD_MUTEX_NORMAL) {
    if (owner_of(mutex) != pthread_self()) return EPERM;
    if (--mutex->depth > 0) return 0;
  }
  set_owner(mutex, NULL);
  unlock_word(&mutex->state);
  return 0;
}

int pthread_mutexattr_init(pthread_mutexattr_t *attributes) {
  attributes->type = PTHREAD_MUTEX_DEFAULT;
  return 0;
}
int pthread_mutexattr_destroy(pthread_mutexattr_t *attributes) { return 0; }
int pthread_mutexattr_settype(pthread_mutexattr_t *attributes, int type) {
  if (type < PTHREAD_MUTEX_NORMAL || type > PTHREAD_MUTEX_ERRORCHECK) return EINVAL;
  attributes->type = type;
  return 0;
}
int pthread_mutexattr_gettype(const pthread_mutexattr_t *restrict attributes, int *restrict type) {
  *type = attributes->type;
  return 0;
}

int pthread_cond_init(pthread_cond_t *restrict condition, const pthread_condattr_t *restrict attributes) {
  condition->sequence = 0;
  condition->clock = attributes ? attributes->clock : 0;
  return 0;
}
int pthread_condattr_init(pthread_condattr_t *attributes) {
  attributes->clock = 0;
  return 0;
}
int pthread_condattr_destroy(pthread_condattr_t *attributes) { return 0; }
int pthread_condattr_setclock(pthread_condattr_t *attributes, clockid_t clock) {
  if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC) return EINVAL;
  attributes->clock = clock == CLOCK_MONOTONIC;
  return 0;
}
int pthread_cond_destroy(pthread_cond_t *condition) { return 0; }

int pthread_cond_timedwait(
    pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex, const struct timespec *restrict until) {
  int seen = __atomic_load_n(&condition->sequence, __ATOMIC_ACQUIRE);
  int left = until ? milliseconds_until(until, condition->clock ? CLOCK_MONOTONIC : CLOCK_REALTIME) : -1;
  int depth = mutex->depth, is_over = left == 0;
  mutex->depth = 1;
  int error = pthread_mutex_unlock(mutex);
  if (error) return error;
  if (!is_over) is_over = __wait(&condition->sequence, seen, left);
  pthread_mutex_lock(mutex);
  mutex->depth = depth;
  return is_over ? ETIMEDOUT : 0;
}

int pthread_cond_wait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex) {
  return pthread_cond_timedwait(condition, mutex, NULL);
}

int pthread_cond_signal(pthread_cond_t *condition) {
  __atomic_add_fetch(&condition->sequence, 1, __ATOMIC_ACQ_REL);
  __wake(&condition->sequence, 1);
  return 0;
}

int pthread_cond_broadcast(pthread_cond_t *condition) {
  __atomic_add_fetch(&condition->sequence, 1, __ATOMIC_ACQ_REL);
  __wake(&condition->sequence, -1);
  return 0;
}

/* How many read, or -1 while one writes. */
int pthread_rwlock_init(pthread_rwlock_t *restrict lock, const pthread_rwlockattr_t *restrict attributes) {
  lock->state = lock->waiting = 0;
  return 0;
}
int pthread_rwlock_destroy(pthread_rwlock_t *lock) { return 0; }

int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock) {
  int found = __atomic_load_n(&lock->state, __ATOMIC_RELAXED);
  while (found >= 0) {
    if (__atomic_compare_exchange_n(&lock->state, &found, found + 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) return 0;
  }
  return EBUSY;
}

int pthread_rwlock_trywrlock(pthread_rwlock_t *lock) {
  int found = 0;
  return __atomic_compare_exchange_n(&lock->state, &found, -1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED) ? 0 : EBUSY;
}

static int take_rwlock(pthread_rwlock_t *lock, int (*attempt)(pthread_rwlock_t *)) {
  while (attempt(lock) != 0) {
    int found = __atomic_load_n(&lock->state, __ATOMIC_RELAXED);
    if (found == 0) continue;
    __wait(&lock->state, found, -1);
  }
  return 0;
}

int pthread_rwlock_rdlock(pthread_rwlock_t *lock) { return take_rwlock(lock, pthread_rwlock_tryrdlock); }
int pthread_rwlock_wrlock(pthread_rwlock_t *lock) { return take_rwlock(lock, pthread_rwlock_trywrlock); }

int pthread_rwlock_unlock(pthread_rwlock_t *lock) {
  if (__atomic_load_n(&lock->state, __ATOMIC_RELAXED) < 0) __atomic_store_n(&lock->state, 0, __ATOMIC_RELEASE);
  else __atomic_sub_fetch(&lock->state, 1, __ATOMIC_RELEASE);
  __wake(&lock->state, -1);
  return 0;
}

int pthread_barrier_init(
    pthread_barrier_t *restrict barrier, const pthread_barrierattr_t *restrict attributes, unsigned count) {
  if (count == 0) return EINVAL;
  barrier->count = 0;
  barrier->all = (int)count;
  barrier->round = 0;
  return 0;
}
int pthread_barrier_destroy(pthread_barrier_t *barrier) { return 0; }

int pthread_barrier_wait(pthread_barrier_t *barrier) {
  int round = __atomic_load_n(&barrier->round, __ATOMIC_ACQUIRE);
  if (__atomic_add_fetch(&barrier->count, 1, __ATOMIC_ACQ_REL) == barrier->all) {
    __atomic_store_n(&barrier->count, 0, __ATOMIC_RELAXED);
    __atomic_add_fetch(&barrier->round, 1, __ATOMIC_RELEASE);
    __wake(&barrier->round, -1);
    return PTHREAD_BARRIER_SERIAL_THREAD;
  }
  while (__atomic_load_n(&barrier->round, __ATOMIC_ACQUIRE) == round) __wait(&barrier->round, round, -1);
  return 0;
}

int pthread_spin_init(pthread_spinlock_t *lock, int shared) {
  *lock = 0;
  return 0;
}
int pthread_spin_destroy(pthread_spinlock_t *lock) { return 0; }
int pthread_spin_lock(pthread_spinlock_t *lock) { return lock_word(lock, NULL); }
int pthread_spin_trylock(pthread_spinlock_t *lock) {
  int found = 0;
  return __atomic_compare_exchange_n(lock, &found, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED) ? 0 : EBUSY;
}
int pthread_spin_unlock(pthread_spinlock_t *lock) {
  unlock_word(lock);
  return 0;
}

/* 0 not called, 1 being called, 2 called. */
int pthread_once(pthread_once_t *once, void (*call)(void)) {
  int found = 0;
  if (__atomic_compare_exchange_n(once, &found, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)) {
    call();
    __atomic_store_n(once, 2, __ATOMIC_RELEASE);
    __wake(once, -1);
    return 0;
  }
  while (__atomic_load_n(once, __ATOMIC_ACQUIRE) != 2) __wait(once, 1, -1);
  return 0;
}

int pthread_key_create(pthread_key_t *key, void (*destroy)(void *)) {
  for (int one = 0; one < KEYS; one++) {
    unsigned round = __atomic_load_n(&key_rounds[one], __ATOMIC_RELAXED);
    if (round & 1) continue;
    if (!__atomic_compare_exchange_n(&key_rounds[one], &round, round + 1, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) continue;
    destructors[one] = destroy;
    *key = (pthread_key_t)one;
    return 0;
  }
  return EAGAIN;
}

int pthread_key_delete(pthread_key_t key) {
  if (key >= KEYS) return EINVAL;
  unsigned round = __atomic_load_n(&key_rounds[key], __ATOMIC_RELAXED);
  if (!(round & 1)) return EINVAL;
  __atomic_store_n(&key_rounds[key], round + 1, __ATOMIC_RELEASE);
  return 0;
}

void *pthread_getspecific(pthread_key_t key) { return key < KEYS ? value_of(pthread_self(), key) : NULL; }

int pthread_setspecific(pthread_key_t key, const void *value) {
  if (key >= KEYS) return EINVAL;
  unsigned round = __atomic_load_n(&key_rounds[key], __ATOMIC_ACQUIRE);
  if (!(round & 1)) return EINVAL;
  pthread_t self = pthread_self();
  self->specific[key].value = value;
  self->specific[key].round = round;
  return 0;
}

int sem_init(sem_t *semaphore, int shared, unsigned value) {
  semaphore->value = (int)value;
  return 0;
}
int sem_destroy(sem_t *semaphore) { return 0; }

static int take_one(int *value) {
  int found = __atomic_load_n(value, __ATOMIC_RELAXED);
  while (found > 0) {
    if (__atomic_compare_exchange_n(value, &found, found - 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) return 1;
  }
  return 0;
}

int sem_wait(sem_t *semaphore) {
  while (!take_one(&semaphore->value)) __wait(&semaphore->value, 0, -1);
  return 0;
}

int sem_trywait(sem_t *semaphore) {
  if (take_one(&semaphore->value)) return 0;
  errno = EAGAIN;
  return -1;
}

int sem_post(sem_t *semaphore) {
  __atomic_add_fetch(&semaphore->value, 1, __ATOMIC_RELEASE);
  __wake(&semaphore->value, 1);
  return 0;
}

int sem_getvalue(sem_t *restrict semaphore, int *restrict value) {
  *value = __atomic_load_n(&semaphore->value, __ATOMIC_RELAXED);
  return 0;
}

/* C11: the function of a thread gives an int. */
struct c11_start {
  thrd_start_t start;
  void *argument;
};

static void *run_c11(void *given) {
  struct c11_start start = *(struct c11_start *)given;
  free(given);
  return (void *)(intptr_t)start.start(start.argument);
}

static int c11_code(int error) {
  switch (error) {
    case 0: return thrd_success;
    case EBUSY: return thrd_busy;
    case ETIMEDOUT: return thrd_timedout;
    case ENOMEM:
    case EAGAIN: return thrd_nomem;
    default: return thrd_error;
  }
}

int thrd_create(thrd_t *thread, thrd_start_t start, void *argument) {
  struct c11_start *given = malloc(sizeof *given);
  if (!given) return thrd_nomem;
  given->start = start;
  given->argument = argument;
  int error = pthread_create(thread, NULL, run_c11, given);
  if (error) free(given);
  return c11_code(error);
}
thrd_t thrd_current(void) { return pthread_self(); }
int thrd_detach(thrd_t thread) { return c11_code(pthread_detach(thread)); }
int thrd_equal(thrd_t a, thrd_t b) { return a == b; }
_Noreturn void thrd_exit(int result) { pthread_exit((void *)(intptr_t)result); }
int thrd_join(thrd_t thread, int *result) {
  void *value;
  int error = pthread_join(thread, &value);
  if (!error && result) *result = (int)(intptr_t)value;
  return c11_code(error);
}
int thrd_sleep(const struct timespec *duration, struct timespec *remaining) { return nanosleep(duration, remaining); }
void thrd_yield(void) { sched_yield(); }

int mtx_init(mtx_t *mutex, int type) {
  pthread_mutexattr_t attributes = {type & mtx_recursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL};
  return c11_code(pthread_mutex_init(mutex, &attributes));
}
void mtx_destroy(mtx_t *mutex) { pthread_mutex_destroy(mutex); }
int mtx_lock(mtx_t *mutex) { return c11_code(pthread_mutex_lock(mutex)); }
int mtx_trylock(mtx_t *mutex) { return c11_code(pthread_mutex_trylock(mutex)); }
int mtx_timedlock(mtx_t *restrict mutex, const struct timespec *restrict until) {
  return c11_code(pthread_mutex_timedlock(mutex, until));
}
int mtx_unlock(mtx_t *mutex) { return c11_code(pthread_mutex_unlock(mutex)); }

int cnd_init(cnd_t *condition) { return c11_code(pthread_cond_init(condition, NULL)); }
void cnd_destroy(cnd_t *condition) { pthread_cond_destroy(condition); }
int cnd_wait(cnd_t *condition, mtx_t *mutex) { return c11_code(pthread_cond_wait(condition, mutex)); }
int cnd_timedwait(cnd_t *restrict condition, mtx_t *restrict mutex, const struct timespec *restrict until) {
  return c11_code(pthread_cond_timedwait(condition, mutex, until));
}
int cnd_signal(cnd_t *condition) { return c11_code(pthread_cond_signal(condition)); }
int cnd_broadcast(cnd_t *condition) { return c11_code(pthread_cond_broadcast(condition)); }

int tss_create(tss_t *key, tss_dtor_t destroy) { return c11_code(pthread_key_create(key, destroy)); }
void tss_delete(tss_t key) { pthread_key_delete(key); }
void *tss_get(tss_t key) { return pthread_getspecific(key); }
int tss_set(tss_t key, void *value) { return c11_code(pthread_setspecific(key, value)); }
void call_once(once_flag *flag, void (*call)(void)) { pthread_once(flag, call); }
