#include "add.h"
#include <iostream>

extern "C" int twice(int number);

int main(int argc, char **argv) {
  unsigned size = 3;
  float data[] = {1, 2, 3};
  brook::Stream<float> a(1, &size), c(1, &size);
  a.read(data);
  add(a, a, c);
  c.write(data);
  std::cout << data[0] << data[1] << data[2] << ' ' << twice(NUMBER) << ' ' << argc << ' ' << argv[argc - 1] << '\n';
  return 3;
}
