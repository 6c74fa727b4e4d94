/* Threads of C11, which are those of POSIX by other names. */
#ifndef MILLRACE_THREADS_H
#define MILLRACE_THREADS_H

#include <pthread.h>
#include <time.h>

#ifndef __cplusplus
#define thread_local _Thread_local
#endif
#define ONCE_FLAG_INIT PTHREAD_ONCE_INIT
#define TSS_DTOR_ITERATIONS 4

#ifdef __cplusplus
extern "C" {
#endif

typedef pthread_t thrd_t;
typedef pthread_mutex_t mtx_t;
typedef pthread_cond_t cnd_t;
typedef pthread_key_t tss_t;
typedef pthread_once_t once_flag;
typedef int (*thrd_start_t)(void *);
typedef void (*tss_dtor_t)(void *);

enum { thrd_success, thrd_busy, thrd_error, thrd_nomem, thrd_timedout };
enum { mtx_plain = 0, mtx_recursive = 1, mtx_timed = 2 };

int thrd_create(thrd_t *thread, thrd_start_t start, void *argument);
thrd_t thrd_current(void);
int thrd_detach(thrd_t thread);
int thrd_equal(thrd_t a, thrd_t b);
_Noreturn void thrd_exit(int result);
int thrd_join(thrd_t thread, int *result);
int thrd_sleep(const struct timespec *duration, struct timespec *remaining);
void thrd_yield(void);

int mtx_init(mtx_t *mutex, int type);
void mtx_destroy(mtx_t *mutex);
int mtx_lock(mtx_t *mutex);
int mtx_trylock(mtx_t *mutex);
int mtx_timedlock(mtx_t *__restrict mutex, const struct timespec *__restrict until);
int mtx_unlock(mtx_t *mutex);

int cnd_init(cnd_t *condition);
void cnd_destroy(cnd_t *condition);
int cnd_wait(cnd_t *condition, mtx_t *mutex);
int cnd_timedwait(cnd_t *__restrict condition, mtx_t *__restrict mutex, const struct timespec *__restrict until);
int cnd_signal(cnd_t *condition);
int cnd_broadcast(cnd_t *condition);

int tss_create(tss_t *key, tss_dtor_t destroy);
void tss_delete(tss_t key);
void *tss_get(tss_t key);
int tss_set(tss_t key, void *value);

void call_once(once_flag *flag, void (*call)(void));

#ifdef __cplusplus
}
#endif

#endif
