/*
 * The same square in single and in double precision. (1 + 2^-13)^2 is 1 + 2^-12 + 2^-26: a float keeps 24 bits and loses the last
 * term, a double keeps it. A double takes two components of a register; dmul reads and writes pairs of them.
 */
#include "../cal-support/check.h"

/* f2d makes a double of each input; its square goes to o0, that of the float to o1. */
static const char kernel[] =
    "il_ps_2_0\n"
    "dcl_input_position_interp(linear_noperspective) v0.xy__\n"
    "dcl_output_generic o0\n"
    "dcl_output_generic o1\n"
    "dcl_resource_id(0)_type(2d,unnorm)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)\n"
    "sample_resource(0)_sampler(0) r0, v0.xyxx\n"
    "f2d r1.xy__, r0.x\n"
    "dmul o0.xy__, r1.xy, r1.xy\n"
    "mul o1.x___, r0.x, r0.x\n"
    "end\n";

enum { count = 64 };

/* How many times 2^-26 the last term is there. */
static double last_term(double square) { return (square - 1 - 1.0 / (1 << 12)) * (1 << 26); }

int main(void) {
  CALdevice device;
  CALdeviceinfo info;
  CALdeviceattribs attribs;
  CALcontext ctx;
  CALmodule module;
  CALresource input, squares, singles;
  CALuint pitch;
  float *floats;
  double *doubles;
  attribs.struct_size = sizeof attribs;
  CHECK(calInit());
  CHECK(calDeviceOpen(&device, 0));
  CHECK(calDeviceGetInfo(&info, 0));
  CHECK(calDeviceGetAttribs(&attribs, 0));
  if (!attribs.doublePrecision) {
    printf("the device has no doubles\n");
    return 0;
  }
  CHECK(calCtxCreate(&ctx, device));
  module = load(ctx, info.target, kernel);
  CHECK(calResAllocLocal2D(&input, device, count, 1, CAL_FORMAT_FLOAT_1, 0));
  CHECK(calResAllocLocal2D(&squares, device, count, 1, CAL_FORMAT_DOUBLE_1, 0));
  CHECK(calResAllocLocal2D(&singles, device, count, 1, CAL_FORMAT_FLOAT_1, 0));
  CHECK(calResMap((CALvoid **)&floats, &pitch, input, 0));
  for (int i = 0; i < count; i++) floats[i] = 1 + 1.0f / (1 << 13);
  CHECK(calResUnmap(input));
  bind(ctx, module, "i0", input);
  bind(ctx, module, "o0", squares);
  bind(ctx, module, "o1", singles);
  run(ctx, module, count, 1);

  CHECK(calResMap((CALvoid **)&floats, &pitch, singles, 0));
  printf("the last term in single precision: %g\n", last_term(floats[count - 1]));
  CHECK(calResUnmap(singles));
  CHECK(calResMap((CALvoid **)&doubles, &pitch, squares, 0));
  printf("the last term in double precision: %g\n", last_term(doubles[count - 1]));
  CHECK(calResUnmap(squares));
  CHECK(calCtxDestroy(ctx));
  CHECK(calDeviceClose(device));
  CHECK(calShutdown());
  return 0;
}
