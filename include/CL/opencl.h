/* All headers of OpenCL at once. */
#ifndef MILLRACE_OPENCL_H
#define MILLRACE_OPENCL_H

#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <CL/cl_gl.h>

#endif
