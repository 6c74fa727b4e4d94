/**
 * Kernels whose addresses, indices, sizes and handles are anything: every kind of access that the language has. `w` is a wild 64-bit number,
 * `i` a wild index and `n` a wild count; what they are says the launch. Loops are short, so that everything ends by itself.
 */
import type { Random } from '../../test/support/random.ts';

interface Access {
  /** Statements; `T` is a type, `N` a vector's length. */
  readonly text: (type: string, random: Random) => string;
  /** It is of OpenCL C 2.0, or needs what only devices with shared memory have. */
  readonly isNew?: true;
  /** It takes as long as thousands of others. */
  readonly isLong?: true;
}

const scalars = ['char', 'uchar', 'short', 'int', 'uint', 'long', 'ulong', 'float', 'double'];
const lengths = ['', '', '2', '3', '4', '8', '16'];

const wildPointer = (space: string, type: string, random: Random): string =>
  random.pick([
    `((${space} ${type} *)(size_t)w)`,
    `((${space} ${type} *)((${space} char *)${space === 'local' ? 'tile' : 'data'} + w))`,
    `((${space} ${type} *)${space === 'local' ? 'tile' : 'data'} + i)`,
  ]);

const accesses: readonly Access[] = [
  {
    text: (type, random) =>
      `{ ${type} x = *${wildPointer('global', type, random)}; use(&x, sizeof(x), sink); }`,
  },
  { text: (type, random) => `*${wildPointer('global', type, random)} = (${type})(value);` },
  { text: (type, random) => `${wildPointer('global', type, random)}[get_global_id(0)] = (${type})(value);` },
  { text: (type, random) => `*${wildPointer('local', type, random)} = (${type})(value);` },
  {
    text: (type, random) =>
      `{ ${type} x = *${wildPointer('local', type, random)}; use(&x, sizeof(x), sink); }`,
  },
  { text: (type) => `{ ${type} own[5]; own[i] = (${type})(value); use(own, sizeof(own), sink); }` },
  {
    text: (type) =>
      `{ ${type} own[5]; own[n & 3] = (${type})(value); ${type} x = own[i]; use(&x, sizeof(x), sink); }`,
  },
  { text: () => `sink[0] += table[i] + table[i + get_local_id(0)];` },
  {
    text: (_, random) =>
      `vstore${random.pick(['2', '3', '4', '8', '16'])}(0, i, ${wildPointer('global', 'int', random)});`,
  },
  { text: (_, random) => `sink[0] += vload16(i, ${wildPointer('global', 'int', random)}).s3;` },
  { text: (_, random) => `vstore_half16((float16)(1.5f), i, ${wildPointer('global', 'half', random)});` },
  { text: (_, random) => `sink[0] += (int)vload_half3(i, ${wildPointer('global', 'half', random)}).x;` },
  { text: (_, random) => `vstorea_half4((float4)(2.5f), i, ${wildPointer('global', 'half', random)});` },
  { text: (_, random) => `atomic_add(${wildPointer('global', 'int', random)}, 3);` },
  { text: (_, random) => `atomic_cmpxchg(${wildPointer('global', 'int', random)}, 0, value);` },
  { text: (_, random) => `atomic_xchg(${wildPointer('global', 'float', random)}, 1.0f);` },
  { text: (_, random) => `atomic_inc(${wildPointer('local', 'int', random)});` },
  { text: (_, random) => `atom_add(${wildPointer('global', 'long', random)}, 5L);` },
  { text: (_, random) => `atom_cmpxchg(${wildPointer('global', 'ulong', random)}, 0UL, (ulong)w);` },
  {
    text: (_, random) =>
      `atomic_fetch_max_explicit(${wildPointer('global', 'atomic_int', random)}, value, memory_order_relaxed, memory_scope_device);`,
    isNew: true,
  },
  {
    text: (_, random) =>
      `{ event_t e = async_work_group_copy(${wildPointer('global', 'int', random)}, (local int *)tile, n, 0); wait_group_events(1, &e); }`,
  },
  {
    text: (_, random) =>
      `{ event_t e = async_work_group_copy((local int *)tile + 8, ${wildPointer('global', 'int', random)}, 16, 0); wait_group_events(1, &e); }`,
  },
  {
    text: (_, random) =>
      `{ event_t e = async_work_group_strided_copy((local int *)tile, ${wildPointer('global', 'int', random)}, 16, n, 0); wait_group_events(1, &e); }`,
  },
  {
    text: (_, random) =>
      `{ event_t e = async_work_group_strided_copy(${wildPointer('global', 'int', random)}, (local int *)tile, 16, n, 0); wait_group_events(1, &e); }`,
  },
  { text: (_, random) => `prefetch(${wildPointer('global', 'int', random)}, n);` },
  {
    text: (_, random) =>
      `{ Large x = *${wildPointer('global', 'Large', random)}; x.a[i & 31] = 1; *${wildPointer('global', 'Large', random)} = x; }`,
  },
  {
    text: (_, random) =>
      `{ Large x; x.a[i] = value; use(&x, sizeof(x), sink); x = *${wildPointer('global', 'Large', random)}; use(&x, 8, sink); }`,
  },
  { text: () => `printf("%d %s|", value, (constant char *)(size_t)w);` },
  { text: () => `printf("%v4d %f %s|", (int4)(value), 1.5f, "text");` },
  {
    text: () =>
      `for (uint k = 0; k < 20000; k++) { uint at = (k * 2654435761u + (uint)w) % bytes; *(global uint *)(size_t)(at & ~3u) = k; }`,
    isLong: true,
  },
  {
    text: () => `for (uint at = 64; at < 200000; at += 4) *(global uint *)(size_t)at = value;`,
    isLong: true,
  },
  {
    text: () =>
      `for (uint at = 0x100000; at < 0x100000 + 400000; at += 4) *(global uint *)(size_t)at = (uint)w;`,
    isLong: true,
  },
  { text: () => `write_imagef(out_image, (int2)(i, n), (float4)(1.0f));` },
  { text: () => `sink[0] += (int)read_imagef(in_image, CLK_FILTER_NEAREST, (int2)(i, n)).x;` },
  {
    text: () =>
      `sink[0] += (int)read_imagef(in_image, CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR | CLK_NORMALIZED_COORDS_TRUE, (float2)(as_float(i), as_float(n))).x;`,
  },
  { text: () => `barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);` },
  {
    text: (_, random) =>
      `write_pipe(to, (int *)${random.pick(['(size_t)w', '(private char *)&value + w'])});`,
    isNew: true,
  },
  { text: () => `read_pipe(from, (int *)(size_t)w);`, isNew: true },
  {
    text: () =>
      `{ reserve_id_t r; uint forged = (uint)w; *(private uint *)&r = forged; int x = 3; if (is_valid_reserve_id(r)) { write_pipe(to, r, i, &x); commit_write_pipe(to, r); } }`,
    isNew: true,
  },
  {
    text: () =>
      `{ reserve_id_t r = reserve_write_pipe(to, n); int x = value; if (is_valid_reserve_id(r)) { write_pipe(to, r, i, &x); commit_write_pipe(to, r); } }`,
    isNew: true,
  },
  {
    text: () =>
      `{ clk_event_t e; *(private uint *)&e = (uint)w; if (is_valid_event(e)) set_user_event_status(e, CL_COMPLETE); retain_event(e); release_event(e); release_event(e); }`,
    isNew: true,
  },
  {
    text: () =>
      `{ queue_t q; *(private uint *)&q = (uint)w; enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(4), ^{ data[0] = 1; }); }`,
    isNew: true,
  },
  {
    text: (_, random) =>
      `enqueue_kernel(get_default_queue(), ${random.pick(['CLK_ENQUEUE_FLAGS_NO_WAIT', 'CLK_ENQUEUE_FLAGS_WAIT_KERNEL', 'CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP', '(kernel_enqueue_flags_t)n'])}, ndrange_1D(16, 4), ^{ *((global int *)(size_t)w) = value; data[i] = 3; });`,
    isNew: true,
  },
  {
    text: () =>
      `enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_2D((size_t[2]){n & 63, i & 63}, (size_t[2]){(uint)n % 9, (uint)w % 9}), ^{ data[get_global_id(0) & 15] = 1; });`,
    isNew: true,
  },
  {
    text: () =>
      `{ clk_event_t gate = create_user_event(), passed; if (enqueue_marker(get_default_queue(), 1, (clk_event_t *)(size_t)w, &passed) == CLK_SUCCESS) release_event(passed); set_user_event_status(gate, value); release_event(gate); }`,
    isNew: true,
  },
  {
    text: () =>
      `{ clk_event_t e; capture_event_profiling_info(e, CLK_PROFILING_COMMAND_EXEC_TIME, (global void *)(size_t)w); }`,
    isNew: true,
  },
  {
    text: () =>
      `enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(8, 8), ^(local void *a) { ((local int *)a)[i] = value; }, (uint)n & 0xffff);`,
    isNew: true,
  },
  { text: () => `sink[0] += work_group_broadcast(value, (size_t)i);`, isNew: true },
  { text: () => `for (int k = 0; k < 200; k++) data[(int)(k * i)] += k;` },
  { text: () => `for (int k = 0; k < 64; k++) tile[k * n] = k;` },
  {
    text: () =>
      `for (int k = 0; k < 100; k++) ((global double *)data)[get_global_id(0) + (ulong)k * w] = 1.0;`,
  },
];

