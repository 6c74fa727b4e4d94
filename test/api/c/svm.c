/*
 * Shared virtual memory: buffers that host and kernels know by the same addresses, pointers from malloc that kernels follow as they
 * are, atomics of the program on the words of a running kernel, and the codes of wrong calls.
 */
#include "setup.h"
#include <stdatomic.h>

typedef struct node {
  int value;
  struct node *next;
} node;

static const char source[] =
    "typedef struct node { int value; global struct node *next; } node;\n"
    "kernel void sum(global node *first, global int *out) {\n"
    "  int s = 0;\n"
    "  for (global node *n = first; n; n = n->next) s += n->value;\n"
    "  *out = s;\n"
    "}\n"
    "kernel void through(global int *global *table, int n) { for (int i = 0; i < n; i++) *table[i] += i; }\n"
    "kernel void echo(global atomic_int *words) {\n"
    "  for (int seen = 0;;) {\n"
    "    int asked = atomic_load_explicit(words, memory_order_acquire, memory_scope_all_svm_devices);\n"
    "    if (asked == seen) continue;\n"
    "    seen = asked;\n"
    "    atomic_store_explicit(words + 1, -asked, memory_order_release, memory_scope_all_svm_devices);\n"
    "    if (asked < 0) return;\n"
    "  }\n"
    "}\n";

static cl_program program;

static cl_kernel kernel(const char *name) {
  cl_kernel made = clCreateKernel(program, name, &error);
  NEED(error);
  return made;
}

static void launch(cl_kernel launched) {
  size_t one = 1;
  NEED(clEnqueueNDRangeKernel(queue, launched, 1, NULL, &one, &one, 0, NULL, NULL));
}

/* A list in one piece of memory, in the order 0, 7, 14, ... modulo 100. */
static void link_up(node *nodes) {
  for (int i = 0; i < 100; i++) {
    node *at = nodes + i * 7 % 100;
    at->value = i;
    at->next = i == 99 ? NULL : nodes + (i + 1) * 7 % 100;
  }
}

static void lists(void) {
  cl_kernel sum = kernel("sum");
  node *nodes = clSVMAlloc(context, CL_MEM_READ_WRITE, 100 * sizeof(node), 0);
  int *out = clSVMAlloc(context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, sizeof(int), 64);
  printf("aligned: %d %d\n", (int)((size_t)nodes % 128), (int)((size_t)out % 64));
  NEED(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE, nodes, 100 * sizeof(node), 0, NULL, NULL));
  link_up(nodes);
  NEED(clEnqueueSVMUnmap(queue, nodes, 0, NULL, NULL));
  NEED(clSetKernelArgSVMPointer(sum, 0, nodes));
  NEED(clSetKernelArgSVMPointer(sum, 1, out));
  launch(sum);
  NEED(clFinish(queue));
  printf("sum: %d\n", *out);

  /* Memory of malloc is shared as it is. */
  node *own = malloc(100 * sizeof(node));
  int result = 0;
  link_up(own);
  NEED(clSetKernelArgSVMPointer(sum, 0, own + 7));
  NEED(clSetKernelArgSVMPointer(sum, 1, &result));
  launch(sum);
  NEED(clFinish(queue));
  printf("sum of the program's own, without the first: %d\n", result);
  free(own);
  clSVMFree(context, nodes);
  clSVMFree(context, out);
  clSVMFree(context, NULL);
  NEED(clReleaseKernel(sum));
}

