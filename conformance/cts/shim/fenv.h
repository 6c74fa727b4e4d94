/*
 * The rounding modes by their names. They can be set and read, as the harness does to learn what the host rounds like; sums
 * and products are rounded to nearest all the same.
 */
#include_next <fenv.h>

#ifndef MILLRACE_CTS_FENV_H
#define MILLRACE_CTS_FENV_H

#define FE_INVALID 1
#define FE_DIVBYZERO 2
#define FE_OVERFLOW 4
#define FE_UNDERFLOW 8
#define FE_INEXACT 16
#define FE_DOWNWARD 0x400
#define FE_UPWARD 0x800
#define FE_TOWARDZERO 0xc00

#endif
