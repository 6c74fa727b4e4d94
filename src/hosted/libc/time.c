/* Date and time (C99, 7.23), in UTC. */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#include "wasi.h"

static const char *const days[] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
static const char *const months[] = {"January", "February", "March", "April", "May", "June",
                                     "July", "August", "September", "October", "November", "December"};

static uint64_t nanoseconds(int clock) {
  uint64_t now = 0;
  __wasi_clock_time_get(clock, 1, &now);
  return now;
}

time_t time(time_t *time) {
  time_t now = nanoseconds(CLOCK_REALTIME) / 1000000000;
  if (time) *time = now;
  return now;
}

/* Since the first call: what the processor did for others cannot be told apart. */
clock_t clock(void) {
  static uint64_t start;
  uint64_t now = nanoseconds(CLOCK_MONOTONIC), begun = 0;
  if (__atomic_compare_exchange_n(&start, &begun, now, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) return 0;
  return (now - begun) / 1000;
}

int getrusage(int who, struct rusage *usage) {
  uint64_t time = clock();
  if (who != RUSAGE_SELF && who != RUSAGE_CHILDREN) {
    errno = EINVAL;
    return -1;
  }
  memset(usage, 0, sizeof *usage);
  if (who == RUSAGE_SELF) usage->ru_utime = (struct timeval){time / 1000000, time % 1000000};
  return 0;
}

double difftime(time_t later, time_t earlier) { return later - earlier; }

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  (void)zone;
  uint64_t now = nanoseconds(CLOCK_REALTIME) / 1000;
  time->tv_sec = now / 1000000;
  time->tv_usec = now % 1000000;
  return 0;
}

static struct timespec split(uint64_t time) {
  return (struct timespec){time / 1000000000, time % 1000000000};
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  uint64_t now;
  if (__finish(__wasi_clock_time_get(clock, 1, &now)) != 0) return -1;
  *time = split(now);
  return 0;
}

int clock_getres(clockid_t clock, struct timespec *resolution) {
  uint64_t step;
  if (__finish(__wasi_clock_res_get(clock, &step)) != 0) return -1;
  if (resolution) *resolution = split(step);
  return 0;
}

int timespec_get(struct timespec *time, int base) {
  return base == TIME_UTC && clock_gettime(CLOCK_REALTIME, time) == 0 ? base : 0;
}

/* A subscription of poll_oneoff to a clock: 48 bytes. */
struct wait {
  uint64_t user_data;
  uint8_t kind; /* 0: a clock */
  _Alignas(8) uint32_t clock;
  uint64_t time;
  uint64_t precision;
  uint16_t flags;
};

_Static_assert(offsetof(struct wait, clock) == 16 && sizeof(struct wait) == 48, "as WASI has it");

static int wait_for(uint64_t time) {
  struct wait wait = {0, 0, CLOCK_MONOTONIC, time, 1, 0};
  uint64_t event[4];
  size_t count;
  return __finish(__wasi_poll_oneoff(&wait, event, 1, &count));
}

int nanosleep(const struct timespec *time, struct timespec *left) {
  if (time->tv_sec < 0 || time->tv_nsec < 0 || time->tv_nsec > 999999999) {
    errno = EINVAL;
    return -1;
  }
  if (left) *left = (struct timespec){0, 0};
  return wait_for(time->tv_sec * 1000000000ull + time->tv_nsec);
}

int usleep(useconds_t microseconds) { return wait_for(microseconds * 1000ull); }

unsigned int sleep(unsigned int seconds) {
  wait_for(seconds * 1000000000ull);
  return 0;
}

/* Days from 1 March of the year 0 to the first of a month, counted from March; years may be negative. */
static long long days_before(long long year, int month) {
  long long y = month < 2 ? year - 1 : year;
  int m = month < 2 ? month + 10 : month - 2;
  long long era = (y >= 0 ? y : y - 399) / 400;
  int in_era = y - era * 400;
  return era * 146097 + in_era * 365 + in_era / 4 - in_era / 100 + (153 * m + 2) / 5;
}

/* The same to 1 January 1970. */
enum { EPOCH = 719468 };

struct tm *gmtime_r(const time_t *restrict time, struct tm *restrict parts) {
  long long day = *time / 86400;
  int second = *time % 86400;
  if (second < 0) second += 86400, --day;
  parts->tm_sec = second % 60;
  parts->tm_min = second / 60 % 60;
  parts->tm_hour = second / 3600;
  parts->tm_wday = ((day + 4) % 7 + 7) % 7;
  parts->tm_isdst = 0;
  long long from_march = day + EPOCH;
  long long era = (from_march >= 0 ? from_march : from_march - 146096) / 146097;
  int in_era = from_march - era * 146097;
  int year_of_era = (in_era - in_era / 1460 + in_era / 36524 - in_era / 146096) / 365;
  int in_year = in_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  int month = (5 * in_year + 2) / 153;
  parts->tm_mday = in_year - (153 * month + 2) / 5 + 1;
  parts->tm_mon = month < 10 ? month + 2 : month - 10;
  long long year = year_of_era + era * 400 + (parts->tm_mon < 2);
  parts->tm_year = year - 1900;
  parts->tm_yday = from_march - days_before(year, 0);
  return parts;
}

struct tm *localtime_r(const time_t *restrict time, struct tm *restrict parts) { return gmtime_r(time, parts); }

struct tm *gmtime(const time_t *time) {
  static struct tm parts;
  return gmtime_r(time, &parts);
}

