#ifndef MILLRACE_SCHED_H
#define MILLRACE_SCHED_H

int sched_yield(void);

#endif
