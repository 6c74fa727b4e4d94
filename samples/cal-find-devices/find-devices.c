/* Which devices there are, and what they can do. No device has to be open for that. */
#include "../cal-support/check.h"

static const char *const targets[] = {"R600", "RV610", "RV630", "RV670", "R700", "RV770", "RV710", "RV730"};

int main(void) {
  CALuint major, minor, implementation, count;
  CHECK(calInit());
  CHECK(calGetVersion(&major, &minor, &implementation));
  CHECK(calDeviceGetCount(&count));
  printf("CAL %u.%u.%u, %u devices\n", major, minor, implementation, count);
  for (CALuint ordinal = 0; ordinal < count; ordinal++) {
    CALdeviceinfo info;
    CALdeviceattribs attribs;
    attribs.struct_size = sizeof attribs;
    CHECK(calDeviceGetInfo(&info, ordinal));
    CHECK(calDeviceGetAttribs(&attribs, ordinal));
    printf("%s: %u MB, %u MHz, %u SIMDs, wavefronts of %u, %u x %u, double %d, compute %d\n",
           targets[info.target], attribs.localRAM, attribs.engineClock, attribs.numberOfSIMD,
           attribs.wavefrontSize, info.maxResource2DWidth, info.maxResource2DHeight,
           (int)attribs.doublePrecision, (int)attribs.computeShader);
  }
  CHECK(calShutdown());
  return 0;
}
