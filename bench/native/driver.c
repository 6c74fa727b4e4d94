/*
 * What an OpenCL driver does when it is driven from C, as the measure for driving it through Millrace.
 *
 *     driver saxpy KERNEL.cl ELEMENTS ROUNDS     milliseconds of each launch, until clFinish
 *     driver matmul KERNEL.cl N ROUNDS           the same for the first kernel of the matrix multiplication
 *     driver launch ROUNDS                       microseconds of an empty launch with clFinish, each
 *     driver stream LAUNCHES                     microseconds of one of so many launches that are not waited for,
 *                                                and of its clEnqueueNDRangeKernel alone
 *
 * The first device of the first platform is used. Numbers go to standard output, one a line.
 */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static cl_context context;
static cl_command_queue queue;

static void check(cl_int status, const char *what)
{
    if (status == CL_SUCCESS)
        return;
    fprintf(stderr, "%s: CL error %d\n", what, status);
    exit(1);
}

static double microseconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1e6 + time.tv_nsec / 1e3;
}

static cl_kernel build(const char *source, const char *name)
{
    cl_int status;
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &status);
    check(status, "clCreateProgramWithSource");
    check(clBuildProgram(program, 0, NULL, "", NULL, NULL), "clBuildProgram");
    cl_kernel kernel = clCreateKernel(program, name, &status);
    check(status, "clCreateKernel");
    return kernel;
}

static char *text_of(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        exit(1);
    }
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *text = malloc(size + 1);
    text[fread(text, 1, size, file)] = 0;
    fclose(file);
    return text;
}

static cl_mem floats(size_t count, float value)
{
    float *data = malloc(count * sizeof(float));
    for (size_t i = 0; i < count; i++)
        data[i] = value + (float)(i % 7);
    cl_int status;
    cl_mem buffer =
        clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, count * sizeof(float), data, &status);
    check(status, "clCreateBuffer");
    free(data);
    return buffer;
}

static void time_launches(cl_kernel kernel, cl_uint dimensions, const size_t *global, int rounds, double unit)
{
    /* Graphics cards need some time at work before they run at full speed. */
    for (double begun = microseconds(); microseconds() - begun < 200e3;) {
        check(clEnqueueNDRangeKernel(queue, kernel, dimensions, NULL, global, NULL, 0, NULL, NULL), "enqueue");
        check(clFinish(queue), "clFinish");
    }
    for (int round = 0; round < rounds; round++) {
        double start = microseconds();
        check(clEnqueueNDRangeKernel(queue, kernel, dimensions, NULL, global, NULL, 0, NULL, NULL), "enqueue");
        check(clFinish(queue), "clFinish");
        printf("%f\n", (microseconds() - start) / unit);
    }
}

int main(int count, char **words)
{
    if (count < 3)
        return 2;
    cl_platform_id platform;
    cl_device_id device;
    cl_int status;
    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    check(status, "clCreateContext");
    queue = clCreateCommandQueue(context, device, 0, &status);
    check(status, "clCreateCommandQueue");

    if (strcmp(words[1], "saxpy") == 0 && count == 5) {
        size_t elements = strtoull(words[3], NULL, 10);
        cl_kernel kernel = build(text_of(words[2]), "saxpy");
        cl_mem x = floats(elements, 1), y = floats(elements, 2), z = floats(elements, 0);
        cl_float a = 2;
        cl_uint n = (cl_uint)elements;
        clSetKernelArg(kernel, 0, sizeof a, &a);
        clSetKernelArg(kernel, 1, sizeof x, &x);
        clSetKernelArg(kernel, 2, sizeof y, &y);
        clSetKernelArg(kernel, 3, sizeof z, &z);
        clSetKernelArg(kernel, 4, sizeof n, &n);
        time_launches(kernel, 1, &elements, atoi(words[4]), 1e3);
    } else if (strcmp(words[1], "matmul") == 0 && count == 5) {
        size_t n = strtoull(words[3], NULL, 10);
        size_t global[2] = { n, n };
        cl_kernel kernel = build(text_of(words[2]), "matmul_naive");
        cl_mem a = floats(n * n, 1), b = floats(n * n, 2), c = floats(n * n, 0);
        cl_uint size = (cl_uint)n;
        clSetKernelArg(kernel, 0, sizeof size, &size);
        clSetKernelArg(kernel, 1, sizeof a, &a);
        clSetKernelArg(kernel, 2, sizeof b, &b);
        clSetKernelArg(kernel, 3, sizeof c, &c);
        time_launches(kernel, 2, global, atoi(words[4]), 1e3);
    } else {
        size_t one = 1;
        cl_kernel kernel = build("kernel void empty(void) {}", "empty");
        int rounds = atoi(words[2]);
        if (strcmp(words[1], "launch") == 0) {
            time_launches(kernel, 1, &one, rounds, 1);
        } else {
            double calls = 0, start = microseconds();
            for (int round = 0; round < rounds; round++) {
                double before = microseconds();
                check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL), "enqueue");
                calls += microseconds() - before;
            }
            check(clFinish(queue), "clFinish");
            printf("%f\n%f\n", (microseconds() - start) / rounds, calls / rounds);
        }
    }
    return 0;
}
