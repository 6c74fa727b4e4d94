/* Histograms of a picture's channels: from an image, with local memory and atomics; from a buffer; and on the host. */
#include "opencl_helpers.h"

enum { WIDTH = 96, HEIGHT = 64, BINS = 256, CHANNELS = 3 };

static const char *source =
    "__constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;\n"
    "__kernel void from_image(__read_only image2d_t picture, __global uint *result) {\n"
    "  __local uint bins[3 * 256];\n"
    "  int here = get_local_id(1) * get_local_size(0) + get_local_id(0);\n"
    "  int count = get_local_size(0) * get_local_size(1);\n"
    "  for (int i = here; i < 3 * 256; i += count) bins[i] = 0;\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
    "  if (at.x < get_image_width(picture) && at.y < get_image_height(picture)) {\n"
    "    uint4 colour = read_imageui(picture, nearest, at);\n"
    "    atomic_inc(bins + colour.x);\n"
    "    atomic_inc(bins + 256 + colour.y);\n"
    "    atomic_inc(bins + 512 + colour.z);\n"
    "  }\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  for (int i = here; i < 3 * 256; i += count) if (bins[i]) atomic_add(result + i, bins[i]);\n"
    "}\n"
    "__kernel void from_buffer(__global const uchar4 *pixels, int count, __global uint *result) {\n"
    "  for (int i = get_global_id(0); i < count; i += get_global_size(0)) {\n"
    "    atomic_inc(result + pixels[i].x);\n"
    "    atomic_inc(result + 256 + pixels[i].y);\n"
    "    atomic_inc(result + 512 + pixels[i].z);\n"
    "  }\n"
    "}\n";

static cl_uchar4 pixels[WIDTH * HEIGHT];
static cl_uint expected[CHANNELS * BINS];

static void paint(void) {
  for (int y = 0; y < HEIGHT; y++) {
    for (int x = 0; x < WIDTH; x++) {
      cl_uchar4 *pixel = &pixels[y * WIDTH + x];
      pixel->s[0] = x * 2 + y;
      pixel->s[1] = (x * y) >> 4;
      pixel->s[2] = (x ^ y) * 3;
      pixel->s[3] = 255;
      for (int c = 0; c < CHANNELS; c++) expected[c * BINS + pixel->s[c]]++;
    }
  }
}

static int differences(const struct setup *setup, cl_mem result) {
  cl_uint bins[CHANNELS * BINS];
  int count = 0;
  CHECK(clEnqueueReadBuffer(setup->queue, result, CL_TRUE, 0, sizeof bins, bins, 0, NULL, NULL));
  for (int i = 0; i < CHANNELS * BINS; i++) count += bins[i] != expected[i];
  return count;
}

int main(void) {
  struct setup setup = set_up(0);
  cl_int status;
  paint();
  cl_program program = build(&setup, source, "-cl-std=CL1.2");
  cl_uint zero = 0;
  cl_mem result = buffer_of(&setup, CL_MEM_READ_WRITE, sizeof expected, NULL);

  cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
  cl_image_desc description;
  memset(&description, 0, sizeof description);
  description.image_type = CL_MEM_OBJECT_IMAGE2D;
  description.image_width = WIDTH;
  description.image_height = HEIGHT;
  cl_mem image = clCreateImage(setup.context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format, &description, pixels, &status);
  CHECK(status);
  size_t element, row, width;
  CHECK(clGetImageInfo(image, CL_IMAGE_ELEMENT_SIZE, sizeof element, &element, NULL));
  CHECK(clGetImageInfo(image, CL_IMAGE_ROW_PITCH, sizeof row, &row, NULL));
  CHECK(clGetImageInfo(image, CL_IMAGE_WIDTH, sizeof width, &width, NULL));
  printf("%d %d %d\n", (int)element, row >= WIDTH * 4, (int)width);

  CHECK(clEnqueueFillBuffer(setup.queue, result, &zero, sizeof zero, 0, sizeof expected, 0, NULL, NULL));
  cl_kernel kernel = kernel_of(program, "from_image");
  CHECK(clSetKernelArg(kernel, 0, sizeof image, &image));
  CHECK(clSetKernelArg(kernel, 1, sizeof result, &result));
  size_t global[] = {WIDTH, HEIGHT}, local[] = {16, 8};
  CHECK(clEnqueueNDRangeKernel(setup.queue, kernel, 2, NULL, global, local, 0, NULL, NULL));
  printf("from the image: %d wrong\n", differences(&setup, result));
  CHECK(clReleaseKernel(kernel));

  CHECK(clEnqueueFillBuffer(setup.queue, result, &zero, sizeof zero, 0, sizeof expected, 0, NULL, NULL));
  cl_mem buffer = buffer_of(&setup, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, sizeof pixels, pixels);
  kernel = kernel_of(program, "from_buffer");
  cl_int count = WIDTH * HEIGHT;
  CHECK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
  CHECK(clSetKernelArg(kernel, 1, sizeof count, &count));
  CHECK(clSetKernelArg(kernel, 2, sizeof result, &result));
  size_t items = 512;
  CHECK(clEnqueueNDRangeKernel(setup.queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  printf("from the buffer: %d wrong\n", differences(&setup, result));

  CHECK(clReleaseKernel(kernel));
  CHECK(clReleaseMemObject(image));
  CHECK(clReleaseMemObject(buffer));
  CHECK(clReleaseMemObject(result));
  CHECK(clReleaseProgram(program));
  tear_down(&setup);
  return 0;
}
