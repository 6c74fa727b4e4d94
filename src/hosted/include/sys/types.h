/* Types of POSIX. */
#ifndef MILLRACE_SYS_TYPES_H
#define MILLRACE_SYS_TYPES_H

#include <stddef.h>

typedef int ssize_t;
typedef long long off_t;
typedef long long time_t;
typedef long suseconds_t;
typedef unsigned int useconds_t;
typedef int pid_t;
typedef unsigned int mode_t;
typedef unsigned int uid_t;
typedef unsigned int gid_t;
typedef unsigned long long ino_t;
typedef unsigned long long dev_t;
typedef unsigned char u_char;
typedef unsigned short u_short;
typedef unsigned int u_int;
typedef unsigned long u_long;
typedef unsigned int uint;
typedef unsigned short ushort;
typedef unsigned long ulong;

#endif
