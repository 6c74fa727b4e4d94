/* The texts of errors. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

static const struct {
  int number;
  const char *text;
} texts[] = {
  {0, "Success"},
  {E2BIG, "Argument list too long"},
  {EACCES, "Permission denied"},
  {EAGAIN, "Resource temporarily unavailable"},
  {EBADF, "Bad file descriptor"},
  {EBUSY, "Device or resource busy"},
  {EDOM, "Numerical argument out of domain"},
  {EEXIST, "File exists"},
  {EFBIG, "File too large"},
  {EILSEQ, "Invalid or incomplete multibyte or wide character"},
  {EINTR, "Interrupted system call"},
  {EINVAL, "Invalid argument"},
  {EIO, "Input/output error"},
  {EISDIR, "Is a directory"},
  {ELOOP, "Too many levels of symbolic links"},
  {EMFILE, "Too many open files"},
  {ENAMETOOLONG, "File name too long"},
  {ENODEV, "No such device"},
  {ENOENT, "No such file or directory"},
  {ENOMEM, "Cannot allocate memory"},
  {ENOSPC, "No space left on device"},
  {ENOSYS, "Function not implemented"},
  {ENOTDIR, "Not a directory"},
  {ENOTEMPTY, "Directory not empty"},
  {ENOTSUP, "Operation not supported"},
  {ENOTTY, "Inappropriate ioctl for device"},
  {EOVERFLOW, "Value too large for defined data type"},
  {EPERM, "Operation not permitted"},
  {EPIPE, "Broken pipe"},
  {ERANGE, "Numerical result out of range"},
  {EROFS, "Read-only file system"},
  {ESPIPE, "Illegal seek"},
  {EXDEV, "Invalid cross-device link"},
  {ENOTCAPABLE, "Outside the folders that the program was given (millrace run --dir)"},
};

char *strerror(int error) {
  static _Thread_local char unknown[32];
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
    if (texts[i].number == error) return (char *)texts[i].text;
  }
  sprintf(unknown, "Unknown error %d", error);
  return unknown;
}

void perror(const char *text) {
  const char *error = strerror(errno);
  if (text && *text) fprintf(stderr, "%s: %s\n", text, error);
  else fprintf(stderr, "%s\n", error);
}
