/*
 * What host code in .br files sees of Brook+ (Stream Computing User Guide, 2.3): short vectors, streams, and what moves data
 * in and out of them. Such files begin with this header. The functions whose names begin with __brook_ stand for declarations of
 * streams, calls of kernels and the like, which become calls of them.
 */
#ifndef MILLRACE_BROOK_H
#define MILLRACE_BROOK_H

#include <brook/ErrorCodes.h>
/* brcc's own header brought these along, and there are programs that rely on it. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In kernels these are functions, so they must not be macros; the host has them as functions, too. */
static int __brook_isfinite(double x) { return isfinite(x); }
static int __brook_isinf(double x) { return isinf(x); }
static int __brook_isnan(double x) { return isnan(x); }
#undef isfinite
#undef isinf
#undef isnan
static int isfinite(double x) { return __brook_isfinite(x); }
static int isinf(double x) { return __brook_isinf(x); }
static int isnan(double x) { return __brook_isnan(x); }

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;

#define BROOK_VECTORS(T) \
  typedef struct T##2 { T x, y; } T##2; \
  typedef struct T##3 { T x, y, z; } T##3; \
  typedef struct T##4 { T x, y, z, w; } T##4;

BROOK_VECTORS(char)
BROOK_VECTORS(uchar)
BROOK_VECTORS(short)
BROOK_VECTORS(ushort)
BROOK_VECTORS(int)
BROOK_VECTORS(uint)
BROOK_VECTORS(float)
typedef struct double2 { double x, y; } double2;

#undef BROOK_VECTORS

typedef struct __brook_stream_object *__brook_stream;

#define BROOK_IMPORT(NAME) __attribute__((import_module("Brook"), import_name(#NAME)))

/* From memory to the stream, and back. */
BROOK_IMPORT(read) void streamRead(__brook_stream stream, const void *from);
BROOK_IMPORT(write) void streamWrite(__brook_stream stream, void *to);
/* With flags as words: async, nocopy. */
BROOK_IMPORT(read_flags) void __brook_read(__brook_stream stream, const void *from, const char *flags);
BROOK_IMPORT(write_flags) void __brook_write(__brook_stream stream, void *to, const char *flags);
/* What streams that share memory with Direct3D must be told: an error, for there are none. */
BROOK_IMPORT(set_property) void __brook_set_property(__brook_stream stream, const char *name, const void *value);

/* The streams of a function: those that it declares last until it returns. */
BROOK_IMPORT(enter) int __brook_enter(void);
BROOK_IMPORT(leave) void __brook_leave(int mark);
/*
 * A declaration: which it is in the program, or 0 outside of functions; the element type's number; sizes with the slowest
 * first.
 */
BROOK_IMPORT(create) __brook_stream __brook_create(int site, int type, int rank, int s0, int s1, int s2, int s3);
/* The part of a stream from one point to before another, with x first. */
BROOK_IMPORT(domain) __brook_stream __brook_domain(
    __brook_stream stream, int rank, const int *start, const int *end);
/* The elements of another stream; how many threads the next kernel has that writes it; waiting for what was asked for. */
BROOK_IMPORT(assign) void __brook_assign(__brook_stream stream, __brook_stream from);
BROOK_IMPORT(exec_domain) void __brook_exec_domain(__brook_stream stream, int threads);
BROOK_IMPORT(is_sync) int __brook_is_sync(__brook_stream stream);
BROOK_IMPORT(finish) void __brook_finish(__brook_stream stream);

/* A call of a kernel: its number, its arguments in their order, and off. */
BROOK_IMPORT(begin) void __brook_begin(int kernel);
BROOK_IMPORT(stream_argument) void __brook_stream_argument(__brook_stream stream);
BROOK_IMPORT(value_argument) void __brook_value_argument(const void *value);
BROOK_IMPORT(result_argument) void __brook_result_argument(void *result);
BROOK_IMPORT(run) void __brook_run(void);
/* Where the next call of a kernel runs, instead of over all of its output. */
BROOK_IMPORT(domain_offset) void __brook_domain_offset(int kernel, const int *offset);
BROOK_IMPORT(domain_size) void __brook_domain_size(int kernel, const int *size);

/* What became of a stream: BR_NO_ERROR, or the first error since the last question; and all of them in words. */
BROOK_IMPORT(error) int __brook_error(__brook_stream stream);

/*
 * Devices by their numbers, from 0 (2.16): those of a type, and those in use, which are put where the last argument says, if it says
 * anything; how many they are is told.
 */
