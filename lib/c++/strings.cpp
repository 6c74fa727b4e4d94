// Functions of the C++ library that throw and that it has compiled without exceptions: those of strings, and numbers read from them. The
// linker takes these before the library's; std::stoi and its like reach them by --wrap.
#include <cerrno>
#include <climits>
#include <cstddef>
#include <cstdlib>
#include <stdexcept>
#include <string>

template class std::basic_string<char>;
template class std::basic_string<wchar_t>;

namespace {

template <class Value, class Read>
Value number(const char *name, const std::string &text, std::size_t *end, Read read) {
  const char *start = text.c_str();
  char *stop = nullptr;
  const int before = errno;
  errno = 0;
  const Value value = read(start, &stop);
  const int error = errno;
  errno = before;
  if (error == ERANGE) throw std::out_of_range(std::string(name) + ": out of range");
  if (stop == start) throw std::invalid_argument(std::string(name) + ": no conversion");
  if (end) *end = static_cast<std::size_t>(stop - start);
  return value;
}

} // namespace

#define TEXT_OF(name) #name
#define SPACE_OF(name) TEXT_OF(name)
#define NAME(mangled, last)                                                                                        \
  __asm__("__wrap__ZNSt3" SPACE_OF(_LIBCPP_ABI_NAMESPACE) mangled                                                 \
          "ERKNS_12basic_stringIcNS_11char_traitsIcEENS_9allocatorIcEEEEPm" last)

#define READS_INTEGER(Type, function, mangled, reader)                                                             \
  extern "C" Type wrapped_##function(const std::string &, std::size_t *, int) NAME(mangled, "i");                  \
  extern "C" Type wrapped_##function(const std::string &text, std::size_t *end, int base) {                        \
    return number<Type>(#function, text, end, [base](const char *from, char **to) { return reader(from, to, base); }); \
  }

#define READS_FLOAT(Type, function, mangled, reader)                                                               \
  extern "C" Type wrapped_##function(const std::string &, std::size_t *) NAME(mangled, "");                        \
  extern "C" Type wrapped_##function(const std::string &text, std::size_t *end) {                                  \
    return number<Type>(#function, text, end, [](const char *from, char **to) { return reader(from, to); });       \
  }

extern "C" int wrapped_stoi(const std::string &, std::size_t *, int) NAME("4stoi", "i");
extern "C" int wrapped_stoi(const std::string &text, std::size_t *end, int base) {
  const long value = number<long>("stoi", text, end, [base](const char *from, char **to) {
    return std::strtol(from, to, base);
  });
  if (value < INT_MIN || value > INT_MAX) throw std::out_of_range("stoi: out of range");
  return static_cast<int>(value);
}

READS_INTEGER(long, stol, "4stol", std::strtol)
READS_INTEGER(unsigned long, stoul, "5stoul", std::strtoul)
READS_INTEGER(long long, stoll, "5stoll", std::strtoll)
READS_INTEGER(unsigned long long, stoull, "6stoull", std::strtoull)
READS_FLOAT(float, stof, "4stof", std::strtof)
READS_FLOAT(double, stod, "4stod", std::strtod)
READS_FLOAT(long double, stold, "5stold", std::strtold)
