// Waiting for atomic objects, latches, barriers, semaphores and shared pointers that are exchanged, in C++20.
#include <atomic>
#include <barrier>
#include <cstdio>
#include <latch>
#include <memory>
#include <semaphore>
#include <thread>
#include <vector>
int main() {
  std::atomic<int> next{0};
  std::vector<std::thread> all;
  int passed = 0;
  for (int i = 0; i < 6; ++i)
    all.emplace_back([&, i] {
      for (int now = next; now != i; now = next) next.wait(now);
      ++passed;
      next = i + 1;
      next.notify_all();
    });
  for (auto &t : all) t.join();
  all.clear();
  std::latch ready(6);
  std::counting_semaphore<3> three(3);
  std::atomic<int> inside{0}, most{0}, phases{0};
  std::barrier round(6, [&]() noexcept { ++phases; });
  std::shared_ptr<int> shared = std::make_shared<int>(0);
  for (int i = 0; i < 6; ++i)
    all.emplace_back([&] {
      ready.arrive_and_wait();
      for (int k = 0; k < 200; ++k) {
        three.acquire();
        int now = ++inside, seen = most;
        while (now > seen && !most.compare_exchange_weak(seen, now)) {}
        --inside;
        three.release();
        round.arrive_and_wait();
        auto old = std::atomic_load(&shared);
        while (!std::atomic_compare_exchange_strong(&shared, &old, std::make_shared<int>(*old + 1))) {}
      }
    });
  for (auto &t : all) t.join();
  std::printf("passed %d, most %d, phases %d, shared %d\n", passed, most <= 3 && most >= 1, phases.load(), *shared);
}
