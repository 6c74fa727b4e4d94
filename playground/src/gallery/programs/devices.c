/* What there is to compute with: every platform, its devices, and what they can do. */
#include <CL/cl.h>
#include <stdio.h>

int main(void)
{
    cl_platform_id platforms[8];
    cl_uint platform_count;
    clGetPlatformIDs(8, platforms, &platform_count);
    for (cl_uint p = 0; p < platform_count; ++p) {
        char text[256];
        clGetPlatformInfo(platforms[p], CL_PLATFORM_NAME, sizeof text, text, NULL);
        printf("%s\n", text);

        cl_device_id devices[8];
        cl_uint device_count;
        if (clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, 8, devices, &device_count) != CL_SUCCESS)
            continue;
        for (cl_uint d = 0; d < device_count; ++d) {
            cl_uint units;
            cl_ulong memory, local_memory;
            size_t group;
            clGetDeviceInfo(devices[d], CL_DEVICE_NAME, sizeof text, text, NULL);
            clGetDeviceInfo(devices[d], CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL);
            clGetDeviceInfo(devices[d], CL_DEVICE_GLOBAL_MEM_SIZE, sizeof memory, &memory, NULL);
            clGetDeviceInfo(devices[d], CL_DEVICE_LOCAL_MEM_SIZE, sizeof local_memory, &local_memory, NULL);
            clGetDeviceInfo(devices[d], CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof group, &group, NULL);
            printf("  %s\n", text);
            printf("    compute units      %u\n", units);
            printf("    global memory      %llu MiB\n", (unsigned long long)(memory >> 20));
            printf("    local memory       %llu KiB\n", (unsigned long long)(local_memory >> 10));
            printf("    largest work-group %zu\n", group);
        }
    }
    return 0;
}
