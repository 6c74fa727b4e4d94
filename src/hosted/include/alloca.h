/* Memory that is gone when the function is left. */
#ifndef MILLRACE_ALLOCA_H
#define MILLRACE_ALLOCA_H

#define alloca(size) __builtin_alloca(size)

#endif
