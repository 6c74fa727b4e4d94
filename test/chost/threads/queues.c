/*
 * Eight threads call OpenCL at once: each has a queue, kernel and buffer of its own, all share one queue, one buffer and one kernel's program.
 * Every call counts, and sums say whether all were done. The argument is how many rounds each thread makes, of ten calls.
 */
#include <CL/cl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 8 };

static cl_context context;
static cl_device_id device;
static cl_command_queue shared_queue;
static cl_program program;
static cl_mem shared;
static int rounds;
static int failures;
static int calls;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t barrier;

#define CHECK(call)                                               \
  do {                                                            \
    cl_int code = (call);                                         \
    own_calls++;                                                  \
    if (code != CL_SUCCESS) __sync_fetch_and_add(&failures, 1);   \
  } while (0)

static void *run(void *given) {
  const int number = (int)(size_t)given;
  int own_calls = 0;
  cl_int code;
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
  cl_kernel own = clCreateKernel(program, "count", &code);
  cl_kernel both = clCreateKernel(program, "count_atomically", &code);
  cl_int zeros[4] = {0};
  cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof zeros, zeros, &code);
  pthread_barrier_wait(&barrier);
  for (int round = 0; round < rounds; round++) {
    const size_t size = 4;
    cl_int step = number + 1, out[4];
    cl_event done;
    CHECK(clSetKernelArg(own, 0, sizeof buffer, &buffer));
    CHECK(clSetKernelArg(own, 1, sizeof step, &step));
    CHECK(clEnqueueNDRangeKernel(queue, own, 1, NULL, &size, NULL, 0, NULL, &done));
    CHECK(clSetKernelArg(both, 0, sizeof shared, &shared));
    CHECK(clSetKernelArg(both, 1, sizeof step, &step));
    CHECK(clEnqueueNDRangeKernel(shared_queue, both, 1, NULL, &size, NULL, 1, &done, NULL));
    CHECK(clWaitForEvents(1, &done));
    CHECK(clReleaseEvent(done));
    CHECK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
    if (out[0] != (round + 1) * step || out[3] != out[0]) __sync_fetch_and_add(&failures, 1);
    CHECK(round % 64 == 63 ? clFinish(shared_queue) : clFlush(queue));
  }
  CHECK(clFinish(queue));
  pthread_mutex_lock(&lock);
  calls += own_calls;
  pthread_mutex_unlock(&lock);
  clReleaseMemObject(buffer);
  clReleaseKernel(own);
  clReleaseKernel(both);
  clReleaseCommandQueue(queue);
  char *text = malloc(32);
  snprintf(text, 32, "%d", number * number);
  return text;
}

int main(int argc, char **argv) {
  rounds = argc > 1 ? atoi(argv[1]) : 100;
  const char *text =
      "kernel void count(global int *to, int step) { to[get_global_id(0)] += step; }"
      "kernel void count_atomically(global int *to, int step) { atomic_add(to + get_global_id(0), step); }";
  clGetDeviceIDs(NULL, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
  context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
  shared_queue = clCreateCommandQueue(context, device, 0, NULL);
  program = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
  clBuildProgram(program, 0, NULL, NULL, NULL, NULL);
  cl_int zeros[4] = {0};
  shared = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof zeros, zeros, NULL);
  pthread_barrier_init(&barrier, NULL, THREADS);
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) {
    if (pthread_create(&threads[i], NULL, run, (void *)(size_t)i)) return 2;
  }
  int squares = 0;
  for (int i = 0; i < THREADS; i++) {
    void *result;
    pthread_join(threads[i], &result);
    squares += atoi(result);
    free(result);
  }
  cl_int out[4];
  clFinish(shared_queue);
  clEnqueueReadBuffer(shared_queue, shared, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL);
  printf("calls %d, failures %d, squares %d, shared %d %d\n", calls, failures, squares, out[0] - 36 * rounds, out[3] - 36 * rounds);
  return 0;
}
