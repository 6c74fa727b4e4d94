// What lib/threads/pthread.c wants of those who compile it.
#ifndef MILLRACE_LOCK_H
#define MILLRACE_LOCK_H

#ifdef __cplusplus
extern "C" {
#endif

// Set when the first thread is started.
extern int __has_threads;

// What tells the running thread from others; not 0.
int __thread_number(void);

// Destructors of the variables that the thread has for itself.
void __run_thread_exits(void);

#ifdef __cplusplus
}
#endif

#endif
