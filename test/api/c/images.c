/* Images: formats, transfers with pitches, fills, mapping, and a kernel that reads one and writes another. */
#include "setup.h"

static const char source[] =
    "constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;\n"
    "kernel void turn(read_only image2d_t from, write_only image2d_t to) {\n"
    "  int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
    "  write_imageui(to, at.yx, read_imageui(from, nearest, at) + 1);\n"
    "}\n";

static void show(const unsigned char *pixels, int width, int height, int pitch) {
  for (int y = 0; y < height; y++) {
    for (int x = 0; x < width; x++) printf("%d%c", pixels[y * pitch + x], x == width - 1 ? '\n' : ' ');
  }
}

int main(void) {
  setup(0);
  const cl_image_format bytes = {CL_R, CL_UNSIGNED_INT8};
  cl_uint count = 0;
  NEED(clGetSupportedImageFormats(context, CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE2D, 0, NULL, &count));
  cl_image_format *formats = malloc(count * sizeof *formats);
  NEED(clGetSupportedImageFormats(context, CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE2D, count, formats, NULL));
  int found = 0;
  for (cl_uint i = 0; i < count; i++) {
    found += formats[i].image_channel_order == CL_R && formats[i].image_channel_data_type == CL_UNSIGNED_INT8;
  }
  printf("CL_R, CL_UNSIGNED_INT8: %d\n", found);

  /* 3 x 2 pixels in rows of 4 bytes. */
  static unsigned char pixels[] = {1, 2, 3, 99, 4, 5, 6, 99};
  cl_image_desc description = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 3, .image_height = 2, .image_row_pitch = 4};
  cl_mem image = clCreateImage(context, CL_MEM_COPY_HOST_PTR, &bytes, &description, pixels, &error);
  NEED(error);
  size_t width = 0, size = 0;
  cl_image_format format;
  NEED(clGetImageInfo(image, CL_IMAGE_WIDTH, sizeof width, &width, &size));
  NEED(clGetImageInfo(image, CL_IMAGE_FORMAT, sizeof format, &format, NULL));
  printf("width %zu in %zu bytes, format 0x%x 0x%x\n", width, size, (unsigned)format.image_channel_order,
         (unsigned)format.image_channel_data_type);

  description = (cl_image_desc){.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 2, .image_height = 3};
  cl_mem turned = clCreateImage(context, CL_MEM_READ_WRITE, &bytes, &description, NULL, &error);
  NEED(error);
  cl_kernel kernel = kernel_of(source, "turn");
  NEED(clSetKernelArg(kernel, 0, sizeof image, &image));
  NEED(clSetKernelArg(kernel, 1, sizeof turned, &turned));
  SHOW(clSetKernelArg(kernel, 1, 8, &turned));
  SHOW(clSetKernelArg(kernel, 2, sizeof turned, &turned));
  size_t global[] = {3, 2};
  NEED(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, global, NULL, 0, NULL, NULL));
  size_t origin[3] = {0, 0, 0}, region[3] = {2, 3, 1};
  unsigned char answer[30] = {0};
  NEED(clEnqueueReadImage(queue, turned, CL_TRUE, origin, region, 5, 0, answer, 0, NULL, NULL));
  show(answer, 5, 3, 5);

  cl_uint colour[4] = {200, 0, 0, 0};
  size_t corner[3] = {1, 1, 0}, part[3] = {1, 2, 1};
  NEED(clEnqueueFillImage(queue, turned, colour, corner, part, 0, NULL, NULL));
  size_t row_pitch = 0;
  unsigned char *mapped =
      clEnqueueMapImage(queue, turned, CL_TRUE, CL_MAP_READ, origin, region, &row_pitch, NULL, 0, NULL, NULL, &error);
  NEED(error);
  show(mapped, 2, 3, (int)row_pitch);
  NEED(clEnqueueUnmapMemObject(queue, turned, mapped, 0, NULL, NULL));
  SHOW_ERROR(clEnqueueMapImage(queue, turned, CL_TRUE, CL_MAP_READ, origin, region, NULL, NULL, 0, NULL, NULL, &error));
  size_t beyond[3] = {1, 0, 0};
  SHOW(clEnqueueReadImage(queue, turned, CL_TRUE, beyond, region, 0, 0, answer, 0, NULL, NULL));

  /* The program's own array: what is written to the image is in it when it is mapped. */
  cl_image_desc own = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 3, .image_height = 2, .image_row_pitch = 4};
  cl_mem shared = clCreateImage(context, CL_MEM_USE_HOST_PTR, &bytes, &own, pixels, &error);
  NEED(error);
  size_t all[3] = {3, 2, 1};
  NEED(clEnqueueCopyImage(queue, image, shared, origin, origin, all, 0, NULL, NULL));
  NEED(clEnqueueFillImage(queue, shared, colour, origin, (size_t[3]){1, 1, 1}, 0, NULL, NULL));
  mapped = clEnqueueMapImage(queue, shared, CL_TRUE, CL_MAP_READ, origin, all, &row_pitch, NULL, 0, NULL, NULL, &error);
  NEED(error);
  printf("own array %d, row pitch %zu\n", mapped == pixels, row_pitch);
  show(pixels, 4, 2, 4);
  NEED(clEnqueueUnmapMemObject(queue, shared, mapped, 0, NULL, NULL));

  cl_sampler sampler = clCreateSampler(context, CL_TRUE, CL_ADDRESS_REPEAT, CL_FILTER_LINEAR, &error);
  NEED(error);
  cl_addressing_mode mode = 0;
  NEED(clGetSamplerInfo(sampler, CL_SAMPLER_ADDRESSING_MODE, sizeof mode, &mode, NULL));
  printf("sampler 0x%x\n", (unsigned)mode);
  cl_sampler_properties properties[] = {CL_SAMPLER_ADDRESSING_MODE, CL_ADDRESS_NONE, CL_SAMPLER_NORMALIZED_COORDS, CL_FALSE, 0};
  sampler = clCreateSamplerWithProperties(context, properties, &error);
  NEED(error);
  cl_filter_mode filter = 0;
  cl_bool normalized = 9;
  NEED(clGetSamplerInfo(sampler, CL_SAMPLER_FILTER_MODE, sizeof filter, &filter, NULL));
  NEED(clGetSamplerInfo(sampler, CL_SAMPLER_NORMALIZED_COORDS, sizeof normalized, &normalized, NULL));
  printf("sampler 0x%x, normalized %d\n", (unsigned)filter, (int)normalized);
  SHOW_ERROR(clCreateSampler(context, CL_TRUE, 7, CL_FILTER_LINEAR, &error));
  SHOW_ERROR(clCreateImage(context, 0, NULL, &own, NULL, &error));
  SHOW_ERROR(clCreateImage(context, 0, &bytes, NULL, NULL, &error));
  return 0;
}
