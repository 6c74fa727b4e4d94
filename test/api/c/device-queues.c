/* On-device queues and kernels that launch kernels (OpenCL 2.0, 5.1 and 6.13.17; OpenCL 2.1, 5.1). */
#include "setup.h"

static const char *source =
    "kernel void k(global int *out, queue_t given) {\n"
    "  out[0] = given == get_default_queue();\n"
    "  for (int i = 0; i < 4; i++)\n"
    "    enqueue_kernel(given, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(2), ^{ atomic_add(out + 1, 10 * i + 1); });\n"
    "}\n";

static cl_command_queue make(cl_queue_properties bits, cl_queue_properties size) {
  cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, bits, CL_QUEUE_SIZE, size, 0};
  if (size == 0) list[2] = 0;
  return clCreateCommandQueueWithProperties(context, device, list, &error);
}

int main(void) {
  setup(0);
  const cl_queue_properties bits = CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
  SHOW_ERROR(make(CL_QUEUE_ON_DEVICE, 0));
  SHOW_ERROR(make(CL_QUEUE_ON_DEVICE_DEFAULT, 0));
  SHOW_ERROR(make(0, 4096));
  SHOW_ERROR(make(bits, (cl_queue_properties)1 << 40));
  cl_command_queue other = make(bits, 65536), first = make(bits | CL_QUEUE_ON_DEVICE_DEFAULT, 0);
  cl_command_queue again = make(bits | CL_QUEUE_ON_DEVICE_DEFAULT, 0), found = NULL;
  cl_uint size = 0, count = 0;
  NEED(clGetCommandQueueInfo(other, CL_QUEUE_SIZE, sizeof size, &size, NULL));
  NEED(clGetCommandQueueInfo(first, CL_QUEUE_REFERENCE_COUNT, sizeof count, &count, NULL));
  NEED(clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE_DEFAULT, sizeof found, &found, NULL));
  printf("%u bytes, %d references, the default %d %d\n", size, (int)count, first == again, found == first);
  SHOW(clGetCommandQueueInfo(queue, CL_QUEUE_SIZE, sizeof size, &size, NULL));
  SHOW(clFinish(first));
  SHOW(clSetDefaultDeviceCommandQueue(context, device, queue));
  SHOW(clSetDefaultDeviceCommandQueue(context, device, other));

  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
  NEED(error);
  NEED(clBuildProgram(program, 0, NULL, "-cl-std=CL2.0", NULL, NULL));
  cl_kernel kernel = clCreateKernel(program, "k", &error);
  NEED(error);
  int out[2] = {0, 0};
  cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof out, out, &error);
  NEED(error);
  NEED(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
  SHOW(clSetKernelArg(kernel, 1, sizeof queue, &queue));
  SHOW(clSetKernelArg(kernel, 1, 1, &other));
  NEED(clSetKernelArg(kernel, 1, sizeof other, &other));
  size_t one = 1;
  NEED(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
  NEED(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
  printf("%d %d\n", out[0], out[1]);
  SHOW(clReleaseCommandQueue(other));
  SHOW(clReleaseCommandQueue(other));
  return 0;
}
