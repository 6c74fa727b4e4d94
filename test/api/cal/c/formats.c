/* Later formats and calCtxWaitForEvents, as programs in C use them: the function is asked for by its extension. */
#include "check.h"
#include <string.h>
#include "cal.h"
#include "calcl.h"
#include "cal_ext.h"

typedef CALresult(CALAPIENTRYP PFNCALCTXWAITFOREVENTS)(CALcontext ctx, CALevent *event, CALuint num, CALuint flags);

static PFNCALCTXWAITFOREVENTS calCtxWaitForEvents;

static const char *const copy = "il_ps_2_0\n"
                                "dcl_input_position_interp(linear_noperspective) v0.xy__\n"
                                "dcl_output_generic o0\n"
                                "dcl_resource_id(0)_type(2d,unnorm)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)\n"
                                "sample_resource(0)_sampler(0) o0, v0.xyxx\n"
                                "end\n";

static CALdevice device;
static CALcontext context;
static CALmodule module;
static CALfunc entry;

static void load(void) {
  CALobject object = 0;
  CALimage image = 0;
  EXPECT(calclCompile(&object, CAL_LANGUAGE_IL, copy, CAL_TARGET_CYPRESS), CAL_RESULT_OK);
  EXPECT(calclLink(&image, &object, 1), CAL_RESULT_OK);
  EXPECT(calModuleLoad(&module, context, image), CAL_RESULT_OK);
  EXPECT(calModuleGetEntry(&entry, context, module, "main"), CAL_RESULT_OK);
}

static void bind(const char *symbol, CALresource resource) {
  CALname name = 0;
  CALmem mem = 0;
  EXPECT(calModuleGetName(&name, context, module, symbol), CAL_RESULT_OK);
  EXPECT(calCtxGetMem(&mem, context, resource), CAL_RESULT_OK);
  EXPECT(calCtxSetMem(context, name, mem), CAL_RESULT_OK);
}

static CALresource made(CALformat format, const void *bytes, size_t count) {
  CALresource resource = 0;
  CALuint pitch = 0;
  void *data = 0;
  EXPECT(calResAllocLocal1D(&resource, device, 4, format, 0), CAL_RESULT_OK);
  EXPECT(calResMap(&data, &pitch, resource, 0), CAL_RESULT_OK);
  EXPECT(pitch, 64);
  memcpy(data, bytes, count);
  EXPECT(calResUnmap(resource), CAL_RESULT_OK);
  return resource;
}

static void run_and_read(CALresource output, void *bytes, size_t count) {
  const CALdomain domain = {0, 0, 4, 1};
  CALevent events[2] = {0, 0};
  CALuint pitch = 0;
  void *data = 0;
  EXPECT(calCtxRunProgram(&events[0], context, entry, &domain), CAL_RESULT_OK);
  EXPECT(calCtxRunProgram(&events[1], context, entry, &domain), CAL_RESULT_OK);
  EXPECT(calCtxWaitForEvents(context, events, 2, 0), CAL_RESULT_OK);
  EXPECT(calCtxIsEventDone(context, events[1]), CAL_RESULT_OK);
  EXPECT(calResMap(&data, &pitch, output, 0), CAL_RESULT_OK);
  memcpy(bytes, data, count);
  EXPECT(calResUnmap(output), CAL_RESULT_OK);
}

int main(void) {
  const unsigned short halves[4] = {0x3c00, 0xc000, 0x7bff, 0x0001};
  const unsigned short colours[4] = {0xf800, 0x07e0, 0x001f, 0xffff};
  const signed char small[4] = {-128, -1, 0, 127};
  const float zeros[16] = {0};
  float floats[4];
  float vectors[16];
  int integers[4];
  CALevent nothing = 0;

  EXPECT(calInit(), CAL_RESULT_OK);
  EXPECT(calDeviceOpen(&device, 0), CAL_RESULT_OK);
  EXPECT(calCtxCreate(&context, device), CAL_RESULT_OK);
  EXPECT(calExtSupported((CALextid)0x8009), CAL_RESULT_OK);
  EXPECT(calExtGetProc((CALextproc *)&calCtxWaitForEvents, (CALextid)0x8009, "calCtxWaitForEvents"), CAL_RESULT_OK);
  load();

  CALresource as_floats = made(CAL_FORMAT_FLOAT32_1, zeros, 16);
  bind("o0", as_floats);
  bind("i0", made(CAL_FORMAT_FLOAT16_1, halves, sizeof halves));
  run_and_read(as_floats, floats, sizeof floats);
  EXPECT(floats[0] == 1.0f && floats[1] == -2.0f && floats[2] == 65504.0f, 1);
  EXPECT(floats[3] * 16777216.0f, 1);

  CALresource as_vectors = made(CAL_FORMAT_FLOAT32_4, zeros, 64);
  bind("o0", as_vectors);
  bind("i0", made(CAL_FORMAT_UNORM_SHORT_565, colours, sizeof colours));
  run_and_read(as_vectors, vectors, sizeof vectors);
  EXPECT(vectors[0] == 1.0f && vectors[1] == 0.0f && vectors[5] == 1.0f && vectors[10] == 1.0f, 1);
  EXPECT(vectors[12] == 1.0f && vectors[13] == 1.0f && vectors[14] == 1.0f && vectors[15] == 1.0f, 1);

  CALresource as_integers = made(CAL_FORMAT_SIGNED_INT32_1, zeros, 16);
  bind("o0", as_integers);
  bind("i0", made(CAL_FORMAT_SIGNED_INT8_1, small, sizeof small));
  run_and_read(as_integers, integers, sizeof integers);
  EXPECT(integers[0] == -128 && integers[1] == -1 && integers[2] == 0 && integers[3] == 127, 1);

  EXPECT(calCtxWaitForEvents(context, 0, 1, 0), CAL_RESULT_INVALID_PARAMETER);
  EXPECT(calCtxWaitForEvents(context, &nothing, 1, 0), CAL_RESULT_BAD_HANDLE);
  EXPECT(calCtxWaitForEvents(context, &nothing, 0, 0), CAL_RESULT_OK);
  EXPECT(calShutdown(), CAL_RESULT_OK);
  return REPORT();
}
