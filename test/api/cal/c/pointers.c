/* What the functions of CAL answer to null pointers and to those that lead nowhere: a program in C can give them. */
#include "check.h"
#include "cal.h"
#include "calcl.h"
#define CAL_EXT_PROTOTYPES
#include "cal_ext.h"

#define INVALID CAL_RESULT_INVALID_PARAMETER

static CALresource memory_resource(CALdevice device) {
  CALresource resource = 0;
  EXPECT(calResAllocLocal1D(&resource, device, 64, CAL_FORMAT_FLOAT_1, 0), CAL_RESULT_OK);
  return resource;
}

static void system_functions(void) {
  CALuint a = 7, b = 7;
  EXPECT(calGetVersion(0, &a, &b), CAL_RESULT_BAD_PARAMETER);
  EXPECT(calGetVersion(&a, 0, &b), CAL_RESULT_BAD_PARAMETER);
  EXPECT(calGetVersion(&a, &b, 0), CAL_RESULT_BAD_PARAMETER);
  EXPECT(a, 7);
  EXPECT(calDeviceGetCount(0), INVALID);
  EXPECT(calDeviceGetInfo(0, 0), INVALID);
  EXPECT(calDeviceGetAttribs(0, 0), INVALID);
  EXPECT(calDeviceOpen(0, 0), INVALID);
  EXPECT(calDeviceOpen((CALdevice *)0xfffffff0u, 0), INVALID);
}

static void structures(CALdevice device) {
  CALdeviceattribs attribs = {0};
  CALdevicestatus status = {0};
  /* Information cannot be obtained in no room, and not more is written than there is. */
  EXPECT(calDeviceGetAttribs(&attribs, 0), CAL_RESULT_ERROR);
  EXPECT(calDeviceGetStatus(&status, device), CAL_RESULT_ERROR);
  EXPECT(calDeviceGetStatus(0, device), INVALID);
  attribs.struct_size = 8;
  attribs.localRAM = 12345;
  EXPECT(calDeviceGetAttribs(&attribs, 0), CAL_RESULT_OK);
  EXPECT(attribs.target, CAL_TARGET_770);
  EXPECT(attribs.localRAM, 12345);
  attribs.struct_size = sizeof attribs;
  EXPECT(calDeviceGetAttribs(&attribs, 0), CAL_RESULT_OK);
  EXPECT(attribs.struct_size, 112);
  EXPECT(attribs.b3dProgramGrid, CAL_TRUE);
  EXPECT(attribs.totalVisibleHeap, attribs.localRAM);
  EXPECT(attribs.computeShader, CAL_TRUE);
  EXPECT(attribs.surface_alignment, 256);
  status.struct_size = sizeof status;
  EXPECT(calDeviceGetStatus(&status, device), CAL_RESULT_OK);
  EXPECT(status.availLocalRAM > 0, 1);
  EXPECT(status.largestBlockVisibleHeap, status.availLocalRAM);
}

static void memory_functions(CALdevice device) {
  static float mine[128] __attribute__((aligned(256)));
  CALresource resource = 7;
  CALuint pitch = 7;
  void *pointer = &resource;
  EXPECT(calResAllocLocal1D(0, device, 64, CAL_FORMAT_FLOAT_1, 0), INVALID);
  EXPECT(calResAllocLocal2D(0, device, 64, 1, CAL_FORMAT_FLOAT_1, 0), INVALID);
  EXPECT(calResAllocRemote1D(0, &device, 1, 64, CAL_FORMAT_FLOAT_1, 0), INVALID);
  EXPECT(calResAllocRemote2D(0, &device, 1, 64, 1, CAL_FORMAT_FLOAT_1, 0), INVALID);
  EXPECT(calResAllocRemote2D(&resource, 0, 1, 64, 1, CAL_FORMAT_FLOAT_1, 0), INVALID);
  EXPECT(resource, 0);
  EXPECT(calResCreate1D(0, device, mine, 64, CAL_FORMAT_FLOAT_1, sizeof mine, 0), INVALID);
  EXPECT(calResCreate1D(&resource, device, 0, 64, CAL_FORMAT_FLOAT_1, sizeof mine, 0), INVALID);
  EXPECT(calResCreate1D(&resource, device, mine + 1, 64, CAL_FORMAT_FLOAT_1, sizeof mine, 0), INVALID);
  EXPECT(calResCreate2D(&resource, device, mine, 64, 2, CAL_FORMAT_FLOAT_1, sizeof mine - 1, 0), CAL_RESULT_ERROR);
  EXPECT(calResCreate2D(&resource, device, mine, 64, 2, CAL_FORMAT_FLOAT_1, sizeof mine, 0), CAL_RESULT_OK);
  EXPECT(calResMap(0, &pitch, resource, 0), INVALID);
  EXPECT(calResMap(&pointer, 0, resource, 0), INVALID);
  EXPECT(pointer == 0, 1);
  /* A wrong pointer leaves it unmapped. What is mapped is the program's own memory. */
  EXPECT(calResMap(&pointer, &pitch, resource, 0), CAL_RESULT_OK);
  EXPECT(pointer == mine, 1);
  EXPECT(pitch, 64);
  EXPECT(calResMap(&pointer, &pitch, resource, 0), CAL_RESULT_ALREADY);
  EXPECT(pointer == 0 && pitch == 0, 1);
  EXPECT(calResUnmap(resource), CAL_RESULT_OK);
  EXPECT(calResFree(resource), CAL_RESULT_OK);
}

