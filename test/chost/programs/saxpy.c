/* y = a x + y for 1024 elements: the shortest whole host program. */
#include "opencl_helpers.h"

static const char *source =
    "__kernel void saxpy(float a, __global const float *x, __global float *y) {\n"
    "  size_t i = get_global_id(0);\n"
    "  y[i] = a * x[i] + y[i];\n"
    "}\n";

enum { COUNT = 1024 };

int main(void) {
  struct setup setup = set_up(0);
  float *x = malloc(COUNT * sizeof *x), *y = malloc(COUNT * sizeof *y);
  for (int i = 0; i < COUNT; i++) {
    x[i] = (float)i;
    y[i] = (float)(COUNT - i);
  }
  cl_mem x_buffer = buffer_of(&setup, CL_MEM_READ_ONLY, COUNT * sizeof *x, NULL);
  cl_mem y_buffer = buffer_of(&setup, CL_MEM_READ_WRITE, COUNT * sizeof *y, NULL);
  CHECK(clEnqueueWriteBuffer(setup.queue, x_buffer, CL_TRUE, 0, COUNT * sizeof *x, x, 0, NULL, NULL));
  CHECK(clEnqueueWriteBuffer(setup.queue, y_buffer, CL_TRUE, 0, COUNT * sizeof *y, y, 0, NULL, NULL));

  cl_program program = build(&setup, source, NULL);
  cl_kernel kernel = kernel_of(program, "saxpy");
  float a = 2.0f;
  CHECK(clSetKernelArg(kernel, 0, sizeof a, &a));
  CHECK(clSetKernelArg(kernel, 1, sizeof x_buffer, &x_buffer));
  CHECK(clSetKernelArg(kernel, 2, sizeof y_buffer, &y_buffer));
  size_t global = COUNT, local = 64;
  CHECK(clEnqueueNDRangeKernel(setup.queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
  CHECK(clEnqueueReadBuffer(setup.queue, y_buffer, CL_TRUE, 0, COUNT * sizeof *y, y, 0, NULL, NULL));
  CHECK(clFlush(setup.queue));
  CHECK(clFinish(setup.queue));

  int wrong = 0;
  for (int i = 0; i < COUNT; i++) wrong += y[i] != (float)(COUNT + i);
  printf("%d of %d wrong; first %.1f, last %.1f\n", wrong, COUNT, y[0], y[COUNT - 1]);

  CHECK(clReleaseKernel(kernel));
  CHECK(clReleaseProgram(program));
  CHECK(clReleaseMemObject(x_buffer));
  CHECK(clReleaseMemObject(y_buffer));
  tear_down(&setup);
  free(x);
  free(y);
  return wrong;
}
