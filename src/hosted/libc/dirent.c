/* What is in folders. */
#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "wasi.h"

/* WASI's entry, before the name. */
struct entry {
  uint64_t next;
  uint64_t inode;
  uint32_t name_length;
  uint8_t type;
};

struct __folder_stream {
  int descriptor;
  uint64_t cookie; /* of the next entry */
  size_t filled, at;
  struct dirent current;
  char buffer[4096];
};

DIR *opendir(const char *path) {
  int descriptor = __open_folder(path);
  if (descriptor < 0) return NULL;
  DIR *folder = malloc(sizeof *folder);
  if (!folder) {
    close(descriptor);
    errno = ENOMEM;
    return NULL;
  }
  folder->descriptor = descriptor;
  rewinddir(folder);
  return folder;
}

int closedir(DIR *folder) {
  int descriptor = folder->descriptor;
  free(folder);
  return close(descriptor);
}

void seekdir(DIR *folder, long place) {
  folder->cookie = (unsigned long)place;
  folder->filled = folder->at = 0;
}

void rewinddir(DIR *folder) { seekdir(folder, 0); }
long telldir(DIR *folder) { return (long)folder->cookie; }
int dirfd(DIR *folder) { return folder->descriptor; }

struct dirent *readdir(DIR *folder) {
  for (int is_fresh = 0;;) {
    struct entry entry;
    size_t left = folder->filled - folder->at;
    const char *at = folder->buffer + folder->at;
    if (left >= sizeof entry) {
      memcpy(&entry, at, sizeof entry);
      if (left - sizeof entry >= entry.name_length) {
        folder->at += sizeof entry + entry.name_length;
        folder->cookie = entry.next;
        if (entry.name_length >= sizeof folder->current.d_name) continue;
        folder->current.d_ino = entry.inode;
        folder->current.d_type = entry.type;
        memcpy(folder->current.d_name, at + sizeof entry, entry.name_length);
        folder->current.d_name[entry.name_length] = 0;
        return &folder->current;
      }
    }
    /* An entry that the buffer has cut off is read again from its beginning; one that fills no buffer is the last. */
    if (is_fresh) return NULL;
    is_fresh = 1;
    int error =
        __wasi_fd_readdir(folder->descriptor, folder->buffer, sizeof folder->buffer, folder->cookie, &folder->filled);
    folder->at = 0;
    if (error) {
      folder->filled = 0;
      errno = error;
      return NULL;
    }
  }
}

int alphasort(const struct dirent **a, const struct dirent **b) { return strcmp((*a)->d_name, (*b)->d_name); }

int scandir(const char *path, struct dirent ***list, int (*wanted)(const struct dirent *),
            int (*compare)(const struct dirent **, const struct dirent **)) {
  DIR *folder = opendir(path);
  struct dirent **found = NULL;
  int count = 0, room = 0, is_full = 0;
  if (!folder) return -1;
  for (struct dirent *one; !is_full && (one = readdir(folder));) {
    if (wanted && !wanted(one)) continue;
    if (count == room) {
      struct dirent **more = realloc(found, (room = room * 2 + 16) * sizeof *found);
      if (more) found = more;
      else is_full = 1;
    }
    struct dirent *copy = is_full ? NULL : malloc(sizeof *copy);
    if (copy) {
      *copy = *one;
      found[count++] = copy;
    } else is_full = 1;
  }
  closedir(folder);
  if (is_full) {
    while (count > 0) free(found[--count]);
    free(found);
    errno = ENOMEM;
    return -1;
  }
  if (compare && count > 1) qsort(found, count, sizeof *found, (int (*)(const void *, const void *))compare);
  *list = found;
  return count;
}