static void context_functions(CALcontext context, CALresource resource) {
  CALmem mem = 7;
  CALevent event = 7;
  CALcounter counter = 0;
  CALimage image = (CALimage)7;
  CALmodule module = 7;
  CALfloat value = 7;
  EXPECT(calCtxCreate(0, 1), INVALID);
  EXPECT(calCtxGetMem(0, context, resource), INVALID);
  EXPECT(calCtxGetMem(&mem, context, 0), CAL_RESULT_BAD_HANDLE);
  EXPECT(mem, 0);
  EXPECT(calModuleLoad(0, context, image), INVALID);
  EXPECT(calModuleLoad(&module, context, image), CAL_RESULT_ERROR);
  EXPECT(module, 0);
  EXPECT(calModuleGetEntry(0, context, 1, "main"), INVALID);
  EXPECT(calModuleGetName(0, context, 1, "o0"), INVALID);
  EXPECT(calImageRead(0, "no image", 8), INVALID);
  EXPECT(calImageRead(&image, 0, 8), INVALID);
  EXPECT(calImageRead(&image, "no image", 8), CAL_RESULT_ERROR);
  EXPECT(image == 0, 1);
  EXPECT(calCtxRunProgram(0, context, 1, 0), INVALID);
  EXPECT(calCtxRunProgram(&event, context, 1, 0), INVALID);
  EXPECT(event, 0);
  EXPECT(calCtxRunProgramGrid(&event, context, 0), INVALID);
  EXPECT(calCtxRunProgramGridArray(&event, context, 0), INVALID);
  EXPECT(calMemCopy(0, context, 1, 1, 0), INVALID);
  EXPECT(calCtxIsEventDone(context, 0), CAL_RESULT_BAD_HANDLE);
  EXPECT(calCtxCreateCounter(0, context, CAL_COUNTER_IDLE), INVALID);
  EXPECT(calCtxCreateCounter(&counter, context, CAL_COUNTER_IDLE), CAL_RESULT_OK);
  EXPECT(calCtxGetCounter(0, context, counter), INVALID);
  EXPECT(calCtxGetCounter(&value, context, counter), CAL_RESULT_PENDING);
  EXPECT(value == 0, 1);
}

static void ignore(const CALchar *line) { (void)line; }

static void compiler_functions(void) {
  CALuint a, b;
  CALobject object = (CALobject)7;
  CALimage image = (CALimage)7;
  EXPECT(calclGetVersion(&a, &b, 0), INVALID);
  EXPECT(calclCompile(0, CAL_LANGUAGE_IL, "il_ps_2_0\nend\n", CAL_TARGET_770), INVALID);
  EXPECT(calclCompile(&object, CAL_LANGUAGE_IL, 0, CAL_TARGET_770), INVALID);
  EXPECT(object == 0, 1);
  EXPECT(calclAssembleObject(&object, CAL_PROGRAM_TYPE_PS, 0, CAL_TARGET_770), INVALID);
  EXPECT(calclLink(&image, 0, 1), INVALID);
  EXPECT(calclLink(&image, &object, 0), INVALID);
  EXPECT(image == 0, 1);
  EXPECT(calclFreeObject(object), CAL_RESULT_ERROR);
  EXPECT(calclImageGetSize(&a, image), CAL_RESULT_ERROR);
  calclDisassembleImage(image, ignore);
  calclDisassembleObject(object, 0);
}

static void extension_functions(CALdevice device) {
  CALextproc proc = (CALextproc)7;
  CALuint major = 0, minor = 7;
  CALresource resource;
  EXPECT(calExtGetVersion(&major, &minor, CAL_EXT_COUNTERS), CAL_RESULT_OK);
  EXPECT(major, 1);
  EXPECT(minor, 0);
  EXPECT(calExtGetVersion(0, &minor, CAL_EXT_COUNTERS), INVALID);
  EXPECT(calExtGetProc(0, CAL_EXT_COUNTERS, "calCtxGetCounter"), INVALID);
  EXPECT(calExtGetProc(&proc, CAL_EXT_COUNTERS, "calCtxGetSomething"), CAL_RESULT_NOT_SUPPORTED);
  EXPECT(proc == 0, 1);
  EXPECT(calExtGetProc(&proc, CAL_EXT_RES_CREATE, "calResCreate2D"), CAL_RESULT_OK);
  EXPECT(proc == (CALextproc)calResCreate2D, 1);
  EXPECT(calExtGetProc(&proc, CAL_EXT_COMPUTE_SHADER, "calModuleGetFuncInfo"), CAL_RESULT_OK);
  EXPECT(proc != 0, 1);
  EXPECT(calExtGetProc(&proc, CAL_EXT_SAMPLER_PARAM, "calCtxGetSamplerParams"), CAL_RESULT_OK);
  EXPECT(proc == (CALextproc)calCtxGetSamplerParams, 1);
  EXPECT(calD3D9Associate(device, 0), CAL_RESULT_NOT_SUPPORTED);
  EXPECT(calD3D10MapResource(&resource, device, 0, 0), CAL_RESULT_NOT_SUPPORTED);
}

int main(void) {
  CALdevice device = 7;
  CALcontext context = 0;
  EXPECT(calDeviceOpen(&device, 0), CAL_RESULT_NOT_INITIALIZED);
  EXPECT(device, 0);
  EXPECT(calInit(), CAL_RESULT_OK);
  EXPECT(calDeviceOpen(&device, 0), CAL_RESULT_OK);
  EXPECT(calCtxCreate(&context, device), CAL_RESULT_OK);
  system_functions();
  structures(device);
  memory_functions(device);
  context_functions(context, memory_resource(device));
  compiler_functions();
  extension_functions(device);
  EXPECT(calShutdown(), CAL_RESULT_OK);
  EXPECT(calShutdown(), CAL_RESULT_NOT_INITIALIZED);
  return REPORT();
}
