/*
 * Threads that wait for each other by way of OpenCL: the main thread finishes a queue that waits for an event which another thread sets;
 * two threads wait in the opposite order; callbacks and native kernels are called meanwhile.
 */
#include <CL/cl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static cl_context context;
static cl_device_id device;
static cl_event gates[2], opened[2];
static int told;
static int native_runs;

static void CL_CALLBACK tell(cl_event event, cl_int status, void *data) {
  if (status == CL_COMPLETE) __sync_fetch_and_add((int *)data, 1);
}

static void CL_CALLBACK native(void *data) {
  (void)data;
  __sync_fetch_and_add(&native_runs, 1);
}

static void *open_gate(void *data) {
  (void)data;
  usleep(20000);
  clSetUserEventStatus(gates[0], CL_COMPLETE);
  return NULL;
}

/* Waits for what the other opens, then opens what the other waits for. */
static void *second(void *data) {
  (void)data;
  clWaitForEvents(1, &opened[0]);
  clSetUserEventStatus(opened[1], CL_COMPLETE);
  return NULL;
}

int main(void) {
  clGetDeviceIDs(NULL, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
  context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
  pthread_t thread;

  gates[0] = clCreateUserEvent(context, NULL);
  cl_int value = 7, read = 0;
  cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof value, NULL, NULL);
  cl_event written;
  clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, sizeof value, &value, 1, &gates[0], &written);
  clSetEventCallback(written, CL_COMPLETE, tell, &told);
  pthread_create(&thread, NULL, open_gate, NULL);
  printf("read %d\n", clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof read, &read, 0, NULL, NULL));
  /* Functions are called while the program is in one of OpenCL. */
  while (!__sync_fetch_and_add(&told, 0)) clFlush(queue);
  printf("value %d, told %d\n", read, told);
  pthread_join(thread, NULL);

  gates[0] = clCreateUserEvent(context, NULL);
  clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, sizeof value, &value, 1, &gates[0], NULL);
  pthread_create(&thread, NULL, open_gate, NULL);
  printf("finish %d\n", clFinish(queue));
  pthread_join(thread, NULL);

  opened[0] = clCreateUserEvent(context, NULL);
  opened[1] = clCreateUserEvent(context, NULL);
  pthread_create(&thread, NULL, second, NULL);
  usleep(5000);
  clSetUserEventStatus(opened[0], CL_COMPLETE);
  printf("wait %d\n", clWaitForEvents(1, &opened[1]));
  pthread_join(thread, NULL);

  gates[0] = clCreateUserEvent(context, NULL);
  clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, sizeof read, &read, 1, &gates[0], &written);
  clSetUserEventStatus(gates[0], -5);
  printf("failed %d\n", clWaitForEvents(1, &written));
  clReleaseCommandQueue(queue);

  queue = clCreateCommandQueue(context, device, 0, NULL);
  for (int i = 0; i < 3; i++) printf("native %d\n", clEnqueueNativeKernel(queue, native, NULL, 0, 0, NULL, NULL, 0, NULL, NULL));
  printf("finish %d, native runs %d\n", clFinish(queue), native_runs);
  return 0;
}
