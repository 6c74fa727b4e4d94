/* The calls of WASI (wasi_snapshot_preview1) that the library is made of. Each gives an errno value, 0 for none. */
#ifndef MILLRACE_WASI_H
#define MILLRACE_WASI_H

#include <stddef.h>
#include <stdint.h>

#define WASI(name) __attribute__((import_module("wasi_snapshot_preview1"), import_name(#name)))

struct __wasi_slice {
  const void *start;
  size_t size;
};

/* WASI's description of an open file, 24 bytes. */
struct __wasi_descriptor {
  uint8_t type;
  uint16_t flags;
  uint64_t rights;
  uint64_t inheriting_rights;
};

struct __wasi_stat {
  uint64_t device;
  uint64_t inode;
  uint8_t type;
  uint64_t links;
  uint64_t size;
  uint64_t accessed;
  uint64_t modified;
  uint64_t changed;
};

struct __wasi_folder {
  uint32_t type;
  uint32_t name_length;
};

enum { WASI_CHARACTER_DEVICE = 2, WASI_DIRECTORY = 3, WASI_REGULAR_FILE = 4 };
enum { WASI_CREATE = 1, WASI_FOLDER = 2, WASI_EXCLUSIVE = 4, WASI_TRUNCATE = 8 };
enum { WASI_APPEND = 1 };

WASI(args_sizes_get) int __wasi_args_sizes_get(size_t *count, size_t *bytes);
WASI(args_get) int __wasi_args_get(char **texts, char *bytes);
WASI(environ_sizes_get) int __wasi_environ_sizes_get(size_t *count, size_t *bytes);
WASI(environ_get) int __wasi_environ_get(char **texts, char *bytes);
WASI(sched_yield) int __wasi_sched_yield(void);
WASI(proc_exit) _Noreturn void __wasi_proc_exit(int code);
WASI(clock_time_get) int __wasi_clock_time_get(int clock, uint64_t precision, uint64_t *nanoseconds);
WASI(clock_res_get) int __wasi_clock_res_get(int clock, uint64_t *nanoseconds);
WASI(poll_oneoff)
int __wasi_poll_oneoff(const void *subscriptions, void *events, size_t count, size_t *stored);
WASI(fd_read) int __wasi_fd_read(int descriptor, const struct __wasi_slice *to, size_t count, size_t *read);
WASI(fd_readdir) int __wasi_fd_readdir(int descriptor, void *to, size_t size, uint64_t cookie, size_t *filled);
WASI(fd_pread)
int __wasi_fd_pread(int descriptor, const struct __wasi_slice *to, size_t count, uint64_t offset, size_t *read);
WASI(fd_write) int __wasi_fd_write(int descriptor, const struct __wasi_slice *from, size_t count, size_t *written);
WASI(fd_seek) int __wasi_fd_seek(int descriptor, int64_t offset, int whence, uint64_t *position);
WASI(fd_close) int __wasi_fd_close(int descriptor);
WASI(fd_renumber) int __wasi_fd_renumber(int from, int to);
WASI(fd_fdstat_get) int __wasi_fd_fdstat_get(int descriptor, struct __wasi_descriptor *facts);
WASI(fd_filestat_get) int __wasi_fd_filestat_get(int descriptor, struct __wasi_stat *facts);
WASI(fd_prestat_get) int __wasi_fd_prestat_get(int descriptor, struct __wasi_folder *folder);
WASI(fd_prestat_dir_name) int __wasi_fd_prestat_dir_name(int descriptor, char *name, size_t length);
WASI(path_open)
int __wasi_path_open(int folder, int lookup, const char *path, size_t length, int how, uint64_t rights,
                     uint64_t inheriting_rights, int flags, int *descriptor);
WASI(path_filestat_get)
int __wasi_path_filestat_get(int folder, int lookup, const char *path, size_t length, struct __wasi_stat *facts);
WASI(path_unlink_file) int __wasi_path_unlink_file(int folder, const char *path, size_t length);
WASI(path_create_directory) int __wasi_path_create_directory(int folder, const char *path, size_t length);
WASI(path_remove_directory) int __wasi_path_remove_directory(int folder, const char *path, size_t length);
WASI(path_rename)
int __wasi_path_rename(int folder, const char *from, size_t from_length, int to_folder, const char *to,
                       size_t to_length);

/* A path as WASI takes it: below a folder that the program was given. In paths.c. */
struct __path {
  int folder;
  const char *name;
  size_t length;
};
int __find_path(const char *path, struct __path *found);

/* Opens a file; a descriptor, or -1 with errno set. `flags` are those of <fcntl.h>. In paths.c. */
int __open_file(const char *path, int flags);

/* The same for a folder. */
int __open_folder(const char *path);

/* Writes to a file; an errno value. In paths.c. */
int __write(int descriptor, const void *from, size_t size, size_t *written);

/* What a function of POSIX gives for the errno value of a call: 0, or -1 with errno set. In paths.c. */
int __finish(int error);

/* In stdio.c: writes out what is buffered. */
void __flush_files(void);

#endif
