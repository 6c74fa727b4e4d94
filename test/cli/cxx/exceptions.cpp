// What the standard says of exceptions, case by case; each line that is printed is one.
#include <exception>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <typeinfo>
#include <vector>

struct Shape {
  virtual ~Shape() {}
  virtual const char *name() const { return "shape"; }
};
struct Coloured {
  int colour = 5;
  virtual ~Coloured() {}
};
struct Circle : Coloured, Shape {
  const char *name() const override { return "circle"; }
};

static int alive = 0;
struct Counted {
  Counted() { alive++; }
  Counted(const Counted &) { alive++; }
  ~Counted() { alive--; }
};

static void throwAgain() {
  try {
    throw Circle();
  } catch (const Coloured &it) {
    std::cout << "first base " << it.colour << '\n';
    throw;
  }
}

static void throwNumber() {
  Counted local;
  throw 42;
}

template <class Expected> static void expects(const char *what, const std::function<void()> &call) {
  try {
    call();
    std::cout << what << " did not throw\n";
  } catch (const Expected &) {
    std::cout << what << '\n';
  }
}

int main(int argc, char **) {
  try {
    throwAgain();
  } catch (Shape &it) {
    std::cout << "second base " << it.name() << '\n';
  }
  try {
    throwNumber();
  } catch (int number) {
    std::cout << "number " << number << ", alive " << alive << '\n';
  }
  try {
    try {
      throw Counted();
    } catch (...) {
      throw std::logic_error("from a handler");
    }
  } catch (const std::exception &it) {
    std::cout << it.what() << ", alive " << alive << '\n';
  }
  std::exception_ptr kept;
  try {
    throw std::out_of_range("kept");
  } catch (...) {
    kept = std::current_exception();
  }
  for (int i = 0; i < 2; i++) {
    try {
      std::rethrow_exception(kept);
    } catch (const std::out_of_range &it) {
      std::cout << it.what() << ' ' << i << '\n';
    }
  }
  try {
    try {
      throw 1;
    } catch (int &number) {
      number = 7;
      throw;
    }
  } catch (int number) {
    std::cout << "changed to " << number << '\n';
  }
  try {
    throw static_cast<Circle *>(nullptr);
  } catch (Shape *it) {
    std::cout << "null " << (it == nullptr) << '\n';
  }
  try {
    throw nullptr;
  } catch (const char *it) {
    std::cout << "nullptr " << (it == nullptr) << '\n';
  }
  expects<std::out_of_range>("vector::at", [] { std::vector<int>(2).at(7); });
  expects<std::out_of_range>("map::at", [] { std::map<int, int>().at(1); });
  expects<std::out_of_range>("string::substr", [] { std::string("ab").substr(3); });
  expects<std::invalid_argument>("stoi of no number", [] { std::stoi("abc"); });
  expects<std::out_of_range>("stoi of a large number", [] { std::stoi("99999999999"); });
  expects<std::out_of_range>("stod of a large number", [] { std::stod("1e999"); });
  expects<std::bad_cast>("dynamic_cast", [] {
    Shape shape;
    (void)dynamic_cast<Circle &>(shape);
  });
  expects<std::bad_function_call>("empty function", [] { std::function<void()>()(); });
  expects<std::bad_weak_ptr>("shared_from_this", [] { std::shared_ptr<int>(std::weak_ptr<int>()); });
  expects<std::bad_alloc>("new", [] {
    volatile size_t most = static_cast<size_t>(-1) - 4096;
    std::unique_ptr<char[]> block(new char[most]);
    std::cout << static_cast<void *>(block.get());
  });
  std::cout << std::stoi("0x1f", nullptr, 16) << ' ' << std::stod("2.5") << ' ' << std::stoull("18446744073709551615")
            << '\n';
  std::cout << "on their way " << std::uncaught_exceptions() << ", alive " << alive << std::endl;
  if (argc > 1) throw std::runtime_error("nobody catches this");
  return 0;
}
