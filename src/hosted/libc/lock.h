/*
 * Locks of the library itself, for programs with threads: the same thread may take one again. They cost a look at a variable while there is
 * one thread.
 */
#ifndef MILLRACE_LOCK_H
#define MILLRACE_LOCK_H

struct __lock {
  int owner; /* 0 if nobody has it */
  int depth;
};

/* Set when the first thread is started. */
extern int __has_threads;

/* What tells the running thread from others; not 0. */
int __thread_number(void);

/* What a thread does that ends, before its keys go: in C nothing. */
static inline void __run_thread_exits(void) {}

void __take_lock(struct __lock *lock);
void __leave_lock(struct __lock *lock);

static inline struct __lock *__locked(struct __lock *lock) {
  if (__has_threads) __take_lock(lock);
  return lock;
}

static inline void __unlocked(struct __lock **lock) {
  if (__has_threads) __leave_lock(*lock);
}

/* Until the block ends. */
#define LOCKED(lock) struct __lock *__held __attribute__((cleanup(__unlocked))) = __locked(lock)

#endif
