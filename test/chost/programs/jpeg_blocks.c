/* What a JPEG decoder leaves to the device: blocks of 8 by 8 coefficients, multiplied by a quantisation table and transformed
   back to brightness. Two passes, over columns and over rows, through local memory. */
#include "opencl_helpers.h"
#include <math.h>

enum { BLOCKS = 24 };

static const char *source =
    "__kernel void decode(__global const short *coefficients, __constant uchar *quantisation,\n"
    "                     __constant float *cosines, __global uchar *pixels) {\n"
    "  __local float values[64], halfway[64];\n"
    "  int x = get_local_id(0), y = get_local_id(1), here = y * 8 + x;\n"
    "  size_t block = get_group_id(0) * 64;\n"
    "  values[here] = coefficients[block + here] * quantisation[here];\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  float sum = 0.0f;\n"
    "  for (int v = 0; v < 8; v++) sum += cosines[v * 8 + y] * values[v * 8 + x];\n"
    "  halfway[here] = sum;\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  sum = 0.0f;\n"
    "  for (int u = 0; u < 8; u++) sum += cosines[u * 8 + x] * halfway[y * 8 + u];\n"
    "  pixels[block + here] = convert_uchar_sat_rte(sum + 128.0f);\n"
    "}\n";

static cl_short coefficients[BLOCKS][64];
static cl_uchar quantisation[64], pixels[BLOCKS][64];
static float cosines[64];

/* By the definition, in double precision. */
static double brightness(const cl_short *block, int x, int y) {
  const double pi = acos(-1.0);
  double sum = 0;
  for (int v = 0; v < 8; v++) {
    for (int u = 0; u < 8; u++) {
      double scale = (u ? 1 : sqrt(0.5)) * (v ? 1 : sqrt(0.5)) / 4;
      sum += scale * block[v * 8 + u] * quantisation[v * 8 + u] * cos((2 * x + 1) * u * pi / 16) *
             cos((2 * y + 1) * v * pi / 16);
    }
  }
  return fmin(fmax(sum + 128, 0), 255);
}

int main(void) {
  struct setup setup = set_up(0);
  for (int k = 0; k < 8; k++)
    for (int x = 0; x < 8; x++)
      cosines[k * 8 + x] = (float)((k ? 0.5 : sqrt(0.125)) * cos((2 * x + 1) * k * acos(-1.0) / 16));
  for (int i = 0; i < 64; i++) quantisation[i] = 8 + 3 * (i / 8 + i % 8);
  for (int b = 0; b < BLOCKS; b++)
    for (int i = 0; i < 64; i++) {
      /* The first is the block's brightness; few of the others are not 0. */
      if (i == 0) coefficients[b][i] = b * 12 - 140;
      else coefficients[b][i] = (b * 31 + i * 17) % 23 == 0 ? (b * i) % 9 - 4 : 0;
    }

  cl_mem in = buffer_of(&setup, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof coefficients, coefficients);
  cl_mem table = buffer_of(&setup, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof quantisation, quantisation);
  cl_mem waves = buffer_of(&setup, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof cosines, cosines);
  cl_mem out = buffer_of(&setup, CL_MEM_WRITE_ONLY, sizeof pixels, NULL);
  cl_program program = build(&setup, source, NULL);
  cl_kernel kernel = kernel_of(program, "decode");
  CHECK(clSetKernelArg(kernel, 0, sizeof in, &in));
  CHECK(clSetKernelArg(kernel, 1, sizeof table, &table));
  CHECK(clSetKernelArg(kernel, 2, sizeof waves, &waves));
  CHECK(clSetKernelArg(kernel, 3, sizeof out, &out));
  size_t global[] = {BLOCKS * 8, 8}, local[] = {8, 8};
  CHECK(clEnqueueNDRangeKernel(setup.queue, kernel, 2, NULL, global, local, 0, NULL, NULL));
  CHECK(clEnqueueReadBuffer(setup.queue, out, CL_TRUE, 0, sizeof pixels, pixels, 0, NULL, NULL));

  int wrong = 0;
  for (int b = 0; b < BLOCKS; b++)
    for (int i = 0; i < 64; i++) wrong += fabs(pixels[b][i] - brightness(coefficients[b], i % 8, i / 8)) > 0.51;
  printf("%d of %d pixels wrong; of the first blocks %d %d %d\n", wrong, BLOCKS * 64, pixels[0][0], pixels[12][9],
         pixels[BLOCKS - 1][0]);
  CHECK(clReleaseKernel(kernel));
  CHECK(clReleaseProgram(program));
  CHECK(clReleaseMemObject(in));
  CHECK(clReleaseMemObject(table));
  CHECK(clReleaseMemObject(waves));
  CHECK(clReleaseMemObject(out));
  tear_down(&setup);
  return 0;
}
