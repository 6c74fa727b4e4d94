/*
 * What the classes of Brook+ ask of whoever runs the program: imports of its module. Streams and kernels are numbers here. The rest of
 * the headers is made of these.
 */
#ifndef MILLRACE_BROOK_RUNTIME_H
#define MILLRACE_BROOK_RUNTIME_H

namespace brook {
namespace runtime {

#define MILLRACE_BROOK_IMPORT(NAME) __attribute__((import_module("Brook"), import_name(#NAME)))

extern "C" {

/* The kernels of a text in Brook+, as brcc wrote it: the number of the text. Bits: 1 types convert, 2 no constant buffers. */
MILLRACE_BROOK_IMPORT(load) int __millrace_brook_load(const char *name, const char *text, unsigned bytes, int bits);
/* The number of a kernel of a text. */
MILLRACE_BROOK_IMPORT(kernel) int __millrace_brook_kernel(int text, const char *name);
/* A new stream of elements of a type, x first; a binding makes it one that shares memory with it. */
MILLRACE_BROOK_IMPORT(create_named)
int __millrace_brook_create(const char *type, unsigned rank, const unsigned *sizes, const char *binding);
MILLRACE_BROOK_IMPORT(release) void __millrace_brook_release(int stream);
MILLRACE_BROOK_IMPORT(read_flags) void __millrace_brook_read(int stream, const void *from, const char *flags);
MILLRACE_BROOK_IMPORT(write_flags) void __millrace_brook_write(int stream, void *to, const char *flags);
MILLRACE_BROOK_IMPORT(part) int __millrace_brook_part(int stream, unsigned rank, const unsigned *start, const unsigned *end);
MILLRACE_BROOK_IMPORT(assign) void __millrace_brook_assign(int stream, int from);
MILLRACE_BROOK_IMPORT(set_property) void __millrace_brook_set_property(int stream, const char *name, const void *value);
MILLRACE_BROOK_IMPORT(exec_domain) void __millrace_brook_exec_domain(int stream, int threads);
MILLRACE_BROOK_IMPORT(is_sync) int __millrace_brook_is_sync(int stream);
MILLRACE_BROOK_IMPORT(finish) void __millrace_brook_finish(int stream);
MILLRACE_BROOK_IMPORT(error) int __millrace_brook_error(int stream);
MILLRACE_BROOK_IMPORT(error_text) unsigned __millrace_brook_error_text(int stream, char *to);
MILLRACE_BROOK_IMPORT(text) unsigned __millrace_brook_text(int stream, char *to);

/* A call of a kernel: its arguments in their order, and off. */
MILLRACE_BROOK_IMPORT(begin) void __millrace_brook_begin(int kernel);
MILLRACE_BROOK_IMPORT(stream_argument) void __millrace_brook_stream_argument(int stream);
MILLRACE_BROOK_IMPORT(value_argument) void __millrace_brook_value_argument(const void *value);
MILLRACE_BROOK_IMPORT(result_argument) void __millrace_brook_result_argument(void *result);
MILLRACE_BROOK_IMPORT(run) void __millrace_brook_run(void);
MILLRACE_BROOK_IMPORT(domain_offset) void __millrace_brook_domain_offset(int kernel, const int *offset);
MILLRACE_BROOK_IMPORT(domain_size) void __millrace_brook_domain_size(int kernel, const int *size);

/* Devices by their numbers. */
MILLRACE_BROOK_IMPORT(devices) unsigned __millrace_brook_devices(const char *type, int *numbers);
MILLRACE_BROOK_IMPORT(used_devices) unsigned __millrace_brook_used(int *numbers);
MILLRACE_BROOK_IMPORT(use_devices) void __millrace_brook_use(const int *numbers, unsigned count);
MILLRACE_BROOK_IMPORT(device_is_cpu) int __millrace_brook_device_is_cpu(int number);
MILLRACE_BROOK_IMPORT(stream_device) int __millrace_brook_stream_device(int stream);

}

#undef MILLRACE_BROOK_IMPORT

} /* namespace runtime */
} /* namespace brook */

#endif
