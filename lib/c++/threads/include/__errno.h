/* The C library is compiled without threads: there is one errno, which all threads have. */
#ifndef __wasilibc___errno_h
#define __wasilibc___errno_h

#ifdef __cplusplus
extern "C" {
#endif

extern int errno;
#define errno errno

#ifdef __cplusplus
}
#endif

#endif
