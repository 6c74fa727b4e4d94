/* The formats of images that a context supports, asked for by two calls; those that every device must have are there. */
#include "opencl_helpers.h"

static const cl_image_format required[] = {
    {CL_RGBA, CL_UNORM_INT8},   {CL_RGBA, CL_UNORM_INT16}, {CL_RGBA, CL_SIGNED_INT8},    {CL_RGBA, CL_SIGNED_INT16},
    {CL_RGBA, CL_SIGNED_INT32}, {CL_RGBA, CL_UNSIGNED_INT8}, {CL_RGBA, CL_UNSIGNED_INT16}, {CL_RGBA, CL_UNSIGNED_INT32},
    {CL_RGBA, CL_HALF_FLOAT},   {CL_RGBA, CL_FLOAT},
};

int main(void) {
  struct setup setup = set_up(0);
  const cl_mem_object_type types[] = {CL_MEM_OBJECT_IMAGE2D, CL_MEM_OBJECT_IMAGE3D};
  for (int t = 0; t < 2; t++) {
    cl_uint count;
    CHECK(clGetSupportedImageFormats(setup.context, CL_MEM_READ_ONLY, types[t], 0, NULL, &count));
    cl_image_format *formats = calloc(count, sizeof *formats);
    CHECK(clGetSupportedImageFormats(setup.context, CL_MEM_READ_ONLY, types[t], count, formats, NULL));
    int found = 0;
    for (unsigned r = 0; r < sizeof required / sizeof *required; r++) {
      for (cl_uint i = 0; i < count; i++) {
        if (memcmp(&formats[i], &required[r], sizeof *formats) == 0) {
          found++;
          break;
        }
      }
    }
    printf("%d of 10, %d\n", found, count >= 10);
    free(formats);
  }
  tear_down(&setup);
  return 0;
}
