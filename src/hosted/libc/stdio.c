/* Files with buffers (C99, 7.19). */
#include "file.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "wasi.h"

static struct __file fixed[3] = {
  {0, FILE_READS | FILE_FIXED, 0, 0, 0, BUFSIZ},
  {1, FILE_WRITES | FILE_FIXED | FILE_BY_LINE, 0, 0, 0, BUFSIZ},
  {2, FILE_WRITES | FILE_FIXED | FILE_UNBUFFERED, 0, 0, 0, BUFSIZ},
};
#undef stdin
#undef stdout
#undef stderr
FILE *stdin = &fixed[0];
FILE *stdout = &fixed[1];
FILE *stderr = &fixed[2];

static FILE *opened;
struct __lock __file_lock;

static unsigned char *buffer_of(FILE *file) {
  if (!file->buffer) {
    struct __wasi_descriptor facts;
    file->buffer = file->fixed_buffer;
    // What goes to a file need not be there line by line.
    if (file == stdout && __wasi_fd_fdstat_get(1, &facts) == 0 && facts.type == WASI_REGULAR_FILE) {
      file->flags &= ~FILE_BY_LINE;
    }
  }
  return file->buffer;
}

static int fail(FILE *file, int error) {
  errno = error;
  file->flags |= FILE_ERROR;
  return EOF;
}

/* Writes all bytes; 0 or EOF. */
static int write_out(FILE *file, const unsigned char *from, size_t size) {
  while (size > 0) {
    size_t written;
    int error = __write(file->descriptor, from, size, &written);
    if (error) return fail(file, error);
    from += written;
    size -= written;
  }
  return 0;
}

int __flush(FILE *file) {
  size_t position = file->position;
  if (file->is_writing) {
    file->position = file->end = 0;
    file->is_writing = 0;
    return write_out(file, file->buffer, position);
  }
  if (position < file->end) {
    int before = errno;
    if (lseek(file->descriptor, -(off_t)(file->end - position), SEEK_CUR) < 0) {
      // A pipe cannot be asked for it again.
      errno = before;
      return 0;
    }
  }
  file->position = file->end = 0;
  return 0;
}

/* Leaves nothing in the buffer: what cannot be read again is forgotten. */
static void empty(FILE *file) {
  __flush(file);
  file->position = file->end = 0;
}

int fflush(FILE *file) {
  LOCKED(&__file_lock);
  if (file) return __flush(file);
  __flush_files();
  return 0;
}

void __flush_files(void) {
  LOCKED(&__file_lock);
  for (int i = 1; i < 3; ++i) {
    if (fixed[i].is_writing) __flush(&fixed[i]);
  }
  for (FILE *file = opened; file; file = file->next) {
    if (file->is_writing) __flush(file);
  }
}

/* Called before what a kernel has printed is written, which so stands behind what the program had printed before it. */
void __flush_output(void) {
  LOCKED(&__file_lock);
  if (stdout->is_writing) __flush(stdout);
}

/* The flags of open() that a mode means; -1 for none. */
static int open_flags(const char *mode) {
  int both = strchr(mode, '+') != NULL;
  int exclusive = strchr(mode, 'x') ? O_EXCL : 0;
  switch (*mode) {
    case 'r': return both ? O_RDWR : O_RDONLY;
    case 'w': return (both ? O_RDWR : O_WRONLY) | O_CREAT | O_TRUNC | exclusive;
    case 'a': return (both ? O_RDWR : O_WRONLY) | O_CREAT | O_APPEND | exclusive;
    default: errno = EINVAL; return -1;
  }
}

static void set_flags(FILE *file, int how) {
  if ((how & 3) != O_WRONLY) file->flags |= FILE_READS;
  if ((how & 3) != O_RDONLY) file->flags |= FILE_WRITES;
  if (how & O_APPEND) file->flags |= FILE_APPENDS;
}

static FILE *file_of(int descriptor, int how) {
  LOCKED(&__file_lock);
  if (descriptor < 0) return NULL;
  FILE *file = calloc(1, sizeof *file);
  if (!file) {
    close(descriptor);
    return NULL;
  }
  file->descriptor = descriptor;
  file->size = BUFSIZ;
  set_flags(file, how);
  // Where it is written is where it stands, unless it is read first.
  if ((how & O_APPEND) && !(file->flags & FILE_READS)) {
    int before = errno;
    if (lseek(descriptor, 0, SEEK_END) < 0) errno = before;
  }
  file->next = opened;
  opened = file;
  return file;
}

FILE *fopen(const char *restrict path, const char *restrict mode) {
  int how = open_flags(mode);
  return how < 0 ? NULL : file_of(__open_file(path, how), how);
}

FILE *fdopen(int descriptor, const char *mode) {
  int how = open_flags(mode);
  return how < 0 ? NULL : file_of(descriptor, how);
}

