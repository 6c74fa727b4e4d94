/* Rectangles of buffers: read, written and copied; sub-buffers; mapping; facts about memory objects. */
#include "opencl_helpers.h"

enum { COLUMNS = 8, ROWS = 6 };

static void print(const char *title, const int *values, int columns, int rows) {
  printf("%s\n", title);
  for (int y = 0; y < rows; y++) {
    for (int x = 0; x < columns; x++) printf("%4d", values[y * columns + x]);
    printf("\n");
  }
}

int main(void) {
  struct setup setup = set_up(0);
  cl_int status;
  int values[ROWS * COLUMNS];
  for (int i = 0; i < ROWS * COLUMNS; i++) values[i] = i;
  cl_mem buffer = buffer_of(&setup, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof values, values);

  /* Four columns and three rows from column 2, row 1; origins along x are in bytes. */
  int part[12];
  size_t from[] = {2 * sizeof(int), 1, 0}, origin[] = {0, 0, 0}, region[] = {4 * sizeof(int), 3, 1};
  memset(part, 0, sizeof part);
  CHECK(clEnqueueReadBufferRect(setup.queue, buffer, CL_TRUE, from, origin, region, COLUMNS * sizeof(int), 0,
                                4 * sizeof(int), 0, part, 0, NULL, NULL));
  print("read", part, 4, 3);

  for (int i = 0; i < 12; i++) part[i] = -part[i];
  size_t to[] = {0, 3, 0};
  CHECK(clEnqueueWriteBufferRect(setup.queue, buffer, CL_TRUE, to, origin, region, COLUMNS * sizeof(int), 0,
                                 4 * sizeof(int), 0, part, 0, NULL, NULL));
  cl_mem other = buffer_of(&setup, CL_MEM_READ_WRITE, sizeof values, NULL);
  int fill = 99;
  CHECK(clEnqueueFillBuffer(setup.queue, other, &fill, sizeof fill, 0, sizeof values, 0, NULL, NULL));
  size_t there[] = {4 * sizeof(int), 2, 0};
  CHECK(clEnqueueCopyBufferRect(setup.queue, buffer, other, from, there, region, COLUMNS * sizeof(int), 0,
                                COLUMNS * sizeof(int), 0, 0, NULL, NULL));
  CHECK(clEnqueueReadBuffer(setup.queue, buffer, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL));
  print("written", values, COLUMNS, ROWS);
  int *mapped = clEnqueueMapBuffer(setup.queue, other, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, sizeof values, 0, NULL, NULL, &status);
  CHECK(status);
  print("copied", mapped, COLUMNS, ROWS);
  mapped[0] = 7;
  CHECK(clEnqueueUnmapMemObject(setup.queue, other, mapped, 0, NULL, NULL));
  CHECK(clEnqueueCopyBuffer(setup.queue, other, buffer, 0, 4, 4, 0, NULL, NULL));
  CHECK(clEnqueueReadBuffer(setup.queue, buffer, CL_TRUE, 0, 8, part, 0, NULL, NULL));
  printf("%d %d\n", part[0], part[1]);
  printf("outside: %d\n", clEnqueueReadBufferRect(setup.queue, buffer, CL_TRUE, to, origin, (size_t[]){64, 3, 1},
                                                  COLUMNS * sizeof(int), 0, 0, 0, values, 0, NULL, NULL));

  /* Halves of a buffer. */
  cl_uint align;
  CHECK(clGetDeviceInfo(setup.device, CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof align, &align, NULL));
  size_t half = align / 8;
  cl_mem whole = buffer_of(&setup, CL_MEM_READ_WRITE, 2 * half, NULL);
  cl_buffer_region second = {half, half};
  cl_mem sub = clCreateSubBuffer(whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &second, &status);
  CHECK(status);
  cl_uchar one = 1, two = 2, bytes[2];
  CHECK(clEnqueueFillBuffer(setup.queue, whole, &one, 1, 0, 2 * half, 0, NULL, NULL));
  CHECK(clEnqueueFillBuffer(setup.queue, sub, &two, 1, 0, half, 0, NULL, NULL));
  CHECK(clEnqueueReadBuffer(setup.queue, whole, CL_TRUE, half - 1, 2, bytes, 0, NULL, NULL));
  cl_mem parent;
  size_t offset, size;
  cl_mem_object_type type;
  cl_uint references;
  CHECK(clGetMemObjectInfo(sub, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof parent, &parent, NULL));
  CHECK(clGetMemObjectInfo(sub, CL_MEM_OFFSET, sizeof offset, &offset, NULL));
  CHECK(clGetMemObjectInfo(sub, CL_MEM_SIZE, sizeof size, &size, NULL));
  CHECK(clGetMemObjectInfo(sub, CL_MEM_TYPE, sizeof type, &type, NULL));
  CHECK(clRetainMemObject(sub));
  CHECK(clGetMemObjectInfo(sub, CL_MEM_REFERENCE_COUNT, sizeof references, &references, NULL));
  printf("%d %d %d %d %d %d %u\n", bytes[0], bytes[1], parent == whole, offset == half, size == half,
         type == CL_MEM_OBJECT_BUFFER, references);
  clCreateSubBuffer(sub, 0, CL_BUFFER_CREATE_TYPE_REGION, &second, &status);
  printf("%d\n", status);
  CHECK(clReleaseMemObject(sub));
  CHECK(clReleaseMemObject(sub));
  CHECK(clReleaseMemObject(whole));
  CHECK(clReleaseMemObject(other));
  CHECK(clReleaseMemObject(buffer));
  tear_down(&setup);
  return 0;
}
