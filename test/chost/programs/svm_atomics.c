/*
 * Program and running kernel at work on the same atomic objects of fine-grained shared memory: both count, each waits for what the
 * other sets, and a lock keeps what is no atomic whole.
 */
#define CL_TARGET_OPENCL_VERSION 200
#include "opencl_helpers.h"
#include <stdatomic.h>

enum { rounds = 2000, items = 16, each = 50 };

struct shared {
  atomic_int go, ready, counter, answer;
  atomic_flag lock;
  int guarded, twin;
  _Atomic float sum;
};

static const char source[] =
    "struct shared {\n"
    "  atomic_int go, ready, counter, answer;\n"
    "  atomic_flag lock;\n"
    "  int guarded, twin;\n"
    "  atomic_float sum;\n"
    "};\n"
    "#define ALL memory_scope_all_svm_devices\n"
    "kernel void count(global struct shared *s, int rounds) {\n"
    "  atomic_store_explicit(&s->ready, 1, memory_order_release, ALL);\n"
    "  while (!atomic_load_explicit(&s->go, memory_order_acquire, ALL));\n"
    "  for (int i = 0; i < rounds; i++) {\n"
    "    atomic_fetch_add_explicit(&s->counter, 1, memory_order_relaxed, ALL);\n"
    "    while (atomic_flag_test_and_set_explicit(&s->lock, memory_order_acquire, ALL));\n"
    "    s->guarded++;\n"
    "    s->twin--;\n"
    "    atomic_flag_clear_explicit(&s->lock, memory_order_release, ALL);\n"
    "  }\n"
    "  atomic_store_explicit(&s->answer, 42, memory_order_release, ALL);\n"
    "}\n"
    "kernel void add(global struct shared *s, int each) {\n"
    "  for (int i = 0; i < each; i++) atomic_fetch_add(&s->counter, 3);\n"
    "  atomic_fetch_max(&s->answer, (int)get_global_id(0));\n"
    "}\n";

int main(void) {
  struct setup setup = set_up(0);
  cl_device_svm_capabilities can;
  CHECK(clGetDeviceInfo(setup.device, CL_DEVICE_SVM_CAPABILITIES, sizeof can, &can, NULL));
  printf("fine-grained buffers %d, atomics %d\n", (can & CL_DEVICE_SVM_FINE_GRAIN_BUFFER) != 0,
         (can & CL_DEVICE_SVM_ATOMICS) != 0);
  cl_program program = build(&setup, source, "-cl-std=CL2.0");
  cl_kernel count = kernel_of(program, "count"), add = kernel_of(program, "add");
  cl_svm_mem_flags flags = CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS;
  struct shared *s = clSVMAlloc(setup.context, flags, sizeof *s, 0);
  memset(s, 0, sizeof *s);
  int n = rounds;
  size_t one = 1, many = items;
  CHECK(clSetKernelArgSVMPointer(count, 0, s));
  CHECK(clSetKernelArg(count, 1, sizeof n, &n));
  CHECK(clEnqueueNDRangeKernel(setup.queue, count, 1, NULL, &one, &one, 0, NULL, NULL));
  CHECK(clFlush(setup.queue));
  while (!atomic_load_explicit(&s->ready, memory_order_acquire))
    ;
  printf("the kernel runs, and has counted to %d\n", s->counter);
  atomic_store_explicit(&s->go, 1, memory_order_release);
  for (int i = 0; i < rounds; i++) {
    s->counter++;
    while (atomic_flag_test_and_set(&s->lock))
      ;
    s->guarded++;
    s->twin--;
    atomic_flag_clear(&s->lock);
  }
  while (atomic_load(&s->answer) != 42)
    ;
  printf("before it has ended: %d, %d, %d\n", s->counter, s->guarded, s->twin);
  CHECK(clFinish(setup.queue));

  n = each;
  s->counter = 0;
  s->answer = -1;
  CHECK(clSetKernelArgSVMPointer(add, 0, s));
  CHECK(clSetKernelArg(add, 1, sizeof n, &n));
  CHECK(clEnqueueNDRangeKernel(setup.queue, add, 1, NULL, &many, &one, 0, NULL, NULL));
  CHECK(clFlush(setup.queue));
  for (int i = 0; i < rounds; i++) {
    int seen = atomic_load(&s->counter);
    while (!atomic_compare_exchange_weak(&s->counter, &seen, seen + 2))
      ;
    s->sum += 0.5;
  }
  CHECK(clFinish(setup.queue));
  printf("%d, largest item %d, sum %g\n", s->counter, s->answer, s->sum);

  clSVMFree(setup.context, s);
  CHECK(clReleaseKernel(count));
  CHECK(clReleaseKernel(add));
  CHECK(clReleaseProgram(program));
  tear_down(&setup);
  return 0;
}
