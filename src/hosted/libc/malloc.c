/*
 * Memory: blocks one after another, each with its size and the size of the block before it, so that neighbours join when they
 * are free. Free blocks are in lists by the power of two of their size.
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "lock.h"

#define INSTRUCTION(name) __attribute__((import_module("wasm"), import_name(name)))
INSTRUCTION("heap.base") char *__heap_base(void);
INSTRUCTION("heap.end") char *__heap_end(void);
INSTRUCTION("memory.grow") int __memory_grow(int pages);

/* Stands 8 bytes before what the program gets, which is aligned to 16. A free block's links lie where its bytes were. */
struct block {
  size_t size_before; /* of the block before it, if that is free or not; 0 for the first of a region */
  size_t size;        /* with this header; the lowest bit is set if the block is in use */
  struct block *next, *previous;
};

enum { HEADER = 8, SMALLEST = 16, PAGE = 65536, LEAST_GROWTH = 16 };

/* Holds while the lists are changed. */
static struct __lock heap_lock;

static struct block *lists[32];
static uint32_t filled; /* which lists have blocks */
static char *region_end;

static size_t size_of(const struct block *block) { return block->size & ~1u; }
static struct block *after(struct block *block) { return (struct block *)((char *)block + size_of(block)); }
static int list_of(size_t size) { return 31 - __builtin_clz(size); }

static void add_free(struct block *block, size_t size) {
  int list = list_of(size);
  block->size = size;
  after(block)->size_before = size;
  block->previous = NULL;
  block->next = lists[list];
  if (block->next) block->next->previous = block;
  lists[list] = block;
  filled |= 1u << list;
}

static void take_from_list(struct block *block) {
  int list = list_of(block->size);
  if (block->next) block->next->previous = block->previous;
  if (block->previous) block->previous->next = block->next;
  else lists[list] = block->next;
  if (!lists[list]) filled &= ~(1u << list);
}

/* Makes a free block of [start, end): behind it stands a block in use without bytes, which is never freed. */
static void add_region(char *start, char *end) {
  struct block *block;
  if (start == region_end) {
    /* It goes on where the last one ended. */
    struct block *last = (struct block *)(start - HEADER);
    size_t size = end - start;
    if (last->size_before && !(((struct block *)((char *)last - last->size_before))->size & 1)) {
      last = (struct block *)((char *)last - last->size_before);
      take_from_list(last);
      size += size_of(last);
    }
    block = last;
    ((struct block *)(end - HEADER))->size = 1;
    region_end = end;
    add_free(block, size);
    return;
  }
  block = (struct block *)((((uintptr_t)start + HEADER + 15) & -16) - HEADER);
  block->size_before = 0;
  ((struct block *)(end - HEADER))->size = 1;
  region_end = end;
  add_free(block, end - HEADER - (char *)block);
}

static int grow(size_t size) {
  if (!region_end) {
    char *start = __heap_base(), *end = __heap_end();
    add_region(start, end);
    if (end - start > size + 64) return 1;
  }
  size_t pages = (size + 64 + PAGE - 1) / PAGE;
  if (pages < LEAST_GROWTH) pages = LEAST_GROWTH;
  int start = __memory_grow(pages);
  if (start < 0) start = __memory_grow(pages = (size + 64 + PAGE - 1) / PAGE);
  if (start < 0) return 0;
  char *from = (char *)((size_t)start * PAGE);
  char *to = from + pages * PAGE;
  /* The last page of four gigabytes has no end that a pointer could name. */
  add_region(from, to ? to : to - 16);
  return 1;
}

static struct block *find(size_t size) {
  int list = list_of(size);
  int tries = 0;
  for (struct block *block = lists[list]; block && tries < 32; block = block->next, ++tries) {
    if (block->size >= size) return block;
  }
  uint32_t larger = list == 31 ? 0 : filled & (~0u << (list + 1));
  if (larger) return lists[__builtin_ctz(larger)];
  for (struct block *block = lists[list]; block; block = block->next) {
    if (block->size >= size) return block;
  }
  return NULL;
}

/* Cuts what is beyond `size` off a block in use, and frees it. */
static void trim(struct block *block, size_t size) {
  size_t rest = size_of(block) - size;
  if (rest < SMALLEST * 2) return;
  block->size = size | 1;
  struct block *cut = after(block);
  cut->size_before = size;
  cut->size = rest | 1;
  after(cut)->size_before = rest;
  free((char *)cut + HEADER);
}

