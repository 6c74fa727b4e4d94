/* The devices that a program of Brook+ finds and chooses from (Stream Computing User Guide, 2.16). */
#ifndef MILLRACE_BROOK_DEVICE_H
#define MILLRACE_BROOK_DEVICE_H

#include <vector>

#include "brook/Runtime.h"

namespace brook {

class Device {
public:
  /* "cal" or "cpu". */
  const char *getType() const { return runtime::__millrace_brook_device_is_cpu(_number) ? "cpu" : "cal"; }
  /* What it can share memory with, in words: nothing. */
  const char *getBindings() const { return ""; }

  explicit Device(int number = 0) : _number(number) {}
  int number() const { return _number; }

private:
  int _number;
};

namespace runtime {

/* Lists of devices are the library's, and stay: one for each that was ever given. */
inline Device *deviceList(const std::vector<int> &numbers) {
  if (numbers.empty()) return nullptr;
  Device *list = new Device[numbers.size()];
  for (unsigned i = 0; i < numbers.size(); i++) list[i] = Device(numbers[i]);
  return list;
}

/* The list of all devices, of which lists of one are parts. */
inline Device *allDevices(unsigned *count) {
  static const unsigned found = __millrace_brook_devices("all", nullptr);
  static Device *const list = [] {
    std::vector<int> numbers(found);
    if (found) __millrace_brook_devices("all", numbers.data());
    return deviceList(numbers);
  }();
  *count = found;
  return list;
}

inline Device *deviceAt(int number) {
  unsigned count;
  Device *all = allDevices(&count);
  return number >= 0 && static_cast<unsigned>(number) < count ? all + number : nullptr;
}

} /* namespace runtime */

/* The devices of a type: "all", "cal" or "cpu"; of any other there are none. */
inline Device *getDevices(const char *type, unsigned int *count) {
  unsigned found = type ? runtime::__millrace_brook_devices(type, nullptr) : 0;
  if (count) *count = found;
  if (found == 0) return nullptr;
  std::vector<int> numbers(found);
  runtime::__millrace_brook_devices(type, numbers.data());
  unsigned all;
  Device *every = runtime::allDevices(&all);
  bool isRun = true;
  for (unsigned i = 0; i < found; i++) isRun = isRun && numbers[i] == numbers[0] + static_cast<int>(i);
  return isRun ? every + numbers[0] : runtime::deviceList(numbers);
}

/*
 * What this thread's streams and kernels are on from now on, of which the first counts; with no device what the environment says. Gives
 * what they were on before, if there is a place for how many that were.
 */
inline Device *useDevices(const Device *devices, unsigned int count, unsigned int *oldCount = nullptr) {
  Device *before = nullptr;
  if (oldCount) {
    *oldCount = runtime::__millrace_brook_used(nullptr);
    std::vector<int> numbers(*oldCount);
    if (*oldCount) {
      runtime::__millrace_brook_used(numbers.data());
      before = *oldCount == 1 ? runtime::deviceAt(numbers[0]) : runtime::deviceList(numbers);
    }
  }
  std::vector<int> chosen;
  for (unsigned i = 0; devices && i < count; i++) chosen.push_back(devices[i].number());
  runtime::__millrace_brook_use(chosen.data(), static_cast<unsigned>(chosen.size()));
  return before;
}

} /* namespace brook */

#endif
