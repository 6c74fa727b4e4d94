/*
 * Copies and programs at once. Data that comes in tiles has two sets of resources on the device: while the program works on
 * one of them, the next tile is copied into the other, and the results of the one before are copied back. The host only says
 * what is to be done: commands that use the same resource wait for each other, all others may run side by side.
 */
#include "../cal-support/check.h"

/* How many steps of "halve, or three times and one more" lead from a number to 1. */
static const char kernel[] =
    "il_ps_2_0\n"
    "dcl_input_position_interp(linear_noperspective) v0.xy__\n"
    "dcl_output_generic o0\n"
    "dcl_resource_id(0)_type(2d,unnorm)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)\n"
    "dcl_literal l0, 0.0, 1.0, 0.5, 3.0\n"
    "sample_resource(0)_sampler(0) r0, v0.xyxx\n"
    "mov r1, l0.x\n"
    "whileloop\n"
    "  eq r2.x, r0.x, l0.y\n"
    "  break_logicalnz r2.x\n"
    "  mul_ieee r3.x, r0.x, l0.z\n"
    "  flr r4.x, r3.x\n"
    "  eq r2.x, r3.x, r4.x\n"
    "  mad_ieee r5.x, r0.x, l0.w, l0.y\n"
    "  cmov_logical r0.x, r2.x, r3.x, r5.x\n"
    "  add r1.x, r1.x, l0.y\n"
    "endloop\n"
    "mov o0, r1.x\n"
    "end\n";

enum { tiles = 8, width = 64, height = 16, in_tile = width * height };

static int steps(int start) {
  int count = 0;
  for (int number = start; number != 1; count++) number = number % 2 == 0 ? number / 2 : 3 * number + 1;
  return count;
}

static CALmem local(CALcontext ctx, CALdevice device) {
  CALresource resource;
  CALmem mem;
  CHECK(calResAllocLocal2D(&resource, device, width, height, CAL_FORMAT_FLOAT_1, 0));
  CHECK(calCtxGetMem(&mem, ctx, resource));
  return mem;
}

static CALmem remote(CALcontext ctx, CALdevice device, CALresource *resource) {
  CALmem mem;
  CHECK(calResAllocRemote2D(resource, &device, 1, width, height, CAL_FORMAT_FLOAT_1, CAL_RESALLOC_CACHEABLE));
  CHECK(calCtxGetMem(&mem, ctx, *resource));
  return mem;
}

int main(void) {
  const CALdomain domain = {0, 0, width, height};
  CALdevice device;
  CALdeviceinfo info;
  CALcontext ctx;
  CALmodule module;
  CALfunc func;
  CALname input, output;
  CALevent event, ends[tiles];
  CALresource sources[tiles], results[tiles];
  CALmem from[2], to[2], source_mems[tiles], result_mems[tiles];
  CALuint pitch;
  float *data;
  int expected[tiles * in_tile], wrong = 0;
  CHECK(calInit());
  CHECK(calDeviceOpen(&device, 0));
  CHECK(calDeviceGetInfo(&info, 0));
  CHECK(calCtxCreate(&ctx, device));
  module = load(ctx, info.target, kernel);
  CHECK(calModuleGetEntry(&func, ctx, module, "main"));
  CHECK(calModuleGetName(&input, ctx, module, "i0"));
  CHECK(calModuleGetName(&output, ctx, module, "o0"));
  for (int set = 0; set < 2; set++) {
    from[set] = local(ctx, device);
    to[set] = local(ctx, device);
  }
  for (int tile = 0; tile < tiles; tile++) {
    source_mems[tile] = remote(ctx, device, &sources[tile]);
    result_mems[tile] = remote(ctx, device, &results[tile]);
    CHECK(calResMap((CALvoid **)&data, &pitch, sources[tile], 0));
    for (int i = 0; i < in_tile; i++) data[i] = (float)(tile * in_tile + i + 1);
    CHECK(calResUnmap(sources[tile]));
  }

  for (int tile = 0; tile < tiles; tile++) {
    const int set = tile % 2;
    CHECK(calMemCopy(&event, ctx, source_mems[tile], from[set], 0));
    /* A program keeps what was bound when it was started. */
    CHECK(calCtxSetMem(ctx, input, from[set]));
    CHECK(calCtxSetMem(ctx, output, to[set]));
    CHECK(calCtxRunProgram(&event, ctx, func, &domain));
    CHECK(calMemCopy(&ends[tile], ctx, to[set], result_mems[tile], 0));
  }
  CHECK(calCtxFlush(ctx));

  /* The host has time of its own meanwhile. */
  for (int i = 0; i < tiles * in_tile; i++) expected[i] = steps(i + 1);
  for (int tile = 0; tile < tiles; tile++) {
    CALresult result;
    while ((result = calCtxIsEventDone(ctx, ends[tile])) == CAL_RESULT_PENDING);
    CHECK(result);
    CHECK(calResMap((CALvoid **)&data, &pitch, results[tile], 0));
    for (int i = 0; i < in_tile; i++)
      if (data[i] != expected[tile * in_tile + i]) wrong++;
    if (tile == 0) printf("27 takes %g steps\n", data[26]);
    CHECK(calResUnmap(results[tile]));
  }
  printf("%d tiles, %d numbers, %d of them wrong\n", tiles, tiles * in_tile, wrong);
  CHECK(calCtxDestroy(ctx));
  CHECK(calDeviceClose(device));
  CHECK(calShutdown());
  return 0;
}
