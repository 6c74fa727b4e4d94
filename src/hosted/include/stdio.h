/* Input and output (C99, 7.19). Files are those under the folders that the program was given. */
#ifndef MILLRACE_STDIO_H
#define MILLRACE_STDIO_H

#include <stdarg.h>
#include <stddef.h>
#include <sys/types.h>

typedef struct __file FILE;
typedef long long fpos_t;

extern FILE *stdin;
extern FILE *stdout;
extern FILE *stderr;
#define stdin stdin
#define stdout stdout
#define stderr stderr

#define EOF (-1)
#define BUFSIZ 4096
#define FILENAME_MAX 4096
#define FOPEN_MAX 1024
#define L_tmpnam 32
#define TMP_MAX 10000
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define _IOFBF 0
#define _IOLBF 1
#define _IONBF 2

FILE *fopen(const char *restrict path, const char *restrict mode);
FILE *freopen(const char *restrict path, const char *restrict mode, FILE *restrict file);
FILE *fdopen(int descriptor, const char *mode);
int fclose(FILE *file);
int fflush(FILE *file);
void setbuf(FILE *restrict file, char *restrict buffer);
int setvbuf(FILE *restrict file, char *restrict buffer, int mode, size_t size);
int fileno(FILE *file);
int remove(const char *path);
int rename(const char *from, const char *to);
FILE *tmpfile(void);
char *tmpnam(char *name);

size_t fread(void *restrict to, size_t size, size_t count, FILE *restrict file);
size_t fwrite(const void *restrict from, size_t size, size_t count, FILE *restrict file);
int fgetc(FILE *file);
int getc(FILE *file);
int getchar(void);
int ungetc(int c, FILE *file);
int fputc(int c, FILE *file);
int putc(int c, FILE *file);
int putchar(int c);
char *fgets(char *restrict to, int size, FILE *restrict file);
int fputs(const char *restrict text, FILE *restrict file);
int puts(const char *text);
ssize_t getline(char **restrict line, size_t *restrict size, FILE *restrict file);
ssize_t getdelim(char **restrict line, size_t *restrict size, int delimiter, FILE *restrict file);

int fseek(FILE *file, long offset, int whence);
int fseeko(FILE *file, off_t offset, int whence);
long ftell(FILE *file);
off_t ftello(FILE *file);
void rewind(FILE *file);
int fgetpos(FILE *restrict file, fpos_t *restrict position);
int fsetpos(FILE *file, const fpos_t *position);
int feof(FILE *file);
int ferror(FILE *file);
void clearerr(FILE *file);
void perror(const char *text);

int printf(const char *restrict format, ...);
int fprintf(FILE *restrict file, const char *restrict format, ...);
int dprintf(int descriptor, const char *restrict format, ...);
int sprintf(char *restrict to, const char *restrict format, ...);
int snprintf(char *restrict to, size_t size, const char *restrict format, ...);
int asprintf(char **to, const char *restrict format, ...);
int vprintf(const char *restrict format, va_list list);
int vfprintf(FILE *restrict file, const char *restrict format, va_list list);
int vsprintf(char *restrict to, const char *restrict format, va_list list);
int vsnprintf(char *restrict to, size_t size, const char *restrict format, va_list list);
int vasprintf(char **to, const char *restrict format, va_list list);

int scanf(const char *restrict format, ...);
int fscanf(FILE *restrict file, const char *restrict format, ...);
int sscanf(const char *restrict text, const char *restrict format, ...);
int vscanf(const char *restrict format, va_list list);
int vfscanf(FILE *restrict file, const char *restrict format, va_list list);
int vsscanf(const char *restrict text, const char *restrict format, va_list list);

#endif
