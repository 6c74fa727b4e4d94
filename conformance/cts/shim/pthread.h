/*
 * POSIX threads where there is one thread: locks are free, and a thread that is started runs to its end before
 * pthread_create returns. The suite's pool of threads is told by CL_TEST_SINGLE_THREADED to do without.
 */
#ifndef MILLRACE_CTS_PTHREAD_H
#define MILLRACE_CTS_PTHREAD_H

#include <errno.h>
#include <sched.h>
#include <stddef.h>
#include <sys/types.h>
#include <time.h>

#define PTHREAD_ONCE_INIT 0
#define PTHREAD_MUTEX_INITIALIZER {{{0}}}
#define PTHREAD_COND_INITIALIZER {{{0}}}

static inline int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument) {
    (void)attributes;
    *thread = (pthread_t)run(argument);
    return 0;
}
static inline int pthread_join(pthread_t thread, void **result) {
    if (result) *result = (void *)thread;
    return 0;
}
static inline pthread_t pthread_self(void) { return 0; }
static inline int pthread_once(pthread_once_t *once, void (*run)(void)) {
    if (!*once) {
        *once = 1;
        run();
    }
    return 0;
}
static inline int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes) {
    return (void)mutex, (void)attributes, 0;
}
static inline int pthread_mutex_destroy(pthread_mutex_t *mutex) { return (void)mutex, 0; }
static inline int pthread_mutex_lock(pthread_mutex_t *mutex) { return (void)mutex, 0; }
static inline int pthread_mutex_trylock(pthread_mutex_t *mutex) { return (void)mutex, 0; }
static inline int pthread_mutex_unlock(pthread_mutex_t *mutex) { return (void)mutex, 0; }
static inline int pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attributes) {
    return (void)condition, (void)attributes, 0;
}
static inline int pthread_cond_destroy(pthread_cond_t *condition) { return (void)condition, 0; }
static inline int pthread_cond_broadcast(pthread_cond_t *condition) { return (void)condition, 0; }
static inline int pthread_cond_signal(pthread_cond_t *condition) { return (void)condition, 0; }
/* Nobody could end the wait. */
static inline int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
    return (void)condition, (void)mutex, EDEADLK;
}

#endif
