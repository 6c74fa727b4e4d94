/* Memory by pages: blocks of the heap. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "lock.h"
#include "wasi.h"

struct mapping {
  void *start;
  size_t length;
  struct mapping *next;
};

static struct mapping *mappings;
static struct __lock mappings_lock;

/* Reads what the file has there; what it has not stays as it is. */
static int read_file(int descriptor, char *to, size_t length, uint64_t offset) {
  for (size_t count; length > 0; to += count, length -= count, offset += count) {
    struct __wasi_slice slice = {to, length};
    int error = __wasi_fd_pread(descriptor, &slice, 1, offset, &count);
    if (error) return error;
    if (count == 0) return 0;
  }
  return 0;
}

static int fill_mapping(char *start, size_t length, int flags, int descriptor, off_t offset) {
  memset(start, 0, length);
  return flags & MAP_ANON ? 0 : read_file(descriptor, start, length, offset);
}

void *mmap(void *wanted, size_t length, int protection, int flags, int descriptor, off_t offset) {
  size_t page = getpagesize(), size = (length + page - 1) & -page;
  int kind = flags & (MAP_SHARED | MAP_PRIVATE);
  (void)wanted;
  if (length == 0 || size < length || (kind != MAP_SHARED && kind != MAP_PRIVATE) || offset % page) {
    errno = EINVAL;
    return MAP_FAILED;
  }
  /* Changes would have to go to the file. */
  int is_written = kind == MAP_SHARED && (protection & PROT_WRITE) && !(flags & MAP_ANON);
  if ((flags & MAP_FIXED) || (protection & PROT_EXEC) || !(protection & PROT_READ) || is_written) {
    errno = ENOTSUP;
    return MAP_FAILED;
  }
  struct mapping *made = malloc(sizeof *made);
  char *start = made ? memalign(page, size) : NULL;
  int error = start ? fill_mapping(start, length, flags, descriptor, offset) : ENOMEM;
  if (error) {
    free(start);
    free(made);
    errno = error;
    return MAP_FAILED;
  }
  memset(start + length, 0, size - length);
  LOCKED(&mappings_lock);
  *made = (struct mapping){start, size, mappings};
  mappings = made;
  return start;
}

static struct mapping *taken_out(void *start, size_t length) {
  LOCKED(&mappings_lock);
  for (struct mapping **place = &mappings; *place; place = &(*place)->next) {
    struct mapping *found = *place;
    if (found->start != start || found->length != length) continue;
    *place = found->next;
    return found;
  }
  return NULL;
}

/* As a whole, as it was made. */
int munmap(void *start, size_t length) {
  size_t page = getpagesize();
  struct mapping *found = taken_out(start, (length + page - 1) & -page);
  if (!found) {
    errno = EINVAL;
    return -1;
  }
  free(found->start);
  free(found);
  return 0;
}

int mprotect(void *start, size_t length, int protection) {
  if (protection == (PROT_READ | PROT_WRITE)) return 0;
  errno = ENOTSUP;
  return -1;
}

int msync(void *start, size_t length, int flags) { return 0; }
int madvise(void *start, size_t length, int advice) { return 0; }
int posix_madvise(void *start, size_t length, int advice) { return 0; }
int mlock(const void *start, size_t length) { return 0; }
int munlock(const void *start, size_t length) { return 0; }
