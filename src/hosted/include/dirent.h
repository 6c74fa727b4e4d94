/* What is in folders (POSIX). */
#ifndef MILLRACE_DIRENT_H
#define MILLRACE_DIRENT_H

#include <sys/types.h>

#define DT_UNKNOWN 0
#define DT_BLK 1
#define DT_CHR 2
#define DT_DIR 3
#define DT_REG 4
#define DT_FIFO 6
#define DT_SOCK 6
#define DT_LNK 7
#define _DIRENT_HAVE_D_TYPE

struct dirent {
  ino_t d_ino;
  unsigned char d_type;
  char d_name[256];
};
typedef struct __folder_stream DIR;

DIR *opendir(const char *path);
struct dirent *readdir(DIR *folder);
int closedir(DIR *folder);
void rewinddir(DIR *folder);
void seekdir(DIR *folder, long place);
long telldir(DIR *folder);
int dirfd(DIR *folder);
int alphasort(const struct dirent **a, const struct dirent **b);
int scandir(const char *path, struct dirent ***list, int (*wanted)(const struct dirent *),
            int (*compare)(const struct dirent **, const struct dirent **));

#endif
