/* What a FILE is. */
#ifndef MILLRACE_FILE_H
#define MILLRACE_FILE_H

#include <stdio.h>
#include "lock.h"

enum file_flags {
  FILE_READS = 1,
  FILE_WRITES = 2,
  FILE_APPENDS = 4,
  FILE_END = 8,
  FILE_ERROR = 16,
  FILE_BY_LINE = 32,
  FILE_UNBUFFERED = 64,
  FILE_OWN_BUFFER = 128, /* the program's own, not to be freed */
  FILE_FIXED = 256,      /* stdin and its like: not allocated */
};

/*
 * The buffer holds either bytes that were read ([position, end) are still to be taken) or bytes that are to be written
 * ([0, position)); `is_writing` says which.
 */
struct __file {
  int descriptor;
  int flags;
  int is_writing;
  size_t position, end, size;
  unsigned char *buffer;
  struct __file *next; /* of all open files */
  unsigned char fixed_buffer[BUFSIZ];
};

/* Holds while one thread is in a function of files. */
extern struct __lock __file_lock;

/* Writes out what is buffered, or forgets what was read ahead; 0 or EOF. */
int __flush(FILE *file);

#endif
