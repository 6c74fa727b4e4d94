/* Bitonic sort of integers: a launch for each stage and pass, in place on the host's own memory. */
#include "opencl_helpers.h"

enum { LOG = 12, COUNT = 1 << LOG };

static const char *source =
    "__kernel void bitonic_step(__global int *values, uint stage, uint pass, int ascending) {\n"
    "  uint id = get_global_id(0);\n"
    "  uint distance = 1u << (stage - pass);\n"
    "  uint left = (id & (distance - 1)) + (id / distance) * 2 * distance;\n"
    "  uint right = left + distance;\n"
    "  int up = ((id >> stage) & 1) ? !ascending : ascending;\n"
    "  int a = values[left], b = values[right];\n"
    "  if ((a > b) == up) {\n"
    "    values[left] = b;\n"
    "    values[right] = a;\n"
    "  }\n"
    "}\n";

static int by_value(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

int main(int argc, char **argv) {
  int ascending = argc < 2 || strcmp(argv[1], "down") != 0;
  struct setup setup = set_up(0);
  int *values = malloc(COUNT * sizeof *values), *expected = malloc(COUNT * sizeof *expected);
  unsigned state = 2013;
  for (int i = 0; i < COUNT; i++) {
    state = state * 1103515245 + 12345;
    expected[i] = values[i] = (int)(state >> 8) % 10000 - 5000;
  }
  cl_mem buffer = buffer_of(&setup, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, COUNT * sizeof *values, values);
  cl_program program = build(&setup, source, NULL);
  cl_kernel kernel = kernel_of(program, "bitonic_step");
  CHECK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
  CHECK(clSetKernelArg(kernel, 3, sizeof ascending, &ascending));
  size_t global = COUNT / 2, local = 64;
  for (cl_uint stage = 0; stage < LOG; stage++) {
    CHECK(clSetKernelArg(kernel, 1, sizeof stage, &stage));
    for (cl_uint pass = 0; pass <= stage; pass++) {
      CHECK(clSetKernelArg(kernel, 2, sizeof pass, &pass));
      CHECK(clEnqueueNDRangeKernel(setup.queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
    }
  }
  cl_int status;
  int *sorted = clEnqueueMapBuffer(setup.queue, buffer, CL_TRUE, CL_MAP_READ, 0, COUNT * sizeof *values, 0, NULL, NULL, &status);
  CHECK(status);
  qsort(expected, COUNT, sizeof *expected, by_value);
  int wrong = 0;
  for (int i = 0; i < COUNT; i++) wrong += sorted[i] != expected[ascending ? i : COUNT - 1 - i];
  printf("%d wrong, from %d to %d\n", wrong, sorted[0], sorted[COUNT - 1]);
  CHECK(clEnqueueUnmapMemObject(setup.queue, buffer, sorted, 0, NULL, NULL));
  CHECK(clReleaseKernel(kernel));
  CHECK(clReleaseProgram(program));
  CHECK(clReleaseMemObject(buffer));
  tear_down(&setup);
  free(values);
  free(expected);
  return wrong != 0;
}