/* Without a path the file stays, in another mode. */
FILE *freopen(const char *restrict path, const char *restrict mode, FILE *restrict file) {
  LOCKED(&__file_lock);
  int how = open_flags(mode);
  empty(file);
  if (path || how < 0) {
    int descriptor = how < 0 ? -1 : __open_file(path, how);
    if (descriptor < 0) {
      int error = errno;
      fclose(file);
      errno = error;
      return NULL;
    }
    // Under its old number, by which others know it: what kernels print goes to file 1.
    if (__wasi_fd_renumber(descriptor, file->descriptor) != 0) file->descriptor = descriptor;
  }
  file->flags &= FILE_FIXED | FILE_OWN_BUFFER | FILE_UNBUFFERED | (path ? 0 : FILE_BY_LINE);
  set_flags(file, how);
  return file;
}

int fclose(FILE *file) {
  LOCKED(&__file_lock);
  int result = __flush(file);
  if (close(file->descriptor) != 0) result = EOF;
  if (file->flags & FILE_FIXED) return result;
  FILE **place = &opened;
  while (*place && *place != file) place = &(*place)->next;
  if (*place) *place = file->next;
  free(file);
  return result;
}

FILE *tmpfile(void) {
  char name[L_tmpnam];
  FILE *file = fopen(tmpnam(name), "wb+x");
  // It is gone when it is closed, where the system lets files be removed that are open.
  if (file) unlink(name);
  return file;
}

char *tmpnam(char *name) {
  static char own[L_tmpnam];
  static unsigned count;
  if (!name) name = own;
  do sprintf(name, "millrace-%u.tmp", count++);
  while (access(name, F_OK) == 0);
  return name;
}

int fileno(FILE *file) { return file->descriptor; }
int feof(FILE *file) { return (file->flags & FILE_END) != 0; }
int ferror(FILE *file) { return (file->flags & FILE_ERROR) != 0; }
void clearerr(FILE *file) { file->flags &= ~(FILE_END | FILE_ERROR); }

int setvbuf(FILE *restrict file, char *restrict buffer, int mode, size_t size) {
  LOCKED(&__file_lock);
  if (mode < _IOFBF || mode > _IONBF) return -1;
  empty(file);
  file->flags &= ~(FILE_BY_LINE | FILE_UNBUFFERED);
  if (mode == _IOLBF) file->flags |= FILE_BY_LINE;
  if (mode == _IONBF) file->flags |= FILE_UNBUFFERED;
  file->buffer = file->fixed_buffer;
  file->size = BUFSIZ;
  if (buffer && size > 0 && mode != _IONBF) {
    file->buffer = (unsigned char *)buffer;
    file->size = size;
  }
  return 0;
}

void setbuf(FILE *restrict file, char *restrict buffer) {
  setvbuf(file, buffer, buffer ? _IOFBF : _IONBF, BUFSIZ);
}

/* Reads into the buffer; how many bytes there are then. */
static size_t fill(FILE *file) {
  if (file->is_writing && __flush(file) != 0) return 0;
  if (!(file->flags & FILE_READS)) {
    fail(file, EBADF);
    return 0;
  }
  // The end stays the end until somebody clears it.
  if (file->flags & FILE_END) return 0;
  // Who is asked for input sees the question first.
  if (file == stdin && stdout->is_writing) __flush(stdout);
  struct __wasi_slice slice = {buffer_of(file), file->size};
  size_t count;
  int error = __wasi_fd_read(file->descriptor, &slice, 1, &count);
  file->position = file->end = 0;
  if (error) fail(file, error);
  else if (count == 0) file->flags |= FILE_END;
  else file->end = count;
  return file->end;
}

int fgetc(FILE *file) {
  LOCKED(&__file_lock);
  if (file->is_writing || file->position == file->end) {
    if (fill(file) == 0) return EOF;
  }
  return file->buffer[file->position++];
}

int getc(FILE *file) { return fgetc(file); }
int getchar(void) { return fgetc(stdin); }

int ungetc(int c, FILE *file) {
  LOCKED(&__file_lock);
  if (c == EOF || file->is_writing) return EOF;
  buffer_of(file);
  if (file->position == 0) {
    if (file->end == file->size) return EOF;
    memmove(file->buffer + 1, file->buffer, file->end);
    ++file->position;
    ++file->end;
  }
  file->buffer[--file->position] = c;
  file->flags &= ~FILE_END;
  return (unsigned char)c;
}

size_t fread(void *restrict to, size_t size, size_t count, FILE *restrict file) {
  LOCKED(&__file_lock);
  size_t wanted = size * count, done = 0;
  unsigned char *bytes = to;
  if (wanted == 0) return 0;
  while (done < wanted) {
    size_t there = file->is_writing ? 0 : file->end - file->position;
    if (there == 0 && wanted - done >= file->size && !file->is_writing &&
        (file->flags & (FILE_READS | FILE_END)) == FILE_READS) {
      // So much is read to where it is wanted at once.
      struct __wasi_slice slice = {bytes + done, wanted - done};
      size_t read;
      int error = __wasi_fd_read(file->descriptor, &slice, 1, &read);
      if (error) fail(file, error);
      else if (read == 0) file->flags |= FILE_END;
      if (error || read == 0) break;
      done += read;
      continue;
    }
    if (there == 0 && (there = fill(file)) == 0) break;
    if (there > wanted - done) there = wanted - done;
    memcpy(bytes + done, file->buffer + file->position, there);
    file->position += there;
    done += there;
  }
  return done / size;
}

