/* A device can have several contexts. Each knows resources by memory handles of its own. */
#include "../cal-support/check.h"

int main(void) {
  CALdevice device;
  CALcontext first, second;
  CALresource resource;
  CALmem of_first, of_second;
  CHECK(calInit());
  CHECK(calDeviceOpen(&device, 0));
  CHECK(calCtxCreate(&first, device));
  CHECK(calCtxCreate(&second, device));
  CHECK(calResAllocLocal1D(&resource, device, 64, CAL_FORMAT_FLOAT_1, 0));
  CHECK(calCtxGetMem(&of_first, first, resource));
  CHECK(calCtxGetMem(&of_second, second, resource));
  printf("two contexts, two handles of one resource: %s\n", of_first != of_second ? "true" : "false");
  printf("the second context releases a handle of the first: %d\n", (int)calCtxReleaseMem(second, of_first));
  printf("the resource is freed while it is used: %d\n", (int)calResFree(resource));
  CHECK(calCtxDestroy(first));
  printf("one context has ended: %d\n", (int)calResFree(resource));
  CHECK(calCtxReleaseMem(second, of_second));
  printf("the other one has released it: %d\n", (int)calResFree(resource));
  CHECK(calCtxDestroy(second));
  CHECK(calDeviceClose(device));
  CHECK(calShutdown());
  return 0;
}
