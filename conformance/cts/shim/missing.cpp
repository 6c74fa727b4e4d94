// Functions that the suite calls and wasi-libc or Debian's libc++abi, which is built without exceptions, has not.
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <fcntl.h>
#include <typeinfo>
#include <unistd.h>
#include <wasi/api.h>

extern "C" {

// The template's last six letters become a name that is not there yet.
int mkstemp(char *path) {
    static unsigned last = 0;
    char *const letters = path + strlen(path) - 6;
    for (int tries = 0; tries < 1000; ++tries) {
        snprintf(letters, 7, "%06u", last++ % 1000000);
        const int file = open(path, O_RDWR | O_CREAT | O_EXCL, 0600);
        if (file >= 0) return file;
    }
    return -1;
}

// A file cannot have two numbers in WASI. So the file gets the new number, and the old one a file that takes its place until
// dup2 brings the first back: enough for a program that leads its output elsewhere for a while.
int dup(int file) {
    char path[] = "/tmp/place.XXXXXX";
    const int copy = mkstemp(path);
    if (copy < 0 || __wasi_fd_renumber(file, copy) != 0) return -1;
    while (true) {
        const int place = open(path, O_RDWR);
        if (place == file || place < 0) break;
    }
    unlink(path);
    return copy;
}
int dup2(int file, int place) {
    if (__wasi_fd_renumber(file, place) != 0) return -1;
    return place;
}

// `millrace run` has been told that the program's folder is /program.
ssize_t millrace_readlink(const char *, char *buffer, size_t size) {
    const char path[] = "/program/program.wasm";
    const size_t length = sizeof(path) - 1;
    if (size < length) return -1;
    memcpy(buffer, path, length);
    return static_cast<ssize_t>(length);
}

// There are no other programs to run.
int system(const char *) { return -1; }

// What is thrown is never caught: the suite throws where it cannot go on.
void *__cxa_allocate_exception(size_t size) noexcept { return malloc(size); }
void __cxa_free_exception(void *exception) noexcept { free(exception); }
void __cxa_throw(void *, std::type_info *type, void (*)(void *)) {
    fprintf(stderr, "an exception that nobody catches: %s\n", type->name());
    abort();
}

}
