/* Programs and kernels: sources in parts, binaries, separate compilation, queries, and launches that are wrong. */
#include "setup.h"

static int run(cl_program program, const char *name) {
  cl_int value = 0;
  cl_kernel kernel = clCreateKernel(program, name, &error);
  NEED(error);
  cl_mem buffer = clCreateBuffer(context, CL_MEM_WRITE_ONLY, sizeof value, NULL, &error);
  NEED(error);
  NEED(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
  NEED(clEnqueueTask(queue, kernel, 0, NULL, NULL));
  NEED(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof value, &value, 0, NULL, NULL));
  NEED(clReleaseMemObject(buffer));
  NEED(clReleaseKernel(kernel));
  return value;
}

int main(void) {
  setup(0);
  /* Parts: one by its length, which is not its end; two that end with NUL. */
  const char *parts[] = {"kernel void f(global int *a)###", "{ *a = ", "BY; }"};
  size_t lengths[] = {28, 0, 0};
  cl_program program = clCreateProgramWithSource(context, 3, parts, lengths, &error);
  NEED(error);
  char text[128];
  size_t size = 0;
  NEED(clGetProgramInfo(program, CL_PROGRAM_SOURCE, sizeof text, text, &size));
  printf("%s, %zu bytes\n", text, size);
  SHOW_ERROR(clCreateKernel(program, "f", &error));
  SHOW(clBuildProgram(program, 0, NULL, "-D BY=41+", NULL, NULL));
  NEED(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size));
  printf("there is a log: %d\n", size > 20);
  SHOW(clBuildProgram(program, 0, NULL, "-D BY=41+1 -cl-kernel-arg-info", NULL, NULL));
  printf("%d\n", run(program, "f"));
  SHOW_ERROR(clCreateKernel(program, "g", &error));
  SHOW_ERROR(clCreateKernel(program, NULL, &error));

  size_t binary_size = 0;
  NEED(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof binary_size, &binary_size, NULL));
  unsigned char *binary = malloc(binary_size);
  NEED(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
  cl_int status = 99;
  cl_program again = clCreateProgramWithBinary(context, 1, &device, &binary_size, (const unsigned char **)&binary, &status, &error);
  NEED(error);
  NEED(clBuildProgram(again, 1, &device, NULL, NULL, NULL));
  printf("from a binary, status %d: %d\n", (int)status, run(again, "f"));
  binary[0] ^= 1;
  SHOW_ERROR(clCreateProgramWithBinary(context, 1, &device, &binary_size, (const unsigned char **)&binary, &status, &error));
  printf("status %d\n", (int)status);

  const char *header = "int twice(int x);\n#define ANSWER 21\n";
  const char *use = "#include \"parts/twice.h\"\nkernel void f(global int *a) { *a = twice(ANSWER); }";
  const char *define = "int twice(int x) { return 2 * x; }";
  const char *names[] = {"parts/twice.h"};
  cl_program headers[] = {clCreateProgramWithSource(context, 1, &header, NULL, &error)};
  cl_program units[] = {clCreateProgramWithSource(context, 1, &use, NULL, &error),
                        clCreateProgramWithSource(context, 1, &define, NULL, &error)};
  SHOW(clCompileProgram(units[0], 0, NULL, NULL, 0, NULL, NULL, NULL, NULL));
  NEED(clCompileProgram(units[0], 0, NULL, NULL, 1, headers, names, NULL, NULL));
  NEED(clCompileProgram(units[1], 0, NULL, NULL, 0, NULL, NULL, NULL, NULL));
  SHOW_ERROR(clLinkProgram(context, 0, NULL, NULL, 1, units, NULL, NULL, &error));
  cl_program unlinked = clLinkProgram(context, 0, NULL, NULL, 1, units, NULL, NULL, &error);
  cl_build_status unlinked_status = 99;
  NEED(clGetProgramBuildInfo(unlinked, device, CL_PROGRAM_BUILD_STATUS, sizeof unlinked_status, &unlinked_status, NULL));
  NEED(clGetProgramBuildInfo(unlinked, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size));
  char *why = malloc(size);
  NEED(clGetProgramBuildInfo(unlinked, device, CL_PROGRAM_BUILD_LOG, size, why, NULL));
  printf("status %d, the log names 'twice': %d\n", (int)unlinked_status, strstr(why, "'twice'") != NULL);
  NEED(clReleaseProgram(unlinked));
  cl_program linked = clLinkProgram(context, 0, NULL, NULL, 2, units, NULL, NULL, &error);
  NEED(error);
  printf("linked: %d\n", run(linked, "f"));

  /* Questions about kernels. */
  cl_kernel kernels[2];
  cl_uint count = 0;
  NEED(clCreateKernelsInProgram(program, 0, NULL, &count));
  NEED(clCreateKernelsInProgram(program, count, kernels, NULL));
  NEED(clGetKernelInfo(kernels[0], CL_KERNEL_FUNCTION_NAME, sizeof text, text, NULL));
  printf("%u kernel, %s\n", (unsigned)count, text);
  NEED(clGetKernelArgInfo(kernels[0], 0, CL_KERNEL_ARG_TYPE_NAME, sizeof text, text, &size));
  cl_kernel_arg_type_qualifier qualifier = 99;
  NEED(clGetKernelArgInfo(kernels[0], 0, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof qualifier, &qualifier, NULL));
  printf("%s, %zu bytes, qualifiers %d\n", text, size, (int)qualifier);
  size_t group[3];
  cl_ulong bytes = 99;
  NEED(clGetKernelWorkGroupInfo(kernels[0], device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof group, group, NULL));
  NEED(clGetKernelWorkGroupInfo(kernels[0], NULL, CL_KERNEL_LOCAL_MEM_SIZE, sizeof bytes, &bytes, NULL));
  printf("%zu %zu %zu, local %d\n", group[0], group[1], group[2], (int)bytes);

  /* Launches that are wrong. */
  size_t global[3] = {4, 4, 4}, local[3] = {3, 1, 1};
  SHOW(clEnqueueNDRangeKernel(queue, kernels[0], 1, NULL, global, NULL, 0, NULL, NULL));
  cl_mem buffer = clCreateBuffer(context, CL_MEM_WRITE_ONLY, 4, NULL, &error);
  SHOW(clSetKernelArg(kernels[0], 0, sizeof buffer, &queue));
  SHOW(clSetKernelArg(kernels[0], 0, 8, &buffer));
  SHOW(clSetKernelArg(kernels[0], 1, sizeof buffer, &buffer));
  SHOW(clSetKernelArg(kernels[0], 0, sizeof buffer, &buffer));
  SHOW(clEnqueueNDRangeKernel(queue, kernels[0], 0, NULL, global, NULL, 0, NULL, NULL));
  SHOW(clEnqueueNDRangeKernel(queue, kernels[0], 4, NULL, global, NULL, 0, NULL, NULL));
  SHOW(clEnqueueNDRangeKernel(queue, kernels[0], 1, NULL, NULL, NULL, 0, NULL, NULL));
  SHOW(clEnqueueNDRangeKernel(queue, kernels[0], 1, NULL, global, local, 0, NULL, NULL));
  SHOW(clFinish(queue));
  return 0;
}