struct tm *localtime(const time_t *time) { return gmtime(time); }

time_t timegm(struct tm *parts) {
  int month = parts->tm_mon % 12, years = parts->tm_mon / 12;
  if (month < 0) month += 12, --years;
  long long day = days_before(1900ll + parts->tm_year + years, month) - EPOCH + parts->tm_mday - 1;
  time_t time = ((day * 24 + parts->tm_hour) * 60 + parts->tm_min) * 60 + parts->tm_sec;
  gmtime_r(&time, parts);
  return time;
}

time_t mktime(struct tm *parts) { return timegm(parts); }

char *asctime(const struct tm *parts) {
  static char text[64];
  snprintf(text, sizeof text, "%.3s %.3s%3d %.2d:%.2d:%.2d %d\n", days[parts->tm_wday], months[parts->tm_mon],
           parts->tm_mday, parts->tm_hour, parts->tm_min, parts->tm_sec, 1900 + parts->tm_year);
  return text;
}

char *ctime(const time_t *time) { return asctime(gmtime(time)); }

/* The week of the year, whose first is that of 4 January (ISO 8601); `year` is moved to the one it belongs to. */
static int iso_week(const struct tm *parts, int *year) {
  int weekday = (parts->tm_wday + 6) % 7;
  int week = (parts->tm_yday - weekday + 10) / 7;
  int is_leap = *year % 4 == 0 && (*year % 100 != 0 || *year % 400 == 0);
  if (week < 1) {
    --*year;
    int was_leap = *year % 4 == 0 && (*year % 100 != 0 || *year % 400 == 0);
    return (parts->tm_yday + 365 + was_leap - weekday + 10) / 7;
  }
  if (week == 53 && parts->tm_yday - weekday + 3 >= 365 + is_leap) {
    ++*year;
    return 1;
  }
  return week;
}

size_t strftime(char *restrict to, size_t size, const char *restrict format, const struct tm *restrict parts) {
  size_t length = 0;
  for (; *format; ++format) {
    char piece[128];
    const char *part = piece;
    int year = parts->tm_year + 1900;
    int hour12 = parts->tm_hour % 12 == 0 ? 12 : parts->tm_hour % 12;
    piece[0] = 0;
    if (*format != '%') {
      piece[0] = *format;
      piece[1] = 0;
    } else {
      ++format;
      if (*format == 'E' || *format == 'O') ++format;
      switch (*format) {
        case 'a': sprintf(piece, "%.3s", days[parts->tm_wday]); break;
        case 'A': part = days[parts->tm_wday]; break;
        case 'b':
        case 'h': sprintf(piece, "%.3s", months[parts->tm_mon]); break;
        case 'B': part = months[parts->tm_mon]; break;
        case 'c': strftime(piece, sizeof piece, "%a %b %e %H:%M:%S %Y", parts); break;
        case 'C': sprintf(piece, "%02d", year / 100); break;
        case 'd': sprintf(piece, "%02d", parts->tm_mday); break;
        case 'D': strftime(piece, sizeof piece, "%m/%d/%y", parts); break;
        case 'e': sprintf(piece, "%2d", parts->tm_mday); break;
        case 'F': strftime(piece, sizeof piece, "%Y-%m-%d", parts); break;
        case 'g': iso_week(parts, &year); sprintf(piece, "%02d", year % 100); break;
        case 'G': iso_week(parts, &year); sprintf(piece, "%d", year); break;
        case 'H': sprintf(piece, "%02d", parts->tm_hour); break;
        case 'I': sprintf(piece, "%02d", hour12); break;
        case 'j': sprintf(piece, "%03d", parts->tm_yday + 1); break;
        case 'm': sprintf(piece, "%02d", parts->tm_mon + 1); break;
        case 'M': sprintf(piece, "%02d", parts->tm_min); break;
        case 'n': part = "\n"; break;
        case 'p': part = parts->tm_hour < 12 ? "AM" : "PM"; break;
        case 'r': strftime(piece, sizeof piece, "%I:%M:%S %p", parts); break;
        case 'R': strftime(piece, sizeof piece, "%H:%M", parts); break;
        case 's': { struct tm copy = *parts; sprintf(piece, "%lld", timegm(&copy)); break; }
        case 'S': sprintf(piece, "%02d", parts->tm_sec); break;
        case 't': part = "\t"; break;
        case 'T':
        case 'X': strftime(piece, sizeof piece, "%H:%M:%S", parts); break;
        case 'u': sprintf(piece, "%d", parts->tm_wday == 0 ? 7 : parts->tm_wday); break;
        case 'U': sprintf(piece, "%02d", (parts->tm_yday + 7 - parts->tm_wday) / 7); break;
        case 'V': sprintf(piece, "%02d", iso_week(parts, &year)); break;
        case 'w': sprintf(piece, "%d", parts->tm_wday); break;
        case 'W': sprintf(piece, "%02d", (parts->tm_yday + 7 - (parts->tm_wday + 6) % 7) / 7); break;
        case 'x': strftime(piece, sizeof piece, "%m/%d/%y", parts); break;
        case 'y': sprintf(piece, "%02d", year % 100); break;
        case 'Y': sprintf(piece, "%d", year); break;
        case 'z': part = "+0000"; break;
        case 'Z': part = "UTC"; break;
        case '%': part = "%"; break;
        default: return 0;
      }
    }
    size_t added = strlen(part);
    if (length + added >= size) return 0;
    memcpy(to + length, part, added);
    length += added;
  }
  if (size > 0) to[length] = 0;
  return length;
}
