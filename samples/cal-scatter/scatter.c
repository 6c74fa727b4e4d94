/*
 * Outputs are written at a position's own place only; the global buffer anywhere. Each position reads where it is to write, and
 * writes there where it stands.
 */
#include "../cal-support/check.h"

/* g has rows, too, but addresses in it are numbers of elements: y times the pitch, which is in cb0, plus x. */
static const char kernel[] =
    "il_ps_2_0\n"
    "dcl_input_position_interp(linear_noperspective) v0.xy__\n"
    "dcl_cb cb0[1]\n"
    "dcl_resource_id(0)_type(2d,unnorm)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)\n"
    "sample_resource(0)_sampler(0) r0, v0.xyxx\n"
    "mad_ieee r1.x___, r0.y, cb0[0].x, r0.x\n"
    "ftoi r1.x___, r1.x\n"
    "flr r2.xy__, v0.xyxx\n"
    "mov g[r1.x], r2.xyxy\n"
    "end\n";

/* The width of a global buffer is a multiple of 64. */
enum { width = 128, height = 40 };

/* Every place once, far from its neighbours': 7 has no divisor in common with 128, nor 9 with 40. */
static int target_x(int x) { return (7 * x + 3) % width; }
static int target_y(int y) { return (9 * y + 1) % height; }

int main(void) {
  CALdevice device;
  CALdeviceinfo info;
  CALcontext ctx;
  CALmodule module;
  CALresource input, buffer, constants;
  CALuint pitch, constants_pitch;
  float *data, *numbers;
  int wrong = 0;
  CHECK(calInit());
  CHECK(calDeviceOpen(&device, 0));
  CHECK(calDeviceGetInfo(&info, 0));
  CHECK(calCtxCreate(&ctx, device));
  module = load(ctx, info.target, kernel);
  CHECK(calResAllocLocal2D(&input, device, width, height, CAL_FORMAT_FLOAT_2, 0));
  CHECK(calResAllocLocal2D(&buffer, device, width, height, CAL_FORMAT_FLOAT_4, CAL_RESALLOC_GLOBAL_BUFFER));
  CHECK(calResAllocRemote1D(&constants, &device, 1, 1, CAL_FORMAT_FLOAT_4, 0));
  CHECK(calResMap((CALvoid **)&data, &pitch, input, 0));
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      data[2 * (y * pitch + x)] = (float)target_x(x);
      data[2 * (y * pitch + x) + 1] = (float)target_y(y);
    }
  CHECK(calResUnmap(input));
  CHECK(calResMap((CALvoid **)&data, &pitch, buffer, 0));
  for (CALuint i = 0; i < 4 * pitch * height; i++) data[i] = -1;
  CHECK(calResMap((CALvoid **)&numbers, &constants_pitch, constants, 0));
  numbers[0] = (float)pitch;
  CHECK(calResUnmap(constants));
  CHECK(calResUnmap(buffer));
  bind(ctx, module, "i0", input);
  bind(ctx, module, "g", buffer);
  bind(ctx, module, "cb0", constants);
  run(ctx, module, width, height);

  CHECK(calResMap((CALvoid **)&data, &pitch, buffer, 0));
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      const float *at = data + 4 * (target_y(y) * pitch + target_x(x));
      if (at[0] != x || at[1] != y) wrong++;
    }
  data += 4 * (19 * pitch + 73);
  printf("%d positions, %d of them wrong; %g, %g wrote at 73, 19\n", width * height, wrong, data[0], data[1]);
  CHECK(calResUnmap(buffer));
  CHECK(calCtxDestroy(ctx));
  CHECK(calDeviceClose(device));
  CHECK(calShutdown());
  return 0;
}
