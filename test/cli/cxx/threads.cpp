// What the standard says of threads, in C++17.
#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <shared_mutex>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

using namespace std::chrono_literals;
constexpr int threads = 8, rounds = 5000;

static std::mutex mutex;
static int told;

struct Told {
  int number = 0;
  ~Told() {
    std::lock_guard<std::mutex> lock(mutex);
    told += number;
  }
};

thread_local Told own;
thread_local int counter = 40;

static int made;
struct Slow {
  Slow() {
    std::this_thread::sleep_for(5ms);
    ++made;
  }
};

template <class F> void together(F work) {
  std::vector<std::thread> all;
  for (int i = 0; i < threads; ++i) all.emplace_back(work, i);
  for (auto &one : all) one.join();
}

int main() {
  int plain = 0;
  std::atomic<int> counted{0};
  std::atomic<long long> large{0};
  std::recursive_mutex recursive;
  int deep = 0;
  together([&](int number) {
    own.number = number + 1;
    for (int i = 0; i < rounds; ++i) {
      ++counter;
      counted.fetch_add(1, std::memory_order_relaxed);
      large += 1000000007LL;
      {
        std::lock_guard<std::mutex> lock(mutex);
        ++plain;
      }
      std::lock_guard<std::recursive_mutex> one(recursive), two(recursive);
      ++deep;
    }
    if (counter != 40 + rounds) std::abort();
  });
  std::cout << "sums " << plain << ' ' << counted << ' ' << large << ' ' << deep << ", ended " << told << ", first " << counter << '\n';

  together([](int) { static Slow slow; });
  std::once_flag once, thrown;
  int calls = 0, attempts = 0;
  together([&](int) {
    std::call_once(once, [&] { ++calls; });
    try {
      std::call_once(thrown, [&] {
        if (++attempts < 3) throw 1;
      });
    } catch (int) {
    }
  });
  std::cout << "once " << made << ' ' << calls << ' ' << attempts << '\n';

  std::condition_variable changed;
  std::vector<int> queue;
  long sum = 0;
  bool over = false;
  std::thread consumer([&] {
    std::unique_lock<std::mutex> lock(mutex);
    for (;;) {
      changed.wait(lock, [&] { return !queue.empty() || over; });
      if (queue.empty()) return;
      for (int value : queue) sum += value;
      queue.clear();
    }
  });
  for (int i = 1; i <= 1000; ++i) {
    std::lock_guard<std::mutex> lock(mutex);
    queue.push_back(i);
    changed.notify_one();
  }
  {
    std::lock_guard<std::mutex> lock(mutex);
    over = true;
    changed.notify_all();
  }
  consumer.join();
  std::unique_lock<std::mutex> lock(mutex);
  auto begun = std::chrono::steady_clock::now();
  auto status = changed.wait_for(lock, 20ms);
  std::cout << "consumed " << sum << ", timed out " << (status == std::cv_status::timeout) << ' '
            << (std::chrono::steady_clock::now() - begun >= 20ms) << '\n';
  lock.unlock();

  auto square = std::async(std::launch::async, [](int x) { return x * x; }, 12);
  auto late = std::async(std::launch::deferred, [] { return std::string("deferred"); });
  auto fails = std::async(std::launch::async, []() -> int { throw std::runtime_error("from a thread"); });
  std::promise<void> start;
  std::shared_future<void> started = start.get_future().share();
  std::packaged_task<int()> task([started] {
    started.wait();
    return 7;
  });
  auto answer = task.get_future();
  std::thread runs(std::move(task));
  bool waits = answer.wait_for(1ms) == std::future_status::timeout;
  start.set_value();
  std::cout << "futures " << square.get() << ' ' << late.get() << ' ' << answer.get() << ' ' << waits;
  runs.join();
  try {
    fails.get();
  } catch (const std::exception &error) {
    std::cout << ", " << error.what();
  }
  std::future<int> broken;
  {
    std::promise<int> promise;
    broken = promise.get_future();
  }
  try {
    broken.get();
  } catch (const std::future_error &error) {
    std::cout << ", " << (error.code() == std::future_errc::broken_promise);
  }
  std::promise<int> at_end;
  auto ended = at_end.get_future();
  std::thread([&] { at_end.set_value_at_thread_exit(9); }).detach();
  std::cout << ", " << ended.get() << '\n';

  std::shared_timed_mutex rw;
  std::map<int, int> table;
  std::atomic<int> torn{0};
  together([&](int number) {
    for (int i = 0; i < 300; ++i) {
      if (i % 10 == 0) {
        std::unique_lock<std::shared_timed_mutex> write(rw);
        table[number] = i;
        table[number + 100] = i;
      } else {
        std::shared_lock<std::shared_timed_mutex> read(rw);
        if (table.count(number) && table[number] != table[number + 100]) ++torn;
      }
    }
  });
  auto shared = std::make_shared<std::string>("shared");
  std::weak_ptr<std::string> weak = shared;
  std::atomic<int> seen{0};
  together([&](int) {
    for (int i = 0; i < rounds; ++i) {
      auto copy = shared;
      std::weak_ptr<std::string> other = weak;
      if (auto held = other.lock()) seen += int(held->size() == 6);
    }
  });
  std::cout << "torn " << torn << ", owners " << shared.use_count() << ' ' << seen << '\n';

  std::atomic<size_t> characters{0};
  together([&](int number) {
    for (int i = 0; i < 300; ++i) {
      std::ostringstream text;
      text << number << ' ' << i << ' ' << 0.5;
      std::istringstream in(text.str());
      int a, b;
      double c;
      in >> a >> b >> c;
      if (a != number || b != i || c != 0.5) std::abort();
      characters += text.str().size();
      std::vector<std::string> many(20, text.str());
    }
  });
  std::cout << "characters " << characters << '\n';
  std::timed_mutex timed;
  timed.lock();
  bool got = true;
  std::thread([&] { got = timed.try_lock_for(5ms); }).join();
  timed.unlock();
  std::cout << "timed " << got << ", ids " << (std::this_thread::get_id() != std::thread::id()) << std::endl;
  together([](int) {
    for (int i = 0; i < 50; ++i) std::printf("line of a thread\n");
  });
  std::thread([] { std::exit(3); }).join();
}
