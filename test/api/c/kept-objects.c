/*
 * What is deleted when (OpenCL 1.2, 4.4.1, 5.4.1, 5.6.1): an object that others need is there, though its own references are gone; a
 * memory object tells of its end when the commands that use it have ended.
 */
#include "setup.h"

static cl_event launch;
static int told;

static void gone(cl_mem memory, void *data) {
  (void)memory;
  cl_int status = 99;
  NEED(clGetEventInfo(launch, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  printf("%s: the launch is at %d\n", (const char *)data, (int)status);
  told++;
}

static cl_int gated(cl_event gate, cl_kernel kernel, cl_mem memory) {
  size_t one = 1;
  NEED(clSetKernelArg(kernel, 0, sizeof memory, &memory));
  return clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 1, &gate, &launch);
}

int main(void) {
  setup(0);
  cl_kernel kernel = kernel_of("kernel void k(global int *a) { a[0] += 1; }", "k");
  cl_program program = NULL;
  cl_uint count = 0;
  NEED(clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof program, &program, NULL));
  SHOW(clGetProgramInfo(program, CL_PROGRAM_NUM_DEVICES, sizeof count, &count, NULL));
  cl_kernel twin = clCreateKernel(program, "k", &error);
  printf("another kernel: %d\n", (int)error);
  NEED(clReleaseKernel(twin));

  int host[64] = {41};
  cl_mem memory = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, sizeof host, host, &error);
  NEED(error);
  NEED(clSetMemObjectDestructorCallback(memory, gone, "first"));
  NEED(clSetMemObjectDestructorCallback(memory, gone, "last"));
  cl_event gate = clCreateUserEvent(context, &error);
  NEED(error);
  NEED(gated(gate, kernel, memory));
  NEED(clReleaseMemObject(memory));
  NEED(clFlush(queue));
  printf("told before: %d\n", told);
  NEED(clSetUserEventStatus(gate, CL_COMPLETE));
  NEED(clWaitForEvents(1, &launch));
  NEED(clFinish(queue));
  while (told < 2) NEED(clFlush(queue));
  NEED(clReleaseEvent(gate));
  NEED(clReleaseEvent(launch));

  /* The queue needs its context. */
  NEED(clReleaseKernel(kernel));
  NEED(clReleaseContext(context));
  cl_context found = NULL;
  NEED(clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof found, &found, NULL));
  printf("the same context: %d\n", found == context);
  SHOW(clRetainContext(found));
  cl_mem more = clCreateBuffer(found, 0, 64, NULL, &error);
  printf("a buffer: %d\n", (int)error);
  SHOW(clReleaseContext(found));
  SHOW(clReleaseCommandQueue(queue));
  SHOW(clGetMemObjectInfo(more, CL_MEM_CONTEXT, sizeof found, &found, NULL));
  SHOW(clGetContextInfo(found, CL_CONTEXT_NUM_DEVICES, sizeof count, &count, NULL));
  SHOW(clReleaseMemObject(more));
  SHOW(clRetainContext(found));

  /* Flags beyond 32 bits are none. */
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  NEED(error);
  SHOW_ERROR(clCreateBuffer(context, ~(cl_mem_flags)0, 64, NULL, &error));
  SHOW_ERROR(clCreateCommandQueue(context, device, ~(cl_command_queue_properties)0, &error));
  return 0;
}
