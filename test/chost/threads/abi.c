/*
 * wasi-threads' ABI without a library: the memory is shared and imported, variables are filled in by the linker's start function, a
 * thread begins (abi-start.s) with a stack that its argument names and sleeps and wakes by instructions.
 */
#include <stdint.h>

__attribute__((import_module("wasi"), import_name("thread-spawn"))) int spawn(void *argument);
__attribute__((import_module("wasi_snapshot_preview1"), import_name("proc_exit"))) _Noreturn void leave(int code);

struct start {
  char *stack;
  int number, id, done;
};

static int sum = 1000;
static struct start starts[4];
static char stacks[4][4096];

void begin(int id, struct start *own) {
  volatile int local = own->number;
  own->id = id;
  for (int i = 0; i < 10000; i++) __atomic_add_fetch(&sum, local, __ATOMIC_RELAXED);
  __atomic_store_n(&own->done, 1, __ATOMIC_RELEASE);
  __builtin_wasm_memory_atomic_notify(&own->done, 1);
}

void _start(void) {
  for (int i = 0; i < 4; i++) {
    starts[i].stack = stacks[i] + 4096;
    starts[i].number = i + 1;
    if (spawn(&starts[i]) <= 0) leave(1);
  }
  int ids = 0, first = __builtin_wasm_memory_size(0);
  for (int i = 0; i < 4; i++) {
    while (!__atomic_load_n(&starts[i].done, __ATOMIC_ACQUIRE)) __builtin_wasm_memory_atomic_wait32(&starts[i].done, 0, -1);
    ids += starts[i].id > 0;
  }
  if (__builtin_wasm_memory_grow(0, 3) != first || __builtin_wasm_memory_size(0) != first + 3) leave(2);
  leave(ids == 4 && sum == 1000 + 10000 * 10 ? 42 : 3);
}
