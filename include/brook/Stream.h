/*
 * Streams of Brook+ for programs in C++ (Stream Computing User Guide, 2.7). A Stream is a proxy: copies of one are the same stream, whose
 * memory goes with the last of them. Sizes and points have x first.
 */
#ifndef MILLRACE_BROOK_STREAM_H
#define MILLRACE_BROOK_STREAM_H

#ifndef USE_OLD_API
#define USE_OLD_API 1
#endif

#include <stdio.h>
#include <string>

#include "brook/Device.h"
#include "brook/ErrorCodes.h"
#include "brook/Runtime.h"
#include "brook/VectorDataType.h"

/* What a stream is the proxy of. */
class StreamImpl {
public:
  explicit StreamImpl(int number) : _number(number), _uses(1) {}
  int number() const { return _number; }
  void take() { __atomic_add_fetch(&_uses, 1, __ATOMIC_RELAXED); }
  void leave() {
    if (__atomic_sub_fetch(&_uses, 1, __ATOMIC_ACQ_REL) != 0) return;
    brook::runtime::__millrace_brook_release(_number);
    delete this;
  }
  /* The text of its errors, until it is asked for again. */
  const char *log() {
    std::string text(brook::runtime::__millrace_brook_error_text(_number, nullptr) + 1, '\0');
    brook::runtime::__millrace_brook_error_text(_number, &text[0]);
    text.pop_back();
    _log.swap(text);
    return _log.c_str();
  }

private:
  StreamImpl(const StreamImpl &);
  StreamImpl &operator=(const StreamImpl &);
  const int _number;
  int _uses;
  std::string _log;
};

