/* Threads are asked for: see docs/cplusplus.md. Those of lib/threads come before this file then. */
#error "pthread.h: compile and link with -pthread (millrace c++ -pthread)"
