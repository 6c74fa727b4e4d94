/* Facts about files (POSIX), as far as WASI tells them. */
#ifndef MILLRACE_SYS_STAT_H
#define MILLRACE_SYS_STAT_H

#include <sys/types.h>

struct stat {
  dev_t st_dev;
  ino_t st_ino;
  mode_t st_mode;
  unsigned long long st_nlink;
  off_t st_size;
  time_t st_atime;
  time_t st_mtime;
  time_t st_ctime;
};

#define S_IFMT 0170000
#define S_IFDIR 0040000
#define S_IFCHR 0020000
#define S_IFREG 0100000
#define S_ISDIR(mode) (((mode)&S_IFMT) == S_IFDIR)
#define S_ISREG(mode) (((mode)&S_IFMT) == S_IFREG)
#define S_ISCHR(mode) (((mode)&S_IFMT) == S_IFCHR)

int stat(const char *restrict path, struct stat *restrict facts);
int fstat(int descriptor, struct stat *facts);
int mkdir(const char *path, mode_t mode);

#endif
