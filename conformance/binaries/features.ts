/** Small kernels that have together everything that a binary can hold. */

export interface Feature {
  readonly name: string;
  readonly source: string;
  readonly options?: string;
}

export const features: readonly Feature[] = [
  {
    name: 'saxpy',
    source:
      'kernel void saxpy(float a, global const float *x, global float *y) { size_t i = get_global_id(0); y[i] += a * x[i]; }',
  },
  {
    name: 'structs, tables, switches, calls',
    source: `
struct Point { float4 where; uchar tag[3]; };
constant int table[5] = {1, 2, 3, 4, 5};
constant int *constant middle = &table[2];
float falls_off(int n) { if (n > 3) return 1; }
float helper(global float *x, int n) { float s = falls_off(n); for (int i = 0; i < n; i++) { if (x[i] > 9) break; s += x[i]; } return s; }
kernel __attribute__((reqd_work_group_size(4, 1, 1))) void mixed(global float *x, struct Point p, local int *l, long big, float3 v) {
  l[get_local_id(0)] = p.tag[1]; barrier(CLK_LOCAL_MEM_FENCE);
  switch (l[0] & 3) { case 0: case 2: x[1] = helper(x, *middle); break; case 1: x[2] = v.y * sin(p.where.x); default: x[3] = (float)(big / 7); }
}`,
  },
  {
    name: 'every type',
    source: `
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
union Both { float f; uint u; };
typedef struct { char c; short s; union Both b; double d; half h; float8 v[2]; } Mixed;
kernel __attribute__((vec_type_hint(float4), work_group_size_hint(8, 2, 1)))
void types(global Mixed *m, constant short3 *k, char16 c, ushort2 s, ulong4 l, half8 h, double2 d, global volatile int *v, const global float *restrict r) {
  int i = get_global_id(0) + get_local_id(1) * get_group_id(2);
  Mixed own = m[i];
  own.b.u ^= k[i].y + c.s3;
  own.d = fma(d.x, d.y, (double)own.b.f);
  own.h = h.s1 + (half)s.x;
  own.v[i & 1] = convert_float8_rte(convert_char8_sat_rtz(own.v[1 - (i & 1)]));
  own.v[0].even = select(own.v[1].lo, own.v[1].hi, own.v[0].odd > 1.0f ? (int4)(-1) : (int4)(0));
  own.c = (char)rotate(c.s1, c.s2) + popcount((uchar)c.s0) - mad_hi(c.s1, c.s2, c.s3);
  own.s = (short)(l.x % 7) / (short)(s.y | 1);
  m[i] = own;
  *v += (int)r[i];
  if (shuffle(c, (uchar16)(3)).s0 > 3) m[i].d = sqrt(own.d);
}`,
  },
  {
    name: 'images and samplers',
    source: `
constant sampler_t linear = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR;
kernel void filter(read_only image2d_t in, write_only image2d_t out, sampler_t s, read_only image3d_t volume, read_only image1d_buffer_t line, read_only image2d_array_t layers) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  float4 sum = read_imagef(in, s, at) + read_imagef(in, linear, convert_float2(at) / (float2)(get_image_width(in), get_image_height(in)));
  sum += read_imagef(volume, s, (int4)(at, get_image_depth(volume) / 2, 0));
  sum.x += read_imagei(line, at.x).x + read_imageui(layers, s, (int4)(at, 0, 0)).y + get_image_array_size(layers);
  if (get_image_channel_order(in) != CLK_R) sum *= 2;
  write_imagef(out, at, sum);
}`,
  },
  {
    name: 'images that are read and written',
    options: '-cl-std=CL2.0',
    source: `
float4 helper(read_write image2d_t i, int2 at) { return read_imagef(i, at); }
kernel void both(read_write image2d_t i, write_only image3d_t v) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(i, at, helper(i, at + 1));
  atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acq_rel, memory_scope_work_item);
  write_imagef(v, (int4)(at, 0, 0), helper(i, at));
}`,
  },
  {
    name: 'pipes',
    options: '-cl-std=CL2.0',
    source: `
kernel void produce(write_only pipe int4 p, global const int4 *in) {
  reserve_id_t r = work_group_reserve_write_pipe(p, get_local_size(0));
  if (is_valid_reserve_id(r)) { write_pipe(p, r, get_local_id(0), &in[get_global_id(0)]); work_group_commit_write_pipe(p, r); }
}
kernel void consume(read_only pipe int4 p, global int4 *out) {
  int4 one;
  if (read_pipe(p, &one) == 0) out[get_global_id(0)] = one + (int)get_pipe_num_packets(p) + (int)get_pipe_max_packets(p);
}`,
  },
  {
    name: 'kernels that launch kernels',
    options: '-cl-std=CL2.0',
    source: `
kernel void child(global int *x, int n) { x[get_global_id(0)] += n; }
kernel void parent(global int *x, int n, queue_t other) {
  queue_t q = get_default_queue();
  clk_event_t done;
  if (get_global_id(0) == 0) {
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(16, 4), 0, NULL, &done, ^{ child(x, n); });
    enqueue_kernel(other, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &done, NULL, ^(local void *a, local void *b) { x[0] += ((local int *)a)[0] + ((local int *)b)[n]; }, 64u, 128u);
    void (^again)(void) = ^{ x[1] = n; };
    x[2] = (int)get_kernel_work_group_size(again);
    enqueue_marker(q, 1, &done, &done);
    release_event(done);
  }
}`,
  },
  {
    name: 'generic pointers, C11 atomics, program-scope variables',
    options: '-cl-std=CL2.0',
    source: `
global int counter = 5;
global int *global where = &counter;
constant float weights[3] = {0.25f, 0.5f, 0.25f};
global atomic_uint total = ATOMIC_VAR_INIT(0);
int twice(int *p) { return *p * 2; }
kernel void generic_pointers(global int *g, local int *l, global atomic_int *a, global atomic_long *w) {
  int own = get_global_id(0);
  int *p = own & 1 ? (int *)&own : own & 2 ? (int *)l : (int *)g;
  l[get_local_id(0)] = own;
  work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group);
  g[own] = twice(p) + (to_local(p) != NULL) + (int)(weights[own % 3] * 8) + *where;
  atomic_fetch_add_explicit(a, twice(p), memory_order_acq_rel, memory_scope_device);
  int expected = 3;
  atomic_compare_exchange_strong(a + 1, &expected, own);
  atomic_fetch_max(w, (long)own);
  atomic_fetch_add(&total, 1u);
  counter += atomic_load(a);
}`,
  },
  {
    name: 'work-group and sub-group functions',
    options: '-cl-std=CL2.0',
    source: `
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void groups(global int *x, global float *f) {
  int i = get_global_id(0);
  int sum = work_group_reduce_add(x[i]) + work_group_scan_exclusive_max(i) + work_group_broadcast(x[i], 1);
  f[i] = work_group_scan_inclusive_min(f[i]) + sub_group_reduce_add(f[i]);
  if (work_group_any(sum > 3) && sub_group_all(sum < 9)) x[i] = sum + get_sub_group_local_id();
}`,
  },
  {
    name: 'printf, copies, fills, fences, prefetches',
    source: `
typedef struct { int a[40]; } Large;
kernel void memory(global Large *g, local float4 *tile, global float4 *f, constant char *text) {
  Large own = g[1];
  Large zero = {{0}};
  event_t e = async_work_group_copy(tile, f, 16, 0);
  wait_group_events(1, &e);
  own.a[get_local_id(0) & 3] += (int)tile[get_local_id(0)].x;
  if (get_global_id(0) == 0) printf("%d %v4hlf %s %c\\n", own.a[0], tile[0], "text", text[0]);
  mem_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  g[get_global_id(0)] = get_global_id(0) > 3 ? own : zero;
  prefetch(f, 4);
}`,
  },
  {
    name: 'atomics and loops',
    source: `
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
kernel void histogram(global const uchar *in, global uint *out, local uint *bins, int n, global ulong *wide) {
  for (int i = get_local_id(0); i < 256; i += get_local_size(0)) bins[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) atomic_inc(&bins[in[i]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = get_local_id(0); i < 256; i += get_local_size(0)) atomic_add(&out[i], bins[i]);
  atom_add(wide, 3ul);
  uint k = n;
  do { k = k * 5 / 3 + 1; if (k % 11 == 0) continue; if (k > 1000) goto end; } while (k & 15);
end:
  atomic_cmpxchg(out, k, 1u); atomic_xchg((global float *)out + 1, 2.0f);
}`,
  },
];
