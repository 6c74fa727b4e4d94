/* What the programs of these tests share: a device with a context and a queue, and short ways to print what calls give. */
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cl_platform_id platform;
static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static cl_int error;

/* Prints a call and the code that it returns. */
#define SHOW(call) printf("%s: %d\n", #call, (int)(call))

/* Makes a call that writes its code to `error`, and prints it and the code. */
#define SHOW_ERROR(call) ((void)(call), printf("%s: %d\n", #call, (int)error))

/* Ends the program with 1 unless a call gives CL_SUCCESS. */
#define NEED(call)                                                      \
  do {                                                                  \
    cl_int code_ = (call);                                              \
    if (code_ != CL_SUCCESS) {                                          \
      printf("line %d: %s gave %d\n", __LINE__, #call, (int)code_);     \
      exit(1);                                                          \
    }                                                                   \
  } while (0)

/* On the first platform, or on that whose number the environment variable PLATFORM says. */
static void setup(cl_command_queue_properties properties) {
  cl_platform_id platforms[8];
  const char *number = getenv("PLATFORM");
  NEED(clGetPlatformIDs(8, platforms, NULL));
  platform = platforms[number ? atoi(number) : 0];
  NEED(clGetDeviceIDs(platform, CL_DEVICE_TYPE_DEFAULT, 1, &device, NULL));
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  NEED(error);
  queue = clCreateCommandQueue(context, device, properties, &error);
  NEED(error);
}

static cl_kernel kernel_of(const char *source, const char *name) {
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
  NEED(error);
  NEED(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
  cl_kernel kernel = clCreateKernel(program, name, &error);
  NEED(error);
  NEED(clReleaseProgram(program));
  return kernel;
}
