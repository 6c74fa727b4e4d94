/* Locks of the library itself. */
#include "lock.h"
#include <sched.h>
#include "wasi.h"

int __has_threads;

void __take_lock(struct __lock *lock) {
  int self = __thread_number();
  if (__atomic_load_n(&lock->owner, __ATOMIC_ACQUIRE) != self) {
    for (int attempt = 1;; attempt++) {
      int nobody = 0;
      if (__atomic_compare_exchange_n(&lock->owner, &nobody, self, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) break;
      if (attempt % 64 == 0) sched_yield();
    }
  }
  lock->depth++;
}

void __leave_lock(struct __lock *lock) {
  /* Taken when there was one thread. */
  if (lock->depth == 0) return;
  if (--lock->depth == 0) __atomic_store_n(&lock->owner, 0, __ATOMIC_RELEASE);
}

int sched_yield(void) { return __wasi_sched_yield(); }
