/*
 * The global buffer can be read anywhere, like an input, but past the cache and without a sampler: by the number of an element.
 * A matrix lies in it; the output is its transpose.
 */
#include "../cal-support/check.h"

/* Position (x, y) reads row x, element y. The pitch of g is in cb0. */
static const char kernel[] =
    "il_ps_2_0\n"
    "dcl_input_position_interp(linear_noperspective) v0.xy__\n"
    "dcl_output_generic o0\n"
    "dcl_cb cb0[1]\n"
    "flr r0.xy__, v0.xyxx\n"
    "mad_ieee r1.x___, r0.x, cb0[0].x, r0.y\n"
    "ftoi r1.x___, r1.x\n"
    "mov o0, g[r1.x]\n"
    "end\n";

/* The width of a global buffer is a multiple of 64. */
enum { width = 128, height = 40 };

int main(void) {
  CALdevice device;
  CALdeviceinfo info;
  CALcontext ctx;
  CALmodule module;
  CALresource buffer, output, constants;
  CALuint pitch, constants_pitch;
  float *data, *numbers;
  int wrong = 0;
  CHECK(calInit());
  CHECK(calDeviceOpen(&device, 0));
  CHECK(calDeviceGetInfo(&info, 0));
  CHECK(calCtxCreate(&ctx, device));
  module = load(ctx, info.target, kernel);
  CHECK(calResAllocLocal2D(&buffer, device, width, height, CAL_FORMAT_FLOAT_4, CAL_RESALLOC_GLOBAL_BUFFER));
  CHECK(calResAllocLocal2D(&output, device, height, width, CAL_FORMAT_FLOAT_4, 0));
  CHECK(calResAllocRemote1D(&constants, &device, 1, 1, CAL_FORMAT_FLOAT_4, 0));
  CHECK(calResMap((CALvoid **)&data, &pitch, buffer, 0));
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      float *at = data + 4 * (y * pitch + x);
      at[0] = (float)x;
      at[1] = (float)y;
      at[2] = (float)(x + y);
      at[3] = (float)(x * y);
    }
  CHECK(calResMap((CALvoid **)&numbers, &constants_pitch, constants, 0));
  numbers[0] = (float)pitch;
  CHECK(calResUnmap(constants));
  CHECK(calResUnmap(buffer));
  bind(ctx, module, "g", buffer);
  bind(ctx, module, "o0", output);
  bind(ctx, module, "cb0", constants);
  run(ctx, module, height, width);

  CHECK(calResMap((CALvoid **)&data, &pitch, output, 0));
  for (int x = 0; x < width; x++)
    for (int y = 0; y < height; y++) {
      const float *at = data + 4 * (x * pitch + y);
      if (at[0] != x || at[1] != y || at[2] != x + y || at[3] != x * y) wrong++;
    }
  data += 4 * (73 * pitch + 19);
  printf("%d positions, %d of them wrong; row 73 has %g, %g, %g, %g at 19\n", width * height, wrong, data[0],
         data[1], data[2], data[3]);
  CHECK(calResUnmap(output));
  CHECK(calCtxDestroy(ctx));
  CHECK(calDeviceClose(device));
  CHECK(calShutdown());
  return 0;
}
