/* Numbers of objects, their counts of references, and the codes for those that are wrong. */
#include "setup.h"

static cl_uint count_of(cl_mem memory) {
  cl_uint count = 99;
  NEED(clGetMemObjectInfo(memory, CL_MEM_REFERENCE_COUNT, sizeof count, &count, NULL));
  return count;
}

int main(void) {
  cl_uint count = 99;
  SHOW(clGetPlatformIDs(0, NULL, NULL));
  SHOW(clGetPlatformIDs(0, &platform, NULL));
  SHOW(clGetPlatformIDs(0, NULL, &count));
  printf("platforms %u\n", (unsigned)count);
  setup(0);

  cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, 64, NULL, &error);
  SHOW(clRetainMemObject(buffer));
  printf("references %u\n", (unsigned)count_of(buffer));
  SHOW(clReleaseMemObject(buffer));
  SHOW(clReleaseMemObject(buffer));
  SHOW(clReleaseMemObject(buffer));
  SHOW(clRetainMemObject(NULL));

  SHOW(clRetainContext((cl_context)queue));
  SHOW(clFlush((cl_command_queue)context));
  SHOW(clReleaseKernel((cl_kernel)4));
  SHOW(clReleaseProgram(NULL));
  SHOW(clReleaseEvent(NULL));
  SHOW(clReleaseSampler(NULL));
  SHOW(clReleaseDevice((cl_device_id)platform));
  SHOW(clGetPlatformInfo((cl_platform_id)device, CL_PLATFORM_NAME, 0, NULL, NULL));
  SHOW(clReleaseDevice(device));

  /* A part keeps its whole; both are over when the part is. */
  cl_mem whole = clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, &error);
  cl_buffer_region region = {1024, 512};
  cl_mem part = clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
  NEED(error);
  SHOW(clReleaseMemObject(whole));
  cl_mem of = NULL;
  size_t offset = 0;
  NEED(clGetMemObjectInfo(part, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof of, &of, NULL));
  NEED(clGetMemObjectInfo(part, CL_MEM_OFFSET, sizeof offset, &offset, NULL));
  printf("part of the whole: %d, at %zu\n", of == whole, offset);
  SHOW(clReleaseMemObject(part));
  SHOW(clRetainMemObject(whole));

  /* Sizes of answers: asked for, too small, and exact. */
  size_t size = 0;
  char name[64] = "";
  SHOW(clGetPlatformInfo(platform, CL_PLATFORM_NAME, 0, NULL, &size));
  printf("size %zu\n", size);
  SHOW(clGetPlatformInfo(platform, CL_PLATFORM_NAME, 8, name, NULL));
  SHOW(clGetPlatformInfo(platform, CL_PLATFORM_NAME, 9, name, NULL));
  printf("%s\n", name);
  SHOW(clGetPlatformInfo(platform, 0x1234, 0, NULL, &size));
  SHOW(clGetDeviceInfo(device, CL_DEVICE_TYPE, 0, NULL, &size));
  printf("cl_device_type %zu\n", size);
  SHOW(clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_ITEM_SIZES, 0, NULL, &size));
  printf("three sizes %zu\n", size);
  cl_context same = NULL;
  NEED(clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof same, &same, &size));
  printf("context of the queue %d, %zu bytes\n", same == context, size);

  /* What is released is still what others belong to. */
  cl_context other = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  cl_mem in_other = clCreateBuffer(other, CL_MEM_READ_WRITE, 64, NULL, &error);
  NEED(error);
  NEED(clReleaseContext(other));
  NEED(clGetMemObjectInfo(in_other, CL_MEM_CONTEXT, sizeof same, &same, NULL));
  printf("context of the buffer %d\n", same == other);
  SHOW(clReleaseContext(other));
  NEED(clReleaseMemObject(in_other));

  /* Pointers to nowhere are error codes. */
  int *nowhere = (int *)0xfffffff0;
  SHOW(clGetPlatformIDs(1, (cl_platform_id *)nowhere, NULL));
  SHOW(clGetDeviceInfo(device, CL_DEVICE_NAME, 1 << 20, nowhere, NULL));
  SHOW(clEnqueueWriteBuffer(queue, whole, CL_TRUE, 0, 4, NULL, 0, NULL, NULL));
  buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, 64, NULL, NULL);
  SHOW(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, 4, NULL, 0, NULL, NULL));
  SHOW(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, 64, nowhere, 0, NULL, NULL));
  SHOW(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 60, 8, name, 0, NULL, NULL));
  SHOW_ERROR(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 64, NULL, &error));
  SHOW_ERROR(clCreateBuffer(context, CL_MEM_READ_WRITE, 64, name, &error));
  SHOW_ERROR(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 64, nowhere, &error));
  SHOW_ERROR(clCreateBuffer(context, CL_MEM_READ_WRITE, 0, NULL, &error));
  SHOW_ERROR(clCreateBuffer(NULL, CL_MEM_READ_WRITE, 64, NULL, &error));

  /* Wait lists: a count and a pointer, and events in them. */
  cl_event event = NULL;
  SHOW(clEnqueueMarkerWithWaitList(queue, 1, NULL, NULL));
  SHOW(clEnqueueMarkerWithWaitList(queue, 0, &event, NULL));
  SHOW(clEnqueueMarkerWithWaitList(queue, 1, &event, NULL));
  SHOW(clWaitForEvents(0, NULL));
  SHOW(clWaitForEvents(1, &event));

  /* What is not there yet says so. */
  SHOW(clSetDefaultDeviceCommandQueue(context, device, queue));
  printf("%p\n", clGetExtensionFunctionAddressForPlatform(platform, "clNothing"));
  return 0;
}
