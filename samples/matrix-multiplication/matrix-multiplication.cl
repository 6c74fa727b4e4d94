// Matrix multiplication, C = A * B, five times over. All five compute the same sums; they differ in who
// computes what and in where the numbers wait meanwhile. Matrices are square, n by n, stored row after row.
//
// Every kernel is right for every n and every work-group size: a launch may be larger than the matrix.


// 1. Naive: one work-item computes one element of C.
//
// Neighbours along dimension 0 read the same element of A at the same time, and neighbouring elements of B.
// Each element of A and of B is read n times from global memory.
__kernel void matmul_naive(const uint n,
                           __global const float *a,
                           __global const float *b,
                           __global float *c)
{
    const size_t column = get_global_id(0);
    const size_t row = get_global_id(1);
    if (column >= n || row >= n)
        return;

    float sum = 0.0f;
    for (uint k = 0; k < n; ++k)
        sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}


// 2. Coalesced: the work-items of a row share it out in strides.
//
// Work-item i takes the columns i, i + s, i + 2s and so on, where s is how many work-items the launch has
// along dimension 0. In every turn of the outer loop neighbouring work-items read and write neighbouring
// elements, which a memory system can serve as one wide access, and fewer work-items than columns are enough.
__kernel void matmul_coalesced(const uint n,
                               __global const float *a,
                               __global const float *b,
                               __global float *c)
{
    const size_t row = get_global_id(1);
    if (row >= n)
        return;

    for (size_t column = get_global_id(0); column < n; column += get_global_size(0)) {
        float sum = 0.0f;
        for (uint k = 0; k < n; ++k)
            sum += a[row * n + k] * b[k * n + column];
        c[row * n + column] = sum;
    }
}


// 3. Vectors: one work-item computes four neighbouring elements of C.
//
// It reads A and B in float4s. Four elements of A stay in private memory while each is multiplied with four
// elements of B, so one load of A serves sixteen products. Rows are `quads` float4s long: where n is no
// multiple of four, the host pads each row with zeros, which add nothing to a sum.
__kernel void matmul_vector4(const uint n,
                             const uint quads,
                             __global const float4 *a,
                             __global const float4 *b,
                             __global float4 *c)
{
    const size_t quad = get_global_id(0);
    const size_t row = get_global_id(1);
    if (quad >= quads || row >= n)
        return;

    float4 sum = (float4)(0.0f);
    uint k = 0;
    for (uint block = 0; block < quads; ++block) {
        const float4 factors = a[row * quads + block];
        // The last block of a padded row has fewer than four rows of B beneath it.
        sum += factors.x * b[k++ * quads + quad];
        if (k < n) sum += factors.y * b[k++ * quads + quad];
        if (k < n) sum += factors.z * b[k++ * quads + quad];
        if (k < n) sum += factors.w * b[k++ * quads + quad];
    }
    c[row * quads + quad] = sum;
}


// 4. Local memory: the work-group first copies its row of A into memory of its own.
//
// All work-items of a group lie in one row of C (the group is one work-item high), so they need the same row
// of A: it is read from global memory once and used by each of them. Here every work-item copies one piece of
// the row, the elements of the piece one after the other.
//
// A work-item outside the matrix must not leave early: the others wait for it at the barrier.
__kernel void matmul_local_row(const uint n,
                               __global const float *a,
                               __global const float *b,
                               __global float *c,
                               __local float *row_of_a)
{
    const size_t column = get_global_id(0);
    const size_t row = get_global_id(1);
    const size_t piece = (n + get_local_size(0) - 1) / get_local_size(0);
    const size_t first = get_local_id(0) * piece;

    if (row < n)
        for (size_t k = first; k < first + piece && k < n; ++k)
            row_of_a[k] = a[row * n + k];
    barrier(CLK_LOCAL_MEM_FENCE);

    if (column >= n || row >= n)
        return;
    float sum = 0.0f;
    for (uint k = 0; k < n; ++k)
        sum += row_of_a[k] * b[k * n + column];
    c[row * n + column] = sum;
}


// 5. Local memory, filled in step: as 4, but the work-items copy the row together.
//
// In each turn work-item i copies the element i places on, so that the group reads a stretch of neighbouring
// elements at once instead of one element from each of many places.
__kernel void matmul_local_row_coalesced(const uint n,
                                         __global const float *a,
                                         __global const float *b,
                                         __global float *c,
                                         __local float *row_of_a)
{
    const size_t column = get_global_id(0);
    const size_t row = get_global_id(1);

    if (row < n)
        for (size_t k = get_local_id(0); k < n; k += get_local_size(0))
            row_of_a[k] = a[row * n + k];
    barrier(CLK_LOCAL_MEM_FENCE);

    if (column >= n || row >= n)
        return;
    float sum = 0.0f;
    for (uint k = 0; k < n; ++k)
        sum += row_of_a[k] * b[k * n + column];
    c[row * n + column] = sum;
}
