/* malloc.h of WASI's C library, with memalign, which that has not declared (lib/c++/gaps.c). */
#ifndef MILLRACE_WASI_MALLOC_H
#define MILLRACE_WASI_MALLOC_H

#include_next <malloc.h>

#ifdef __cplusplus
extern "C" {
#endif

void *memalign(size_t alignment, size_t size);

#ifdef __cplusplus
}
#endif

#endif
