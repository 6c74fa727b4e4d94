// The built-in kernels (OpenCL 1.2, 5.6.1): what many programs need and nobody wants to write again. Counts are in
// elements; work-items take every n-th element, so any global size does. docs/built-in-kernels.md describes them.

// destination[i] = value
kernel void millrace_fill(global uint *destination, uint value, uint count) {
  for (size_t i = get_global_id(0); i < count; i += get_global_size(0)) destination[i] = value;
}

// destination[i] = source[i]
kernel void millrace_copy(global const uint *source, global uint *destination, uint count) {
  for (size_t i = get_global_id(0); i < count; i += get_global_size(0)) destination[i] = source[i];
}

// Each work-group writes one result, to partial[group]; once more with one group makes one of them all. `scratch` has an
// element for each work-item of a group. What an empty group gives is what the operation leaves unchanged.
#define REDUCTION(NAME, NEUTRAL, COMBINE)                                                                   \
  kernel void NAME(global const float *values, uint count, global float *partial, local float *scratch) {  \
    const size_t me = get_local_id(0);                                                                      \
    float result = NEUTRAL;                                                                                 \
    for (size_t i = get_global_id(0); i < count; i += get_global_size(0)) {                                 \
      const float a = result, b = values[i];                                                                \
      result = COMBINE;                                                                                     \
    }                                                                                                       \
    scratch[me] = result;                                                                                   \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                           \
    for (size_t size = get_local_size(0); size > 1;) {                                                      \
      const size_t half_size = (size + 1) / 2;                                                              \
      if (me < size / 2) {                                                                                  \
        const float a = scratch[me], b = scratch[me + half_size];                                           \
        scratch[me] = COMBINE;                                                                              \
      }                                                                                                     \
      barrier(CLK_LOCAL_MEM_FENCE);                                                                         \
      size = half_size;                                                                                     \
    }                                                                                                       \
    if (me == 0) partial[get_group_id(0)] = scratch[0];                                                     \
  }

REDUCTION(millrace_reduce_sum, 0.0f, a + b)
REDUCTION(millrace_reduce_min, INFINITY, fmin(a, b))
REDUCTION(millrace_reduce_max, -INFINITY, fmax(a, b))

// sums[i] = values[0] + ... + values[i - 1], by one work-group: others do nothing. `scratch` has an element for each of
// its work-items.
kernel void millrace_scan_exclusive(global const float *values, global float *sums, uint count, local float *scratch) {
  if (get_group_id(0) != 0) return;
  const size_t me = get_local_id(0), size = get_local_size(0);
  float before = 0.0f;
  for (size_t start = 0; start < count; start += size) {
    const size_t i = start + me;
    scratch[me] = i < count ? values[i] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (size_t distance = 1; distance < size; distance *= 2) {
      const float other = me >= distance ? scratch[me - distance] : 0.0f;
      barrier(CLK_LOCAL_MEM_FENCE);
      scratch[me] += other;
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (i < count) sums[i] = before + (me > 0 ? scratch[me - 1] : 0.0f);
    before += scratch[size - 1];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

// c = alpha * a * b + beta * c, all row by row: a has m rows of k, b has k rows of n, c has m rows of n. A work-item
// computes c[row][column], with column along dimension 0 and row along dimension 1.
kernel void millrace_sgemm(uint m, uint n, uint k, float alpha, global const float *a, global const float *b, float beta,
                           global float *c) {
  const size_t column = get_global_id(0), row = get_global_id(1);
  if (row >= m || column >= n) return;
  float sum = 0.0f;
  for (uint i = 0; i < k; i++) sum = fma(a[row * k + i], b[(size_t)i * n + column], sum);
  const float old = beta == 0.0f ? 0.0f : beta * c[row * n + column];
  c[row * n + column] = fma(alpha, sum, old);
}
