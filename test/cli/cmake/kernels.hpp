#pragma once
#include <vector>
#include <CL/cl.h>

// The numbers, each as often as the device is asked for; throws what OpenCL says is wrong.
std::vector<int> multiples(int count, int factor);

extern "C" int twice(int value);
