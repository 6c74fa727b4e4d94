/* Signals (C99, 7.14): none is ever sent but those that the program raises itself, and SIGPIPE. */
#ifndef MILLRACE_SIGNAL_H
#define MILLRACE_SIGNAL_H

typedef int sig_atomic_t;
typedef void (*sighandler_t)(int);

#define SIGINT 2
#define SIGILL 4
#define SIGABRT 6
#define SIGFPE 8
#define SIGSEGV 11
#define SIGPIPE 13
#define SIGTERM 15
#define SIG_DFL ((sighandler_t)0)
#define SIG_ERR ((sighandler_t)-1)
/* No small number, as those are functions of the program. */
#define SIG_IGN ((sighandler_t)-2)

sighandler_t signal(int number, sighandler_t handler);
int raise(int number);

#endif
