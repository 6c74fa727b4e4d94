/* malloc and its like under stress: no block may touch another, and what is freed must be found again. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCKS = 1000, ROUNDS = 60000 };
static struct {
  unsigned char *bytes;
  size_t size;
  unsigned char mark;
} blocks[BLOCKS];

static uint32_t state = 12345;
static uint32_t next(uint32_t below) {
  state = state * 1664525 + 1013904223;
  return (state >> 8) % below;
}

static int is_whole(int i) {
  for (size_t j = 0; j < blocks[i].size; j++) {
    if (blocks[i].bytes[j] != blocks[i].mark) return 0;
  }
  return 1;
}

int main(void) {
  int wrong = 0, misaligned = 0;
  for (int round = 0; round < ROUNDS; round++) {
    int i = next(BLOCKS);
    size_t size = next(10) == 0 ? next(20000) : next(200);
    unsigned char *before = blocks[i].bytes;
    if (before && next(3) == 0) {
      size_t kept = size < blocks[i].size ? size : blocks[i].size;
      unsigned char *bytes = realloc(before, size ? size : 1);
      for (size_t j = 0; j < kept; j++) wrong += bytes[j] != blocks[i].mark;
      blocks[i].bytes = bytes;
    } else {
      if (before) wrong += !is_whole(i);
      free(before);
      size_t align = 16;
      switch (next(4)) {
        case 0: blocks[i].bytes = calloc(size, 1);
          for (size_t j = 0; j < size; j++) wrong += blocks[i].bytes[j] != 0;
          break;
        case 1: align = 16u << next(6);
          if (posix_memalign((void **)&blocks[i].bytes, align, size) != 0) wrong++;
          break;
        default: blocks[i].bytes = malloc(size);
      }
      misaligned += ((uintptr_t)blocks[i].bytes & (align - 1)) != 0;
    }
    blocks[i].size = size;
    blocks[i].mark = round;
    memset(blocks[i].bytes, blocks[i].mark, size);
  }
  for (int i = 0; i < BLOCKS; i++) {
    wrong += !is_whole(i);
    free(blocks[i].bytes);
  }
  printf("%d wrong, %d misaligned\n", wrong, misaligned);
  char *large[8];
  for (int i = 0; i < 8; i++) {
    large[i] = malloc(5 << 20);
    memset(large[i], i, 5 << 20);
  }
  for (int i = 0; i < 8; i++) {
    printf("%d", large[i][4 << 20]);
    free(large[i]);
  }
  char *all = malloc(38 << 20);
  printf(" %d %d %d\n", all != NULL, malloc((size_t)-100) == NULL, calloc(1 << 17, 1 << 17) == NULL || sizeof(size_t) > 4);
  free(all);
  free(NULL);
  return 0;
}