namespace brook {

/* What Brook+ calls a type. What brcc writes for structures of a .br file adds to it. */
template <class T> struct ElementType;

#define MILLRACE_BROOK_ELEMENT(T)                                                                                  \
  template <> struct ElementType<T> {                                                                              \
    static const char *name() { return #T; }                                                                       \
  };
#define MILLRACE_BROOK_ELEMENTS(T)                                                                                 \
  MILLRACE_BROOK_ELEMENT(T) MILLRACE_BROOK_ELEMENT(T##2) MILLRACE_BROOK_ELEMENT(T##3) MILLRACE_BROOK_ELEMENT(T##4)
MILLRACE_BROOK_ELEMENTS(char)
MILLRACE_BROOK_ELEMENTS(uchar)
MILLRACE_BROOK_ELEMENTS(short)
MILLRACE_BROOK_ELEMENTS(ushort)
MILLRACE_BROOK_ELEMENTS(int)
MILLRACE_BROOK_ELEMENTS(uint)
MILLRACE_BROOK_ELEMENTS(float)
MILLRACE_BROOK_ELEMENT(double)
MILLRACE_BROOK_ELEMENT(double2)
#undef MILLRACE_BROOK_ELEMENTS
#undef MILLRACE_BROOK_ELEMENT

namespace runtime {

/* The sizes of a declaration in a .br file, which has the slowest first. */
struct DeclaredSizes {
  unsigned short rank;
  unsigned sizes[4];
  template <class... Sizes> explicit DeclaredSizes(Sizes... given) : rank(sizeof...(Sizes)) {
    const long all[] = {static_cast<long>(given)...};
    for (unsigned i = 0; i < 4; i++) sizes[i] = i < rank ? static_cast<unsigned>(all[rank - 1 - i]) : 1;
  }
};

} /* namespace runtime */

template <class T> class Stream {
public:
  Stream(unsigned short rank, unsigned int *dimensions)
      : _impl(new StreamImpl(runtime::__millrace_brook_create(ElementType<T>::name(), rank, dimensions, nullptr))) {}
  Stream(unsigned short rank, const unsigned int *dimensions)
      : _impl(new StreamImpl(runtime::__millrace_brook_create(ElementType<T>::name(), rank, dimensions, nullptr))) {}
  /* One that shares memory with Direct3D, which there is none of here: it is in error. */
  Stream(unsigned short rank, const unsigned int *dimensions, const char *type)
      : _impl(new StreamImpl(
            runtime::__millrace_brook_create(ElementType<T>::name(), rank, dimensions, type ? type : ""))) {}
  /* What brcc makes of `float a<height, width>`. */
  explicit Stream(const runtime::DeclaredSizes &sizes)
      : _impl(new StreamImpl(
            runtime::__millrace_brook_create(ElementType<T>::name(), sizes.rank, sizes.sizes, nullptr))) {}
  /* Without one, as `Stream<int> a(NULL)`, it is a place for a stream that is assigned later. */
  explicit Stream(StreamImpl *impl) : _impl(impl) {}
  Stream(const Stream<T> &other) : _impl(other._impl) {
    if (_impl) _impl->take();
  }
  Stream<T> &operator=(const Stream<T> &other) {
    if (other._impl) other._impl->take();
    if (_impl) _impl->leave();
    _impl = other._impl;
    return *this;
  }
  ~Stream() {
    if (_impl) _impl->leave();
  }

  void read(const void *ptr, const char *flags = NULL) const {
    runtime::__millrace_brook_read(number(), ptr, flags);
  }
  void write(void *ptr, const char *flags = NULL) const {
    runtime::__millrace_brook_write(number(), ptr, flags);
  }
  void assign(const Stream<T> &source) { runtime::__millrace_brook_assign(number(), source.number()); }
  /* The part from one point to before another. */
  Stream<T> domain(const unsigned int *start, const unsigned int *end) const {
    return Stream<T>(new StreamImpl(runtime::__millrace_brook_part(number(), 0, start, end)));
  }
  void setProperty(const char *name, void *value) {
    runtime::__millrace_brook_set_property(number(), name, value);
  }
  Device *getDevices(unsigned int *count) const {
    Device *device = runtime::deviceAt(runtime::__millrace_brook_stream_device(number()));
    if (count) *count = device ? 1 : 0;
    return device;
  }
  bool isSync() const { return runtime::__millrace_brook_is_sync(number()) != 0; }
  /* True, as the guide declares it: all has ended. */
  bool finish() const {
    runtime::__millrace_brook_finish(number());
    return true;
  }
  BRerror error() const { return static_cast<BRerror>(runtime::__millrace_brook_error(number())); }
  const char *errorLog() const { return _impl ? _impl->log() : ""; }
  operator StreamImpl *() const { return _impl; }

#if USE_OLD_API
  Stream<T> domain(int start, int end) const { return between(1, start, 0, 0, 0, end, 0, 0, 0); }
  Stream<T> domain(int2 start, int2 end) const { return between(2, start.x, start.y, 0, 0, end.x, end.y, 0, 0); }
  Stream<T> domain(int3 start, int3 end) const {
    return between(3, start.x, start.y, start.z, 0, end.x, end.y, end.z, 0);
  }
  Stream<T> domain(int4 start, int4 end) const {
    return between(4, start.x, start.y, start.z, start.w, end.x, end.y, end.z, end.w);
  }
  Stream<T> execDomain(int numThreads) const {
    runtime::__millrace_brook_exec_domain(number(), numThreads);
    return *this;
  }
#endif

private:
  /* That of no stream, which the runtime refuses, where there is none. */
  int number() const { return _impl ? _impl->number() : 0; }
  Stream<T> between(unsigned rank, int x0, int y0, int z0, int w0, int x1, int y1, int z1, int w1) const {
    const unsigned start[4] = {unsigned(x0), unsigned(y0), unsigned(z0), unsigned(w0)};
    const unsigned end[4] = {unsigned(x1), unsigned(y1), unsigned(z1), unsigned(w1)};
    return Stream<T>(new StreamImpl(runtime::__millrace_brook_part(number(), rank, start, end)));
  }

  StreamImpl *_impl;
};

/* What kernels take where they declare an array with its sizes: a stream, or an array of the program, of which they get a copy. */
template <class T, unsigned... Sizes> class ConstantArray {
public:
  ConstantArray(const Stream<T> &stream) : _stream(stream) {}
  template <class Element, size_t Count> ConstantArray(const Element (&array)[Count]) : _stream(filled(array)) {}
  ConstantArray(const T *array) : _stream(filled(array)) {}
  operator StreamImpl *() const { return _stream; }

private:
  static Stream<T> filled(const void *array) {
    const runtime::DeclaredSizes all(Sizes...);
    Stream<T> made(all.rank, all.sizes);
    made.read(array);
    return made;
  }
  Stream<T> _stream;
};

} /* namespace brook */

#if USE_OLD_API
template <class T> void streamRead(const brook::Stream<T> &stream, const void *ptr) { stream.read(ptr); }
template <class T> void streamWrite(const brook::Stream<T> &stream, void *ptr) { stream.write(ptr); }
template <class T> void streamPrint(const brook::Stream<T> &stream) {
  const int number = static_cast<StreamImpl *>(stream)->number();
  std::string text(brook::runtime::__millrace_brook_text(number, nullptr) + 1, '\0');
  brook::runtime::__millrace_brook_text(number, &text[0]);
  fputs(text.c_str(), stdout);
}
#endif

#endif