static void tables(void) {
  cl_kernel through = kernel("through");
  int *parts[8], **table = clSVMAlloc(context, CL_MEM_READ_WRITE, sizeof parts, 0), n = 8;
  for (int i = 0; i < 8; i++) {
    parts[i] = i % 2 ? malloc(4) : clSVMAlloc(context, CL_MEM_READ_WRITE, 4, 4);
    *parts[i] = 10 * i;
  }
  NEED(clEnqueueSVMMemcpy(queue, CL_FALSE, table, parts, sizeof parts, 0, NULL, NULL));
  NEED(clSetKernelArgSVMPointer(through, 0, table));
  NEED(clSetKernelArg(through, 1, sizeof n, &n));
  NEED(clSetKernelExecInfo(through, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof parts, parts));
  cl_bool yes = CL_TRUE;
  NEED(clSetKernelExecInfo(through, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof yes, &yes));
  cl_kernel clone = clCloneKernel(through, &error);
  NEED(error);
  launch(through);
  launch(clone);
  NEED(clFinish(queue));
  for (int i = 0; i < 8; i++) printf("%d%c", *parts[i], i == 7 ? '\n' : ' ');
  NEED(clReleaseKernel(through));
  NEED(clReleaseKernel(clone));
  for (int i = 1; i < 8; i += 2) free(parts[i]);
  void *others[5] = {parts[0], parts[2], parts[4], parts[6], table};
  NEED(clEnqueueSVMFree(queue, 5, others, NULL, NULL, 0, NULL, NULL));
  memset(others, 0, sizeof others);
  NEED(clFinish(queue));
}

static void running(void) {
  cl_kernel echo = kernel("echo");
  cl_svm_mem_flags flags = CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS;
  _Atomic int *words = clSVMAlloc(context, flags, 8, 0);
  atomic_store(words, 0);
  atomic_store(words + 1, 0);
  NEED(clSetKernelArgSVMPointer(echo, 0, (void *)words));
  launch(echo);
  NEED(clFlush(queue));
  for (int asked = 1; asked >= -1; asked -= 2) {
    int before = atomic_load(words + 1);
    atomic_store(words, asked);
    while (atomic_load(words + 1) == before);
    printf("asked %d, answered %d\n", asked, atomic_load(words + 1));
  }
  NEED(clFinish(queue));
  NEED(clReleaseKernel(echo));
  clSVMFree(context, (void *)words);
}

static void CL_CALLBACK free_them(cl_command_queue from, cl_uint count, void *pointers[], void *data) {
  printf("to free: %d, of this queue: %d, %s\n", (int)count, from == queue, (const char *)data);
  clSVMFree(context, pointers[0]);
  free(pointers[1]);
}

static void commands(void) {
  char *memory = clSVMAlloc(context, 0, 256, 0), text[8] = "abcdefg";
  void *both[2] = {memory, malloc(16)};
  const void *parts[2] = {memory, memory + 16};
  size_t sizes[2] = {0, 16};
  cl_event event;
  cl_command_type type;
  NEED(clEnqueueSVMMemFill(queue, memory, text, 8, 64, 0, NULL, NULL));
  NEED(clEnqueueSVMMemcpy(queue, CL_TRUE, memory + 3, "XYZ", 3, 0, NULL, NULL));
  printf("%s %s\n", memory, memory + 56);
  NEED(clEnqueueSVMMigrateMem(queue, 2, parts, sizes, 0, 0, NULL, &event));
  NEED(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
  printf("migrates: %d\n", type == CL_COMMAND_SVM_MIGRATE_MEM);
  NEED(clReleaseEvent(event));
  cl_mem buffer = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 128, memory + 128, &error);
  NEED(error);
  cl_bool uses = CL_FALSE;
  NEED(clGetMemObjectInfo(buffer, CL_MEM_USES_SVM_POINTER, sizeof uses, &uses, NULL));
  printf("a buffer over it uses it: %d\n", (int)uses);
  NEED(clReleaseMemObject(buffer));
  NEED(clEnqueueSVMFree(queue, 2, both, free_them, (void *)"by a function", 0, NULL, NULL));
  NEED(clFinish(queue));
}

