// Functions that the suite calls and wasi-libc or Debian's libc++abi, which is built without exceptions, has not.
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <fcntl.h>
#include <typeinfo>
#include <unistd.h>

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
