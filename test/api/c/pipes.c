/* Pipes and objects that are made with properties (OpenCL 2.0, 5.1, 5.4 and 5.7.1). */
#include "setup.h"

static const char source[] =
    "kernel void squares(write_only pipe int p) { int x = get_global_id(0); x *= x; write_pipe(p, &x); }\n"
    "kernel void sum(read_only pipe int p, global int *out) {\n"
    "  int x;\n"
    "  while (read_pipe(p, &x) == 0) { out[0] += x; out[1]++; }\n"
    "}\n";

static cl_kernel build(const char *name) {
  const char *text = source;
  cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &error);
  NEED(error);
  NEED(clBuildProgram(program, 0, NULL, "-cl-std=CL2.0", NULL, NULL));
  cl_kernel kernel = clCreateKernel(program, name, &error);
  NEED(error);
  NEED(clReleaseProgram(program));
  return kernel;
}

static void objects(void) {
  cl_uint packet = 0, most = 0;
  cl_mem_object_type type = 0;
  cl_mem pipe = clCreatePipe(context, 0, 4, 40, NULL, &error);
  NEED(error);
  NEED(clGetPipeInfo(pipe, CL_PIPE_PACKET_SIZE, sizeof packet, &packet, NULL));
  NEED(clGetPipeInfo(pipe, CL_PIPE_MAX_PACKETS, sizeof most, &most, NULL));
  NEED(clGetMemObjectInfo(pipe, CL_MEM_TYPE, sizeof type, &type, NULL));
  printf("%u packets of %u bytes, type 0x%x\n", most, packet, type);
  SHOW_ERROR(clCreatePipe(context, 0, 0, 40, NULL, &error));
  SHOW_ERROR(clCreatePipe(context, CL_MEM_HOST_READ_ONLY, 4, 40, NULL, &error));
  cl_pipe_properties none[] = {0};
  SHOW_ERROR(clCreatePipe(context, 0, 4, 40, none, &error));
  SHOW(clGetPipeInfo(pipe, CL_MEM_TYPE, sizeof packet, &packet, NULL));
  SHOW(clGetPipeInfo((cl_mem)context, CL_PIPE_PACKET_SIZE, sizeof packet, &packet, NULL));
  cl_uint limit = 0;
  NEED(clGetDeviceInfo(device, CL_DEVICE_PIPE_MAX_PACKET_SIZE, sizeof limit, &limit, NULL));
  printf("packets of 1024 bytes: %d\n", limit >= 1024);
  NEED(clReleaseMemObject(pipe));
}

static void kernels(void) {
  size_t items = 20, one = 1;
  cl_int result[2] = {0, 0};
  cl_mem pipe = clCreatePipe(context, CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS, 4, 15, NULL, &error);
  NEED(error);
  cl_mem out = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof result, result, &error);
  NEED(error);
  cl_kernel squares = build("squares"), sum = build("sum");
  NEED(clSetKernelArg(squares, 0, sizeof pipe, &pipe));
  NEED(clSetKernelArg(sum, 0, sizeof pipe, &pipe));
  SHOW(clSetKernelArg(sum, 0, sizeof out, &out));
  SHOW(clSetKernelArg(sum, 0, 1, &pipe));
  NEED(clSetKernelArg(sum, 1, sizeof out, &out));
  NEED(clEnqueueNDRangeKernel(queue, squares, 1, NULL, &items, &one, 0, NULL, NULL));
  NEED(clEnqueueNDRangeKernel(queue, sum, 1, NULL, &one, &one, 0, NULL, NULL));
  NEED(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof result, result, 0, NULL, NULL));
  /* Of twenty packets fifteen find room; which, the threads decide. */
  printf("packets: %d, a sum within bounds: %d\n", result[1], result[0] >= 1015 && result[0] <= 2440);
}

static void properties(void) {
  cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0}, back[3] = {9, 9, 9};
  size_t size = 0;
  cl_command_queue made = clCreateCommandQueueWithProperties(context, device, list, &error);
  NEED(error);
  NEED(clGetCommandQueueInfo(made, CL_QUEUE_PROPERTIES_ARRAY, sizeof back, back, &size));
  printf("a queue's list: %zu bytes, %d\n", size, memcmp(list, back, sizeof list));
  NEED(clReleaseCommandQueue(made));
  cl_sampler sampler = clCreateSamplerWithProperties(context, NULL, &error);
  NEED(error);
  NEED(clGetSamplerInfo(sampler, CL_SAMPLER_PROPERTIES, 0, NULL, &size));
  printf("a sampler's list: %zu bytes\n", size);
  cl_sampler_properties mips[] = {CL_SAMPLER_MIP_FILTER_MODE, CL_FILTER_LINEAR, 0};
  SHOW_ERROR(clCreateSamplerWithProperties(context, mips, &error));
  cl_mem_properties unknown[] = {77, 0, 0};
  SHOW_ERROR(clCreateBufferWithProperties(context, unknown, 0, 16, NULL, &error));
}

int main(void) {
  setup(0);
  objects();
  kernels();
  properties();
  return 0;
}