static void errors(void) {
  char *memory = clSVMAlloc(context, 0, 64, 0);
  cl_kernel sum = kernel("sum"), through = kernel("through");
  void *list[1] = {memory};
  const void *ends[1] = {memory + 32};
  size_t size = 33, local = 20, answer[3];
  SHOW(clSVMAlloc(NULL, 0, 64, 0) == NULL);
  SHOW(clSVMAlloc(context, 0, 0, 0) == NULL);
  SHOW(clSVMAlloc(context, CL_MEM_USE_HOST_PTR, 64, 0) == NULL);
  SHOW(clSVMAlloc(context, CL_MEM_SVM_ATOMICS, 64, 0) == NULL);
  SHOW(clSVMAlloc(context, 0, 64, 3) == NULL);
  SHOW(clSetKernelArgSVMPointer(NULL, 0, memory));
  SHOW(clSetKernelArgSVMPointer(sum, 2, memory));
  SHOW(clSetKernelArgSVMPointer(through, 1, memory));
  SHOW(clSetKernelArgSVMPointer(sum, 0, NULL));
  SHOW(clSetKernelExecInfo(sum, 0, 4, list));
  SHOW(clSetKernelExecInfo(sum, CL_KERNEL_EXEC_INFO_SVM_PTRS, 3, list));
  SHOW(clSetKernelExecInfo(sum, CL_KERNEL_EXEC_INFO_SVM_PTRS, 4, NULL));
  SHOW(clSetKernelExecInfo(sum, CL_KERNEL_EXEC_INFO_SVM_PTRS, 0, NULL));
  SHOW(clEnqueueSVMFree(NULL, 1, list, NULL, NULL, 0, NULL, NULL));
  SHOW(clEnqueueSVMFree(queue, 0, list, NULL, NULL, 0, NULL, NULL));
  SHOW(clEnqueueSVMFree(queue, 1, NULL, NULL, NULL, 0, NULL, NULL));
  SHOW(clEnqueueSVMFree(queue, 1, list, NULL, NULL, 1, NULL, NULL));
  SHOW(clEnqueueSVMMemcpy(queue, CL_TRUE, NULL, memory, 4, 0, NULL, NULL));
  SHOW(clEnqueueSVMMemcpy(queue, CL_TRUE, memory, NULL, 4, 0, NULL, NULL));
  SHOW(clEnqueueSVMMemcpy(queue, CL_TRUE, memory, memory + 3, 4, 0, NULL, NULL));
  SHOW(clEnqueueSVMMemFill(queue, memory, NULL, 4, 4, 0, NULL, NULL));
  SHOW(clEnqueueSVMMemFill(queue, memory, memory, 0, 4, 0, NULL, NULL));
  SHOW(clEnqueueSVMMemFill(queue, memory + 1, memory, 2, 4, 0, NULL, NULL));
  SHOW(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, memory, 0, 0, NULL, NULL));
  SHOW(clEnqueueSVMMap(queue, CL_TRUE, 0x100, memory, 4, 0, NULL, NULL));
  SHOW(clEnqueueSVMUnmap(queue, NULL, 0, NULL, NULL));
  SHOW(clEnqueueSVMMigrateMem(queue, 1, ends, &size, 0, 0, NULL, NULL));
  SHOW(clEnqueueSVMMigrateMem(queue, 1, ends, NULL, 4, 0, NULL, NULL));
  SHOW_ERROR(clCloneKernel(NULL, &error));
  SHOW_ERROR(clCreateProgramWithIL(context, memory, 4, &error));
  SHOW(clSetProgramSpecializationConstant(program, 0, 4, memory));
  SHOW(clGetKernelSubGroupInfo(sum, device, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, 4, &local, 4, answer, NULL));
  printf("sub-groups of 20 work-items: %d\n", (int)answer[0]);
  size = 3;
  SHOW(clGetKernelSubGroupInfo(sum, device, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, 4, &size, 12, answer, NULL));
  printf("three have %d x %d x %d\n", (int)answer[0], (int)answer[1], (int)answer[2]);
  SHOW(clGetKernelSubGroupInfo(sum, device, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, 0, NULL, 4, answer, NULL));
  clSVMFree(context, memory);
  NEED(clReleaseKernel(sum));
  NEED(clReleaseKernel(through));
}

int main(void) {
  const char *text = source;
  cl_device_svm_capabilities can;
  setup(0);
  NEED(clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof can, &can, NULL));
  printf("coarse %d, fine %d, system %d, atomics %d\n", !!(can & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER),
         !!(can & CL_DEVICE_SVM_FINE_GRAIN_BUFFER), !!(can & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM),
         !!(can & CL_DEVICE_SVM_ATOMICS));
  program = clCreateProgramWithSource(context, 1, &text, NULL, &error);
  NEED(error);
  NEED(clBuildProgram(program, 0, NULL, "-cl-std=CL2.0", NULL, NULL));
  lists();
  tables();
  running();
  commands();
  errors();
  return 0;
}
