/* A few functions of POSIX. */
#ifndef MILLRACE_UNISTD_H
#define MILLRACE_UNISTD_H

#include <sys/types.h>

#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define _SC_PAGESIZE 30
#define _SC_NPROCESSORS_ONLN 84
#define F_OK 0
#define R_OK 4
#define W_OK 2
#define X_OK 1
#ifndef SEEK_SET
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#endif

ssize_t read(int descriptor, void *to, size_t size);
ssize_t write(int descriptor, const void *from, size_t size);
int close(int descriptor);
off_t lseek(int descriptor, off_t offset, int whence);
int isatty(int descriptor);
int unlink(const char *path);
int rmdir(const char *path);
int access(const char *path, int mode);
char *getcwd(char *to, size_t size);
unsigned int sleep(unsigned int seconds);
int usleep(useconds_t microseconds);
pid_t getpid(void);
long sysconf(int name);
int getpagesize(void);
_Noreturn void _exit(int code);

extern char **environ;

#include <getopt.h>

#endif
