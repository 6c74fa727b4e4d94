/* What the kernels of a .br file are for the program: objects that are called (Stream Computing User Guide, 2.8). */
#ifndef MILLRACE_BROOK_KERNEL_INTERFACE_H
#define MILLRACE_BROOK_KERNEL_INTERFACE_H

#include "brook/Stream.h"

namespace brook {

class KernelInterface {
public:
  /* Where the next call of this thread runs, instead of over all of its output. */
  void domainOffset(uint4 offset) const { runtime::__millrace_brook_domain_offset(number(), point(offset)); }
  void domainSize(uint4 size) const { runtime::__millrace_brook_domain_size(number(), point(size)); }

protected:
  constexpr KernelInterface(int (*text)(), const char *name) : _text(text), _name(name) {}
  int number() const { return runtime::__millrace_brook_kernel(_text(), _name); }

  /* Arguments go to the runtime in their order. */
  static void give(StreamImpl *stream) { runtime::__millrace_brook_stream_argument(stream ? stream->number() : 0); }
  template <class T> static void giveValue(const T &value) { runtime::__millrace_brook_value_argument(&value); }
  template <class T> static void giveResult(T &result) { runtime::__millrace_brook_result_argument(&result); }

private:
  static const int *point(const uint4 &vector) { return reinterpret_cast<const int *>(&vector); }
  /* The text that it is in. */
  int (*const _text)();
  const char *const _name;
};

} /* namespace brook */

#endif
