// Sums that threads have a device compute; without numbers there is an exception.
#include <cstdlib>
#include <future>
#include <iostream>
#include <numeric>
#include "kernels.hpp"

int main(int argc, char **argv) {
  int threads = argc > 1 ? std::atoi(argv[1]) : 1;
  std::vector<std::future<long>> sums;
  for (int i = 1; i <= threads; ++i)
    sums.push_back(std::async(std::launch::async, [i] {
      auto numbers = multiples(COUNT, i);
      return std::accumulate(numbers.begin(), numbers.end(), 0L);
    }));
  for (auto &sum : sums) std::cout << sum.get() << ' ';
  try {
    multiples(0, 1);
  } catch (const std::exception &error) {
    std::cout << error.what();
  }
  std::cout << ' ' << twice(21) << '\n';
}
