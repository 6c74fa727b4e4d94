/* Strings without regard to case, and the older names for bytes (POSIX). */
#ifndef MILLRACE_STRINGS_H
#define MILLRACE_STRINGS_H

#include <string.h>

#define bzero(to, count) ((void)memset(to, 0, count))
#define bcopy(from, to, count) ((void)memmove(to, from, count))
#define bcmp(a, b, count) memcmp(a, b, count)
#define index(text, c) strchr(text, c)
#define rindex(text, c) strrchr(text, c)

#endif
