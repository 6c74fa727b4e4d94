/* Date and time (C99, 7.23). The only time zone is UTC. */
#ifndef MILLRACE_TIME_H
#define MILLRACE_TIME_H

#include <sys/types.h>

typedef long long clock_t;
typedef int clockid_t;

#define CLOCKS_PER_SEC ((clock_t)1000000)
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
#define CLOCK_MONOTONIC_RAW CLOCK_MONOTONIC
#define CLOCK_PROCESS_CPUTIME_ID CLOCK_MONOTONIC
#define TIME_UTC 1

struct timespec {
  time_t tv_sec;
  long tv_nsec;
};

struct tm {
  int tm_sec;
  int tm_min;
  int tm_hour;
  int tm_mday;
  int tm_mon;
  int tm_year;
  int tm_wday;
  int tm_yday;
  int tm_isdst;
};

time_t time(time_t *time);
clock_t clock(void);
double difftime(time_t later, time_t earlier);
time_t mktime(struct tm *parts);
time_t timegm(struct tm *parts);
struct tm *gmtime(const time_t *time);
struct tm *localtime(const time_t *time);
struct tm *gmtime_r(const time_t *restrict time, struct tm *restrict parts);
struct tm *localtime_r(const time_t *restrict time, struct tm *restrict parts);
char *asctime(const struct tm *parts);
char *ctime(const time_t *time);
size_t strftime(char *restrict to, size_t size, const char *restrict format, const struct tm *restrict parts);
int clock_gettime(clockid_t clock, struct timespec *time);
int clock_getres(clockid_t clock, struct timespec *resolution);
int timespec_get(struct timespec *time, int base);
int nanosleep(const struct timespec *time, struct timespec *left);

#endif
