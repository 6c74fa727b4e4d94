/* What the CAL samples share: a call that must succeed, or the program ends and says why. */
#include <stdio.h>
#include <stdlib.h>
#include "cal.h"
#include "calcl.h"

static void check(CALresult result, const char *call) {
  if (result == CAL_RESULT_OK) return;
  printf("%s failed with %d: %s\n", call, (int)result, calGetErrorString());
  exit(1);
}

#define CHECK(call) check((call), #call)

/* Compiles a program for a device and loads it into a context. */
static inline CALmodule load(CALcontext ctx, CALtarget target, const char *source) {
  CALobject object;
  CALimage image;
  CALmodule module;
  if (calclCompile(&object, CAL_LANGUAGE_IL, source, target) != CAL_RESULT_OK ||
      calclLink(&image, &object, 1) != CAL_RESULT_OK) {
    printf("%s\n", calclGetErrorString());
    exit(1);
  }
  CHECK(calModuleLoad(&module, ctx, image));
  calclFreeImage(image);
  calclFreeObject(object);
  return module;
}

/* Binds a resource to a symbol of a program, and gives its memory handle. */
static inline CALmem bind(CALcontext ctx, CALmodule module, const char *symbol, CALresource resource) {
  CALname name;
  CALmem mem;
  CHECK(calModuleGetName(&name, ctx, module, symbol));
  CHECK(calCtxGetMem(&mem, ctx, resource));
  CHECK(calCtxSetMem(ctx, name, mem));
  return mem;
}

/* Runs a program over a rectangle that begins at the origin, and waits for its end. */
static inline void run(CALcontext ctx, CALmodule module, CALuint width, CALuint height) {
  const CALdomain domain = {0, 0, width, height};
  CALfunc func;
  CALevent event;
  CALresult result;
  CHECK(calModuleGetEntry(&func, ctx, module, "main"));
  CHECK(calCtxRunProgram(&event, ctx, func, &domain));
  while ((result = calCtxIsEventDone(ctx, event)) == CAL_RESULT_PENDING);
  CHECK(result);
}
