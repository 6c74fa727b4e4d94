/*
 * Memory by pages (POSIX): without an address that is asked for, of nothing or of what a file has. WebAssembly's memory can be read
 * and written as a whole; what asks for less, or for changes to go to a file, fails with ENOTSUP.
 */
#ifndef MILLRACE_SYS_MMAN_H
#define MILLRACE_SYS_MMAN_H

#include <sys/types.h>

#define PROT_NONE 0
#define PROT_READ 1
#define PROT_WRITE 2
#define PROT_EXEC 4
#define MAP_SHARED 1
#define MAP_PRIVATE 2
#define MAP_FIXED 0x10
#define MAP_ANON 0x20
#define MAP_ANONYMOUS MAP_ANON
#define MAP_NORESERVE 0x4000
#define MAP_POPULATE 0x8000
#define MAP_FAILED ((void *)-1)
#define MS_ASYNC 1
#define MS_INVALIDATE 2
#define MS_SYNC 4
#define MADV_NORMAL 0
#define MADV_RANDOM 1
#define MADV_SEQUENTIAL 2
#define MADV_WILLNEED 3
#define POSIX_MADV_NORMAL 0
#define POSIX_MADV_RANDOM 1
#define POSIX_MADV_SEQUENTIAL 2
#define POSIX_MADV_WILLNEED 3

void *mmap(void *wanted, size_t length, int protection, int flags, int descriptor, off_t offset);
int munmap(void *start, size_t length);
int mprotect(void *start, size_t length, int protection);
int msync(void *start, size_t length, int flags);
int madvise(void *start, size_t length, int advice);
int posix_madvise(void *start, size_t length, int advice);
int mlock(const void *start, size_t length);
int munlock(const void *start, size_t length);

#endif
