/*
 * Put before every source of the OpenCL-CTS (-include): wasm32-wasi has clang and a C library, and yet is no system that
 * the suite knows. It is built as for Linux, whose branches ask for POSIX only, on the processor of which it asks least.
 */
#ifndef MILLRACE_CTS_H
#define MILLRACE_CTS_H

#ifdef __cplusplus
/* The standard library must see the true system, so its configuration is read first. */
#include <cstddef>
#endif
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#ifdef __cplusplus
extern "C" {
#endif
/* What wasi-libc has not; missing.cpp has it. */
int mkstemp(char *path);
int dup(int file);
int dup2(int file, int place);
/* There are no links; the suite asks only for /proc/self/exe, the program's own path. */
ssize_t millrace_readlink(const char *path, char *buffer, size_t size);
#ifdef __cplusplus
}
#endif

/* The GNU form, which Linux has: it returns the text. */
#define strerror_r(error, buffer, size) strerror(error)

#define readlink millrace_readlink

#define __linux__ 1
#define __linux 1

/* harness/fpcontrol.h: WebAssembly has subnormals and one rounding mode, and so has the device. */
#ifdef __cplusplus
#define _fpcontrol_h
typedef int64_t FPU_mode_type;
inline void ForceFTZ(FPU_mode_type *) {}
inline void DisableFTZ(FPU_mode_type *) {}
inline void RestoreFPState(FPU_mode_type *) {}
#endif

/* harness/rounding_mode.cpp: the only processor whose way of flushing subnormals is a header of its own. */
#define __mips__ 1

#endif
