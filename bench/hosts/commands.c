// Launches an empty kernel many times on one queue and waits for all: prints the microseconds that one launch takes.
// Arguments: how many launches, how many rounds, of which the fastest counts.
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double microseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return 1e6 * (double)now.tv_sec + 1e-3 * (double)now.tv_nsec;
}

static void check(cl_int error, const char *what) {
  if (error == CL_SUCCESS) return;
  fprintf(stderr, "%s: error %d\n", what, error);
  exit(1);
}

int main(int argc, char **argv) {
  const int launches = argc > 1 ? atoi(argv[1]) : 200000;
  const int rounds = argc > 2 ? atoi(argv[2]) : 5;
  const char *source = "kernel void empty(void) {}";
  const size_t one = 1;
  cl_platform_id platform;
  cl_device_id device;
  cl_int error;
  check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_DEFAULT, 1, &device, NULL), "clGetDeviceIDs");
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  check(error, "clCreateContext");
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
  check(error, "clCreateCommandQueue");
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
  check(error, "clCreateProgramWithSource");
  check(clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
  cl_kernel kernel = clCreateKernel(program, "empty", &error);
  check(error, "clCreateKernel");
  double least = 1e30;
  for (int round = 0; round < rounds; round++) {
    const double start = microseconds();
    for (int i = 0; i < launches; i++)
      check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL), "clEnqueueNDRangeKernel");
    check(clFinish(queue), "clFinish");
    const double took = microseconds() - start;
    if (took < least) least = took;
  }
  printf("%f\n", least / launches);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return 0;
}
