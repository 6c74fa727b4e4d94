// saxpy: "single-precision a times x plus y", the first program of most OpenCL books.
//
// A sequential program would walk over the arrays in a loop. Here the loop is gone: the launch makes one
// work-item for each element, and get_global_id(0) tells a work-item which element is its own.

__kernel void saxpy(const float a,
                    __global const float *x,
                    __global const float *y,
                    __global float *z,
                    const uint count)
{
    const size_t i = get_global_id(0);

    // A launch consists of whole work-groups, so there may be a few more work-items than elements.
    if (i >= count)
        return;

    z[i] = a * x[i] + y[i];
}
