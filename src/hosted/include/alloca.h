/* Memory that is gone when the function is left. */
#ifndef MILLRACE_ALLOCA_H
#define MILLRACE_ALLOCA_H

__attribute__((import_module("wasm"), import_name("stack.allocate"))) void *__stack_allocate(unsigned int size);
#define alloca(size) __stack_allocate(size)
#define __builtin_alloca(size) __stack_allocate(size)

#endif
