/* The first program of everyone who learns CAL: each element of a matrix times a constant, out = in * 0.5. */
#include "../cal-support/check.h"
#include <string.h>

/* Reads the input at its own position, multiplies by the constant, writes the output at that position. */
static const char kernel[] =
    "il_ps_2_0\n"
    "dcl_input_position_interp(linear_noperspective) v0.xy__\n"
    "dcl_output_generic o0\n"
    "dcl_cb cb0[1]\n"
    "dcl_resource_id(0)_type(2d,unnorm)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)\n"
    "sample_resource(0)_sampler(0) r0, v0.xyxx\n"
    "mul o0, r0, cb0[0].x\n"
    "ret_dyn\n"
    "end\n";

enum { size = 256 };

int main(void) {
  CALdevice device;
  CALdeviceinfo info;
  CALcontext ctx;
  CALmodule module;
  CALresource input, output, constants;
  CALmem input_mem, output_mem, constant_mem;
  CALuint pitch;
  float *data;
  CHECK(calInit());
  CHECK(calDeviceOpen(&device, 0));
  CHECK(calDeviceGetInfo(&info, 0));
  CHECK(calCtxCreate(&ctx, device));
  module = load(ctx, info.target, kernel);

  CHECK(calResAllocLocal2D(&input, device, size, size, CAL_FORMAT_FLOAT_1, 0));
  CHECK(calResAllocLocal2D(&output, device, size, size, CAL_FORMAT_FLOAT_1, 0));
  CHECK(calResAllocRemote1D(&constants, &device, 1, 1, CAL_FORMAT_FLOAT_4, 0));
  CHECK(calResMap((CALvoid **)&data, &pitch, input, 0));
  for (int y = 0; y < size; y++)
    for (int x = 0; x < size; x++) data[y * pitch + x] = (float)(y * pitch + x);
  CHECK(calResUnmap(input));
  CHECK(calResMap((CALvoid **)&data, &pitch, constants, 0));
  data[0] = 0.5f;
  data[1] = data[2] = data[3] = 0;
  CHECK(calResUnmap(constants));
  CHECK(calResMap((CALvoid **)&data, &pitch, output, 0));
  memset(data, 0, pitch * size * sizeof *data);
  CHECK(calResUnmap(output));

  input_mem = bind(ctx, module, "i0", input);
  output_mem = bind(ctx, module, "o0", output);
  constant_mem = bind(ctx, module, "cb0", constants);
  run(ctx, module, size, size);
  CHECK(calResMap((CALvoid **)&data, &pitch, output, 0));
  for (int y = 0; y < 8; y++) {
    for (int x = 0; x < 8; x++) printf("%f ", data[y * pitch + x]);
    printf("\n");
  }
  CHECK(calResUnmap(output));

  CHECK(calModuleUnload(ctx, module));
  CHECK(calCtxReleaseMem(ctx, input_mem));
  CHECK(calCtxReleaseMem(ctx, output_mem));
  CHECK(calCtxReleaseMem(ctx, constant_mem));
  CHECK(calResFree(input));
  CHECK(calResFree(output));
  CHECK(calResFree(constants));
  CHECK(calCtxDestroy(ctx));
  CHECK(calDeviceClose(device));
  CHECK(calShutdown());
  return 0;
}
