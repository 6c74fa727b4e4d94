/* How long commands take: a write, several launches and a read, by the times of their events. */
#include "opencl_helpers.h"

enum { COUNT = 65536, LAUNCHES = 5 };

static const char *source =
    "__kernel void saxpy(float a, __global const float *x, __global float *y) {\n"
    "  size_t i = get_global_id(0);\n"
    "  y[i] = a * x[i] + y[i];\n"
    "}\n";

/* Nanoseconds from the start to the end; says whether the four times come one after another. */
static cl_ulong time_of(cl_event event, int *in_order) {
  cl_ulong queued, submitted, started, ended;
  CHECK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_QUEUED, sizeof queued, &queued, NULL));
  CHECK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_SUBMIT, sizeof submitted, &submitted, NULL));
  CHECK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof started, &started, NULL));
  CHECK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof ended, &ended, NULL));
  *in_order = queued > 0 && queued <= submitted && submitted <= started && started <= ended;
  return ended - started;
}

int main(void) {
  struct setup setup = set_up(CL_QUEUE_PROFILING_ENABLE);
  static float x[COUNT], y[COUNT];
  for (int i = 0; i < COUNT; i++) x[i] = (float)i;
  cl_mem x_buffer = buffer_of(&setup, CL_MEM_READ_ONLY, sizeof x, NULL);
  cl_mem y_buffer = buffer_of(&setup, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof y, y);
  cl_event written, launched[LAUNCHES], read;
  CHECK(clEnqueueWriteBuffer(setup.queue, x_buffer, CL_FALSE, 0, sizeof x, x, 0, NULL, &written));

  cl_program program = build(&setup, source, NULL);
  cl_kernel kernel = kernel_of(program, "saxpy");
  float a = 0.5f;
  CHECK(clSetKernelArg(kernel, 0, sizeof a, &a));
  CHECK(clSetKernelArg(kernel, 1, sizeof x_buffer, &x_buffer));
  CHECK(clSetKernelArg(kernel, 2, sizeof y_buffer, &y_buffer));
  size_t global = COUNT;
  for (int i = 0; i < LAUNCHES; i++)
    CHECK(clEnqueueNDRangeKernel(setup.queue, kernel, 1, NULL, &global, NULL, 0, NULL, &launched[i]));
  CHECK(clEnqueueReadBuffer(setup.queue, y_buffer, CL_FALSE, 0, sizeof y, y, 0, NULL, &read));
  CHECK(clWaitForEvents(1, &read));

  int in_order, all_in_order, wrong = 0, later = 1;
  cl_ulong sum = 0, least = (cl_ulong)-1, before = 0, started;
  (void)time_of(written, &all_in_order);
  for (int i = 0; i < LAUNCHES; i++) {
    cl_ulong time = time_of(launched[i], &in_order);
    CHECK(clGetEventProfilingInfo(launched[i], CL_PROFILING_COMMAND_START, sizeof started, &started, NULL));
    later &= started >= before;
    before = started;
    all_in_order &= in_order;
    sum += time;
    if (time < least) least = time;
  }
  (void)time_of(read, &in_order);
  for (int i = 0; i < COUNT; i++) wrong += y[i] != 2.5f * (float)i;
  printf("%d wrong, times in order %d, launches in order %d, average no less than the least %d\n", wrong,
         all_in_order && in_order, later, sum / LAUNCHES >= least);

  /* What has no times: commands of a queue that was not asked for them, commands that have not ended, user events. */
  cl_int status;
  cl_ulong time;
  cl_event event, user = clCreateUserEvent(setup.context, &status);
  CHECK(status);
  printf("%d", clGetEventProfilingInfo(user, CL_PROFILING_COMMAND_END, sizeof time, &time, NULL));
  CHECK(clEnqueueMarkerWithWaitList(setup.queue, 1, &user, &event));
  printf(" %d", clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof time, &time, NULL));
  CHECK(clSetUserEventStatus(user, CL_COMPLETE));
  CHECK(clFinish(setup.queue));
  printf(" %d", clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof time, &time, NULL));
  CHECK(clReleaseEvent(event));
  cl_command_queue plain = clCreateCommandQueue(setup.context, setup.device, 0, &status);
  CHECK(status);
  CHECK(clEnqueueReadBuffer(plain, y_buffer, CL_TRUE, 0, sizeof y, y, 0, NULL, &event));
  printf(" %d\n", clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof time, &time, NULL));

  CHECK(clReleaseEvent(event));
  CHECK(clReleaseEvent(user));
  CHECK(clReleaseEvent(written));
  CHECK(clReleaseEvent(read));
  for (int i = 0; i < LAUNCHES; i++) CHECK(clReleaseEvent(launched[i]));
  CHECK(clReleaseCommandQueue(plain));
  CHECK(clReleaseKernel(kernel));
  CHECK(clReleaseProgram(program));
  CHECK(clReleaseMemObject(x_buffer));
  CHECK(clReleaseMemObject(y_buffer));
  tear_down(&setup);
  return 0;
}
