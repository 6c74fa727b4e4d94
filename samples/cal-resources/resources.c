/*
 * Resources: local and remote, in one and two dimensions. The host reaches their elements by mapping them; rows are `pitch`
 * elements apart, of which the width is the part that counts.
 */
#include "../cal-support/check.h"

enum { width = 100, height = 4 };

int main(void) {
  CALdevice device;
  CALresource local, remote;
  CALuint pitch;
  float *data;
  unsigned char(*bytes)[4];
  float sum = 0;
  CHECK(calInit());
  CHECK(calDeviceOpen(&device, 0));
  CHECK(calResAllocLocal2D(&local, device, width, height, CAL_FORMAT_FLOAT_1, 0));
  CHECK(calResMap((CALvoid **)&data, &pitch, local, 0));
  printf("rows of %d elements, %u apart\n", width, pitch);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) data[y * pitch + x] = (float)(y * width + x);
  CHECK(calResUnmap(local));
  CHECK(calResMap((CALvoid **)&data, &pitch, local, 0));
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) sum += data[y * pitch + x];
  printf("row 3 begins with %g, the sum is %g\n", data[3 * pitch], sum);
  CHECK(calResUnmap(local));

  /* Elements of four bytes each, in memory of the system that the processor's cache may hold. */
  CHECK(calResAllocRemote1D(&remote, &device, 1, 10, CAL_FORMAT_UBYTE_4, CAL_RESALLOC_CACHEABLE));
  CHECK(calResMap((CALvoid **)&bytes, &pitch, remote, 0));
  printf("an element of UBYTE_4 has %d bytes\n", (int)sizeof bytes[0]);
  CHECK(calResUnmap(remote));

  printf("8193 elements in a row: %d\n",
         (int)calResAllocLocal1D(&remote, device, 8193, CAL_FORMAT_FLOAT_1, 0));
  CHECK(calResFree(local));
  CHECK(calDeviceClose(device));
  CHECK(calShutdown());
  return 0;
}
