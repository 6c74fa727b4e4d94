/**
 * What the checker costs (docs/checker.md): the same kernels on the WebAssembly device, packed as always, and on the device that
 * looks at every access, in turn. Kernels that use memory in the ways that programs do; one thread, for the checker has no more.
 */
import { compile, type KernelArgument, local, type Program, startChecking } from 'millrace';
import type { Row } from './measure.ts';

const items = 1 << 14;
const width = 64;
const tile = 16;
const groupSize = 256;
/** The fastest of many short runs counts: neighbours on the machine only ever add. */
const rounds = 300;
/** How many times the packed kernel's time the checked one may take. */
const mostTimes = 20;

const source = `
kernel void vector_sum(global const float *a, global const float *b, global float *c) {
  int i = get_global_id(0);
  c[i] = a[i] + b[i];
}
kernel void product(global const float *a, global const float *b, global float *c, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int k = 0; k < n; k++) sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;
}
kernel void tiled_product(global const float *a, global const float *b, global float *c, int n) {
  local float part_a[${tile}][${tile}], part_b[${tile}][${tile}];
  int x = get_global_id(0), y = get_global_id(1), i = get_local_id(0), j = get_local_id(1);
  float sum = 0;
  for (int from = 0; from < n; from += ${tile}) {
    part_a[j][i] = a[y * n + from + i];
    part_b[j][i] = b[(from + j) * n + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < ${tile}; k++) sum += part_a[j][k] * part_b[k][i];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[y * n + x] = sum;
}
kernel void tree_sum(global const float *in, global float *out, local float *part) {
  int i = get_local_id(0);
  part[i] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int half_size = get_local_size(0) / 2; half_size > 0; half_size >>= 1) {
    if (i < half_size) part[i] += part[i + half_size];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (i == 0) out[get_group_id(0)] = part[0];
}
kernel void histogram(global const uchar *data, global int *counts, local int *mine) {
  int i = get_local_id(0);
  mine[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < 16; k++) atomic_inc(&mine[data[get_group_id(0) * 4096 + k * 256 + i]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&counts[i], mine[i]);
}`;

type Launch = readonly [
  size: { readonly global: readonly number[]; readonly local: readonly number[] },
  ...args: KernelArgument[],
];

/** The kernels with what they are launched with, and where their results are. */
function launchesOf(program: Program): Record<string, { title: string; launch: Launch }> {
  const floats = (count: number) => program.buffer(new Float32Array(count).map((_, index) => index % 97));
  const bytes = new Uint8Array(items).map((_, index) => (index * 7919) >> 3);
  const row = { global: [items], local: [groupSize] };
  const square = { global: [width, width], local: [tile, tile] };
  const matrices = [floats(width * width), floats(width * width), floats(width * width), width] as const;
  return {
    vector_sum: { title: 'vector sum', launch: [row, floats(items), floats(items), floats(items)] },
    product: { title: 'matrix product', launch: [square, ...matrices] },
    tiled_product: { title: 'matrix product with tiles in local memory', launch: [square, ...matrices] },
    tree_sum: {
      title: 'sum by a tree in local memory',
      launch: [row, floats(items), floats(items / groupSize), local(4 * groupSize)],
    },
    histogram: {
      title: 'histogram by local atomics',
      launch: [
        { global: [items / 16], local: [groupSize] },
        program.buffer(bytes),
        program.buffer(new Int32Array(256)),
        local(4 * groupSize),
      ],
    },
  };
}

export async function measureChecker(): Promise<Row[]> {
  const plain = await compile(source);
  // Programs that are compiled from now on are checked, those from before are not.
  startChecking({
    report: (report) => {
      throw new Error(`a kernel that has no fault: ${report.text()}`);
    },
  });
  const checked = await compile(source);
  const sides = [checked, plain].map((program) => ({ program, launches: launchesOf(program) }));
  const rows: Row[] = [];
  for (const [name, { title }] of Object.entries(sides[0]!.launches)) {
    const least = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let round = 0; round < rounds; round += 1) {
      for (const [side, { program, launches }] of sides.entries()) {
        const { ended, started } = await program.kernel(name)(...launches[name]!.launch);
        least[side] = Math.min(least[side]!, Number(ended - started) / 1e6);
      }
    }
    const [value, packed] = least as [number, number];
    rows.push({
      name: title,
      value,
      unit: 'ms',
      against: { name: 'packed', value: packed },
      goal: packed * mostTimes,
    });
  }
  for (const { program } of sides) program.release();
  return rows;
}