static size_t block_size(size_t size) {
  size_t with_header = (size + HEADER + 15) & -16;
  return with_header < SMALLEST * 2 ? SMALLEST * 2 : with_header;
}

static void *take(size_t size) {
  if (size > 0xf0000000u) {
    errno = ENOMEM;
    return NULL;
  }
  size_t needed = block_size(size);
  struct block *block = find(needed);
  if (!block && grow(needed)) block = find(needed);
  if (!block) {
    errno = ENOMEM;
    return NULL;
  }
  take_from_list(block);
  block->size |= 1;
  trim(block, needed);
  return (char *)block + HEADER;
}

static void give_back(void *bytes) {
  struct block *block = (struct block *)((char *)bytes - HEADER);
  if (!(block->size & 1)) abort(); /* freed twice */
  size_t size = size_of(block);
  struct block *next = after(block);
  if (!(next->size & 1)) {
    take_from_list(next);
    size += next->size;
  }
  if (block->size_before) {
    struct block *before = (struct block *)((char *)block - block->size_before);
    if (!(before->size & 1)) {
      take_from_list(before);
      size += before->size;
      block = before;
    }
  }
  add_free(block, size);
}

void *malloc(size_t size) {
  struct __lock *held = __locked(&heap_lock);
  void *taken = take(size);
  __unlocked(&held);
  return taken;
}

void free(void *bytes) {
  if (!bytes) return;
  struct __lock *held = __locked(&heap_lock);
  give_back(bytes);
  __unlocked(&held);
}

size_t malloc_usable_size(void *bytes) {
  return bytes ? size_of((struct block *)((char *)bytes - HEADER)) - HEADER : 0;
}

void *calloc(size_t count, size_t size) {
  uint64_t whole = (uint64_t)count * size;
  void *bytes = malloc(whole >> 32 ? ~0u : (size_t)whole);
  return bytes ? memset(bytes, 0, (size_t)whole) : NULL;
}

void *realloc(void *bytes, size_t size) {
  if (!bytes) return malloc(size);
  if (size == 0) {
    free(bytes);
    return NULL;
  }
  if (size > 0xf0000000u) {
    errno = ENOMEM;
    return NULL;
  }
  LOCKED(&heap_lock);
  struct block *block = (struct block *)((char *)bytes - HEADER);
  size_t needed = block_size(size);
  if (needed <= size_of(block)) {
    trim(block, needed);
    return bytes;
  }
  struct block *next = after(block);
  if (!(next->size & 1) && size_of(block) + next->size >= needed) {
    take_from_list(next);
    block->size = (size_of(block) + next->size) | 1;
    after(block)->size_before = size_of(block);
    trim(block, needed);
    return bytes;
  }
  void *larger = malloc(size);
  if (!larger) return NULL;
  memcpy(larger, bytes, size_of(block) - HEADER);
  free(bytes);
  return larger;
}

void *memalign(size_t align, size_t size) {
  if (align & (align - 1) || align > 1u << 30 || size > 0xb0000000u) {
    errno = EINVAL;
    return NULL;
  }
  if (align <= 16) return malloc(size);
  LOCKED(&heap_lock);
  char *bytes = malloc(size + align + SMALLEST * 2);
  if (!bytes || !((uintptr_t)bytes & (align - 1))) {
    if (bytes) trim((struct block *)(bytes - HEADER), block_size(size));
    return bytes;
  }
  /* What is before the aligned place becomes a block of its own, large enough to be one. */
  char *aligned = (char *)(((uintptr_t)bytes + SMALLEST * 2 + align - 1) & -align);
  struct block *first = (struct block *)(bytes - HEADER);
  struct block *block = (struct block *)(aligned - HEADER);
  size_t cut = aligned - bytes;
  block->size = (size_of(first) - cut) | 1;
  block->size_before = cut;
  after(block)->size_before = size_of(block);
  first->size = cut | 1;
  free(bytes);
  trim(block, block_size(size));
  return aligned;
}

void *aligned_alloc(size_t align, size_t size) { return memalign(align, size); }
void *valloc(size_t size) { return memalign(PAGE, size); }

int posix_memalign(void **block, size_t align, size_t size) {
  if (align < sizeof(void *) || align & (align - 1)) return EINVAL;
  void *bytes = memalign(align, size);
  if (!bytes) return ENOMEM;
  *block = bytes;
  return 0;
}
