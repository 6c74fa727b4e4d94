/* A program's binary, saved to a file, loaded from it, built and run; and what a program and its kernels say of themselves. */
#include "opencl_helpers.h"

static const char *parts[] = {
    "#define TYPE float\n",
    "__kernel void scale(__global TYPE *values, TYPE factor) {\n  values[get_global_id(0)] *= factor;\n}\n",
    "__kernel __attribute__((reqd_work_group_size(8, 1, 1))) void shift(__global TYPE *values, __local TYPE *room) {\n"
    "  room[get_local_id(0)] = values[get_global_id(0)];\n  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  values[get_global_id(0)] = room[(get_local_id(0) + 1) % 8];\n}\n",
};
static const char *name = "millrace-binary-test.tmp";

static void save(cl_program program) {
  size_t size;
  CHECK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
  unsigned char *bytes = malloc(size), *list[] = {bytes};
  CHECK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof list, list, NULL));
  FILE *file = fopen(name, "wb");
  if (!file || fwrite(bytes, 1, size, file) != size) {
    perror(name);
    exit(1);
  }
  fclose(file);
  free(bytes);
}

static cl_program load(const struct setup *setup) {
  FILE *file = fopen(name, "rb");
  if (!file) {
    perror(name);
    exit(1);
  }
  fseek(file, 0, SEEK_END);
  size_t size = ftell(file);
  rewind(file);
  unsigned char *bytes = malloc(size);
  size_t read = fread(bytes, 1, size, file);
  fclose(file);
  remove(name);
  const unsigned char *list[] = {bytes};
  cl_int of_device, status;
  cl_program program = clCreateProgramWithBinary(setup->context, 1, &setup->device, &size, list, &of_device, &status);
  CHECK(status);
  CHECK(of_device);
  printf("%d\n", read == size && size > 0);
  free(bytes);
  CHECK(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
  return program;
}

int main(void) {
  struct setup setup = set_up(0);
  cl_int status;
  size_t lengths[] = {0, strlen(parts[1]), 0};
  cl_program built = clCreateProgramWithSource(setup.context, 3, parts, lengths, &status);
  CHECK(status);
  CHECK(clBuildProgram(built, 1, &setup.device, "-cl-mad-enable -DUNUSED=3", NULL, NULL));
  save(built);
  CHECK(clReleaseProgram(built));

  cl_program program = load(&setup);
  float values[16];
  for (int i = 0; i < 16; i++) values[i] = (float)i;
  cl_mem buffer = buffer_of(&setup, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, sizeof values, values);
  cl_kernel kernels[2];
  cl_uint count;
  CHECK(clCreateKernelsInProgram(program, 2, kernels, &count));
  printf("%u kernels\n", count);
  for (cl_uint i = 0; i < count; i++) CHECK(clReleaseKernel(kernels[i]));
  cl_kernel scale = kernel_of(program, "scale"), shift = kernel_of(program, "shift");
  float factor = 1.5f;
  size_t global = 16, local = 8;
  CHECK(clSetKernelArg(scale, 0, sizeof buffer, &buffer));
  CHECK(clSetKernelArg(scale, 1, sizeof factor, &factor));
  CHECK(clEnqueueNDRangeKernel(setup.queue, scale, 1, NULL, &global, NULL, 0, NULL, NULL));
  CHECK(clSetKernelArg(shift, 0, sizeof buffer, &buffer));
  CHECK(clSetKernelArg(shift, 1, 8 * sizeof(float), NULL));
  CHECK(clEnqueueNDRangeKernel(setup.queue, shift, 1, NULL, &global, &local, 0, NULL, NULL));
  float *mapped = clEnqueueMapBuffer(setup.queue, buffer, CL_TRUE, CL_MAP_READ, 0, sizeof values, 0, NULL, NULL, &status);
  CHECK(status);
  printf("%g %g %g %g, in place %d\n", mapped[0], mapped[6], mapped[7], mapped[15], mapped == values);
  CHECK(clEnqueueUnmapMemObject(setup.queue, buffer, mapped, 0, NULL, NULL));
  CHECK(clFinish(setup.queue));

  char text[64];
  cl_uint arguments;
  size_t group[3];
  CHECK(clGetKernelInfo(shift, CL_KERNEL_FUNCTION_NAME, sizeof text, text, NULL));
  CHECK(clGetKernelInfo(shift, CL_KERNEL_NUM_ARGS, sizeof arguments, &arguments, NULL));
  CHECK(clGetKernelWorkGroupInfo(shift, setup.device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof group, group, NULL));
  printf("%s %u %d,%d,%d\n", text, arguments, (int)group[0], (int)group[1], (int)group[2]);
  size_t wrong = 4;
  printf("%d %d\n", clEnqueueNDRangeKernel(setup.queue, shift, 1, NULL, &global, &wrong, 0, NULL, NULL),
         clSetKernelArg(scale, 2, sizeof factor, &factor));
  clCreateKernel(program, "missing", &status);
  printf("%d\n", status);
  CHECK(clReleaseKernel(scale));
  CHECK(clReleaseKernel(shift));
  CHECK(clReleaseMemObject(buffer));
  CHECK(clReleaseProgram(program));
  tear_down(&setup);
  return 0;
}
