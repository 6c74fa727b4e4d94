/* A device is opened before it is used, once at a time, and closed when it is not needed any more. */
#include "../cal-support/check.h"

static CALuint local_memory_left(CALdevice device) {
  CALdevicestatus status;
  status.struct_size = sizeof status;
  CHECK(calDeviceGetStatus(&status, device));
  return status.availLocalRAM;
}

int main(void) {
  CALdevice device, again;
  CALresource resource;
  CALresult result;
  CHECK(calInit());
  CHECK(calDeviceOpen(&device, 0));
  printf("device 0 is open, with %u MB of local memory left\n", local_memory_left(device));

  result = calDeviceOpen(&again, 0);
  printf("opening it again gives %d: %s\n", (int)result, calGetErrorString());

  /* 2048 x 2048 elements of 16 bytes are 64 megabytes. */
  CHECK(calResAllocLocal2D(&resource, device, 2048, 2048, CAL_FORMAT_FLOAT_4, 0));
  printf("with a resource of 64 MB, %u MB are left\n", local_memory_left(device));

  /* Closing frees what belongs to the device. */
  CHECK(calDeviceClose(device));
  CHECK(calDeviceOpen(&device, 0));
  printf("closed and opened again: %u MB\n", local_memory_left(device));
  CHECK(calDeviceClose(device));
  CHECK(calShutdown());
  return 0;
}
