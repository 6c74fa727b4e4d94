// Regression: which line, or which parabola, comes nearest to a cloud of points? The answer follows from a
// few sums over all points, and the sums are the work. Here each work-group adds up its own points and writes
// one partial result; the host adds the partial results and solves a small system of equations.
//
// Inside a work-group the adding is a tree: in each round the upper part of the values is folded onto the
// lower part, so 256 values need 8 rounds instead of 255 additions one after the other. The roundings stay
// few as well.
//
// The sums of one point travel together in a vector, so a single tree adds all of them.


// Folds values[0 .. size) onto values[0]. Every work-item of the group calls it: there are barriers inside.
// Where a round has an odd number of values, the one in the middle stays as it is, so any work-group size is
// right.
#define FOLD(values, item, size)                                      \
    for (size_t active = (size); active > 1; active = (active + 1) / 2) { \
        const size_t upper = (active + 1) / 2;                        \
        if ((item) + upper < active)                                  \
            (values)[item] += (values)[(item) + upper];               \
        barrier(CLK_LOCAL_MEM_FENCE);                                 \
    }


// A line wants four sums: x, y, x*x, x*y.
__kernel void linear_sums(__global const float *xs,
                          __global const float *ys,
                          const uint count,
                          __local float4 *values,
                          __global float4 *partial)
{
    const size_t i = get_global_id(0);
    const size_t item = get_local_id(0);

    // A work-item past the end adds nothing, but takes part in the barriers.
    float4 value = (float4)(0.0f);
    if (i < count) {
        const float x = xs[i];
        const float y = ys[i];
        value = (float4)(x, y, x * x, x * y);
    }
    values[item] = value;
    barrier(CLK_LOCAL_MEM_FENCE);

    FOLD(values, item, get_local_size(0))
    if (item == 0)
        partial[get_group_id(0)] = values[0];
}


// A parabola wants seven: x, y, x*x, x*y, x*x*x, x*x*y, x*x*x*x. The eighth place counts the points.
__kernel void parabolic_sums(__global const float *xs,
                             __global const float *ys,
                             const uint count,
                             __local float8 *values,
                             __global float8 *partial)
{
    const size_t i = get_global_id(0);
    const size_t item = get_local_id(0);

    float8 value = (float8)(0.0f);
    if (i < count) {
        const float x = xs[i];
        const float y = ys[i];
        const float xx = x * x;
        value = (float8)(x, y, xx, x * y, xx * x, xx * y, xx * xx, 1.0f);
    }
    values[item] = value;
    barrier(CLK_LOCAL_MEM_FENCE);

    FOLD(values, item, get_local_size(0))
    if (item == 0)
        partial[get_group_id(0)] = values[0];
}
