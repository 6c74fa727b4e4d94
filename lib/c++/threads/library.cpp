// What the C++ library has of threads, for one that is built without: its headers declare it (include/__config_site), and here it is, over
// the threads of POSIX. C++17 and later; the sections are the standard's.
#include <atomic>
#include <barrier>
#include <condition_variable>
#include <exception>
#include <future>
#include <limits>
#include <memory>
#include <mutex>
#include <new>
#include <pthread.h>
#include <shared_mutex>
#include <system_error>
#include <thread>
#include <time.h>
#include <unistd.h>
#include <utility>
#include <vector>
#include "lock.h"

extern "C" {
__attribute__((import_module("millrace"), import_name("wait"))) int __millrace_wait(int *, int, int);
__attribute__((import_module("millrace"), import_name("wake"))) int __millrace_wake(int *, int);
}

// What the linker puts in the place of a function of the library (--wrap), and that function.
#define TEXT_OF(name) #name
#define SPACE_OF(name) TEXT_OF(name)
#define WRAP(mangled) __asm__("__wrap__ZNSt3" SPACE_OF(_LIBCPP_ABI_NAMESPACE) mangled)
#define REAL(mangled) __asm__("__real__ZNSt3" SPACE_OF(_LIBCPP_ABI_NAMESPACE) mangled)

_LIBCPP_BEGIN_NAMESPACE_STD

// Mutexes: thread.mutex

mutex::~mutex() noexcept { pthread_mutex_destroy(&__m_); }

void mutex::lock() {
  int error = pthread_mutex_lock(&__m_);
  if (error) __throw_system_error(error, "mutex lock failed");
}

bool mutex::try_lock() noexcept { return pthread_mutex_trylock(&__m_) == 0; }
void mutex::unlock() noexcept { pthread_mutex_unlock(&__m_); }

recursive_mutex::recursive_mutex() {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&__m_, &attributes);
  pthread_mutexattr_destroy(&attributes);
}

recursive_mutex::~recursive_mutex() { pthread_mutex_destroy(&__m_); }

void recursive_mutex::lock() {
  int error = pthread_mutex_lock(&__m_);
  if (error) __throw_system_error(error, "recursive_mutex lock failed");
}

bool recursive_mutex::try_lock() noexcept { return pthread_mutex_trylock(&__m_) == 0; }
void recursive_mutex::unlock() noexcept { pthread_mutex_unlock(&__m_); }

timed_mutex::timed_mutex() : __locked_(false) {}
timed_mutex::~timed_mutex() { lock_guard<mutex> nobody_holds_it(__m_); }

void timed_mutex::lock() {
  unique_lock<mutex> lock(__m_);
  while (__locked_) __cv_.wait(lock);
  __locked_ = true;
}

bool timed_mutex::try_lock() noexcept {
  unique_lock<mutex> lock(__m_, try_to_lock);
  if (!lock.owns_lock() || __locked_) return false;
  return __locked_ = true;
}

void timed_mutex::unlock() noexcept {
  lock_guard<mutex> lock(__m_);
  __locked_ = false;
  __cv_.notify_one();
}

recursive_timed_mutex::recursive_timed_mutex() : __count_(0), __id_{} {}
recursive_timed_mutex::~recursive_timed_mutex() { lock_guard<mutex> nobody_holds_it(__m_); }

void recursive_timed_mutex::lock() {
  __thread_id self = this_thread::get_id();
  unique_lock<mutex> lock(__m_);
  if (self == __id_) {
    if (__count_ == numeric_limits<size_t>::max())
      __throw_system_error(EAGAIN, "recursive_timed_mutex lock limit reached");
    ++__count_;
    return;
  }
  while (__count_ != 0) __cv_.wait(lock);
  __count_ = 1;
  __id_ = self;
}

bool recursive_timed_mutex::try_lock() noexcept {
  __thread_id self = this_thread::get_id();
  unique_lock<mutex> lock(__m_, try_to_lock);
  if (!lock.owns_lock()) return false;
  if (__count_ != 0 && !(self == __id_)) return false;
  if (__count_ == numeric_limits<size_t>::max()) return false;
  ++__count_;
  __id_ = self;
  return true;
}

void recursive_timed_mutex::unlock() noexcept {
  unique_lock<mutex> lock(__m_);
  if (--__count_ != 0) return;
  __id_ = __thread_id();
  lock.unlock();
  __cv_.notify_one();
}

__shared_mutex_base::__shared_mutex_base() : __state_(0) {}

