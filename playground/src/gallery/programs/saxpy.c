/* A whole host program: context, queue, buffers, a kernel built from text, one launch, the result read back. */
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

static const char *source =
    "kernel void saxpy(float a, global const float *x, global float *y)\n"
    "{\n"
    "    const size_t i = get_global_id(0);\n"
    "    y[i] = a * x[i] + y[i];\n"
    "}\n";

static void check(cl_int status, const char *what)
{
    if (status == CL_SUCCESS)
        return;
    fprintf(stderr, "%s: error %d\n", what, status);
    exit(1);
}

int main(void)
{
    enum { count = 1000 };
    static float x[count], y[count];
    for (int i = 0; i < count; ++i) {
        x[i] = (float)i;
        y[i] = 1.0f;
    }

    cl_platform_id platform;
    cl_device_id device;
    cl_int status;
    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    check(status, "clCreateContext");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
    check(status, "clCreateCommandQueue");

    cl_mem xs = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof x, x, &status);
    check(status, "clCreateBuffer");
    cl_mem ys = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof y, y, &status);
    check(status, "clCreateBuffer");

    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &status);
    check(status, "clCreateProgramWithSource");
    check(clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
    cl_kernel saxpy = clCreateKernel(program, "saxpy", &status);
    check(status, "clCreateKernel");

    const float a = 2.5f;
    const size_t work_items = count;
    clSetKernelArg(saxpy, 0, sizeof a, &a);
    clSetKernelArg(saxpy, 1, sizeof xs, &xs);
    clSetKernelArg(saxpy, 2, sizeof ys, &ys);
    check(clEnqueueNDRangeKernel(queue, saxpy, 1, NULL, &work_items, NULL, 0, NULL, NULL), "clEnqueueNDRangeKernel");
    check(clEnqueueReadBuffer(queue, ys, CL_TRUE, 0, sizeof y, y, 0, NULL, NULL), "clEnqueueReadBuffer");

    int wrong = 0;
    for (int i = 0; i < count; ++i)
        wrong += y[i] != 2.5f * i + 1.0f;
    printf("y[10] = %g, y[999] = %g, %d wrong\n", y[10], y[999], wrong);

    clReleaseKernel(saxpy);
    clReleaseProgram(program);
    clReleaseMemObject(xs);
    clReleaseMemObject(ys);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return wrong != 0;
}
