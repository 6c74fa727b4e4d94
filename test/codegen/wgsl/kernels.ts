/** Kernels that between them have every form that WGSL must be found for. The tests of this folder write, validate and run them. */
export interface WgslCase {
  readonly name: string;
  readonly source: string;
  readonly options?: string;
  /** Floats may be so much of themselves away from the interpreter's: OpenCL C lets them, and graphics cards make use of that. */
  readonly tolerance?: number;
}

const body = (statements: string): string =>
  `kernel void k(global int *p, global float *f, global long *q, int n) {\n  int i = get_global_id(0);\n${statements}\n}\n`;

export const wgslCases: readonly WgslCase[] = [
  { name: 'a store', source: body('  p[i] = i * n;') },
  {
    name: 'loops, early exits and a switch',
    source: body(`  int sum = 0;
  for (int j = 0; j < n; j++) {
    for (int k = 0; k < 8; k++) {
      if ((j ^ k) == 5) goto next;
      if (p[k] < 0) { sum -= 1000; goto done; }
      switch (k & 3) { case 0: sum += k; break; case 1: sum ^= j; default: sum += 3; }
    }
  next:;
  }
done:
  p[i] = sum;`),
  },
  {
    name: 'a reduction with barriers in a loop',
    source: `kernel void k(global const int *in, global int *out, local int *t) {
  int l = get_local_id(0);
  t[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = get_local_size(0) / 2; s > 0; s >>= 1) {
    if (l < s) t[l] += t[l + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0) out[get_group_id(0)] = t[0];
}
`,
  },
  {
    name: 'a barrier under what memory says',
    source: `kernel void k(global const int *in, global int *out, local int *t) {
  int l = get_local_id(0), rounds = in[0] & 7;
  int mine = l;
  for (int r = 0; r < rounds; r++) {
    t[l] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    mine += t[(l + 1) % get_local_size(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    if ((in[1] & 7) == r) break;
  }
  if (in[2] < 0) return;
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[get_global_id(0)] = mine;
}
`,
  },
  {
    name: 'work-items that go their own ways behind the last barrier',
    source: `kernel void k(global const int *in, global int *out, local int *t) {
  int i = get_global_id(0), l = get_local_id(0);
  t[l] = in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  int mine = t[(l + 1) % get_local_size(0)];
  if (l % 3 == 1) return;
  for (int r = 0; r < l; r++) {
    if (r == 5) break;
    if ((mine & 1) == 0) continue;
    mine += t[r];
  }
  out[i] = mine;
}
`,
  },
  {
    name: 'work-items that go their own ways between barriers',
    source: `kernel void k(global const int *in, global int *out, local int *t) {
  int i = get_global_id(0), l = get_local_id(0);
  int mine = in[i];
  for (int r = 0; r < 4; r++) {
    t[l] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    int other = t[(l + r) % get_local_size(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (other % 3 == 1) continue;
    mine += other;
    if (l == r) mine ^= 77;
  }
  out[i] = mine;
}
`,
  },
  {
    name: '64-bit integers',
    source: body(`  long a = q[i], b = q[i + 64] | 1;
  q[i] = a / b + a % b + (a << (b & 63)) - (a >> 7) + (long)((ulong)a / (ulong)b) + mul_hi(a, b) + (a < b) + clz(a);`),
  },
  {
    name: 'bytes and shorts, aligned or not',
    source: `kernel void k(global uchar *a, global short *b, global uchar4 *c, global char3 *d, int n) {
  int i = get_global_id(0);
  a[i] = (uchar)(a[i] + n);
  b[i] = (short)(b[i] * 3);
  c[i] = c[i].wzyx + (uchar4)(1);
  vstore3(vload3(i, (global char *)d) * (char3)(3), i, (global char *)d);
  vstore2((int2)(i, n), 0, (global int *)(a + 128 + i * 8));
}
`,
  },
  {
    name: 'private arrays and a struct argument',
    source: `typedef struct { float scale; int offset[3]; } Settings;
kernel void k(global float *f, Settings s, int n) {
  int i = get_global_id(0);
  float a[16];
  for (int j = 0; j < 16; j++) a[j] = (float)(j * n);
  f[i] = a[(i + s.offset[n & 1]) & 15] * s.scale;
}
`,
  },
  {
    name: 'atomics on global and local memory',
    source: `kernel void k(global int *p, global uint *u, int n) {
  local int most;
  if (get_local_id(0) == 0) most = -1000;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_max(&most, p[get_global_id(0)] % n);
  atomic_add(&u[0], 3u);
  atomic_cmpxchg(&u[1], 0u, 7u);
  atomic_min(&p[64], (int)get_global_id(0) - 20);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) u[2 + get_group_id(0)] = (uint)most;
}
`,
  },
  {
    name: 'vectors of 2 to 16',
    source: `kernel void k(global float4 *a, global int16 *b, global long2 *c, float4 by) {
  int i = get_global_id(0);
  a[i] = select(a[i].wwxy * by, by, isless(a[i], by));
  b[i] = b[i].s0123456789abcdef + b[i].sfedcba9876543210 * (int16)(3);
  c[i] = c[i] * c[i].yx + (long2)(5);
}
`,
  },
  {
    name: 'floats that WGSL is not exact with',
    source: body(
      '  f[i] = fma(f[i], f[i + 64], 1.0f) / f[i + 64] + sqrt(fabs(f[i])) + exp(f[i]) + fmin(f[i], NAN);',
    ),
    tolerance: 2 ** -20,
  },
  {
    name: 'choices between what was compared, with NaN',
    source: `kernel void k(global const float *in, global float *out) {
  int i = get_global_id(0);
  float x = i % 3 == 0 ? NAN : i % 3 == 1 ? INFINITY : in[i];
  float low = x < -105.0f ? -105.0f : x;
  float high = low > 90.0f ? 90.0f : low;
  float4 v = (float4)(x, in[i], 1.0f, x), w = (float4)(1.0f, x, x, in[i]);
  out[i * 4] = high;
  out[i * 4 + 1] = in[i] < x ? in[i] : x;
  out[i * 4 + 2] = x >= in[i] ? in[i] : x;
  vstore4(select(v, w, v < w), 64 + i, out);
}`,
  },
  {
    name: 'choices by masks of what was compared, with NaN',
    source: `kernel void k(global const float *in, global float *out) {
  int i = get_global_id(0);
  float x = i % 3 == 0 ? NAN : i % 3 == 1 ? -0.0f : in[i], y = i % 2 ? 0.0f : in[i + 1];
  int m = -(x < y);
  out[i * 4] = as_float((as_int(y) & m) | (as_int(x) & ~m));
  float4 v = (float4)(x, y, x, -y), w = (float4)(y, x, 1.0f, x);
  int4 masks = v < w;
  vstore4(as_float4((as_int4(w) & masks) | (as_int4(v) & ~masks)), 64 + i, out);
  vstore4(bitselect(v, w, as_float4(v < w)), 128 + i, out);
}`,
  },
  {
    name: 'sums and products with zeros, whose signs count',
    source: `kernel void k(global const float *in, global float *out) {
  int i = get_global_id(0);
  float x = i % 3 == 0 ? 0.0f : i % 3 == 1 ? -0.0f : in[i] - 7.0f;
  float4 v = (float4)(x, -x, 1.0f, -1.0f), w = (float4)(0.0f, 1.0f, -0.0f, 0.0f);
  out[i * 4] = x + 0.0f;
  out[i * 4 + 1] = 0.0f - x;
  out[i * 4 + 2] = x * 0.0f + x * -0.0f;
  out[i * 4 + 3] = x * 0.0f;
  vstore4(v + w, 64 + i, out);
  vstore4((w - v) * (v * w), 128 + i, out);
}`,
  },
  {
    name: 'sums and products whose order counts',
    source: `kernel void k(global const float *in, global float *out) {
  int i = get_global_id(0);
  // Numbers of 24 bits, in a range where nothing becomes denormal.
  float x = (float)(0x800000 | ((i * 7919123 + 11) & 0x7fffff)) * 0x1p-20f + (in[i] != 0.0f);
  float y = (float)(0x800000 | ((i * 1047297 + 5) & 0x7fffff)) * -0x1p-18f;
  float z = (float)(0x800000 | ((i * 3111337 + 7) & 0x7fffff)) * 0x1p-22f;
  // Products of 12 bits each are exact, fused or not.
  float a = (float)((i * 37 + 1) & 4095);
  float b = (float)((i * 911 + 5) & 4095) * 4096.0f, c = (float)((i * 533 + 3) & 4095) / 4096.0f;
  out[i * 4] = a * b + a * c;
  out[i * 4 + 1] = (x + 1.7f) + 3.3f;
  out[i * 4 + 2] = (x * 1.7f) * 3.3f;
  out[i * 4 + 3] = (x + 1.7f) * 3.3f;
  vstore4((float4)((x + y) - x, ((x + y) + z) - y, (x - y) + (y - x), -x + ((z + y) + x)), 64 + i, out);
  vstore4((float4)((((x + y) + z) + a) + b, (((x * y) * z) * a) * c, (x + y) * (z + a), x - (y - (z - a))), 128 + i, out);
}`,
  },
  {
    name: 'doubles',
    source: body(
      '  double d = (double)f[i] * 1.1 + q[i]; q[i] = (long)(d / 3.0); f[i] = (float)sqrt(d * d);',
    ),
  },
  {
    name: 'halves',
    source: `kernel void k(global half *h, global float *f) {
  int i = get_global_id(0);
  vstore_half_rtn(f[i], i, h + 64);
  f[i] = vload_half(i, h);
}
`,
  },
  {
    name: 'fma of halves, which is rounded once',
    source: `#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void k(global int *p, int n) {
  half a = (half)(-n), b = (half)(-745 + (int)get_global_id(0)), c = (half)(-0x1p-14f);
  p[get_global_id(0)] = as_ushort(fma(a, b, c));
}
`,
  },
  {
    name: 'constants, and pointers among them',
    source: `constant int table[4] = {3, 1, 4, 1};
constant char words[2][6] = {"seven", "eight"};
kernel void k(global int *p, int n) {
  int i = get_global_id(0);
  p[i] = table[i & 3] * n + words[i & 1][n & 3];
}
`,
  },
  {
    name: 'generic pointers',
    options: '-cl-std=CL2.0',
    source: `int sum(int *a, int n) { int s = 0; for (int j = 0; j < n; j++) s += a[j]; return s; }
kernel void k(global int *p, local int *t, int n) {
  int i = get_global_id(0), own[4];
  for (int j = 0; j < 4; j++) own[j] = i * j;
  t[get_local_id(0)] = i;
  barrier(CLK_LOCAL_MEM_FENCE);
  int *which = own;
  if (i & 1) which = t;
  p[i + 64] = sum(which, 4) + sum(p, 2);
}
`,
  },
  {
    name: 'work-group functions',
    options: '-cl-std=CL2.0',
    source: `kernel void k(global int *p, global float *f, global long *q) {
  int i = get_global_id(0);
  p[i] = work_group_scan_inclusive_add(p[i]);
  f[i] = work_group_reduce_max(f[i]);
  q[i] = work_group_scan_exclusive_add(q[i]) + work_group_broadcast(q[i], 3);
}
`,
  },
  { name: 'printf', source: body('  if (i < 2) printf("%d %s %v4hhd\\n", i, "four", (char4)(1, 2, 3, i));') },
  {
    name: 'an image',
    source: `kernel void k(read_only image2d_t from, write_only image2d_t to) {
  const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR;
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(to, at, read_imagef(from, s, convert_float2(at) + 0.25f));
}
`,
  },
  {
    name: 'vectors in a buffer that is only read, as wholes and by parts',
    source: `kernel void k(global float *out, global const float4 *in, global const long2 *wide) {
      int i = get_global_id(0);
      float4 a = in[i], b = in[(i * 7) & 63];
      float s = a.x * 2.0f - b.w + in[(i + 1) & 63].y + in[(i * 5) & 63].z;
      for (int j = 0; j < 4; j++) s += ((global const float *)in)[(i + j * 3) & 127];
      float2 pair = ((global const float2 *)in)[i];
      long2 w = wide[i & 31];
      out[i] = s + pair.y - pair.x + (float)((w.x ^ wide[(i + 3) & 31].y) & 0xff);
    }`,
  },
];
