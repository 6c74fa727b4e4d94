/* Samplers made by the host: each addressing and filtering mode on a row of four pixels. */
#include "opencl_helpers.h"

static const char *source =
    "__kernel void look(__read_only image2d_t picture, sampler_t sampler, __global const float *at, __global float *result) {\n"
    "  size_t i = get_global_id(0);\n"
    "  result[i] = read_imagef(picture, sampler, (float2)(at[i], 0.5f)).x;\n"
    "}\n";

int main(void) {
  struct setup setup = set_up(0);
  cl_int status;
  float pixels[] = {10, 20, 40, 80};
  cl_image_format format = {CL_R, CL_FLOAT};
  cl_image_desc description;
  memset(&description, 0, sizeof description);
  description.image_type = CL_MEM_OBJECT_IMAGE2D;
  description.image_width = 4;
  description.image_height = 1;
  cl_mem image = clCreateImage(setup.context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format, &description, pixels, &status);
  CHECK(status);
  cl_program program = build(&setup, source, NULL);
  cl_kernel kernel = kernel_of(program, "look");
  static const struct {
    const char *name;
    cl_bool normalised;
    cl_addressing_mode addressing;
    cl_filter_mode filter;
  } modes[] = {
      {"clamp to edge, nearest", CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST},
      {"clamp, nearest", CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST},
      {"clamp to edge, linear", CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_LINEAR},
      {"repeat, nearest", CL_TRUE, CL_ADDRESS_REPEAT, CL_FILTER_NEAREST},
      {"mirrored repeat, nearest", CL_TRUE, CL_ADDRESS_MIRRORED_REPEAT, CL_FILTER_NEAREST},
  };
  float places[2][6] = {{-1.5f, 0.5f, 1.25f, 2.0f, 3.75f, 5.5f}, {-0.375f, 0.125f, 0.375f, 0.625f, 1.125f, 1.625f}};
  cl_mem at = buffer_of(&setup, CL_MEM_READ_ONLY, sizeof *places, NULL);
  cl_mem result = buffer_of(&setup, CL_MEM_WRITE_ONLY, sizeof *places, NULL);
  CHECK(clSetKernelArg(kernel, 0, sizeof image, &image));
  CHECK(clSetKernelArg(kernel, 2, sizeof at, &at));
  CHECK(clSetKernelArg(kernel, 3, sizeof result, &result));
  for (unsigned m = 0; m < sizeof modes / sizeof *modes; m++) {
    cl_sampler sampler = clCreateSampler(setup.context, modes[m].normalised, modes[m].addressing, modes[m].filter, &status);
    CHECK(status);
    CHECK(clSetKernelArg(kernel, 1, sizeof sampler, &sampler));
    CHECK(clEnqueueWriteBuffer(setup.queue, at, CL_TRUE, 0, sizeof *places, places[modes[m].normalised], 0, NULL, NULL));
    size_t global = 6;
    float found[6];
    CHECK(clEnqueueNDRangeKernel(setup.queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
    CHECK(clEnqueueReadBuffer(setup.queue, result, CL_TRUE, 0, sizeof found, found, 0, NULL, NULL));
    printf("%s:", modes[m].name);
    for (int i = 0; i < 6; i++) printf(" %g", found[i]);
    printf("\n");
    CHECK(clReleaseSampler(sampler));
  }
  CHECK(clReleaseKernel(kernel));
  CHECK(clReleaseProgram(program));
  CHECK(clReleaseMemObject(image));
  CHECK(clReleaseMemObject(at));
  CHECK(clReleaseMemObject(result));
  tear_down(&setup);
  return 0;
}
