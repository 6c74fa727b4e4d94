/*
 * The program's memory is the device's. Buffers over its own pointers are not copied, mapped buffers are pointers into it, and
 * what malloc hands out is never what a buffer has, whichever of them comes first and however often both grow.
 */
#include "setup.h"

enum { COUNT = 1024 };

static const char source[] = "kernel void add(global int *a, int by) { a[get_global_id(0)] += by; }";

static void launch(cl_kernel kernel, cl_mem memory, cl_int by) {
  size_t global = COUNT;
  NEED(clSetKernelArg(kernel, 0, sizeof memory, &memory));
  NEED(clSetKernelArg(kernel, 1, sizeof by, &by));
  NEED(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
}

/* The first malloc of the program comes when a buffer has grown the memory. */
static void buffers_before_malloc(void) {
  cl_int pattern = 7;
  cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, 8 << 20, NULL, &error);
  NEED(error);
  NEED(clEnqueueFillBuffer(queue, buffer, &pattern, sizeof pattern, 0, 8 << 20, 0, NULL, NULL));
  NEED(clFinish(queue));
  for (int i = 0; i < 64; i++) memset(malloc(1 << 18), 0xff, 1 << 18);
  int *mapped = clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, 0, 8 << 20, 0, NULL, NULL, &error);
  NEED(error);
  int wrong = 0;
  for (int i = 0; i < 2 << 20; i++) wrong += mapped[i] != 7;
  printf("buffer, then 16 MiB of malloc: %d wrong\n", wrong);
  NEED(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, NULL));
  NEED(clReleaseMemObject(buffer));
}

/* Both grow by turns; every byte stays its owner's. */
static void by_turns(void) {
  enum { TURNS = 12, BYTES = 3 << 20 };
  cl_mem buffers[TURNS];
  unsigned char *blocks[TURNS];
  for (int i = 0; i < TURNS; i++) {
    unsigned char pattern = (unsigned char)(0x80 + i);
    buffers[i] = clCreateBuffer(context, CL_MEM_READ_WRITE, BYTES, NULL, &error);
    NEED(error);
    NEED(clEnqueueFillBuffer(queue, buffers[i], &pattern, 1, 0, BYTES, 0, NULL, NULL));
    blocks[i] = malloc(BYTES);
    memset(blocks[i], i, BYTES);
  }
  NEED(clFinish(queue));
  int wrong = 0;
  for (int i = 0; i < TURNS; i++) {
    unsigned char *mapped = clEnqueueMapBuffer(queue, buffers[i], CL_TRUE, CL_MAP_READ, 0, BYTES, 0, NULL, NULL, &error);
    NEED(error);
    for (int at = 0; at < BYTES; at++) wrong += mapped[at] != 0x80 + i || blocks[i][at] != i;
    NEED(clEnqueueUnmapMemObject(queue, buffers[i], mapped, 0, NULL, NULL));
    NEED(clReleaseMemObject(buffers[i]));
    free(blocks[i]);
  }
  printf("by turns: %d wrong\n", wrong);
}

int main(void) {
  setup(0);
  buffers_before_malloc();
  by_turns();

  cl_kernel kernel = kernel_of(source, "add");
  int *own = malloc(COUNT * sizeof *own);
  for (int i = 0; i < COUNT; i++) own[i] = i;

  /* The kernel works on the program's array itself, at the latest when it is mapped. */
  cl_mem in_place = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, COUNT * sizeof *own, own, &error);
  NEED(error);
  launch(kernel, in_place, 100);
  int *mapped = clEnqueueMapBuffer(queue, in_place, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 16, 64, 0, NULL, NULL, &error);
  NEED(error);
  printf("mapped is own + 4: %d; own[0] %d, own[1023] %d\n", mapped == own + 4, own[0], own[1023]);
  mapped[0] = 5000;
  SHOW(clEnqueueUnmapMemObject(queue, in_place, own, 0, NULL, NULL));
  SHOW(clEnqueueUnmapMemObject(queue, in_place, mapped, 0, NULL, NULL));
  SHOW(clEnqueueUnmapMemObject(queue, in_place, mapped, 0, NULL, NULL));
  launch(kernel, in_place, 1);
  NEED(clFinish(queue));
  printf("own[4] %d\n", own[4]);
  void *host = NULL;
  NEED(clGetMemObjectInfo(in_place, CL_MEM_HOST_PTR, sizeof host, &host, NULL));
  printf("CL_MEM_HOST_PTR is own: %d\n", host == own);

  /* A copy is a copy. */
  cl_mem copied = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, COUNT * sizeof *own, own, &error);
  NEED(error);
  launch(kernel, copied, 1000);
  int answer[4] = {0};
  NEED(clEnqueueReadBuffer(queue, copied, CL_TRUE, 0, sizeof answer, answer, 0, NULL, NULL));
  printf("copy %d, own %d\n", answer[0], own[0]);

  /* Rectangles: rows of 4 ints; 2 of each row, from the 2nd row on, to the 3rd column of rows of 5 ints. */
  int grid[20] = {0};
  size_t from[3] = {4, 1, 0}, to[3] = {8, 0, 0}, region[3] = {8, 3, 1};
  NEED(clEnqueueReadBufferRect(queue, copied, CL_TRUE, from, to, region, 16, 0, 20, 0, grid, 0, NULL, NULL));
  for (int i = 0; i < 15; i++) printf("%d%c", grid[i], i % 5 == 4 ? '\n' : ' ');

  /* What commands that do not block wait for. */
  cl_event written, read;
  int value = 42, seen = 0;
  NEED(clEnqueueWriteBuffer(queue, copied, CL_FALSE, 0, 4, &value, 0, NULL, &written));
  NEED(clEnqueueReadBuffer(queue, copied, CL_FALSE, 0, 4, &seen, 1, &written, &read));
  NEED(clWaitForEvents(1, &read));
  printf("seen %d\n", seen);
  NEED(clReleaseEvent(written));
  NEED(clReleaseEvent(read));
  return 0;
}
