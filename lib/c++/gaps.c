// Functions that programs written for Linux call and that C libraries for WASI may lack. A library's own come before these.
#include <stdlib.h>

__attribute__((weak)) void *memalign(size_t alignment, size_t size) {
  void *made = NULL;
  return posix_memalign(&made, alignment < sizeof(void *) ? sizeof(void *) : alignment, size) == 0 ? made : NULL;
}
