/*
 * What an OpenCL driver does when it is driven from C, as the measure for driving it through Millrace.
 *
 *     driver PLATFORM DEVICE SAXPY.cl ELEMENTS MATMUL.cl N
 *
 * Platform and device are counted from 0. Then each line of standard input asks for one measurement, and its figures
 * come as one line on standard output:
 *
 *     saxpy N     microseconds of N launches one after the other, each from the enqueue call to the end of clFinish:
 *                 the median, and the first one, which comes after a pause
 *     matmul N    the same for the first kernel of the matrix multiplication
 *     launch N    the same for an empty kernel
 *     stream N    microseconds of one of N empty launches that are not waited for: of the call, and until all have ended
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

static double time_launch(cl_kernel kernel, cl_uint dimensions, const size_t *global, const size_t *local)
{
    double start = microseconds();
    check(clEnqueueNDRangeKernel(queue, kernel, dimensions, NULL, global, local, 0, NULL, NULL), "enqueue");
    check(clFinish(queue), "clFinish");
    return microseconds() - start;
}

static cl_kernel saxpy_kernel(const char *file, size_t elements)
{
    cl_kernel kernel = build(text_of(file), "saxpy");
    cl_mem x = floats(elements, 1), y = floats(elements, 2), z = floats(elements, 0);
    cl_float a = 2;
    cl_uint n = (cl_uint)elements;
    check(clSetKernelArg(kernel, 0, sizeof a, &a), "clSetKernelArg");
    check(clSetKernelArg(kernel, 1, sizeof x, &x), "clSetKernelArg");
    check(clSetKernelArg(kernel, 2, sizeof y, &y), "clSetKernelArg");
    check(clSetKernelArg(kernel, 3, sizeof z, &z), "clSetKernelArg");
    check(clSetKernelArg(kernel, 4, sizeof n, &n), "clSetKernelArg");
    return kernel;
}

static cl_kernel matmul_kernel(const char *file, size_t n)
{
    cl_kernel kernel = build(text_of(file), "matmul_naive");
    cl_mem a = floats(n * n, 1), b = floats(n * n, 2), c = floats(n * n, 0);
    cl_uint size = (cl_uint)n;
    check(clSetKernelArg(kernel, 0, sizeof size, &size), "clSetKernelArg");
    check(clSetKernelArg(kernel, 1, sizeof a, &a), "clSetKernelArg");
    check(clSetKernelArg(kernel, 2, sizeof b, &b), "clSetKernelArg");
    check(clSetKernelArg(kernel, 3, sizeof c, &c), "clSetKernelArg");
    return kernel;
}

static int by_size(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static void time_launches(cl_kernel kernel, cl_uint dimensions, const size_t *global, const size_t *local, int rounds)
{
    double *times = malloc(rounds * sizeof *times);
    for (int round = 0; round < rounds; round++)
        times[round] = time_launch(kernel, dimensions, global, local);
    double first = times[0];
    qsort(times, rounds, sizeof *times, by_size);
    printf("%f %f\n", times[(rounds - 1) / 2], first);
    free(times);
}

static void choose_device(unsigned platform_index, unsigned device_index)
{
    cl_platform_id platforms[16];
    cl_device_id devices[64];
    cl_uint count;
    cl_int status;
    check(clGetPlatformIDs(16, platforms, &count), "clGetPlatformIDs");
    check(platform_index < count ? CL_SUCCESS : CL_INVALID_PLATFORM, "platform");
    check(clGetDeviceIDs(platforms[platform_index], CL_DEVICE_TYPE_ALL, 64, devices, &count), "clGetDeviceIDs");
    check(device_index < count ? CL_SUCCESS : CL_INVALID_DEVICE, "device");
    context = clCreateContext(NULL, 1, &devices[device_index], NULL, NULL, &status);
    check(status, "clCreateContext");
    queue = clCreateCommandQueue(context, devices[device_index], 0, &status);
    check(status, "clCreateCommandQueue");
}

int main(int count, char **words)
{
    if (count != 7)
        return 2;
    choose_device(atoi(words[1]), atoi(words[2]));
    size_t elements = strtoull(words[4], NULL, 10), n = strtoull(words[6], NULL, 10), one = 1;
    size_t square[2] = { n, n };
    cl_kernel saxpy = saxpy_kernel(words[3], elements);
    cl_kernel matmul = matmul_kernel(words[5], n);
    cl_kernel empty = build("kernel void empty(void) {}", "empty");

    char line[100];
    while (fgets(line, sizeof line, stdin)) {
        int rounds = 0;
        if (sscanf(line, "saxpy %d", &rounds) == 1 && rounds > 0) {
            time_launches(saxpy, 1, &elements, NULL, rounds);
        } else if (sscanf(line, "matmul %d", &rounds) == 1 && rounds > 0) {
            time_launches(matmul, 2, square, NULL, rounds);
        } else if (sscanf(line, "launch %d", &rounds) == 1 && rounds > 0) {
            time_launches(empty, 1, &one, &one, rounds);
        } else if (sscanf(line, "stream %d", &rounds) == 1 && rounds > 0) {
            double start = microseconds();
            for (int round = 0; round < rounds; round++)
                check(clEnqueueNDRangeKernel(queue, empty, 1, NULL, &one, &one, 0, NULL, NULL), "enqueue");
            double enqueued = microseconds();
            check(clFinish(queue), "clFinish");
            printf("%f %f\n", (enqueued - start) / rounds, (microseconds() - start) / rounds);
        } else {
            return 2;
        }
        fflush(stdout);
    }
    return 0;
}
