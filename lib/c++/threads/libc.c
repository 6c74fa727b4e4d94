// Locks around a C library that is compiled without threads. Its functions that share anything are called by way of these, which the linker
// puts in their place (--wrap): the list is in src/cli/cxx/threads.ts, which reads it here. What nothing calls is left out of the program.
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>
#include <utime.h>
#include "lock.h"

int __has_threads;

static pthread_mutex_t heap = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
// Of paths, which the library looks up in memory that it keeps, and of what is done at the end.
static pthread_mutex_t places = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

enum { STREAMS = 32, OWN = 3 };
#define UNLOCKED PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP
#define FOUR UNLOCKED, UNLOCKED, UNLOCKED, UNLOCKED
static pthread_mutex_t streams[STREAMS] = {FOUR, FOUR, FOUR, FOUR, FOUR, FOUR, FOUR, FOUR};

// Who waits for input must not keep others from writing.
static pthread_mutex_t *of(FILE *file) {
  if (file == stdin) return &streams[0];
  if (file == stdout) return &streams[1];
  if (file == stderr) return &streams[2];
  return &streams[OWN + ((size_t)file >> 4) % (STREAMS - OWN)];
}

static pthread_mutex_t *held(pthread_mutex_t *mutex) {
  if (!__has_threads) return NULL;
  pthread_mutex_lock(mutex);
  return mutex;
}

static void released(pthread_mutex_t **mutex) {
  if (*mutex) pthread_mutex_unlock(*mutex);
}

#define HELD(mutex) __attribute__((cleanup(released))) pthread_mutex_t *lock = held(mutex)

#define WRAP(mutex, Result, name, parameters, arguments) \
  Result __real_##name parameters;                        \
  Result __wrap_##name parameters {                       \
    HELD(mutex);                                          \
    return __real_##name arguments;                       \
  }

WRAP(&heap, void *, malloc, (size_t size), (size))
WRAP(&heap, void *, calloc, (size_t count, size_t size), (count, size))
WRAP(&heap, void *, realloc, (void *block, size_t size), (block, size))
WRAP(&heap, void, free, (void *block), (block))
WRAP(&heap, void *, aligned_alloc, (size_t alignment, size_t size), (alignment, size))
WRAP(&heap, int, posix_memalign, (void **made, size_t alignment, size_t size), (made, alignment, size))

WRAP(of(file), int, vfprintf, (FILE *file, const char *format, va_list list), (file, format, list))
WRAP(of(file), int, vfscanf, (FILE *file, const char *format, va_list list), (file, format, list))
WRAP(of(file), size_t, fwrite, (const void *from, size_t size, size_t count, FILE *file), (from, size, count, file))
WRAP(of(file), size_t, fread, (void *to, size_t size, size_t count, FILE *file), (to, size, count, file))
WRAP(of(file), int, fputs, (const char *text, FILE *file), (text, file))
WRAP(of(file), int, fputc, (int character, FILE *file), (character, file))
WRAP(of(file), int, putc, (int character, FILE *file), (character, file))
WRAP(of(stdout), int, putchar, (int character), (character))
WRAP(of(stdout), int, puts, (const char *text), (text))
WRAP(of(file), int, fgetc, (FILE *file), (file))
WRAP(of(file), int, getc, (FILE *file), (file))
WRAP(of(stdin), int, getchar, (void), ())
WRAP(of(file), int, ungetc, (int character, FILE *file), (character, file))
WRAP(of(file), char *, fgets, (char *to, int size, FILE *file), (to, size, file))
WRAP(of(file), int, fseek, (FILE *file, long offset, int from), (file, offset, from))
WRAP(of(file), int, fseeko, (FILE *file, off_t offset, int from), (file, offset, from))
WRAP(of(file), long, ftell, (FILE *file), (file))
WRAP(of(file), off_t, ftello, (FILE *file), (file))
WRAP(of(file), void, rewind, (FILE *file), (file))
WRAP(of(file), int, setvbuf, (FILE *file, char *buffer, int mode, size_t size), (file, buffer, mode, size))
WRAP(of(file), ssize_t, getdelim, (char **line, size_t *size, int end, FILE *file), (line, size, end, file))