void __shared_mutex_base::lock() {
  unique_lock<mutex> lock(__mut_);
  while (__state_ & __write_entered_) __gate1_.wait(lock);
  __state_ |= __write_entered_;
  while (__state_ & __n_readers_) __gate2_.wait(lock);
}

bool __shared_mutex_base::try_lock() {
  unique_lock<mutex> lock(__mut_);
  if (__state_ != 0) return false;
  __state_ = __write_entered_;
  return true;
}

void __shared_mutex_base::unlock() {
  lock_guard<mutex> lock(__mut_);
  __state_ = 0;
  __gate1_.notify_all();
}

void __shared_mutex_base::lock_shared() {
  unique_lock<mutex> lock(__mut_);
  while ((__state_ & __write_entered_) || (__state_ & __n_readers_) == __n_readers_) __gate1_.wait(lock);
  ++__state_;
}

bool __shared_mutex_base::try_lock_shared() {
  unique_lock<mutex> lock(__mut_);
  if ((__state_ & __write_entered_) || (__state_ & __n_readers_) == __n_readers_) return false;
  ++__state_;
  return true;
}

void __shared_mutex_base::unlock_shared() {
  lock_guard<mutex> lock(__mut_);
  bool was_full = (__state_ & __n_readers_) == __n_readers_;
  --__state_;
  if (__state_ == __write_entered_) __gate2_.notify_one();
  else if (was_full) __gate1_.notify_one();
}

// It has nothing else; versions of the library call it by several names.
static __shared_mutex_base &base_of(shared_timed_mutex *all) { return *reinterpret_cast<__shared_mutex_base *>(all); }
static_assert(sizeof(shared_timed_mutex) == sizeof(__shared_mutex_base));

shared_timed_mutex::shared_timed_mutex() {}
void shared_timed_mutex::lock() { base_of(this).lock(); }
bool shared_timed_mutex::try_lock() { return base_of(this).try_lock(); }
void shared_timed_mutex::unlock() { base_of(this).unlock(); }
void shared_timed_mutex::lock_shared() { base_of(this).lock_shared(); }
bool shared_timed_mutex::try_lock_shared() { return base_of(this).try_lock_shared(); }
void shared_timed_mutex::unlock_shared() { base_of(this).unlock_shared(); }

// std::call_once: 0 not called, 1 being called, all ones called. It comes before the library's own, which has no threads.
static pthread_mutex_t once_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t once_over = PTHREAD_COND_INITIALIZER;

void __call_once(volatile once_flag::_State_type &flag, void *argument, void (*call)(void *)) {
  using State = once_flag::_State_type;
  State done = ~State(0);
  pthread_mutex_lock(&once_mutex);
  while (flag == 1) pthread_cond_wait(&once_over, &once_mutex);
  if (flag != 0) {
    pthread_mutex_unlock(&once_mutex);
    return;
  }
  flag = 1;
  pthread_mutex_unlock(&once_mutex);
  struct End {
    volatile State &flag;
    State next;
    ~End() {
      pthread_mutex_lock(&once_mutex);
      __atomic_store_n(const_cast<State *>(&flag), next, __ATOMIC_RELEASE);
      pthread_mutex_unlock(&once_mutex);
      pthread_cond_broadcast(&once_over);
    }
  } end{flag, 0};
  call(argument);
  end.next = done;
}

// Conditions: thread.condition

condition_variable::~condition_variable() { pthread_cond_destroy(&__cv_); }
void condition_variable::notify_one() noexcept { pthread_cond_signal(&__cv_); }
void condition_variable::notify_all() noexcept { pthread_cond_broadcast(&__cv_); }

void condition_variable::wait(unique_lock<mutex> &lock) noexcept {
  if (!lock.owns_lock()) __throw_system_error(EPERM, "condition_variable::wait: mutex not locked");
  pthread_cond_wait(&__cv_, lock.mutex()->native_handle());
}

void condition_variable::__do_timed_wait(
    unique_lock<mutex> &lock, chrono::time_point<chrono::system_clock, chrono::nanoseconds> until) noexcept {
  if (!lock.owns_lock()) __throw_system_error(EPERM, "condition_variable::timed wait: mutex not locked");
  auto time = until.time_since_epoch().count();
  if (time < 0) time = 0;
  timespec moment;
  moment.tv_sec = static_cast<decltype(moment.tv_sec)>(time / 1000000000);
  moment.tv_nsec = static_cast<decltype(moment.tv_nsec)>(time % 1000000000);
  pthread_cond_timedwait(&__cv_, lock.mutex()->native_handle(), &moment);
}

// Threads: thread.threads

thread::~thread() {
  if (joinable()) terminate();
}

