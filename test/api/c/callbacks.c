/* Functions of the program that OpenCL calls: always on its one thread, inside a call of OpenCL or while it sleeps. */
#include "setup.h"
#include <time.h>

static int inside;

static void CL_CALLBACK told(cl_event event, cl_int status, void *data) {
  cl_int type = 0;
  NEED(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
  printf("%s: status %d, command 0x%x, inside %d\n", (const char *)data, (int)status, (unsigned)type, inside);
}

static cl_event gate;

static void CL_CALLBACK open_gate(cl_event event, cl_int status, void *data) {
  (void)event, (void)status, (void)data;
  SHOW(clSetUserEventStatus(gate, CL_COMPLETE));
}

static void CL_CALLBACK built(cl_program program, void *data) {
  cl_build_status status = 99;
  NEED(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status, NULL));
  printf("%s: build status %d\n", (const char *)data, (int)status);
}

static void CL_CALLBACK gone(cl_mem memory, void *data) {
  (void)memory;
  printf("destructor %s\n", (const char *)data);
}

static void CL_CALLBACK context_gone(cl_context over, void *data) {
  (void)over;
  printf("context %s\n", (const char *)data);
}

struct sum {
  int *values;
  int count;
  int *result;
};

/* A native kernel: a function of the program that gets pointers to the bytes of memory objects. */
static void CL_CALLBACK sum(void *pointer) {
  struct sum *args = pointer;
  *args->result = 0;
  for (int i = 0; i < args->count; i++) *args->result += args->values[i];
}

static volatile int slept;

static void CL_CALLBACK while_asleep(cl_event event, cl_int status, void *data) {
  (void)event, (void)status, (void)data;
  slept = 1;
}

int main(void) {
  setup(0);
  static int values[] = {1, 2, 3, 4};
  cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof values, values, &error);
  NEED(error);

  cl_event filled;
  int pattern = 9;
  NEED(clEnqueueFillBuffer(queue, buffer, &pattern, 4, 0, 4, 0, NULL, &filled));
  inside = 1;
  NEED(clSetEventCallback(filled, CL_COMPLETE, told, "filled"));
  NEED(clReleaseEvent(filled));
  NEED(clFinish(queue));
  inside = 0;

  /* The marker that is waited for ends when a callback has opened the gate. */
  gate = clCreateUserEvent(context, &error);
  NEED(error);
  cl_event first, last;
  NEED(clEnqueueMarkerWithWaitList(queue, 0, NULL, &first));
  NEED(clEnqueueMarkerWithWaitList(queue, 1, &gate, &last));
  NEED(clSetEventCallback(first, CL_COMPLETE, open_gate, NULL));
  SHOW(clWaitForEvents(1, &last));
  SHOW(clSetUserEventStatus(gate, CL_COMPLETE));
  SHOW(clSetUserEventStatus(last, CL_COMPLETE));

  /* What fails tells so, with the code as the status. */
  gate = clCreateUserEvent(context, &error);
  NEED(clEnqueueMarkerWithWaitList(queue, 1, &gate, &last));
  NEED(clSetEventCallback(last, CL_COMPLETE, told, "after a failure"));
  NEED(clSetUserEventStatus(gate, -1234));
  SHOW(clWaitForEvents(1, &last));

  const char *good = "kernel void f(global int *a) { a[0] = 1; }";
  const char *bad = "kernel void f(global int *a) { a[0] = b; }";
  cl_program program = clCreateProgramWithSource(context, 1, &good, NULL, &error);
  SHOW(clBuildProgram(program, 1, &device, "", built, "good"));
  program = clCreateProgramWithSource(context, 1, &bad, NULL, &error);
  SHOW(clBuildProgram(program, 1, &device, "", built, "bad"));
  SHOW(clBuildProgram(program, 1, &device, "", NULL, "no function"));

  int result[1] = {0};
  cl_mem total = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, sizeof result, result, &error);
  NEED(error);
  struct sum args = {NULL, 4, NULL};
  cl_mem objects[] = {buffer, total};
  const void *places[] = {&args.values, &args.result};
  NEED(clEnqueueNativeKernel(queue, sum, &args, sizeof args, 2, objects, places, 0, NULL, NULL));
  args.count = 0;
  NEED(clFinish(queue));
  printf("sum %d\n", result[0]);
  SHOW(clEnqueueNativeKernel(queue, NULL, &args, sizeof args, 0, NULL, NULL, 0, NULL, NULL));
  SHOW(clEnqueueNativeKernel(queue, sum, NULL, 0, 2, objects, places, 0, NULL, NULL));
  SHOW(clSetEventCallback(last, CL_COMPLETE, NULL, NULL));
  SHOW(clSetEventCallback(last, CL_QUEUED, told, NULL));

  NEED(clSetMemObjectDestructorCallback(total, gone, "set first"));
  NEED(clSetMemObjectDestructorCallback(total, gone, "set last"));
  NEED(clReleaseMemObject(total));

  /* A program that looks at a variable and sleeps, as long as it takes. */
  NEED(clEnqueueMarkerWithWaitList(queue, 0, NULL, &last));
  NEED(clSetEventCallback(last, CL_COMPLETE, while_asleep, NULL));
  struct timespec pause = {0, 1000000};
  while (!slept) nanosleep(&pause, NULL);
  printf("slept\n");

  cl_context other = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  NEED(error);
  NEED(clSetContextDestructorCallback(other, context_gone, "set first"));
  NEED(clSetContextDestructorCallback(other, context_gone, "set last"));
  NEED(clReleaseContext(other));
  return 0;
}