BROOK_IMPORT(devices) unsigned int __brook_devices(const char *type, int *numbers);
BROOK_IMPORT(used_devices) unsigned int __brook_used(int *numbers);
BROOK_IMPORT(use_devices) void __brook_use(const int *numbers, unsigned int count);
BROOK_IMPORT(device_is_cpu) int __brook_device_is_cpu(int number);
BROOK_IMPORT(stream_device) int __brook_stream_device(__brook_stream stream);

/*
 * Put a stream's content, or all of its errors, as text and its end where they say, if there is a place, and tell how long it is
 * without the end.
 */
BROOK_IMPORT(text) unsigned int __brook_text(__brook_stream stream, char *to);
BROOK_IMPORT(error_text) unsigned int __brook_error_text(__brook_stream stream, char *to);

#undef BROOK_IMPORT

/* What is in a stream, for older programs. */
static void streamPrint(__brook_stream stream) {
  char *text = (char *)malloc(__brook_text(stream, 0) + 1);
  if (!text) return;
  __brook_text(stream, text);
  fputs(text, stdout);
  free(text);
}

/* All errors of a stream so far in words, until they are asked for again. */
static const char *__brook_error_log(__brook_stream stream) {
  static char *log;
  free(log);
  log = (char *)malloc(__brook_error_text(stream, 0) + 1);
  if (!log) return "";
  __brook_error_text(stream, log);
  return log;
}

/* A device of the machine: `getType()` is "cal" or "cpu", `getBindings()` what it can share memory with, which is nothing. */
typedef struct Device {
  const char *(*getType)(void);
  const char *(*getBindings)(void);
  int __brook_number;
} Device;

static const char *__brook_type_cal(void) { return "cal"; }
static const char *__brook_type_cpu(void) { return "cpu"; }
static const char *__brook_no_bindings(void) { return ""; }

/* A new list of devices; null if there are none, or no memory. */
static Device *__brook_new_list(const int *numbers, unsigned int count) {
  Device *list = count ? (Device *)malloc(count * sizeof *list) : 0;
  unsigned int i;
  for (i = 0; list && i < count; i++) {
    list[i].getType = __brook_device_is_cpu(numbers[i]) ? __brook_type_cpu : __brook_type_cal;
    list[i].getBindings = __brook_no_bindings;
    list[i].__brook_number = numbers[i];
  }
  return list;
}

/* The devices of a type: "all", "cal" or "cpu". The list is the library's: it stays. */
static Device *getDevices(const char *type, unsigned int *count) {
  static Device *lists[3];
  unsigned int found = __brook_devices(type, 0);
  int place = !strcmp(type, "all") ? 0 : !strcmp(type, "cal") ? 1 : 2;
  if (found && !lists[place]) {
    int *numbers = (int *)malloc(found * sizeof *numbers);
    if (numbers) __brook_devices(type, numbers);
    lists[place] = numbers ? __brook_new_list(numbers, found) : 0;
    free(numbers);
  }
  if (count) *count = found && lists[place] ? found : 0;
  return found ? lists[place] : 0;
}

/* Lists of one device are parts of that of all devices. */
static Device *__brook_list(const int *numbers, unsigned int count) {
  Device *all = getDevices("all", 0);
  return count == 1 && all ? all + numbers[0] : __brook_new_list(numbers, count);
}

/*
 * From now on streams are made, and kernels run, on the first of these devices, or without any on the device of the environment. Gives
 * the devices that were set before, and how many they are, if there is a place for that.
 */
static Device *useDevices(const Device *devices, unsigned int count, unsigned int *old_count) {
  unsigned int before = __brook_used(0);
  unsigned int most = (count > before ? count : before) + 1;
  int *numbers = (int *)malloc(most * sizeof *numbers);
  Device *list = 0;
  unsigned int i;
  if (!devices) count = 0;
  if (numbers && old_count) {
    __brook_used(numbers);
    list = __brook_list(numbers, before);
  }
  if (old_count) *old_count = list ? before : 0;
  for (i = 0; numbers && i < count; i++) numbers[i] = devices[i].__brook_number;
  if (numbers) __brook_use(numbers, count);
  free(numbers);
  return list;
}

/* The device that a stream is on. */
static Device *__brook_get_devices(__brook_stream stream, unsigned int *count) {
  int number = __brook_stream_device(stream);
  Device *list = __brook_list(&number, 1);
  if (count) *count = list ? 1 : 0;
  return list;
}

/* Older programs have memory for streams from here. */
static void *brmalloc(size_t bytes) { return malloc(bytes); }
static void brfree(void *block) { free(block); }

typedef enum BRerror BRerror;

#endif
