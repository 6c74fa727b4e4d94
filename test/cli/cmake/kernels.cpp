#include "kernels.hpp"
#include <stdexcept>
#include <string>

static void check(cl_int code, const char *what) {
  if (code != CL_SUCCESS) throw std::runtime_error(std::string(what) + ' ' + std::to_string(code));
}

std::vector<int> multiples(int count, int factor) {
  const char *text = "kernel void times(global int *to, int factor) { int i = get_global_id(0); to[i] = i * factor; }";
  cl_device_id device;
  cl_int code;
  check(clGetDeviceIDs(nullptr, CL_DEVICE_TYPE_ALL, 1, &device, nullptr), "device");
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
  check(code, "context");
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
  cl_program program = clCreateProgramWithSource(context, 1, &text, nullptr, &code);
  check(clBuildProgram(program, 0, nullptr, nullptr, nullptr, nullptr), "build");
  cl_kernel kernel = clCreateKernel(program, "times", &code);
  std::vector<int> numbers(count);
  cl_mem buffer = clCreateBuffer(context, CL_MEM_WRITE_ONLY, numbers.size() * sizeof(int), nullptr, &code);
  check(code, "buffer");
  check(clSetKernelArg(kernel, 0, sizeof buffer, &buffer), "argument");
  check(clSetKernelArg(kernel, 1, sizeof factor, &factor), "argument");
  size_t global = count;
  check(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, nullptr, 0, nullptr, nullptr), "launch");
  check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, numbers.size() * sizeof(int), numbers.data(), 0, nullptr, nullptr), "read");
  return numbers;
}
