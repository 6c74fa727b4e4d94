/* Files by their paths: WASI opens them below folders that the program was given, which are its first descriptors. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "lock.h"
#include "wasi.h"

enum { FIRST_FOLDER = 3, MOST_FOLDERS = 64 };

/* The names of the folders; an empty one is the current folder. Read when the first path is asked for. */
static char *folders[MOST_FOLDERS];
static int folder_count = -1;
static struct __lock folders_lock;

static const char *without_dots(const char *path) {
  while (path[0] == '.' && (path[1] == '/' || !path[1])) {
    path += path[1] ? 2 : 1;
    while (*path == '/') ++path;
  }
  return path;
}

static void read_folders(void) {
  struct __wasi_folder folder;
  folder_count = 0;
  while (folder_count < MOST_FOLDERS && __wasi_fd_prestat_get(FIRST_FOLDER + folder_count, &folder) == 0) {
    char *name = calloc(folder.name_length + 1, 1);
    if (!name || __wasi_fd_prestat_dir_name(FIRST_FOLDER + folder_count, name, folder.name_length) != 0) return;
    size_t length = folder.name_length;
    while (length > 1 && name[length - 1] == '/') name[--length] = 0;
    folders[folder_count++] = (char *)without_dots(name);
  }
}

static void find_folders(void) {
  LOCKED(&folders_lock);
  if (folder_count < 0) read_folders();
}

/* Whether the path lies in the folder; then `rest` is what follows its name. */
static int is_below(const char *path, const char *folder, const char **rest) {
  size_t length = strlen(folder);
  if (strncmp(path, folder, length) != 0) return 0;
  if (length == 0 ? *path == '/' : folder[length - 1] != '/' && path[length] != '/' && path[length]) return 0;
  path += length;
  while (*path == '/') ++path;
  *rest = path;
  return 1;
}

int __find_path(const char *path, struct __path *found) {
  find_folders();
  if (!*path) {
    errno = ENOENT;
    return -1;
  }
  int best = -1;
  size_t longest = 0;
  path = without_dots(path);
  for (int i = 0; i < folder_count; ++i) {
    const char *rest;
    size_t length = strlen(folders[i]);
    if (!is_below(path, folders[i], &rest) || (best >= 0 && length < longest)) continue;
    best = i;
    longest = length;
    found->name = *rest ? rest : ".";
  }
  if (best < 0) {
    errno = ENOTCAPABLE;
    return -1;
  }
  found->folder = FIRST_FOLDER + best;
  found->length = strlen(found->name);
  return 0;
}

/* 0, or -1 with errno set. */
int __finish(int error) {
  if (!error) return 0;
  errno = error;
  return -1;
}

/* WASI's rights: what may be done with an open file. */
enum {
  MAY_READ = 1 << 1,
  MAY_SEEK = 1 << 2,
  MAY_SET_FLAGS = 1 << 3,
  MAY_SYNC = 1 << 4,
  MAY_TELL = 1 << 5,
  MAY_WRITE = 1 << 6,
  MAY_LIST = 1 << 14,
  MAY_STAT = 1 << 21,
};

int __open_file(const char *path, int flags) {
  struct __path place;
  int descriptor;
  int how = 0;
  uint64_t rights = MAY_SEEK | MAY_TELL | MAY_STAT;
  if (__find_path(path, &place) != 0) return -1;
  if (flags & O_CREAT) how |= WASI_CREATE;
  if (flags & O_EXCL) how |= WASI_EXCLUSIVE;
  if (flags & O_TRUNC) how |= WASI_TRUNCATE;
  if ((flags & 3) != O_WRONLY) rights |= MAY_READ;
  if ((flags & 3) != O_RDONLY) rights |= MAY_WRITE | MAY_SYNC;
  int error = __wasi_path_open(place.folder, 1, place.name, place.length, how, rights, rights,
                               flags & O_APPEND ? WASI_APPEND : 0, &descriptor);
  return __finish(error) == 0 ? descriptor : -1;
}

int __open_folder(const char *path) {
  struct __path place;
  int descriptor;
  if (__find_path(path, &place) != 0) return -1;
  int error = __wasi_path_open(place.folder, 1, place.name, place.length, WASI_FOLDER, MAY_LIST | MAY_STAT, MAY_STAT, 0, &descriptor);
  return __finish(error) == 0 ? descriptor : -1;
}

