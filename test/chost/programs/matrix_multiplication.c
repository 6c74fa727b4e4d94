/* The product of two matrices in five ways: the plain one, neighbours side by side, vectors, and rows in private or local memory. */
#include "opencl_helpers.h"

enum { SIZE = 96, GROUP = 16 };

static const char *source =
    "__kernel void plain(__global const float *a, __global const float *b, __global float *c, int n) {\n"
    "  int row = get_global_id(0), column = get_global_id(1);\n"
    "  float sum = 0.0f;\n"
    "  for (int k = 0; k < n; k++) sum += a[row * n + k] * b[k * n + column];\n"
    "  c[row * n + column] = sum;\n"
    "}\n"
    "__kernel void coalesced(__global const float *a, __global const float *b, __global float *c, int n) {\n"
    "  int row = get_global_id(1), column = get_global_id(0);\n"
    "  float sum = 0.0f;\n"
    "  for (int k = 0; k < n; k++) sum += a[row * n + k] * b[k * n + column];\n"
    "  c[row * n + column] = sum;\n"
    "}\n"
    "/* A row for each work-item, which keeps its row of a. */\n"
    "__kernel void private_row(__global const float *a, __global const float *b, __global float *c, int n) {\n"
    "  int row = get_global_id(0);\n"
    "  float own[SIZE];\n"
    "  for (int k = 0; k < n; k++) own[k] = a[row * n + k];\n"
    "  for (int column = 0; column < n; column++) {\n"
    "    float sum = 0.0f;\n"
    "    for (int k = 0; k < n; k++) sum += own[k] * b[k * n + column];\n"
    "    c[row * n + column] = sum;\n"
    "  }\n"
    "}\n"
    "/* The group shares each column of b. */\n"
    "__kernel void local_column(__global const float *a, __global const float *b, __global float *c, int n,\n"
    "                           __local float *shared) {\n"
    "  int row = get_global_id(0);\n"
    "  float own[SIZE];\n"
    "  for (int k = 0; k < n; k++) own[k] = a[row * n + k];\n"
    "  for (int column = 0; column < n; column++) {\n"
    "    for (int k = get_local_id(0); k < n; k += get_local_size(0)) shared[k] = b[k * n + column];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    float sum = 0.0f;\n"
    "    for (int k = 0; k < n; k++) sum += own[k] * shared[k];\n"
    "    c[row * n + column] = sum;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  }\n"
    "}\n"
    "/* Four columns at a time. */\n"
    "__kernel void vectors(__global const float *a, __global const float4 *b, __global float4 *c, int n) {\n"
    "  int row = get_global_id(1), column = get_global_id(0);\n"
    "  float4 sum = 0.0f;\n"
    "  for (int k = 0; k < n; k++) sum += a[row * n + k] * b[k * (n / 4) + column];\n"
    "  c[row * (n / 4) + column] = sum;\n"
    "}\n";

static float a[SIZE][SIZE], b[SIZE][SIZE], c[SIZE][SIZE], expected[SIZE][SIZE];

int main(void) {
  struct setup setup = set_up(0);
  /* Small whole numbers, so that no sum is rounded. */
  for (int i = 0; i < SIZE; i++) {
    for (int j = 0; j < SIZE; j++) {
      a[i][j] = (float)((i * 7 + j * 3) % 17 - 8);
      b[i][j] = (float)((i * 5 + j * 11) % 19 - 9);
    }
  }
  for (int i = 0; i < SIZE; i++)
    for (int k = 0; k < SIZE; k++)
      for (int j = 0; j < SIZE; j++) expected[i][j] += a[i][k] * b[k][j];

  cl_mem a_buffer = buffer_of(&setup, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, sizeof a, a);
  cl_mem b_buffer = buffer_of(&setup, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, sizeof b, b);
  cl_mem c_buffer = buffer_of(&setup, CL_MEM_WRITE_ONLY, sizeof c, NULL);
  char options[32];
  snprintf(options, sizeof options, "-DSIZE=%d", SIZE);
  cl_program program = build(&setup, source, options);

  const struct {
    const char *name;
    cl_uint dimensions;
    size_t global[2], local[2];
  } ways[] = {
      {"plain", 2, {SIZE, SIZE}, {GROUP, GROUP}},      {"coalesced", 2, {SIZE, SIZE}, {GROUP, GROUP}},
      {"private_row", 1, {SIZE, 1}, {GROUP, 1}},       {"local_column", 1, {SIZE, 1}, {GROUP, 1}},
      {"vectors", 2, {SIZE / 4, SIZE}, {4, GROUP}},
  };
  cl_int n = SIZE;
  for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
    cl_kernel kernel = kernel_of(program, ways[w].name);
    CHECK(clSetKernelArg(kernel, 0, sizeof a_buffer, &a_buffer));
    CHECK(clSetKernelArg(kernel, 1, sizeof b_buffer, &b_buffer));
    CHECK(clSetKernelArg(kernel, 2, sizeof c_buffer, &c_buffer));
    CHECK(clSetKernelArg(kernel, 3, sizeof n, &n));
    if (strcmp(ways[w].name, "local_column") == 0) CHECK(clSetKernelArg(kernel, 4, SIZE * sizeof(float), NULL));
    CHECK(clEnqueueNDRangeKernel(setup.queue, kernel, ways[w].dimensions, NULL, ways[w].global, ways[w].local, 0, NULL,
                                 NULL));
    CHECK(clEnqueueReadBuffer(setup.queue, c_buffer, CL_TRUE, 0, sizeof c, c, 0, NULL, NULL));
    int wrong = 0;
    for (int i = 0; i < SIZE * SIZE; i++) wrong += (&c[0][0])[i] != (&expected[0][0])[i];
    printf("%-12s %d wrong, corner %g, middle %g\n", ways[w].name, wrong, c[0][0], c[SIZE / 2][SIZE / 2]);
    memset(c, 0, sizeof c);
    CHECK(clEnqueueWriteBuffer(setup.queue, c_buffer, CL_TRUE, 0, sizeof c, c, 0, NULL, NULL));
    CHECK(clReleaseKernel(kernel));
  }
  CHECK(clReleaseProgram(program));
  CHECK(clReleaseMemObject(a_buffer));
  CHECK(clReleaseMemObject(b_buffer));
  CHECK(clReleaseMemObject(c_buffer));
  tear_down(&setup);
  return 0;
}
