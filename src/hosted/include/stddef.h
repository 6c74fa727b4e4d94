/* Common definitions (C99, 7.17). */
#ifndef MILLRACE_STDDEF_H
#define MILLRACE_STDDEF_H

typedef unsigned int size_t;
typedef int ptrdiff_t;
typedef int wchar_t;
typedef double max_align_t;

#ifndef NULL
#define NULL ((void *)0)
#endif
#define offsetof(type, member) ((size_t) & ((type *)0)->member)

#endif
