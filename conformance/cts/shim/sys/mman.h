/* Anonymous mappings, which is all the suite uses, are memory that begins at a page. */
#ifndef MILLRACE_CTS_MMAN_H
#define MILLRACE_CTS_MMAN_H

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define PROT_NONE 0
#define PROT_READ 1
#define PROT_WRITE 2
#define MAP_PRIVATE 2
#define MAP_ANON 0x20
#define MAP_ANONYMOUS 0x20
#define MAP_FAILED ((void *)-1)

static inline void *mmap(void *address, size_t length, int protection, int flags, int file, long offset) {
    (void)address, (void)protection, (void)flags, (void)file, (void)offset;
    void *pages = NULL;
    if (posix_memalign(&pages, 4096, length) != 0) return MAP_FAILED;
    return memset(pages, 0, length);
}
static inline int munmap(void *address, size_t length) {
    (void)length;
    free(address);
    return 0;
}
static inline int mprotect(void *address, size_t length, int protection) {
    (void)address, (void)length, (void)protection;
    return 0;
}

#endif