const head = `
typedef struct { int a[40]; } Large;
constant int table[4] = {1, 2, 3, 4};
static void use(void *bytes, uint count, global int *sink) {
  int sum = 0;
  for (uint k = 0; k < count; k++) sum += ((char *)bytes)[k];
  sink[get_global_id(0) & 15] += sum;
}
`;

export interface WildKernel {
  readonly source: string;
  /** Whether it is of OpenCL C 2.0, with pipes among its arguments. */
  readonly isNew: boolean;
}

export interface StatementOptions {
  /** Of OpenCL C 2.0, too. */
  readonly allowsNew: boolean;
  /** Those, too, that take long. */
  readonly allowsLong: boolean;
}

/** One access, of all work-items or of one. */
export function wildStatement(random: Random, { allowsNew, allowsLong }: StatementOptions): string {
  const usable = accesses.filter(({ isNew, isLong }) => (allowsNew || !isNew) && (allowsLong || !isLong));
  const type = random.pick(scalars) + random.pick(lengths);
  const { text } = random.pick(usable);
  const statement = text(type, random);
  // What all work-items of a group must meet stays outside of conditions.
  const isShared = /barrier|async_|work_group/.test(statement);
  return !isShared && random.below(3) === 0
    ? `if (get_local_id(0) == ${random.below(4)}) ${statement}`
    : statement;
}

