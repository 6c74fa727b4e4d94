// The run-time part of C++ exceptions in WebAssembly, for C++ libraries that come without: those of Debian and of the WASI SDK before 27.
// `millrace c++` compiles it with the program where the library has none. Clang makes of `throw` and `catch` what
// -fwasm-exceptions says: a tag, __cpp_exception, with a pointer to a header; a landing pad asks
// _Unwind_CallPersonality which of a function's handlers takes it. The tables that answer that are those of the Itanium C++ ABI
// with one entry for each landing pad. What a type can be caught as the library knows (can_catch of its type_info), with or without exceptions.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <typeinfo>

#ifdef MILLRACE_THREADS
#define THREAD_OWN thread_local
#else
#define THREAD_OWN
#endif

// The library's type_info, with the member that compares (Itanium C++ ABI, 2.9; the order is libc++abi's).
class __attribute__((visibility("default"))) MatchingType : public std::type_info {
public:
  virtual ~MatchingType();
  virtual void noop1() const;
  virtual void noop2() const;
  virtual bool can_catch(const MatchingType *thrown, void *&object) const = 0;
};

namespace {

// A destructor returns its object here.
using Destroyer = void *(*)(void *);

// What is thrown lies behind its header.
struct alignas(16) Header {
  std::type_info *type;
  Destroyer destroy;
  std::terminate_handler terminate;
  Header *next_caught;
  void *adjusted;
  int references;
  int handlers; // negative while it is thrown again
  bool is_dependent;
  void *primary; // the object of the one that it stands for
};

struct Globals {
  Header *caught;
  unsigned uncaught;
  Header *last;
};

THREAD_OWN Globals globals;

Header *header_of(void *object) { return static_cast<Header *>(object) - 1; }
void *object_of(Header *header) {
  return header->is_dependent ? header->primary : static_cast<void *>(header + 1);
}

uintptr_t read_unsigned(const uint8_t *&at) {
  uintptr_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    uint8_t byte = *at++;
    value |= static_cast<uintptr_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
}

intptr_t read_signed(const uint8_t *&at) {
  uintptr_t value = 0;
  unsigned shift = 0;
  uint8_t byte;
  do {
    byte = *at++;
    value |= static_cast<uintptr_t>(byte & 0x7f) << shift;
    shift += 7;
  } while (byte >= 0x80);
  if ((byte & 0x40) && shift < 32) value |= ~static_cast<uintptr_t>(0) << shift;
  return static_cast<intptr_t>(value);
}

[[noreturn]] void fail(const char *why) {
  fprintf(stderr, "C++ exceptions: %s\n", why);
  abort();
}

constexpr uint8_t omitted = 0xff;

// Types are pointers, counted backwards from the end of their list.
const MatchingType *type_at(const uint8_t *types, uintptr_t index) {
  const MatchingType *found;
  memcpy(&found, types - index * sizeof found, sizeof found);
  return found;
}

// Whether a list of types that a function may throw has the type (dynamic exception specifications).
bool allows(const uint8_t *types, intptr_t filter, Header *header) {
  const uint8_t *at = types + (-filter - 1);
  for (;;) {
    uintptr_t index = read_unsigned(at);
    if (index == 0) return false;
    void *object = object_of(header);
    if (type_at(types, index)->can_catch(static_cast<const MatchingType *>(header->type), object)) return true;
  }
}

// Which handler of landing pad `pad` takes the exception: its number, or 0 for none.
intptr_t handler_for(const uint8_t *table, uintptr_t pad, Header *header) {
  if (!table) return 0;
  const uint8_t *at = table;
  if (*at++ != omitted) fail("a table of handlers is of a form that is not known here");
  uint8_t encoding = *at++;
  const uint8_t *types = nullptr;
  if (encoding != omitted) {
    if (encoding & 0x7f) fail("a table of types is of a form that is not known here");
    uintptr_t offset = read_unsigned(at);
    types = at + offset;
  }
  at++; // how places are written: LEB128
  uintptr_t length = read_unsigned(at);
  const uint8_t *actions = at + length;
  for (uintptr_t index = 0; at < actions; index++) {
    read_unsigned(at);
    uintptr_t first = read_unsigned(at);
    if (index != pad) continue;
    if (first == 0) return 0;
    const uint8_t *action = actions + first - 1;
    for (;;) {
      intptr_t filter = read_signed(action);
      if (filter > 0) {
        const MatchingType *type = type_at(types, static_cast<uintptr_t>(filter));
        void *object = object_of(header);
        if (!type || type->can_catch(static_cast<const MatchingType *>(header->type), object)) {
          header->adjusted = object;
          return filter;
        }
      } else if (filter < 0 && !allows(types, filter, header)) {
        header->adjusted = object_of(header);
        return filter;
      }
      const uint8_t *offset = action;
      intptr_t next = read_signed(action);
      if (next == 0) return 0;
      action = offset + next;
    }
  }
  return 0;
}

void release(Header *header);

void destroy(Header *header) {
  if (header->is_dependent) {
    release(header_of(header->primary));
  } else if (header->destroy) {
    header->destroy(header + 1);
  }
  free(header);
}

void release(Header *header) {
  if (__atomic_sub_fetch(&header->references, 1, __ATOMIC_ACQ_REL) == 0) destroy(header);
}

[[noreturn]] void raise(Header *header) {
  globals.last = header;
  __builtin_wasm_throw(0, header);
}

} // namespace

