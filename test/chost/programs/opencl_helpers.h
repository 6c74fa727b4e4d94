/* What the host programs here share: checked calls, a context with a queue, a program with its log. */
#ifndef OPENCL_HELPERS_H
#define OPENCL_HELPERS_H

#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(call)                                                              \
  do {                                                                           \
    cl_int status_ = (call);                                                     \
    if (status_ != CL_SUCCESS) {                                                 \
      fprintf(stderr, "%s:%d: %s gave %d\n", __FILE__, __LINE__, #call, status_); \
      exit(EXIT_FAILURE);                                                        \
    }                                                                            \
  } while (0)

struct setup {
  cl_platform_id platform;
  cl_device_id device;
  cl_context context;
  cl_command_queue queue;
};

static struct setup set_up(cl_command_queue_properties properties) {
  struct setup setup;
  cl_int status;
  CHECK(clGetPlatformIDs(1, &setup.platform, NULL));
  CHECK(clGetDeviceIDs(setup.platform, CL_DEVICE_TYPE_ALL, 1, &setup.device, NULL));
  setup.context = clCreateContext(NULL, 1, &setup.device, NULL, NULL, &status);
  CHECK(status);
  setup.queue = clCreateCommandQueue(setup.context, setup.device, properties, &status);
  CHECK(status);
  return setup;
}

static void tear_down(struct setup *setup) {
  CHECK(clReleaseCommandQueue(setup->queue));
  CHECK(clReleaseContext(setup->context));
}

static cl_program build(const struct setup *setup, const char *source, const char *options) {
  cl_int status;
  cl_program program = clCreateProgramWithSource(setup->context, 1, &source, NULL, &status);
  CHECK(status);
  status = clBuildProgram(program, 1, &setup->device, options, NULL, NULL);
  if (status != CL_SUCCESS) {
    size_t size;
    CHECK(clGetProgramBuildInfo(program, setup->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size));
    char *log = malloc(size);
    CHECK(clGetProgramBuildInfo(program, setup->device, CL_PROGRAM_BUILD_LOG, size, log, NULL));
    fprintf(stderr, "%s\n", log);
    free(log);
    exit(EXIT_FAILURE);
  }
  return program;
}

static cl_kernel kernel_of(cl_program program, const char *name) {
  cl_int status;
  cl_kernel kernel = clCreateKernel(program, name, &status);
  CHECK(status);
  return kernel;
}

static cl_mem buffer_of(const struct setup *setup, cl_mem_flags flags, size_t size, void *host) {
  cl_int status;
  cl_mem buffer = clCreateBuffer(setup->context, flags, size, host, &status);
  CHECK(status);
  return buffer;
}

#endif
