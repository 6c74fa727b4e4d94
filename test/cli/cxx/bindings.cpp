// The C++ bindings of OpenCL, with exceptions if clang has them on.
#ifdef __cpp_exceptions
#define CL_HPP_ENABLE_EXCEPTIONS
#endif
#define CL_HPP_TARGET_OPENCL_VERSION 200
#define CL_HPP_MINIMUM_OPENCL_VERSION 200
#include <CL/opencl.hpp>
#include <cstdio>

int main() {
  cl::Context context(CL_DEVICE_TYPE_ALL);
  const cl::Device device = context.getInfo<CL_CONTEXT_DEVICES>()[0];
  cl::CommandQueue queue(context, device);
  cl::Program program(
      context, "kernel void axpy(global float *y, global const float *x, float a) {"
               "  size_t i = get_global_id(0); y[i] += a * x[i]; }",
      true);
  cl::KernelFunctor<cl::Buffer, cl::Buffer, float> axpy(program, "axpy");
  std::vector<float> x(1000), y(1000);
  for (int i = 0; i < 1000; i++) {
    x[i] = i;
    y[i] = 1000 - i;
  }
  cl::Buffer xs(context, x.begin(), x.end(), true), ys(context, y.begin(), y.end(), false);
  axpy(cl::EnqueueArgs(queue, cl::NDRange(1000)), ys, xs, 2.0f).wait();
  cl::copy(queue, ys, y.begin(), y.end());
  double sum = 0;
  for (float one : y) sum += one;
  std::printf("sum %g\n", sum);
#ifdef __cpp_exceptions
  try {
    cl::Program(context, "kernel void f( {").build();
  } catch (const cl::BuildError &error) {
    std::printf("%d %d\n", error.err(), error.getBuildLog()[0].second.find("error") != std::string::npos);
  }
  try {
    cl::Kernel(program, "none");
  } catch (const cl::Error &error) {
    std::printf("%s %d\n", error.what(), error.err());
  }
#else
  cl_int error = 0;
  cl::Kernel(program, "none", &error);
  std::printf("%d\n", error);
#endif
  return 0;
}
