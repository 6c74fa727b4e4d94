/* k nearest neighbours: distances on the device for structs that host and kernel share, the vote on the host. */
#include "opencl_helpers.h"

typedef struct {
  cl_int x, y, kind;
} labelled;

static const char *source =
    "typedef struct { int x, y, kind; } labelled;\n"
    "typedef struct { int x, y; } place;\n"
    "__kernel void distances(__global const labelled *points, place here, __global int *result) {\n"
    "  size_t i = get_global_id(0);\n"
    "  int2 d = (int2)(points[i].x - here.x, points[i].y - here.y);\n"
    "  result[i] = d.x * d.x + d.y * d.y;\n"
    "}\n";

enum { COUNT = 300, KINDS = 3, K = 7 };

static labelled points[COUNT];
static int squares[COUNT];

static int by_distance(const void *a, const void *b) {
  int i = *(const int *)a, j = *(const int *)b;
  return squares[i] != squares[j] ? squares[i] - squares[j] : i - j;
}

int main(void) {
  static const int centres[KINDS][2] = {{20, 30}, {70, 80}, {90, 15}};
  struct setup setup = set_up(0);
  unsigned state = 99;
  for (int i = 0; i < COUNT; i++) {
    points[i].kind = i % KINDS;
    state = state * 1664525 + 1013904223;
    points[i].x = centres[i % KINDS][0] + (int)(state >> 20) % 41 - 20;
    state = state * 1664525 + 1013904223;
    points[i].y = centres[i % KINDS][1] + (int)(state >> 20) % 41 - 20;
  }
  cl_mem buffer = buffer_of(&setup, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof points, points);
  cl_mem result = buffer_of(&setup, CL_MEM_WRITE_ONLY | CL_MEM_ALLOC_HOST_PTR, sizeof squares, NULL);
  cl_program program = build(&setup, source, NULL);
  cl_kernel kernel = kernel_of(program, "distances");
  CHECK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
  CHECK(clSetKernelArg(kernel, 2, sizeof result, &result));
  static const struct {
    cl_int x, y;
  } asked[] = {{25, 25}, {60, 90}, {85, 20}, {50, 50}};
  for (int a = 0; a < 4; a++) {
    CHECK(clSetKernelArg(kernel, 1, sizeof asked[a], &asked[a]));
    size_t global = COUNT;
    CHECK(clEnqueueNDRangeKernel(setup.queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
    CHECK(clEnqueueReadBuffer(setup.queue, result, CL_TRUE, 0, sizeof squares, squares, 0, NULL, NULL));
    int order[COUNT], votes[KINDS] = {0}, best = 0;
    for (int i = 0; i < COUNT; i++) order[i] = i;
    qsort(order, COUNT, sizeof *order, by_distance);
    for (int i = 0; i < K; i++) votes[points[order[i]].kind]++;
    for (int kind = 1; kind < KINDS; kind++) {
      if (votes[kind] > votes[best]) best = kind;
    }
    printf("(%d, %d): %d with %d of %d, nearest %d\n", asked[a].x, asked[a].y, best, votes[best], K, squares[order[0]]);
  }
  CHECK(clReleaseKernel(kernel));
  CHECK(clReleaseProgram(program));
  CHECK(clReleaseMemObject(buffer));
  CHECK(clReleaseMemObject(result));
  tear_down(&setup);
  return 0;
}