int open(const char *path, int flags, ...) { return __open_file(path, flags); }
int close(int descriptor) { return __finish(__wasi_fd_close(descriptor)); }

ssize_t read(int descriptor, void *to, size_t size) {
  struct __wasi_slice slice = {to, size};
  size_t count;
  return __finish(__wasi_fd_read(descriptor, &slice, 1, &count)) == 0 ? (ssize_t)count : -1;
}

/* A pipe that nobody reads any more ends a program that does not want to know of it. */
int __write(int descriptor, const void *from, size_t size, size_t *written) {
  struct __wasi_slice slice = {from, size};
  int error = __wasi_fd_write(descriptor, &slice, 1, written);
  if (error == EPIPE) raise(SIGPIPE);
  return error;
}

ssize_t write(int descriptor, const void *from, size_t size) {
  size_t count;
  return __finish(__write(descriptor, from, size, &count)) == 0 ? (ssize_t)count : -1;
}

off_t lseek(int descriptor, off_t offset, int whence) {
  uint64_t position;
  return __finish(__wasi_fd_seek(descriptor, offset, whence, &position)) == 0 ? (off_t)position : -1;
}

int isatty(int descriptor) {
  struct __wasi_descriptor facts;
  if (__finish(__wasi_fd_fdstat_get(descriptor, &facts)) != 0) return 0;
  if (facts.type == WASI_CHARACTER_DEVICE && !(facts.rights & (MAY_SEEK | MAY_TELL))) return 1;
  errno = ENOTTY;
  return 0;
}

int unlink(const char *path) {
  struct __path place;
  if (__find_path(path, &place) != 0) return -1;
  return __finish(__wasi_path_unlink_file(place.folder, place.name, place.length));
}

int rmdir(const char *path) {
  struct __path place;
  if (__find_path(path, &place) != 0) return -1;
  return __finish(__wasi_path_remove_directory(place.folder, place.name, place.length));
}

int remove(const char *path) {
  if (unlink(path) == 0) return 0;
  return errno == EISDIR || errno == EPERM ? rmdir(path) : -1;
}

int mkdir(const char *path, mode_t mode) {
  struct __path place;
  (void)mode;
  if (__find_path(path, &place) != 0) return -1;
  return __finish(__wasi_path_create_directory(place.folder, place.name, place.length));
}

int rename(const char *from, const char *to) {
  struct __path a, b;
  if (__find_path(from, &a) != 0 || __find_path(to, &b) != 0) return -1;
  return __finish(__wasi_path_rename(a.folder, a.name, a.length, b.folder, b.name, b.length));
}

static void fill(struct stat *facts, const struct __wasi_stat *from) {
  static const mode_t types[] = {0, 0060000, S_IFCHR, S_IFDIR, S_IFREG, 0140000, 0140000, 0120000};
  memset(facts, 0, sizeof *facts);
  facts->st_dev = from->device;
  facts->st_ino = from->inode;
  facts->st_nlink = from->links;
  facts->st_size = from->size;
  facts->st_mode = types[from->type & 7] | (from->type == WASI_DIRECTORY ? 0755 : 0644);
  facts->st_atime = from->accessed / 1000000000;
  facts->st_mtime = from->modified / 1000000000;
  facts->st_ctime = from->changed / 1000000000;
}

int stat(const char *restrict path, struct stat *restrict facts) {
  struct __path place;
  struct __wasi_stat found;
  if (__find_path(path, &place) != 0) return -1;
  if (__finish(__wasi_path_filestat_get(place.folder, 1, place.name, place.length, &found)) != 0) return -1;
  fill(facts, &found);
  return 0;
}

int fstat(int descriptor, struct stat *facts) {
  struct __wasi_stat found;
  if (__finish(__wasi_fd_filestat_get(descriptor, &found)) != 0) return -1;
  fill(facts, &found);
  return 0;
}

int access(const char *path, int mode) {
  struct stat facts;
  (void)mode;
  return stat(path, &facts);
}

/* Paths are relative to where the command was started, whose own name is not told. */
char *getcwd(char *to, size_t size) {
  if (!to) to = malloc(size < 2 ? 2 : size);
  if (!to) return NULL;
  if (size < 2) {
    errno = ERANGE;
    return NULL;
  }
  return strcpy(to, ".");
}

char *realpath(const char *restrict path, char *restrict resolved) {
  struct stat facts;
  if (stat(path, &facts) != 0) return NULL;
  if (!resolved) return strdup(path);
  return strcpy(resolved, path);
}
