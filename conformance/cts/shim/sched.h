/* Which processors a thread may run on: not known. */
#include_next <sched.h>

#ifndef MILLRACE_CTS_SCHED_H
#define MILLRACE_CTS_SCHED_H

typedef struct {
    unsigned long bits[1];
} cpu_set_t;

static inline int sched_getaffinity(int process, size_t size, cpu_set_t *set) {
    (void)process, (void)size, (void)set;
    return -1;
}

#endif
