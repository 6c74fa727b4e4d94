/* Histograms of a picture in a buffer: counters for each work-item, atomic ones for a group, and thirds of the picture as sub-buffers. */
#include "opencl_helpers.h"

enum { PIXELS = 3 * 8192, BINS = 256, CHANNELS = 3, ITEMS = 16, PER_ITEM = 256, GROUP = 64 };

static const char *source =
    "#define BINS 256\n"
    "/* Each work-item counts its own pixels in ushorts, which no 256 pixels overflow; then the group's are added up. */\n"
    "__kernel void per_item(__global const uint *data, __local ushort *counts, __global uint *result) {\n"
    "  uint item = get_local_id(0), items = get_local_size(0), group = get_group_id(0);\n"
    "  for (uint i = item; i < 3 * BINS * items; i += items) counts[i] = 0;\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  for (uint i = 0; i < 256; i++) {\n"
    "    uint pixel = data[(group * 256 + i) * items + item];\n"
    "    for (uint c = 0; c < 3; c++) counts[(c * BINS + (pixel >> 8 * c & 255)) * items + item]++;\n"
    "  }\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  for (uint bin = item; bin < 3 * BINS; bin += items) {\n"
    "    uint sum = 0;\n"
    "    for (uint i = 0; i < items; i++) sum += counts[bin * items + i];\n"
    "    result[group * 3 * BINS + bin] = sum;\n"
    "  }\n"
    "}\n"
    "__kernel void atomics(__global const uchar4 *data, uint count, __global uint *result) {\n"
    "  __local uint counts[3 * BINS];\n"
    "  for (uint i = get_local_id(0); i < 3 * BINS; i += get_local_size(0)) counts[i] = 0;\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  for (uint i = get_global_id(0); i < count; i += get_global_size(0)) {\n"
    "    uchar4 pixel = data[i];\n"
    "    atomic_inc(&counts[pixel.x]);\n"
    "    atomic_inc(&counts[BINS + pixel.y]);\n"
    "    atomic_inc(&counts[2 * BINS + pixel.z]);\n"
    "  }\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  for (uint i = get_local_id(0); i < 3 * BINS; i += get_local_size(0))\n"
    "    result[get_group_id(0) * 3 * BINS + i] = counts[i];\n"
    "}\n";

static cl_uint pixels[PIXELS], expected[CHANNELS * BINS];

static void paint(void) {
  cl_uint state = 12345;
  for (int i = 0; i < PIXELS; i++) {
    state = state * 1664525u + 1013904223u;
    /* A flat area, too, in which one work-item meets a colour 256 times. */
    pixels[i] = i < PIXELS / 3 ? 0xff804020u : state >> 4;
    for (int c = 0; c < CHANNELS; c++) expected[c * BINS + (pixels[i] >> 8 * c & 255)]++;
  }
}

/* Adds up the counts of so many groups, and compares. */
static void compare(const struct setup *setup, const char *title, cl_mem result, int groups) {
  cl_uint *counts = malloc(groups * sizeof expected), sums[CHANNELS * BINS] = {0};
  int wrong = 0;
  CHECK(clEnqueueReadBuffer(setup->queue, result, CL_TRUE, 0, groups * sizeof expected, counts, 0, NULL, NULL));
  for (int i = 0; i < groups * CHANNELS * BINS; i++) sums[i % (CHANNELS * BINS)] += counts[i];
  for (int i = 0; i < CHANNELS * BINS; i++) wrong += sums[i] != expected[i];
  printf("%s: %d wrong, %u of red 32, %u of green 64\n", title, wrong, sums[0x20], sums[BINS + 0x40]);
  free(counts);
}

int main(void) {
  struct setup setup = set_up(0);
  paint();
  cl_program program = build(&setup, source, NULL);
  cl_mem data = buffer_of(&setup, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, sizeof pixels, pixels);

  const int groups = PIXELS / (ITEMS * PER_ITEM);
  cl_mem result = buffer_of(&setup, CL_MEM_WRITE_ONLY, groups * sizeof expected, NULL);
  cl_kernel per_item = kernel_of(program, "per_item");
  CHECK(clSetKernelArg(per_item, 0, sizeof data, &data));
  CHECK(clSetKernelArg(per_item, 1, CHANNELS * BINS * ITEMS * sizeof(cl_ushort), NULL));
  CHECK(clSetKernelArg(per_item, 2, sizeof result, &result));
  size_t global = groups * ITEMS, local = ITEMS;
  CHECK(clEnqueueNDRangeKernel(setup.queue, per_item, 1, NULL, &global, &local, 0, NULL, NULL));
  compare(&setup, "counters for each work-item", result, groups);

  /* A third of the picture after another, each into its part of the result. */
  const size_t part = 2 * sizeof expected;
  cl_mem parts = buffer_of(&setup, CL_MEM_READ_WRITE, 3 * part, NULL);
  cl_kernel atomics = kernel_of(program, "atomics");
  cl_uint count = PIXELS / 3;
  cl_int status;
  for (int third = 0; third < 3; third++) {
    cl_buffer_region from = {third * sizeof pixels / 3, sizeof pixels / 3}, to = {third * part, part};
    cl_mem in = clCreateSubBuffer(data, CL_MEM_READ_ONLY, CL_BUFFER_CREATE_TYPE_REGION, &from, &status);
    CHECK(status);
    cl_mem out = clCreateSubBuffer(parts, CL_MEM_WRITE_ONLY, CL_BUFFER_CREATE_TYPE_REGION, &to, &status);
    CHECK(status);
    CHECK(clSetKernelArg(atomics, 0, sizeof in, &in));
    CHECK(clSetKernelArg(atomics, 1, sizeof count, &count));
    CHECK(clSetKernelArg(atomics, 2, sizeof out, &out));
    global = 2 * GROUP, local = GROUP;
    CHECK(clEnqueueNDRangeKernel(setup.queue, atomics, 1, NULL, &global, &local, 0, NULL, NULL));
    CHECK(clReleaseMemObject(in));
    CHECK(clReleaseMemObject(out));
  }
  compare(&setup, "thirds with atomic counters", parts, 6);

  /* What a part may be: within the whole, and used for no more than that. */
  cl_buffer_region outside = {sizeof pixels / 3, sizeof pixels};
  clCreateSubBuffer(data, 0, CL_BUFFER_CREATE_TYPE_REGION, &outside, &status);
  printf("outside %d", status);
  cl_buffer_region inside = {0, sizeof pixels / 3};
  clCreateSubBuffer(data, CL_MEM_WRITE_ONLY, CL_BUFFER_CREATE_TYPE_REGION, &inside, &status);
  printf(", for writing %d\n", status);

  CHECK(clReleaseKernel(per_item));
  CHECK(clReleaseKernel(atomics));
  CHECK(clReleaseProgram(program));
  CHECK(clReleaseMemObject(parts));
  CHECK(clReleaseMemObject(result));
  CHECK(clReleaseMemObject(data));
  tear_down(&setup);
  return 0;
}