void thread::join() {
  int error = joinable() ? pthread_join(__t_, nullptr) : EINVAL;
  if (error) __throw_system_error(error, "thread::join failed");
  __t_ = pthread_t();
}

void thread::detach() {
  int error = joinable() ? pthread_detach(__t_) : EINVAL;
  if (error) __throw_system_error(error, "thread::detach failed");
  __t_ = pthread_t();
}

// The library cannot ask; programs have devices for the rest.
unsigned thread::hardware_concurrency() noexcept { return 0; }

namespace this_thread {
void sleep_for(const chrono::nanoseconds &duration) {
  if (duration <= chrono::nanoseconds::zero()) return;
  timespec time;
  time.tv_sec = static_cast<decltype(time.tv_sec)>(duration.count() / 1000000000);
  time.tv_nsec = static_cast<decltype(time.tv_nsec)>(duration.count() % 1000000000);
  while (nanosleep(&time, &time) == -1 && errno == EINTR) {
  }
}
} // namespace this_thread

// What a thread does at its end.
class __thread_struct_imp {
public:
  vector<pair<condition_variable *, mutex *>> to_notify;
  vector<__assoc_sub_state *> to_make_ready;

  ~__thread_struct_imp() {
    for (auto &[condition, lock] : to_notify) {
      lock->unlock();
      condition->notify_all();
    }
    for (auto *state : to_make_ready) {
      state->__make_ready();
      state->__release_shared();
    }
  }
};

__thread_specific_ptr<__thread_struct> &__thread_local_data() {
  // Never destroyed: threads may end after it would be.
  alignas(__thread_specific_ptr<__thread_struct>) static char place[sizeof(__thread_specific_ptr<__thread_struct>)];
  static auto *data = ::new (place) __thread_specific_ptr<__thread_struct>();
  return *data;
}

__thread_struct::__thread_struct() : __p_(new __thread_struct_imp) {}
__thread_struct::~__thread_struct() { delete __p_; }

void __thread_struct::notify_all_at_thread_exit(condition_variable *condition, mutex *lock) {
  __p_->to_notify.emplace_back(condition, lock);
}

void __thread_struct::__make_ready_at_thread_exit(__assoc_sub_state *state) {
  state->__add_shared();
  __p_->to_make_ready.push_back(state);
}

// The first thread gets its record when it needs one: std::thread gives it to the others.
static __thread_struct *own_record() {
  auto &data = __thread_local_data();
  if (!data.get()) data.set_pointer(new __thread_struct);
  return data.get();
}

void notify_all_at_thread_exit(condition_variable &condition, unique_lock<mutex> lock) {
  own_record()->notify_all_at_thread_exit(&condition, lock.release());
}

// Futures: futures

class FutureCategory : public error_category {
public:
  const char *name() const noexcept override { return "future"; }
  string message(int value) const override {
    switch (static_cast<future_errc>(value)) {
    case future_errc::broken_promise:
      return "The associated promise has been destructed prior to the associated state becoming ready.";
    case future_errc::future_already_retrieved:
      return "The future has already been retrieved from the promise or packaged_task.";
    case future_errc::promise_already_satisfied:
      return "The state of the promise has already been set.";
    case future_errc::no_state:
      return "Operation not permitted on an object without an associated state.";
    }
    return "unspecified future_errc value";
  }
};

const error_category &future_category() noexcept {
  static FutureCategory category;
  return category;
}

future_error::future_error(error_code code) : logic_error(code.message()), __ec_(code) {}
future_error::~future_error() noexcept {}

void __assoc_sub_state::__on_zero_shared() noexcept { delete this; }

void __assoc_sub_state::set_value() {
  unique_lock<mutex> lock(__mut_);
  if (__has_value()) __throw_future_error(future_errc::promise_already_satisfied);
  __state_ |= __constructed | ready;
  __cv_.notify_all();
}

void __assoc_sub_state::set_value_at_thread_exit() {
  unique_lock<mutex> lock(__mut_);
  if (__has_value()) __throw_future_error(future_errc::promise_already_satisfied);
  __state_ |= __constructed;
  own_record()->__make_ready_at_thread_exit(this);
}

void __assoc_sub_state::set_exception(exception_ptr exception) {
  unique_lock<mutex> lock(__mut_);
  if (__has_value()) __throw_future_error(future_errc::promise_already_satisfied);
  __exception_ = exception;
  __state_ |= ready;
  __cv_.notify_all();
}

void __assoc_sub_state::set_exception_at_thread_exit(exception_ptr exception) {
  unique_lock<mutex> lock(__mut_);
  if (__has_value()) __throw_future_error(future_errc::promise_already_satisfied);
  __exception_ = exception;
  own_record()->__make_ready_at_thread_exit(this);
}

