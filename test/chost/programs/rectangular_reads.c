/* Rectangles and boxes of a buffer whose numbers count up: 32 of them as 8 rows of 4, then as 4 slices of 2 rows of 4. */
#include "opencl_helpers.h"

enum { COUNT = 32, COLUMNS = 4 };

static void print(const char *title, const int *values, int count) {
  printf("%s:", title);
  for (int i = 0; i < count; i++) printf(" %d", values[i]);
  printf("\n");
}

int main(void) {
  struct setup setup = set_up(0);
  int values[COUNT], part[COUNT];
  for (int i = 0; i < COUNT; i++) values[i] = i;
  cl_mem buffer = buffer_of(&setup, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof values, values);
  const size_t row = COLUMNS * sizeof(int), slice = 2 * row, start[] = {0, 0, 0};

  /* Three columns from column 1, two rows from row 6. */
  const size_t corner[] = {1 * sizeof(int), 6, 0}, rectangle[] = {3 * sizeof(int), 2, 1};
  CHECK(clEnqueueReadBufferRect(setup.queue, buffer, CL_TRUE, corner, start, rectangle, row, 0, 0, 0, part, 0, NULL, NULL));
  print("rectangle", part, 6);

  /* Three columns from column 1 of the second row of the first three slices. */
  const size_t inner[] = {1 * sizeof(int), 1, 0}, box[] = {3 * sizeof(int), 1, 3};
  CHECK(clEnqueueReadBufferRect(setup.queue, buffer, CL_TRUE, inner, start, box, row, slice, 0, 0, part, 0, NULL, NULL));
  print("box", part, 9);

  /* The same box to the first rows of the last three slices, by the device; source and destination do not meet. */
  const size_t there[] = {0, 0, 1};
  CHECK(clEnqueueCopyBufferRect(setup.queue, buffer, buffer, inner, there, box, row, slice, row, slice, 0, NULL, NULL));
  CHECK(clEnqueueReadBuffer(setup.queue, buffer, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL));
  print("copied", values, COUNT);

  /* Back to front: a picture of 2 by 4 in memory with wider rows, written into the buffer's last rows. */
  int wide[2][6] = {{-1, -2, -3, -4, 0, 0}, {-5, -6, -7, -8, 0, 0}};
  const size_t last[] = {0, 6, 0}, whole[] = {row, 2, 1};
  CHECK(clEnqueueWriteBufferRect(setup.queue, buffer, CL_TRUE, last, start, whole, row, 0, sizeof wide[0], 0, wide, 0, NULL,
                                 NULL));
  CHECK(clEnqueueReadBuffer(setup.queue, buffer, CL_TRUE, 6 * row, 2 * row, part, 0, NULL, NULL));
  print("written", part, 8);

  /* A row pitch that is no room for a row; a copy onto itself. */
  printf("%d", clEnqueueReadBufferRect(setup.queue, buffer, CL_TRUE, start, start, whole, row - 4, 0, 0, 0, part, 0, NULL, NULL));
  printf(" %d\n", clEnqueueCopyBufferRect(setup.queue, buffer, buffer, start, corner, whole, row, 0, row, 0, 0, NULL, NULL));
  CHECK(clReleaseMemObject(buffer));
  tear_down(&setup);
  return 0;
}