extern "C" {

struct LandingPadContext {
  uintptr_t pad;
  const uint8_t *table;
  intptr_t handler;
};

// Landing pads fill in the first two before they ask.
thread_local LandingPadContext __wasm_lpad_context;

int _Unwind_CallPersonality(void *thrown) {
  LandingPadContext &context = __wasm_lpad_context;
  context.handler = handler_for(context.table, context.pad, static_cast<Header *>(thrown));
  return 0;
}

// Functions name it; it is never called.
int __gxx_personality_wasm0(...) { return 0; }

void *__cxa_allocate_exception(size_t size) noexcept {
  auto *header = static_cast<Header *>(aligned_alloc(16, (sizeof(Header) + size + 15) & ~size_t(15)));
  if (!header) fail("no memory for an exception");
  memset(static_cast<void *>(header), 0, sizeof *header);
  return header + 1;
}

void __cxa_free_exception(void *object) noexcept { free(header_of(object)); }

[[noreturn]] void __cxa_throw(void *object, std::type_info *type, Destroyer destroy) {
  Header *header = header_of(object);
  header->type = type;
  header->destroy = destroy;
  header->terminate = std::get_terminate();
  header->references = 1;
  globals.uncaught++;
  raise(header);
}

void *__cxa_get_exception_ptr(void *thrown) noexcept { return static_cast<Header *>(thrown)->adjusted; }

void *__cxa_begin_catch(void *thrown) noexcept {
  auto *header = static_cast<Header *>(thrown);
  header->handlers = header->handlers < 0 ? -header->handlers + 1 : header->handlers + 1;
  if (globals.caught != header) {
    header->next_caught = globals.caught;
    globals.caught = header;
  }
  globals.uncaught--;
  return header->adjusted;
}

void __cxa_end_catch() {
  Header *header = globals.caught;
  if (!header) return;
  if (header->handlers < 0) {
    // Thrown again: it goes on, and is released by who catches it next.
    if (++header->handlers == 0) globals.caught = header->next_caught;
    return;
  }
  if (--header->handlers > 0) return;
  globals.caught = header->next_caught;
  release(header);
}

void __cxa_rethrow() {
  Header *header = globals.caught;
  if (!header) std::terminate();
  header->handlers = -header->handlers;
  globals.uncaught++;
  raise(header);
}

std::type_info *__cxa_current_exception_type() {
  return globals.caught ? globals.caught->type : nullptr;
}

bool __cxa_uncaught_exception() noexcept { return globals.uncaught != 0; }
unsigned __cxa_uncaught_exceptions() noexcept { return globals.uncaught; }

void __cxa_increment_exception_refcount(void *object) noexcept {
  if (object) __atomic_add_fetch(&header_of(object)->references, 1, __ATOMIC_RELAXED);
}

void __cxa_decrement_exception_refcount(void *object) noexcept {
  if (object) release(header_of(object));
}

// For std::current_exception and std::rethrow_exception.
void *__cxa_current_primary_exception() noexcept {
  Header *header = globals.caught;
  if (!header) return nullptr;
  void *object = object_of(header);
  __cxa_increment_exception_refcount(object);
  return object;
}

void __cxa_rethrow_primary_exception(void *object) {
  if (!object) return;
  auto *header = header_of(__cxa_allocate_exception(0));
  header->is_dependent = true;
  header->primary = object;
  header->type = header_of(object)->type;
  header->terminate = std::get_terminate();
  header->references = 1;
  __cxa_increment_exception_refcount(object);
  globals.uncaught++;
  raise(header);
}

// By another name, as some headers declare it with another result.
void *init_primary_exception(void *object, std::type_info *type, Destroyer destroy) noexcept
    __asm__("__cxa_init_primary_exception");
void *init_primary_exception(void *object, std::type_info *type, Destroyer destroy) noexcept {
  Header *header = header_of(object);
  header->type = type;
  header->destroy = destroy;
  header->terminate = std::get_terminate();
  header->references = 0;
  return header;
}

[[noreturn]] void __cxa_call_unexpected(void *thrown) {
  __cxa_begin_catch(thrown);
  std::terminate();
}

// What code that clang makes calls; all three, as the library has them together.
[[noreturn]] void __cxa_bad_cast() { throw std::bad_cast(); }
[[noreturn]] void __cxa_bad_typeid() { throw std::bad_typeid(); }
[[noreturn]] void __cxa_throw_bad_array_new_length() { throw std::bad_array_new_length(); }

char *__cxa_demangle(const char *mangled, char *buffer, size_t *length, int *status);

// What runs the program calls this when an exception has left it.
__attribute__((export_name("__millrace_uncaught"))) void __millrace_uncaught() {
  Header *header = globals.last;
  if (header) {
    int status = 0;
    char *name = __cxa_demangle(header->type->name(), nullptr, nullptr, &status);
    const char *shown = name ? name : header->type->name();
    void *object = object_of(header);
    const auto *standard = static_cast<const MatchingType *>(&typeid(std::exception));
    if (standard->can_catch(static_cast<const MatchingType *>(header->type), object)) {
      fprintf(stderr, "terminating with uncaught exception of type %s: %s\n", shown,
              static_cast<const std::exception *>(object)->what());
    } else {
      fprintf(stderr, "terminating with uncaught exception of type %s\n", shown);
    }
    // As if it had been caught, for handlers of std::set_terminate that ask which it is.
    __cxa_begin_catch(header);
    header->terminate();
  }
  abort();
}

} // extern "C"

// The library's own allocation ends the program where there is no memory.
static void *allocate(size_t size, size_t alignment) {
  for (;;) {
    if (size == 0) size = 1;
    void *made = alignment > 16 ? aligned_alloc(alignment, (size + alignment - 1) & ~(alignment - 1)) : malloc(size);
    if (made) return made;
    std::new_handler handler = std::get_new_handler();
    if (!handler) throw std::bad_alloc();
    handler();
  }
}

__attribute__((weak)) void *operator new(size_t size) { return allocate(size, 0); }
__attribute__((weak)) void *operator new[](size_t size) { return ::operator new(size); }
__attribute__((weak)) void *operator new(size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<size_t>(alignment));
}
__attribute__((weak)) void *operator new[](size_t size, std::align_val_t alignment) {
  return ::operator new(size, alignment);
}
__attribute__((weak)) void *operator new(size_t size, const std::nothrow_t &) noexcept {
  try {
    return ::operator new(size);
  } catch (...) {
    return nullptr;
  }
}
__attribute__((weak)) void *operator new[](size_t size, const std::nothrow_t &) noexcept {
  return ::operator new(size, std::nothrow);
}
