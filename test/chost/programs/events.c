/* Events: profiling, user events that commands wait for, callbacks in C, markers, barriers, an out-of-order queue. */
#include "opencl_helpers.h"

static const char *source =
    "__kernel void add(__global int *values, int amount) { values[get_global_id(0)] += amount; }\n"
    "__kernel void times(__global int *values, int factor) { values[get_global_id(0)] *= factor; }\n";

enum { COUNT = 256 };

struct seen {
  int calls;
  cl_int status;
  const char *name;
};

static void CL_CALLBACK completed(cl_event event, cl_int status, void *data) {
  struct seen *seen = data;
  (void)event;
  seen->calls++;
  seen->status = status;
}
static void CL_CALLBACK built(cl_program program, void *data) {
  (void)program;
  ((struct seen *)data)->calls++;
}
static void CL_CALLBACK destroyed(cl_mem object, void *data) {
  (void)object;
  ((struct seen *)data)->calls++;
}

static cl_event launch(const struct setup *setup, cl_kernel kernel, cl_mem buffer, int amount, cl_event after) {
  cl_event event;
  size_t global = COUNT;
  CHECK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
  CHECK(clSetKernelArg(kernel, 1, sizeof amount, &amount));
  CHECK(clEnqueueNDRangeKernel(setup->queue, kernel, 1, NULL, &global, NULL, after ? 1 : 0, after ? &after : NULL, &event));
  return event;
}

static cl_int status_of(cl_event event) {
  cl_int status;
  CHECK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  return status;
}

int main(void) {
  struct setup setup = set_up(CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  cl_int status;
  struct seen build_seen = {0}, event_seen = {0}, memory_seen = {0};
  cl_program program = clCreateProgramWithSource(setup.context, 1, &source, NULL, &status);
  CHECK(status);
  CHECK(clBuildProgram(program, 1, &setup.device, "", built, &build_seen));
  cl_build_status progress = CL_BUILD_IN_PROGRESS;
  while (progress == CL_BUILD_IN_PROGRESS) {
    CHECK(clGetProgramBuildInfo(program, setup.device, CL_PROGRAM_BUILD_STATUS, sizeof progress, &progress, NULL));
  }
  cl_kernel add = kernel_of(program, "add"), times = kernel_of(program, "times");
  int values[COUNT];
  for (int i = 0; i < COUNT; i++) values[i] = i;
  cl_mem buffer = buffer_of(&setup, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof values, values);
  CHECK(clSetMemObjectDestructorCallback(buffer, destroyed, &memory_seen));

  /* Nothing runs before the host says so; then one after another. */
  cl_event gate = clCreateUserEvent(setup.context, &status);
  CHECK(status);
  cl_event first = launch(&setup, add, buffer, 5, gate);
  cl_event second = launch(&setup, times, buffer, 3, first);
  cl_event third = launch(&setup, add, buffer, 1, second);
  CHECK(clSetEventCallback(third, CL_COMPLETE, completed, &event_seen));
  CHECK(clFlush(setup.queue));
  printf("waiting: %d %d\n", status_of(first) > CL_COMPLETE, status_of(gate) == CL_SUBMITTED);
  CHECK(clSetUserEventStatus(gate, CL_COMPLETE));
  CHECK(clWaitForEvents(1, &third));
  CHECK(clEnqueueReadBuffer(setup.queue, buffer, CL_TRUE, 0, sizeof values, values, 1, &third, NULL));
  printf("%d %d %d\n", values[0], values[1], values[COUNT - 1]);
  printf("done: %d %d\n", status_of(first), status_of(third));

  cl_ulong times_of[4];
  const cl_profiling_info infos[] = {CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_SUBMIT, CL_PROFILING_COMMAND_START,
                                     CL_PROFILING_COMMAND_END};
  for (int i = 0; i < 4; i++) CHECK(clGetEventProfilingInfo(second, infos[i], sizeof *times_of, &times_of[i], NULL));
  printf("in order: %d %d %d\n", times_of[0] <= times_of[1], times_of[1] <= times_of[2], times_of[2] <= times_of[3]);
  cl_command_type type;
  cl_command_queue queue;
  CHECK(clGetEventInfo(second, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
  CHECK(clGetEventInfo(second, CL_EVENT_COMMAND_QUEUE, sizeof queue, &queue, NULL));
  printf("%d %d\n", type == CL_COMMAND_NDRANGE_KERNEL, queue == setup.queue);

  cl_event marker, barrier;
  CHECK(clEnqueueMarkerWithWaitList(setup.queue, 0, NULL, &marker));
  CHECK(clEnqueueBarrierWithWaitList(setup.queue, 0, NULL, &barrier));
  CHECK(clFinish(setup.queue));
  printf("%d %d\n", status_of(marker), status_of(barrier));

  /* A user event that fails makes fail what waits for it. */
  cl_event broken = clCreateUserEvent(setup.context, &status);
  CHECK(status);
  cl_event doomed = launch(&setup, add, buffer, 100, broken);
  CHECK(clFlush(setup.queue));
  CHECK(clSetUserEventStatus(broken, -7));
  printf("%d %d\n", clWaitForEvents(1, &doomed), status_of(doomed) < 0);
  printf("again: %d\n", clSetUserEventStatus(broken, CL_COMPLETE));

  cl_event events[] = {gate, first, second, third, marker, barrier, broken, doomed};
  for (int i = 0; i < 8; i++) CHECK(clReleaseEvent(events[i]));
  CHECK(clReleaseKernel(add));
  CHECK(clReleaseKernel(times));
  CHECK(clReleaseProgram(program));
  CHECK(clReleaseMemObject(buffer));
  tear_down(&setup);
  printf("called back: %d %d (%d) %d\n", build_seen.calls, event_seen.calls, event_seen.status, memory_seen.calls);
  return 0;
}
