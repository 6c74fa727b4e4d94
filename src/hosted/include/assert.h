/* Diagnostics (C99, 7.2). May be included again with another NDEBUG. */
#undef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition) ((condition) ? (void)0 : __assert_failed(#condition, __FILE__, __LINE__, __func__))
#endif

#ifndef MILLRACE_ASSERT_H
#define MILLRACE_ASSERT_H
#define static_assert _Static_assert
_Noreturn void __assert_failed(const char *condition, const char *file, int line, const char *function);
#endif
