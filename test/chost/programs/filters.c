/* Filters over a picture: mean, Gaussian, median and Sobel, from an image with a sampler to another image, against the host. */
#include "opencl_helpers.h"
#include <math.h>

enum { WIDTH = 40, HEIGHT = 30 };

static const char *source =
    "__constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;\n"
    "__constant int gauss[9] = {1, 2, 1, 2, 4, 2, 1, 2, 1};\n"
    "#define AT(dx, dy) read_imagei(from, edge, at + (int2)(dx, dy)).x\n"
    "__kernel void mean(__read_only image2d_t from, __write_only image2d_t to) {\n"
    "  int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
    "  int sum = 0;\n"
    "  for (int y = -1; y <= 1; y++) for (int x = -1; x <= 1; x++) sum += AT(x, y);\n"
    "  write_imagei(to, at, (int4)(sum / 9, 0, 0, 1));\n"
    "}\n"
    "__kernel void gaussian(__read_only image2d_t from, __write_only image2d_t to) {\n"
    "  int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
    "  int sum = 0;\n"
    "  for (int y = -1; y <= 1; y++) for (int x = -1; x <= 1; x++) sum += gauss[3 * y + x + 4] * AT(x, y);\n"
    "  write_imagei(to, at, (int4)(sum / 16, 0, 0, 1));\n"
    "}\n"
    "__kernel void median(__read_only image2d_t from, __write_only image2d_t to) {\n"
    "  int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
    "  int sorted[9];\n"
    "  for (int i = 0; i < 9; i++) {\n"
    "    int value = AT(i % 3 - 1, i / 3 - 1), j = i;\n"
    "    for (; j > 0 && sorted[j - 1] > value; j--) sorted[j] = sorted[j - 1];\n"
    "    sorted[j] = value;\n"
    "  }\n"
    "  write_imagei(to, at, (int4)(sorted[4], 0, 0, 1));\n"
    "}\n"
    "__kernel void sobel(__read_only image2d_t from, __write_only image2d_t to) {\n"
    "  int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
    "  int h = AT(1, -1) + 2 * AT(1, 0) + AT(1, 1) - AT(-1, -1) - 2 * AT(-1, 0) - AT(-1, 1);\n"
    "  int v = AT(-1, 1) + 2 * AT(0, 1) + AT(1, 1) - AT(-1, -1) - 2 * AT(0, -1) - AT(1, -1);\n"
    "  write_imagei(to, at, (int4)((int)sqrt((float)(h * h + v * v)), 0, 0, 1));\n"
    "}\n";

static int picture[HEIGHT][WIDTH];

static int clamp(int value, int most) { return value < 0 ? 0 : value > most ? most : value; }
static int at(int x, int y) { return picture[clamp(y, HEIGHT - 1)][clamp(x, WIDTH - 1)]; }

static int mean(int x, int y) {
  int sum = 0;
  for (int i = 0; i < 9; i++) sum += at(x + i % 3 - 1, y + i / 3 - 1);
  return sum / 9;
}
static int gaussian(int x, int y) {
  static const int weights[] = {1, 2, 1, 2, 4, 2, 1, 2, 1};
  int sum = 0;
  for (int i = 0; i < 9; i++) sum += weights[i] * at(x + i % 3 - 1, y + i / 3 - 1);
  return sum / 16;
}
static int by_value(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int median(int x, int y) {
  int values[9];
  for (int i = 0; i < 9; i++) values[i] = at(x + i % 3 - 1, y + i / 3 - 1);
  qsort(values, 9, sizeof *values, by_value);
  return values[4];
}
static int sobel(int x, int y) {
  int h = at(x + 1, y - 1) + 2 * at(x + 1, y) + at(x + 1, y + 1) - at(x - 1, y - 1) - 2 * at(x - 1, y) - at(x - 1, y + 1);
  int v = at(x - 1, y + 1) + 2 * at(x, y + 1) + at(x + 1, y + 1) - at(x - 1, y - 1) - 2 * at(x, y - 1) - at(x + 1, y - 1);
  return (int)sqrtf((float)(h * h + v * v));
}

static const struct {
  const char *name;
  int (*reference)(int x, int y);
} filters[] = {{"mean", mean}, {"gaussian", gaussian}, {"median", median}, {"sobel", sobel}};

int main(void) {
  struct setup setup = set_up(0);
  cl_int status;
  for (int y = 0; y < HEIGHT; y++) {
    for (int x = 0; x < WIDTH; x++) picture[y][x] = (x * 7 + y * 13 + (x * y) % 17 * 9 + ((x / 5 + y / 4) % 2) * 80) % 256;
  }
  cl_image_format format = {CL_R, CL_SIGNED_INT32};
  cl_image_desc description;
  memset(&description, 0, sizeof description);
  description.image_type = CL_MEM_OBJECT_IMAGE2D;
  description.image_width = WIDTH;
  description.image_height = HEIGHT;
  cl_mem from = clCreateImage(setup.context, CL_MEM_READ_ONLY, &format, &description, NULL, &status);
  CHECK(status);
  cl_mem to = clCreateImage(setup.context, CL_MEM_WRITE_ONLY, &format, &description, NULL, &status);
  CHECK(status);
  size_t origin[] = {0, 0, 0}, region[] = {WIDTH, HEIGHT, 1};
  CHECK(clEnqueueWriteImage(setup.queue, from, CL_TRUE, origin, region, 0, 0, picture, 0, NULL, NULL));
  cl_program program = build(&setup, source, NULL);
  for (unsigned i = 0; i < sizeof filters / sizeof *filters; i++) {
    cl_kernel kernel = kernel_of(program, filters[i].name);
    CHECK(clSetKernelArg(kernel, 0, sizeof from, &from));
    CHECK(clSetKernelArg(kernel, 1, sizeof to, &to));
    CHECK(clEnqueueNDRangeKernel(setup.queue, kernel, 2, NULL, region, NULL, 0, NULL, NULL));
    static int result[HEIGHT][WIDTH];
    CHECK(clEnqueueReadImage(setup.queue, to, CL_TRUE, origin, region, 0, 0, result, 0, NULL, NULL));
    int wrong = 0;
    long sum = 0;
    for (int y = 0; y < HEIGHT; y++) {
      for (int x = 0; x < WIDTH; x++) {
        wrong += result[y][x] != filters[i].reference(x, y);
        sum += result[y][x];
      }
    }
    printf("%s: %d wrong, sum %ld\n", filters[i].name, wrong, sum);
    CHECK(clReleaseKernel(kernel));
  }
  CHECK(clReleaseProgram(program));
  CHECK(clReleaseMemObject(from));
  CHECK(clReleaseMemObject(to));
  tear_down(&setup);
  return 0;
}
