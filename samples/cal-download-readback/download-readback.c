/* Data goes to the memory of a device and comes back by copies, which run by themselves while the host does something else. */
#include "../cal-support/check.h"

enum { width = 256, height = 256 };

int main(void) {
  const CALformat format = CAL_FORMAT_FLOAT_4;
  CALdevice device;
  CALcontext ctx;
  CALresource source, local, target;
  CALmem from, between, to;
  CALevent event;
  CALresult result;
  CALuint pitch;
  float *data;
  int count, wrong = 0;
  CHECK(calInit());
  CHECK(calDeviceOpen(&device, 0));
  CHECK(calCtxCreate(&ctx, device));
  CHECK(calResAllocRemote2D(&source, &device, 1, width, height, format, 0));
  CHECK(calResAllocLocal2D(&local, device, width, height, format, 0));
  CHECK(calResAllocRemote2D(&target, &device, 1, width, height, format, 0));
  CHECK(calResMap((CALvoid **)&data, &pitch, source, 0));
  count = (int)pitch * height * 4;
  for (int i = 0; i < count; i++) data[i] = (float)i;
  CHECK(calResUnmap(source));
  CHECK(calResMap((CALvoid **)&data, &pitch, target, 0));
  for (int i = 0; i < count; i++) data[i] = -1;
  CHECK(calResUnmap(target));
  CHECK(calCtxGetMem(&from, ctx, source));
  CHECK(calCtxGetMem(&between, ctx, local));
  CHECK(calCtxGetMem(&to, ctx, target));

  /* The second copy uses what the first one writes, and waits for it. */
  CHECK(calMemCopy(&event, ctx, from, between, 0));
  CHECK(calMemCopy(&event, ctx, between, to, 0));
  while ((result = calCtxIsEventDone(ctx, event)) == CAL_RESULT_PENDING);
  CHECK(result);

  CHECK(calResMap((CALvoid **)&data, &pitch, target, 0));
  for (int i = 0; i < count; i++) wrong += data[i] != (float)i;
  printf("%d numbers there and back, %d of them wrong, the last is %.0f\n", count, wrong, data[count - 1]);
  CHECK(calResUnmap(target));
  CHECK(calCtxDestroy(ctx));
  CHECK(calDeviceClose(device));
  CHECK(calShutdown());
  return 0;
}