// The list of open files is one for all.
int __real_fflush(FILE *file);
int __wrap_fflush(FILE *file) {
  HELD(file ? of(file) : &places);
  return __real_fflush(file);
}
int __real_fclose(FILE *file);
int __wrap_fclose(FILE *file) {
  HELD(&places);
  return __real_fclose(file);
}
WRAP(&places, FILE *, fopen, (const char *path, const char *mode), (path, mode))
WRAP(&places, FILE *, fdopen, (int descriptor, const char *mode), (descriptor, mode))
WRAP(&places, FILE *, freopen, (const char *path, const char *mode, FILE *file), (path, mode, file))

WRAP(&places, int, __wasilibc_open_nomode, (const char *path, int flags), (path, flags))
WRAP(&places, int, access, (const char *path, int mode), (path, mode))
WRAP(&places, int, stat, (const char *path, struct stat *found), (path, found))
WRAP(&places, int, lstat, (const char *path, struct stat *found), (path, found))
WRAP(&places, ssize_t, readlink, (const char *path, char *to, size_t size), (path, to, size))
WRAP(&places, int, utime, (const char *path, const struct utimbuf *times), (path, times))
WRAP(&places, int, utimes, (const char *path, const struct timeval *times), (path, times))
WRAP(&places, int, unlink, (const char *path), (path))
WRAP(&places, int, rmdir, (const char *path), (path))
WRAP(&places, int, remove, (const char *path), (path))
WRAP(&places, int, mkdir, (const char *path, mode_t mode), (path, mode))
WRAP(&places, DIR *, opendir, (const char *path), (path))
WRAP(&places, int, symlink, (const char *to, const char *path), (to, path))
WRAP(&places, int, link, (const char *from, const char *to), (from, to))
WRAP(&places, int, rename, (const char *from, const char *to), (from, to))

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...) {
  HELD(&places);
  va_list list;
  va_start(list, flags);
  int mode = flags & O_CREAT ? va_arg(list, int) : 0;
  va_end(list);
  return __real_open(path, flags, mode);
}

WRAP(&places, int, atexit, (void (*call)(void)), (call))
WRAP(&places, int, __cxa_atexit, (void (*call)(void *), void *argument, void *of_object), (call, argument, of_object))

// A variable of a function that begins once: 0 not yet, 1 begun (the first byte, which compiled code looks at), in the second one who
// makes it begin.
struct guard {
  unsigned char is_made, is_begun;
};

static pthread_mutex_t beginnings = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t begun = PTHREAD_COND_INITIALIZER;

int __cxa_guard_acquire(struct guard *guard) {
  int is_mine = 0;
  pthread_mutex_lock(&beginnings);
  while (!guard->is_made && guard->is_begun) pthread_cond_wait(&begun, &beginnings);
  if (!guard->is_made) is_mine = guard->is_begun = 1;
  pthread_mutex_unlock(&beginnings);
  return is_mine;
}

static void end_beginning(struct guard *guard, unsigned char is_made) {
  pthread_mutex_lock(&beginnings);
  __atomic_store_n(&guard->is_made, is_made, __ATOMIC_RELEASE);
  guard->is_begun = 0;
  pthread_mutex_unlock(&beginnings);
  pthread_cond_broadcast(&begun);
}

void __cxa_guard_release(struct guard *guard) { end_beginning(guard, 1); }
void __cxa_guard_abort(struct guard *guard) { end_beginning(guard, 0); }

// Destructors of the thread's own variables, the last one first.
struct thread_exit {
  void (*call)(void *);
  void *object;
  struct thread_exit *next;
};

static _Thread_local struct thread_exit *exits;

void __run_thread_exits(void) {
  while (exits) {
    struct thread_exit *one = exits;
    exits = one->next;
    one->call(one->object);
    free(one);
  }
}

static pthread_once_t ends_first = PTHREAD_ONCE_INIT;
static void at_exit(void) { atexit(__run_thread_exits); }

int __cxa_thread_atexit(void (*call)(void *), void *object, void *of_object) {
  (void)of_object;
  struct thread_exit *one = malloc(sizeof *one);
  if (!one) return -1;
  // Those of the thread that calls exit.
  pthread_once(&ends_first, at_exit);
  *one = (struct thread_exit){call, object, exits};
  exits = one;
  return 0;
}
