// What programs call beside their async copies, so that tools see them (src/ir/async-marks.ts). Nothing is done here.

size_t __millrace_async_copy(size_t to, size_t from, size_t elements, size_t event) { return event; }

void __millrace_async_wait(size_t event) {}
