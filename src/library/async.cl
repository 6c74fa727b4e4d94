// What programs call beside their async copies, and beside barriers whose flags are no constant, so that tools see them
// (src/ir/async-marks.ts). Nothing is done here.

size_t __millrace_async_copy(size_t to, size_t from, size_t elements, size_t event, size_t bytes, size_t to_step,
                             size_t from_step) {
  return event;
}

void __millrace_async_wait(size_t event) {}

void __millrace_barrier_flags(uint flags) {}