/** A kernel `wild` of statements, and one that does no harm. `before` has functions for the statements. */
export function kernelOf(statements: readonly string[], isNew: boolean, before = ''): WildKernel {
  const pipes = isNew ? ', read_only pipe int from, write_only pipe int to' : '';
  const source = `${isNew ? '' : '#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n'}${head}${before}
kernel void wild(global int *data, global int *sink, local int *tile, ulong w, int i, int n, int value, uint bytes,
                 read_only image2d_t in_image, write_only image2d_t out_image${pipes}) {
  ${statements.join('\n  ')}
}
kernel void tame(global int *p, int value) { p[get_global_id(0)] = value + get_global_id(0); }`;
  return { source, isNew };
}

export function wildKernel(random: Random, allowsNew: boolean): WildKernel {
  const isNew = allowsNew && random.below(2) === 0;
  const options = { allowsNew: isNew, allowsLong: true };
  const statements = Array.from({ length: 1 + random.below(4) }, () => wildStatement(random, options));
  return kernelOf(statements, isNew);
}

/** A number that addresses end in, or wrap around at. `size` is how many bytes the memory has. */
export function wildNumber(random: Random, size: number): bigint {
  const near = BigInt(random.below(200) - 100);
  switch (random.below(9)) {
    case 0:
      return near;
    case 1:
      return BigInt(size) + near;
    case 2:
      return 2n ** BigInt(random.pick([16, 20, 24, 28, 30, 31, 32, 33, 40, 47, 48, 62, 63])) + near;
    case 3:
      return -(2n ** BigInt(random.below(63))) + near;
    case 4:
      return BigInt(random.below(size));
    case 5:
      return (BigInt(random.bits()) << 32n) | BigInt(random.bits());
    case 6:
      return BigInt(random.bits());
    case 7:
      return BigInt(size - 256 + random.below(300));
    default:
      return BigInt((1 << 20) + random.below(4096));
  }
}