void __assoc_sub_state::__make_ready() {
  unique_lock<mutex> lock(__mut_);
  __state_ |= ready;
  __cv_.notify_all();
}

void __assoc_sub_state::copy() {
  unique_lock<mutex> lock(__mut_);
  __sub_wait(lock);
  if (__exception_ != nullptr) rethrow_exception(__exception_);
}

void __assoc_sub_state::wait() {
  unique_lock<mutex> lock(__mut_);
  __sub_wait(lock);
}

void __assoc_sub_state::__sub_wait(unique_lock<mutex> &lock) {
  if (__is_ready()) return;
  if (__state_ & static_cast<unsigned>(deferred)) {
    __state_ &= ~static_cast<unsigned>(deferred);
    lock.unlock();
    __execute();
  } else {
    while (!__is_ready()) __cv_.wait(lock);
  }
}

void __assoc_sub_state::__execute() { __throw_future_error(future_errc::no_state); }

future<void>::future(__assoc_sub_state *state) : __state_(state) { __state_->__attach_future(); }

future<void>::~future() {
  if (__state_) __state_->__release_shared();
}

void future<void>::get() {
  unique_ptr<__shared_count, __release_shared_count> held(__state_);
  __assoc_sub_state *state = __state_;
  __state_ = nullptr;
  state->copy();
}

promise<void>::promise() : __state_(new __assoc_sub_state) {}

promise<void>::~promise() {
  if (!__state_) return;
  if (!__state_->__has_value() && __state_->use_count() > 1)
    __state_->set_exception(make_exception_ptr(future_error(make_error_code(future_errc::broken_promise))));
  __state_->__release_shared();
}

future<void> promise<void>::get_future() {
  if (!__state_) __throw_future_error(future_errc::no_state);
  return future<void>(__state_);
}

void promise<void>::set_value() {
  if (!__state_) __throw_future_error(future_errc::no_state);
  __state_->set_value();
}

void promise<void>::set_exception(exception_ptr exception) {
  if (!__state_) __throw_future_error(future_errc::no_state);
  __state_->set_exception(exception);
}

void promise<void>::set_value_at_thread_exit() {
  if (!__state_) __throw_future_error(future_errc::no_state);
  __state_->set_value_at_thread_exit();
}

void promise<void>::set_exception_at_thread_exit(exception_ptr exception) {
  if (!__state_) __throw_future_error(future_errc::no_state);
  __state_->set_exception_at_thread_exit(exception);
}

shared_future<void>::~shared_future() {
  if (__state_) __state_->__release_shared();
}

shared_future<void> &shared_future<void>::operator=(const shared_future &other) {
  if (other.__state_) other.__state_->__add_shared();
  if (__state_) __state_->__release_shared();
  __state_ = other.__state_;
  return *this;
}

// Shared pointers. What the library has counts without atomics, so these are put in its place (--wrap).

void wrapped_release_weak(__shared_weak_count *count) WRAP("19__shared_weak_count14__release_weakEv");
void wrapped_release_weak(__shared_weak_count *count) {
  if (__atomic_fetch_sub(&count->__shared_weak_owners_, 1, __ATOMIC_ACQ_REL) == 0) count->__on_zero_shared_weak();
}