/* Makes the buffer ready to be written to; 0 or EOF. */
static int start_writing(FILE *file) {
  if (!(file->flags & FILE_WRITES)) return fail(file, EBADF);
  if (file->is_writing) return 0;
  empty(file);
  buffer_of(file);
  file->is_writing = 1;
  return 0;
}

size_t fwrite(const void *restrict from, size_t size, size_t count, FILE *restrict file) {
  LOCKED(&__file_lock);
  size_t wanted = size * count;
  const unsigned char *bytes = from;
  if (wanted == 0 || start_writing(file) != 0) return 0;
  if (file->position + wanted > file->size) {
    if (__flush(file) != 0) return 0;
    if (wanted >= file->size) return write_out(file, bytes, wanted) == 0 ? count : 0;
    file->is_writing = 1;
  }
  memcpy(file->buffer + file->position, bytes, wanted);
  file->position += wanted;
  int is_due = file->flags & FILE_UNBUFFERED || (file->flags & FILE_BY_LINE && memchr(bytes, '\n', wanted));
  return is_due && __flush(file) != 0 ? 0 : count;
}

int fputc(int c, FILE *file) {
  LOCKED(&__file_lock);
  unsigned char byte = c;
  return fwrite(&byte, 1, 1, file) == 1 ? byte : EOF;
}

int putc(int c, FILE *file) { return fputc(c, file); }
int putchar(int c) { return fputc(c, stdout); }

int fputs(const char *restrict text, FILE *restrict file) {
  LOCKED(&__file_lock);
  size_t length = strlen(text);
  return fwrite(text, 1, length, file) == length ? 0 : EOF;
}

int puts(const char *text) {
  LOCKED(&__file_lock);
  return fputs(text, stdout) == 0 && putchar('\n') != EOF ? 0 : EOF;
}

char *fgets(char *restrict to, int size, FILE *restrict file) {
  LOCKED(&__file_lock);
  int length = 0, failed_before = file->flags & FILE_ERROR;
  if (size <= 0) return NULL;
  file->flags &= ~FILE_ERROR;
  while (length < size - 1) {
    int c = fgetc(file);
    if (c == EOF) break;
    to[length++] = c;
    if (c == '\n') break;
  }
  int fails = ferror(file);
  file->flags |= failed_before;
  if (fails || (length == 0 && size > 1)) return NULL;
  to[length] = 0;
  return to;
}

ssize_t getdelim(char **restrict line, size_t *restrict size, int delimiter, FILE *restrict file) {
  LOCKED(&__file_lock);
  size_t length = 0;
  for (int c; (c = fgetc(file)) != EOF;) {
    if (!*line || length + 2 > *size) {
      size_t larger = *line && *size > 60 ? *size * 2 : 120;
      char *room = realloc(*line, larger);
      if (!room) return -1;
      *line = room;
      *size = larger;
    }
    (*line)[length++] = c;
    if (c == delimiter) break;
  }
  if (length == 0) return -1;
  (*line)[length] = 0;
  return length;
}

ssize_t getline(char **restrict line, size_t *restrict size, FILE *restrict file) {
  return getdelim(line, size, '\n', file);
}

int fseeko(FILE *file, off_t offset, int whence) {
  LOCKED(&__file_lock);
  if (file->is_writing && __flush(file) != 0) return -1;
  if (whence == SEEK_CUR) offset -= file->end - file->position;
  if (lseek(file->descriptor, offset, whence) < 0) return -1;
  file->position = file->end = 0;
  file->flags &= ~FILE_END;
  return 0;
}

off_t ftello(FILE *file) {
  LOCKED(&__file_lock);
  // What is to be appended goes to the end.
  int is_appended = file->is_writing && file->position > 0 && file->flags & FILE_APPENDS;
  off_t position = lseek(file->descriptor, 0, is_appended ? SEEK_END : SEEK_CUR);
  if (position < 0) return -1;
  return file->is_writing ? position + file->position : position - (file->end - file->position);
}

int fseek(FILE *file, long offset, int whence) { return fseeko(file, offset, whence); }

long ftell(FILE *file) {
  off_t position = ftello(file);
  if (position <= 2147483647) return position;
  errno = EOVERFLOW;
  return -1;
}

void rewind(FILE *file) {
  fseeko(file, 0, SEEK_SET);
  clearerr(file);
}

int fgetpos(FILE *restrict file, fpos_t *restrict position) {
  *position = ftello(file);
  return *position < 0 ? -1 : 0;
}

int fsetpos(FILE *file, const fpos_t *position) { return fseeko(file, *position, SEEK_SET); }
