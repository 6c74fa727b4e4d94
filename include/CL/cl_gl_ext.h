/* Declared by cl_gl.h; here for programs that include it. */
#include <CL/cl_gl.h>
