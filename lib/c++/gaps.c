// Functions that programs written for Linux call and that C libraries for WASI may lack. A library's own come before these.
#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

__attribute__((weak)) void *memalign(size_t alignment, size_t size) {
  void *made = NULL;
  return posix_memalign(&made, alignment < sizeof(void *) ? sizeof(void *) : alignment, size) == 0 ? made : NULL;
}

// The memory of WebAssembly can be read and written as a whole.
__attribute__((weak)) int mprotect(void *start, size_t length, int protection) {
  (void)start, (void)length;
  if (protection == (PROT_READ | PROT_WRITE)) return 0;
  errno = ENOTSUP;
  return -1;
}

__attribute__((weak)) int msync(void *start, size_t length, int flags) { return (void)start, (void)length, (void)flags, 0; }
__attribute__((weak)) int madvise(void *start, size_t length, int advice) {
  return (void)start, (void)length, (void)advice, 0;
}
__attribute__((weak)) int posix_madvise(void *start, size_t length, int advice) {
  return (void)start, (void)length, (void)advice, 0;
}
__attribute__((weak)) int mlock(const void *start, size_t length) { return (void)start, (void)length, 0; }
__attribute__((weak)) int munlock(const void *start, size_t length) { return (void)start, (void)length, 0; }

__attribute__((weak)) in_addr_t inet_addr(const char *text) {
  struct in_addr found;
  return inet_aton(text, &found) ? found.s_addr : (in_addr_t)-1;
}

__attribute__((weak)) char *inet_ntoa(struct in_addr address) {
  static _Thread_local char text[16];
  return (char *)inet_ntop(AF_INET, &address, text, sizeof text);
}
