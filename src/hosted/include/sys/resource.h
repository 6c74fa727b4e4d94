/* What a program has used (POSIX): time since it began, which is all that can be told. */
#ifndef MILLRACE_SYS_RESOURCE_H
#define MILLRACE_SYS_RESOURCE_H

#include <sys/time.h>

#define RUSAGE_SELF 0
#define RUSAGE_CHILDREN (-1)

struct rusage {
  struct timeval ru_utime;
  struct timeval ru_stime;
};

int getrusage(int who, struct rusage *usage);

#endif
