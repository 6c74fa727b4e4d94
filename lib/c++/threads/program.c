// How a program with threads begins, in the place of the C library's: the linker would put constructors and destructors around every function
// that is exported, and so around the beginning of a thread, unless somebody calls the constructors. MILLRACE_MAIN is what
// the library calls main by.
#include <stdlib.h>

void __wasm_call_ctors(void);
void __wasm_init_tls(void *variables);
int MILLRACE_MAIN(void);

// Newer linkers have made the first thread's own variables begin already.
static void begin_variables(void) {
  size_t bytes = __builtin_wasm_tls_size(), align = __builtin_wasm_tls_align();
  if (bytes == 0 || __builtin_wasm_tls_base()) return;
  void *variables = aligned_alloc(align < 16 ? 16 : align, (bytes + align + 15) & -16u);
  if (!variables) abort();
  __wasm_init_tls(variables);
}

void _start(void) {
  begin_variables();
  __wasm_call_ctors();
  exit(MILLRACE_MAIN());
}
