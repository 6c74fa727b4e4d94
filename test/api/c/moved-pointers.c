/*
 * Kernels with pointers that are moved and indices that move them back, on the program's own arrays (CL_MEM_USE_HOST_PTR, and pointers as
 * arguments). The first array lies as low as anything of a program does, so that an address before its constant part is added
 * is below zero.
 */
#include "setup.h"

enum { count = 60000, items = 100 };

static int low[count] = {1};
static int out[items];

static const char source[] =
    "kernel void moved(global int *a, global int *b) {\n"
    "  int x = get_global_id(0);\n"
    "  a += 50000;\n"
    "  b += 1000;\n"
    "  b[x - 1000] = a[x - 49900] + a[x - 20000] * 3 - a[(x & 3) - 300] + a[x * 8 - 50000];\n"
    "}\n";

static int wrong(void) {
  int bad = 0;
  for (int x = 0; x < items; x++) {
    bad += out[x] != low[x + 100] + low[x + 30000] * 3 - low[(x & 3) + 49700] + low[x * 8];
    out[x] = -1;
  }
  return bad;
}

static void launch(cl_kernel kernel) {
  size_t range = items;
  NEED(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &range, NULL, 0, NULL, NULL));
  NEED(clFinish(queue));
}

int main(void) {
  setup(0);
  for (int i = 0; i < count; i++) low[i] = i * 7919 % 10007;
  printf("low: %d\n", (size_t)low < 65536);
  cl_kernel kernel = kernel_of(source, "moved");
  cl_mem a = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, sizeof low, low, &error);
  NEED(error);
  cl_mem b = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, sizeof out, out, &error);
  NEED(error);
  NEED(clSetKernelArg(kernel, 0, sizeof a, &a));
  NEED(clSetKernelArg(kernel, 1, sizeof b, &b));
  launch(kernel);
  NEED(clEnqueueMapBuffer(queue, b, CL_TRUE, CL_MAP_READ, 0, sizeof out, 0, NULL, NULL, &error) ? error : 1);
  printf("buffers: %d wrong\n", wrong());
  NEED(clEnqueueUnmapMemObject(queue, b, out, 0, NULL, NULL));
  NEED(clFinish(queue));
  NEED(clSetKernelArgSVMPointer(kernel, 0, low));
  NEED(clSetKernelArgSVMPointer(kernel, 1, out));
  launch(kernel);
  printf("pointers: %d wrong\n", wrong());
  return 0;
}