__shared_weak_count *wrapped_lock(__shared_weak_count *count) WRAP("19__shared_weak_count4lockEv");
__shared_weak_count *wrapped_lock(__shared_weak_count *count) {
  long owners = __atomic_load_n(&count->__shared_owners_, __ATOMIC_SEQ_CST);
  while (owners != -1) {
    if (__atomic_compare_exchange_n(&count->__shared_owners_, &owners, owners + 1, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
      return count;
  }
  return nullptr;
}

// Locales are shared, too, and each stream has one. Constructors and destructors return their object.

static pthread_mutex_t locale_mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

#define LOCALE(name, mangled, parameters, arguments)        \
  void *real_##name parameters REAL(mangled);               \
  void *wrapped_##name parameters WRAP(mangled);            \
  void *wrapped_##name parameters {                         \
    if (!__has_threads) return real_##name arguments;       \
    pthread_mutex_lock(&locale_mutex);                      \
    void *result = real_##name arguments;                   \
    pthread_mutex_unlock(&locale_mutex);                    \
    return result;                                          \
  }

LOCALE(locale_make, "6localeC1Ev", (void *locale), (locale))
LOCALE(locale_copy, "6localeC1ERKS0_", (void *locale, void *from), (locale, from))
LOCALE(locale_end, "6localeD1Ev", (void *locale), (locale))
LOCALE(locale_make_base, "6localeC2Ev", (void *locale), (locale))
LOCALE(locale_copy_base, "6localeC2ERKS0_", (void *locale, void *from), (locale, from))
LOCALE(locale_end_base, "6localeD2Ev", (void *locale), (locale))
LOCALE(locale_assign, "6localeaSERKS0_", (void *locale, void *from), (locale, from))

// atomic_load of a shared_ptr and its like: a lock for each of some places.

constexpr int pointer_locks = 16;
// It has a pointer to a mutex and nothing else.
static pthread_mutex_t *mutex_of(__sp_mut *lock) { return *reinterpret_cast<pthread_mutex_t **>(lock); }
void __sp_mut::lock() noexcept { pthread_mutex_lock(mutex_of(this)); }
void __sp_mut::unlock() noexcept { pthread_mutex_unlock(mutex_of(this)); }

__sp_mut &__get_sp_mut(const void *pointer) {
  // All zeros is a mutex that is free.
  static pthread_mutex_t mutexes[pointer_locks];
  struct Locks {
    void *each[pointer_locks];
    Locks() {
      for (int index = 0; index < pointer_locks; ++index) each[index] = &mutexes[index];
    }
  };
  static Locks locks;
  return reinterpret_cast<__sp_mut &>(locks.each[hash<const void *>()(pointer) & (pointer_locks - 1)]);
}

// Waiting for an atomic object to change: atomics.wait. A word for each of some places counts the changes that anybody was told of.

constexpr int contention_words = 64;
static int contentions[contention_words];

static int &contention_of(const volatile void *place) {
  return contentions[hash<const volatile void *>()(place) % contention_words];
}

static void notify_at(const volatile void *place) {
  int &word = contention_of(place);
  __atomic_fetch_add(&word, 1, __ATOMIC_ACQ_REL);
  // Others may wait at the word for other places.
  __millrace_wake(&word, -1);
}

static __cxx_contention_t monitor_at(const volatile void *place) {
  return __atomic_load_n(&contention_of(place), __ATOMIC_ACQUIRE);
}

static void wait_at(const volatile void *place, __cxx_contention_t seen) {
  __millrace_wait(&contention_of(place), static_cast<int>(seen), -1);
}

// Some versions declare that these throw nothing.
#define AS_DECLARED(name, ...) noexcept(noexcept(name(__VA_ARGS__)))
#define ATOMIC_WAITING(Place)                                                                                     \
  void __cxx_atomic_notify_one(const volatile Place *place) AS_DECLARED(__cxx_atomic_notify_one, place) {         \
    notify_at(place);                                                                                             \
  }                                                                                                               \
  void __cxx_atomic_notify_all(const volatile Place *place) AS_DECLARED(__cxx_atomic_notify_all, place) {         \
    notify_at(place);                                                                                             \
  }                                                                                                               \
  __cxx_contention_t __libcpp_atomic_monitor(const volatile Place *place) AS_DECLARED(__libcpp_atomic_monitor, place) { \
    return monitor_at(place);                                                                                     \
  }                                                                                                               \
  void __libcpp_atomic_wait(const volatile Place *place, __cxx_contention_t seen)                                 \
      AS_DECLARED(__libcpp_atomic_wait, place, seen) {                                                            \
    wait_at(place, seen);                                                                                         \
  }

ATOMIC_WAITING(void)
ATOMIC_WAITING(__cxx_atomic_contention_t)

// Barriers: thread.barrier. The last one to arrive is told so; the header does the rest.

class __barrier_algorithm_base {
public:
  explicit __barrier_algorithm_base(ptrdiff_t &all) : expected(all) {}
  ptrdiff_t &expected;
  ptrdiff_t arrived = 0;
};

__barrier_algorithm_base *__construct_barrier_algorithm_base(ptrdiff_t &expected) {
  return new __barrier_algorithm_base(expected);
}

bool __arrive_barrier_algorithm_base(__barrier_algorithm_base *barrier, __barrier_phase_t phase)
    AS_DECLARED(__arrive_barrier_algorithm_base, barrier, phase) {
  (void)phase;
  // The header changes what is expected before it lets anybody into the next phase.
  if (__atomic_add_fetch(&barrier->arrived, 1, __ATOMIC_ACQ_REL) != barrier->expected) return false;
  __atomic_store_n(&barrier->arrived, 0, __ATOMIC_RELEASE);
  return true;
}

void __destroy_barrier_algorithm_base(__barrier_algorithm_base *barrier)
    AS_DECLARED(__destroy_barrier_algorithm_base, barrier) {
  delete barrier;
}

_LIBCPP_END_NAMESPACE_STD
