/* Time of day (POSIX). */
#ifndef MILLRACE_SYS_TIME_H
#define MILLRACE_SYS_TIME_H

#include <sys/types.h>

struct timeval {
  time_t tv_sec;
  suseconds_t tv_usec;
};
struct timezone {
  int tz_minuteswest;
  int tz_dsttime;
};

int gettimeofday(struct timeval *restrict time, void *restrict zone);

#define timerclear(time) ((time)->tv_sec = (time)->tv_usec = 0)
#define timersub(a, b, result)                         \
  do {                                                 \
    (result)->tv_sec = (a)->tv_sec - (b)->tv_sec;      \
    (result)->tv_usec = (a)->tv_usec - (b)->tv_usec;   \
    if ((result)->tv_usec < 0) {                       \
      --(result)->tv_sec;                              \
      (result)->tv_usec += 1000000;                    \
    }                                                  \
  } while (0)

#endif
