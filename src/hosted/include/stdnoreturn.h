/* Functions that do not return (C11, 7.23). */
#ifndef MILLRACE_STDNORETURN_H
#define MILLRACE_STDNORETURN_H

#define noreturn _Noreturn

#endif
