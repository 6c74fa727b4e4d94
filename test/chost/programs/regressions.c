/* Regression by least squares, a line and a parabola: the sums on the device in work-groups, the equations on the host. */
#include "opencl_helpers.h"
#include <math.h>

enum { COUNT = 1024, GROUP = 64, GROUPS = COUNT / GROUP, SUMS = 8 };

/* Of x, x^2, x^3, x^4, y, xy, x^2 y and 1, a list for each work-group. Whole numbers, so that the order does not matter. */
static const char *source =
    "__kernel void sums(__global const float2 *points, __global float *result, __local float8 *room) {\n"
    "  int here = get_local_id(0);\n"
    "  float x = points[get_global_id(0)].x, y = points[get_global_id(0)].y;\n"
    "  room[here] = (float8)(x, x * x, x * x * x, x * x * x * x, y, x * y, x * x * y, 1.0f);\n"
    "  for (int half_size = get_local_size(0) / 2; half_size > 0; half_size /= 2) {\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (here < half_size) room[here] += room[here + half_size];\n"
    "  }\n"
    "  if (here == 0) vstore8(room[0], get_group_id(0), result);\n"
    "}\n";

static void solve(double matrix[3][4], int size) {
  for (int column = 0; column < size; column++) {
    int pivot = column;
    for (int row = column + 1; row < size; row++) {
      if (fabs(matrix[row][column]) > fabs(matrix[pivot][column])) pivot = row;
    }
    for (int i = 0; i <= size; i++) {
      double kept = matrix[column][i];
      matrix[column][i] = matrix[pivot][i];
      matrix[pivot][i] = kept;
    }
    for (int row = 0; row < size; row++) {
      if (row == column) continue;
      double factor = matrix[row][column] / matrix[column][column];
      for (int i = column; i <= size; i++) matrix[row][i] -= factor * matrix[column][i];
    }
  }
  for (int row = 0; row < size; row++) matrix[row][size] /= matrix[row][row];
}

int main(void) {
  struct setup setup = set_up(0);
  static cl_float2 points[COUNT];
  for (int i = 0; i < COUNT; i++) {
    float x = (float)(i % 21 - 10);
    points[i].s[0] = x;
    points[i].s[1] = 3 * x * x - 5 * x + 7 + (float)(i % 3 - 1);
  }
  cl_mem buffer = buffer_of(&setup, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof points, points);
  cl_mem result = buffer_of(&setup, CL_MEM_WRITE_ONLY, GROUPS * SUMS * sizeof(float), NULL);
  cl_program program = build(&setup, source, "-cl-fast-relaxed-math");
  cl_kernel kernel = kernel_of(program, "sums");
  CHECK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
  CHECK(clSetKernelArg(kernel, 1, sizeof result, &result));
  CHECK(clSetKernelArg(kernel, 2, GROUP * sizeof(cl_float8), NULL));
  size_t global = COUNT, local = GROUP;
  CHECK(clEnqueueNDRangeKernel(setup.queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
  float parts[GROUPS][SUMS];
  CHECK(clEnqueueReadBuffer(setup.queue, result, CL_TRUE, 0, sizeof parts, parts, 0, NULL, NULL));
  double s[SUMS] = {0};
  for (int g = 0; g < GROUPS; g++) {
    for (int i = 0; i < SUMS; i++) s[i] += parts[g][i];
  }
  printf("n %g, x %g, x2 %g, y %g, xy %g\n", s[7], s[0], s[1], s[4], s[5]);
  double line[3][4] = {{s[7], s[0], s[4]}, {s[0], s[1], s[5]}};
  solve(line, 2);
  printf("line: %.4f + %.4f x\n", line[0][2], line[1][2]);
  double parabola[3][4] = {{s[7], s[0], s[1], s[4]}, {s[0], s[1], s[2], s[5]}, {s[1], s[2], s[3], s[6]}};
  solve(parabola, 3);
  printf("parabola: %.4f + %.4f x + %.4f x^2\n", parabola[0][3], parabola[1][3], parabola[2][3]);
  CHECK(clReleaseKernel(kernel));
  CHECK(clReleaseProgram(program));
  CHECK(clReleaseMemObject(buffer));
  CHECK(clReleaseMemObject(result));
  tear_down(&setup);
  return 0;
}
