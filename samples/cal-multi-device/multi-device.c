/*
 * Several devices at one picture. Each has a context of its own and computes its share of the rows; the output lies in memory that
 * all of them reach, so that nothing has to be put together in the end.
 */
#include "../cal-support/check.h"

/* x^2 + y^2, and who computed it: cb0[0].x. */
static const char kernel[] =
    "il_ps_2_0\n"
    "dcl_input_position_interp(linear_noperspective) v0.xy__\n"
    "dcl_output_generic o0\n"
    "dcl_cb cb0[1]\n"
    "flr r0.xy__, v0.xyxx\n"
    "mul_ieee r1.xy__, r0.xyxx, r0.xyxx\n"
    "add r2.x___, r1.x, r1.y\n"
    "mov r2._y__, cb0[0].x\n"
    "mov o0, r2.xyxx\n"
    "end\n";

enum { width = 48, height = 50, most_devices = 16 };

int main(void) {
  CALdevice devices[most_devices];
  CALcontext contexts[most_devices];
  CALevent events[most_devices];
  CALuint count, pitch, all = 0, before = 0, simds[most_devices], firsts[most_devices + 1];
  CALresource output;
  float *data;
  CHECK(calInit());
  CHECK(calDeviceGetCount(&count));
  if (count > most_devices) count = most_devices;
  for (CALuint i = 0; i < count; i++) {
    CALdeviceattribs attribs;
    attribs.struct_size = sizeof attribs;
    CHECK(calDeviceOpen(&devices[i], i));
    CHECK(calDeviceGetAttribs(&attribs, i));
    all += simds[i] = attribs.numberOfSIMD;
  }
  CHECK(calResAllocRemote2D(&output, devices, count, width, height, CAL_FORMAT_FLOAT_2, 0));
  CHECK(calResMap((CALvoid **)&data, &pitch, output, 0));
  for (CALuint i = 0; i < 2 * pitch * height; i++) data[i] = -1;
  CHECK(calResUnmap(output));

  /* The more SIMDs a device has, the more rows it gets. */
  for (CALuint i = 0; i < count; i++) {
    firsts[i] = height * before / all;
    before += simds[i];
  }
  firsts[count] = height;

  /* All are started before the first is waited for. */
  for (CALuint i = 0; i < count; i++) {
    const CALdomain domain = {0, firsts[i], width, firsts[i + 1] - firsts[i]};
    CALdeviceinfo info;
    CALmodule module;
    CALfunc func;
    CALresource constants;
    CALuint constants_pitch;
    float *numbers;
    CHECK(calDeviceGetInfo(&info, i));
    CHECK(calCtxCreate(&contexts[i], devices[i]));
    module = load(contexts[i], info.target, kernel);
    CHECK(calResAllocRemote1D(&constants, &devices[i], 1, 1, CAL_FORMAT_FLOAT_4, 0));
    CHECK(calResMap((CALvoid **)&numbers, &constants_pitch, constants, 0));
    numbers[0] = (float)i;
    CHECK(calResUnmap(constants));
    bind(contexts[i], module, "cb0", constants);
    bind(contexts[i], module, "o0", output);
    CHECK(calModuleGetEntry(&func, contexts[i], module, "main"));
    CHECK(calCtxRunProgram(&events[i], contexts[i], func, &domain));
    CHECK(calCtxFlush(contexts[i]));
  }
  for (CALuint i = 0; i < count; i++) {
    CALresult result;
    while ((result = calCtxIsEventDone(contexts[i], events[i])) == CAL_RESULT_PENDING);
    CHECK(result);
  }

  CHECK(calResMap((CALvoid **)&data, &pitch, output, 0));
  for (CALuint i = 0; i < count; i++) {
    int wrong = 0;
    for (CALuint y = firsts[i]; y < firsts[i + 1]; y++)
      for (CALuint x = 0; x < width; x++) {
        const float *at = data + 2 * (y * pitch + x);
        if (at[0] != x * x + y * y || at[1] != i) wrong++;
      }
    printf("device %u: rows %u to %u, %d elements wrong\n", i, firsts[i], firsts[i + 1] - 1, wrong);
  }
  CHECK(calResUnmap(output));
  for (CALuint i = 0; i < count; i++) {
    CHECK(calCtxDestroy(contexts[i]));
    CHECK(calDeviceClose(devices[i]));
  }
  CHECK(calShutdown());
  return 0;
}
