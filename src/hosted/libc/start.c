/* The beginning and the end of a program: arguments, environment, exit. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "wasi.h"

_Thread_local int errno;
char **environ;

/* Calls main; the linker writes it. */
extern int __main(int argc, char **argv);

typedef int get_sizes(size_t *count, size_t *bytes);
typedef int get_texts(char **texts, char *bytes);

/* A list of texts that ends with NULL; an empty one if they cannot be had. */
static char **read_texts(get_sizes *sizes, get_texts *get, size_t *count) {
  size_t bytes;
  if (sizes(count, &bytes) != 0) *count = bytes = 0;
  char **texts = malloc((*count + 1) * sizeof *texts + bytes);
  if (!texts) abort();
  if (*count > 0 && get(texts, (char *)(texts + *count + 1)) != 0) *count = 0;
  texts[*count] = NULL;
  return texts;
}

void _start(void) {
  size_t count, settings;
  char **texts = read_texts(__wasi_args_sizes_get, __wasi_args_get, &count);
  environ = read_texts(__wasi_environ_sizes_get, __wasi_environ_get, &settings);
  exit(__main(count, texts));
}

enum { MOST_EXIT_FUNCTIONS = 256 };
static void (*exit_functions[MOST_EXIT_FUNCTIONS])(void);
static int exit_function_count;

int atexit(void (*function)(void)) {
  if (exit_function_count == MOST_EXIT_FUNCTIONS) return -1;
  exit_functions[exit_function_count++] = function;
  return 0;
}

void exit(int code) {
  while (exit_function_count > 0) exit_functions[--exit_function_count]();
  __flush_files();
  __wasi_proc_exit(code & 255);
}

void _Exit(int code) { __wasi_proc_exit(code & 255); }
void _exit(int code) { __wasi_proc_exit(code & 255); }

__attribute__((import_module("wasm"), import_name("unreachable"))) _Noreturn void __trap(void);

__attribute__((noinline)) void abort(void) {
  /* A handler may end by aborting itself. */
  static int is_aborting;
  if (!is_aborting) {
    is_aborting = 1;
    raise(SIGABRT);
  }
  __flush_files();
  __trap();
}

/* Programs whose pointers are checked call it where one leads to nothing. */
__attribute__((noinline)) void __null_pointer(void) {
  __flush_files();
  __trap();
}

void __assert_failed(const char *condition, const char *file, int line, const char *function) {
  fflush(stdout);
  fprintf(stderr, "%s:%d: %s: Assertion `%s' failed.\n", file, line, function, condition);
  abort();
}

static sighandler_t handlers[32];

sighandler_t signal(int number, sighandler_t handler) {
  if (number < 1 || number > 31) {
    errno = EINVAL;
    return SIG_ERR;
  }
  sighandler_t before = handlers[number];
  handlers[number] = handler;
  return before;
}

int raise(int number) {
  if (number < 1 || number > 31) {
    errno = EINVAL;
    return -1;
  }
  sighandler_t handler = handlers[number];
  if (handler == SIG_IGN) return 0;
  if (handler != SIG_DFL) {
    handler(number);
    return 0;
  }
  if (number != SIGABRT) _Exit(128 + number);
  return 0;
}

/* The place of a setting in the environment, or of the NULL behind all. */
static char **find_setting(const char *name, size_t length) {
  char **place = environ;
  while (*place && (strncmp(*place, name, length) != 0 || (*place)[length] != '=')) ++place;
  return place;
}

char *getenv(const char *name) {
  size_t length = strlen(name);
  char *setting = *find_setting(name, length);
  return setting ? setting + length + 1 : NULL;
}

int putenv(char *setting) {
  const char *equals = strchr(setting, '=');
  if (!equals) return unsetenv(setting);
  char **place = find_setting(setting, equals - setting);
  if (!*place) {
    size_t count = place - environ;
    char **longer = malloc((count + 2) * sizeof *longer);
    if (!longer) return -1;
    memcpy(longer, environ, count * sizeof *longer);
    longer[count + 1] = NULL;
    environ = longer;
    place = longer + count;
  }
  *place = setting;
  return 0;
}

int setenv(const char *name, const char *value, int replace) {
  if (!*name || strchr(name, '=')) {
    errno = EINVAL;
    return -1;
  }
  if (!replace && getenv(name)) return 0;
  char *setting = malloc(strlen(name) + strlen(value) + 2);
  if (!setting) return -1;
  sprintf(setting, "%s=%s", name, value);
  return putenv(setting);
}

int unsetenv(const char *name) {
  char **place = find_setting(name, strlen(name));
  for (; *place; ++place) place[0] = place[1];
  return 0;
}

/* There is no other program to run. */
int system(const char *command) {
  if (command) errno = ENOSYS;
  return command ? -1 : 0;
}

pid_t getpid(void) { return 1; }
int getpagesize(void) { return 65536; }

long sysconf(int name) {
  if (name == _SC_PAGESIZE) return getpagesize();
  if (name == _SC_NPROCESSORS_ONLN) return 1;
  errno = EINVAL;
  return -1;
}
