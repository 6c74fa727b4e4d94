/* Platforms and devices: every list by the two calls that it takes, and answers whose form is known. */
#include "opencl_helpers.h"
#include <stddef.h>

static char *platform_text(cl_platform_id platform, cl_platform_info what) {
  size_t size;
  CHECK(clGetPlatformInfo(platform, what, 0, NULL, &size));
  char *text = malloc(size);
  CHECK(clGetPlatformInfo(platform, what, size, text, NULL));
  if (strlen(text) + 1 != size) printf("size %d of '%s'\n", (int)size, text);
  return text;
}

static char *device_text(cl_device_id device, cl_device_info what) {
  size_t size;
  CHECK(clGetDeviceInfo(device, what, 0, NULL, &size));
  char *text = malloc(size);
  CHECK(clGetDeviceInfo(device, what, size, text, NULL));
  return text;
}

static void describe(cl_device_id device) {
  cl_uint units, frequency, dimensions, bits;
  cl_ulong global_bytes, local_bytes;
  cl_bool images;
  size_t group;
  cl_device_type type;
  CHECK(clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL));
  CHECK(clGetDeviceInfo(device, CL_DEVICE_MAX_CLOCK_FREQUENCY, sizeof frequency, &frequency, NULL));
  CHECK(clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, sizeof dimensions, &dimensions, NULL));
  CHECK(clGetDeviceInfo(device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof global_bytes, &global_bytes, NULL));
  CHECK(clGetDeviceInfo(device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof local_bytes, &local_bytes, NULL));
  CHECK(clGetDeviceInfo(device, CL_DEVICE_IMAGE_SUPPORT, sizeof images, &images, NULL));
  CHECK(clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof group, &group, NULL));
  CHECK(clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, NULL));
  CHECK(clGetDeviceInfo(device, CL_DEVICE_ADDRESS_BITS, sizeof bits, &bits, NULL));
  size_t *sizes = malloc(dimensions * sizeof *sizes);
  CHECK(clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_ITEM_SIZES, dimensions * sizeof *sizes, sizes, NULL));
  printf("units %d, dimensions %u, sizes %d, group %d, local %d, images %u, pointers %d\n", units > 0, dimensions,
         sizes[0] >= 64 && sizes[2] >= 1, group >= 64, local_bytes >= 16384, images, bits == 8 * sizeof(void *));
  printf("memory %d, type %d, frequency %d\n", global_bytes >= 1 << 20, type != 0, frequency < 100000);
  free(sizes);
  char *version = device_text(device, CL_DEVICE_VERSION), *language = device_text(device, CL_DEVICE_OPENCL_C_VERSION);
  char *profile = device_text(device, CL_DEVICE_PROFILE), *extensions = device_text(device, CL_DEVICE_EXTENSIONS);
  printf("%.7s %.9s %s %d\n", version, language, profile, strstr(extensions, "cl_khr_byte_addressable_store") != NULL);
  free(version);
  free(language);
  free(profile);
  free(extensions);
}

int main(void) {
  cl_uint platforms, devices;
  CHECK(clGetPlatformIDs(0, NULL, &platforms));
  cl_platform_id *list = malloc(platforms * sizeof *list);
  CHECK(clGetPlatformIDs(platforms, list, NULL));
  printf("%u\n", platforms);
  char *name = platform_text(list[0], CL_PLATFORM_NAME), *version = platform_text(list[0], CL_PLATFORM_VERSION);
  char *profile = platform_text(list[0], CL_PLATFORM_PROFILE);
  printf("%d %.7s %s\n", strlen(name) > 0, version, profile);
  CHECK(clGetDeviceIDs(list[0], CL_DEVICE_TYPE_ALL, 0, NULL, &devices));
  cl_device_id *found = malloc(devices * sizeof *found);
  CHECK(clGetDeviceIDs(list[0], CL_DEVICE_TYPE_ALL, devices, found, NULL));
  describe(found[0]);
  printf("%d %d %d\n", clGetDeviceIDs(list[0], CL_DEVICE_TYPE_ALL, 0, NULL, NULL) == CL_INVALID_VALUE,
         clGetPlatformInfo(list[0], 1, 0, NULL, NULL) == CL_INVALID_VALUE,
         clGetDeviceInfo(found[0], CL_DEVICE_TYPE, 1, &devices, NULL) == CL_INVALID_VALUE);
  free(name);
  free(version);
  free(profile);
  free(found);
  free(list);
  return 0;
}
