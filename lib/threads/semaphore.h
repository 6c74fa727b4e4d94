/* Semaphores of POSIX, without names. */
#ifndef MILLRACE_SEMAPHORE_H
#define MILLRACE_SEMAPHORE_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct { int value; } sem_t;

int sem_init(sem_t *semaphore, int shared, unsigned value);
int sem_destroy(sem_t *semaphore);
int sem_wait(sem_t *semaphore);
int sem_trywait(sem_t *semaphore);
int sem_post(sem_t *semaphore);
int sem_getvalue(sem_t *__restrict semaphore, int *__restrict value);

#ifdef __cplusplus
}
#endif

#endif
