/* Errors (C99, 7.5), under the numbers that WASI gives them. */
#ifndef MILLRACE_ERRNO_H
#define MILLRACE_ERRNO_H

extern _Thread_local int errno;
#define errno errno

#define E2BIG 1
#define EACCES 2
#define EAGAIN 6
#define EWOULDBLOCK EAGAIN
#define EBADF 8
#define EBUSY 10
#define ECANCELED 11
#define ECHILD 12
#define EDEADLK 16
#define EDOM 18
#define EEXIST 20
#define EFAULT 21
#define EFBIG 22
#define EILSEQ 25
#define EINTR 27
#define EINVAL 28
#define EIO 29
#define EISDIR 31
#define ELOOP 32
#define EMFILE 33
#define EMLINK 34
#define ENAMETOOLONG 37
#define ENFILE 41
#define ENODEV 43
#define ENOENT 44
#define ENOEXEC 45
#define ENOMEM 48
#define ENOSPC 51
#define ENOSYS 52
#define ENOTDIR 54
#define ENOTEMPTY 55
#define ENOTSUP 58
#define ENOTTY 59
#define ENXIO 60
#define EOVERFLOW 61
#define EPERM 63
#define EPIPE 64
#define ERANGE 68
#define EROFS 69
#define ESPIPE 70
#define ESRCH 71
#define ETIMEDOUT 73
#define ETXTBSY 74
#define EXDEV 75
/* A path outside the folders that the program was given. */
#define ENOTCAPABLE 76

#endif
