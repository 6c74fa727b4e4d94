/*
 * Variable arguments (C99, 7.15). They lie in memory one after another, each aligned to its size, and a va_list leads to the next.
 */
#ifndef MILLRACE_STDARG_H
#define MILLRACE_STDARG_H

typedef char *va_list;
typedef va_list __gnuc_va_list;
typedef va_list __builtin_va_list;

static inline void *__va_next(va_list *list, unsigned int size, unsigned int align) {
  char *here = (char *)(((unsigned int)*list + align - 1) & -align);
  *list = here + size;
  return here;
}

#define __va_align(type) (_Alignof(type) < 4 ? 4 : _Alignof(type))
#define va_start(list, last) ((void)((list) = (va_list)__builtin_variadic_arguments()))
#define va_arg(list, type) (*(type *)__va_next(&(list), (sizeof(type) + 3) & -4, __va_align(type)))
#define va_copy(to, from) ((void)((to) = (from)))
#define va_end(list) ((void)(list))

#endif
