/** Launches of kernels whose dimensions 0 and 1 change places, from a host's view: nothing of it shows. */
import { CL, CLEvent, createContext } from 'millrace/opencl';
import { afterAll, describe, expect, it } from 'vitest';

const context = createContext();
const queue = context.createCommandQueue(undefined, CL.QUEUE_PROFILING_ENABLE);
afterAll(() => context.releaseAll());

/** Rows along dimension 0. What a work-item finds of itself, and its neighbour's in the row through local memory. */
const source = `
kernel void k(int n, global const int *a, global int *b) {
  local int tile[64][17];
  int row = get_global_id(0), column = get_global_id(1);
  int y = get_local_id(0), x = get_local_id(1);
  tile[y][x] = a[row * n + column];
  barrier(CLK_LOCAL_MEM_FENCE);
  int next = tile[y][(x + 1) % get_local_size(1)];
  b[row * n + column] = next * 100000 + get_group_id(0) * 1000 + get_group_id(1) * 10 + (get_num_groups(1) > get_num_groups(0));
}
kernel void pixels(read_only image2d_t in, sampler_t s, global float *out, int n) {
  int row = get_global_id(0), column = get_global_id(1);
  out[row * n + column] = read_imagef(in, s, (int2)(column, row)).x + get_global_id(2);
}`;
const program = context.createProgram(source);
program.build();

/** Rows are so many elements apart. */
const width = 100;

describe.each([
  { global: [20, 64], local: [4, 16], offset: [0, 0] },
  { global: [64, 16], local: [16, 8], offset: [5, 30] },
  { global: [8, 24, 1], local: [8, 8, 1], offset: [1, 2, 0] },
])('$global in $local from $offset', ({ global, local, offset }) => {
  it('gives each work-item what it has in any case', () => {
    const rows = global[0]! + offset[0]!;
    const data = Int32Array.from({ length: rows * width }, (_, index) => (index * 7) % 1000);
    const expected = new Int32Array(rows * width);
    for (let row = 0; row < global[0]!; row += 1) {
      for (let column = 0; column < global[1]!; column += 1) {
        const x = column % local[1]!;
        const at = (row + offset[0]!) * width + column + offset[1]!;
        const next = data[at - x + ((x + 1) % local[1]!)]!;
        const [down, across] = [Math.floor(row / local[0]!), Math.floor(column / local[1]!)];
        const isWide = global[1]! / local[1]! > global[0]! / local[0]!;
        expected[at] = next * 100_000 + down * 1000 + across * 10 + Number(isWide);
      }
    }
    const kernel = program.createKernel('k');
    const a = context.createBuffer(CL.MEM_COPY_HOST_PTR, data.byteLength, data);
    const b = context.createBuffer(CL.MEM_READ_WRITE, data.byteLength);
    const found = new Int32Array(rows * width);
    queue.enqueueWriteBuffer(b, CL.TRUE, 0, found.byteLength, found);
    kernel.setArg(0, Int32Array.of(width));
    kernel.setArg(1, a);
    kernel.setArg(2, b);
    const event = new CLEvent();
    queue.enqueueNDRangeKernel(kernel, global.length, offset, global, local, [], event);
    queue.enqueueReadBuffer(b, CL.TRUE, 0, found.byteLength, found);
    expect(found).toEqual(expected);
    for (const each of [event, kernel, a, b]) each.release();
  });
});

it('chooses groups that divide the range, and reads images', () => {
  const [rows, columns] = [33, 70];
  const pixels = Float32Array.from({ length: rows * columns }, (_, index) => index / 8);
  const format = { channelOrder: CL.R, channelType: CL.FLOAT };
  const shape = { type: CL.MEM_OBJECT_IMAGE2D, width: columns, height: rows };
  const image = context.createImage(CL.MEM_READ_ONLY | CL.MEM_COPY_HOST_PTR, format, shape, pixels);
  const sampler = context.createSampler(false, CL.ADDRESS_NONE, CL.FILTER_NEAREST);
  const out = context.createBuffer(CL.MEM_READ_WRITE, pixels.byteLength);
  const kernel = program.createKernel('pixels');
  kernel.setArg(0, image);
  kernel.setArg(1, sampler);
  kernel.setArg(2, out);
  kernel.setArg(3, Int32Array.of(columns));
  const found = new Float32Array(pixels.length);
  queue.enqueueNDRangeKernel(kernel, 2, null, [rows, columns], null);
  queue.enqueueReadBuffer(out, CL.TRUE, 0, found.byteLength, found);
  expect(found).toEqual(pixels);
  for (const each of [kernel, out, sampler, image]) each.release();
});

it('tells work-items of groups that are cut off what they are part of', () => {
  const [rows, columns, high, wide] = [13, 130, 4, 16];
  const cut = context.createProgram(`
    kernel void k(int n, global const int *a, global int *b) {
      int row = get_global_id(0), column = get_global_id(1);
      b[row * n + column] = a[row * n + column] + (int)get_global_linear_id() * 10000 + (int)get_local_size(0) * 1000
        + (int)get_local_size(1) * 10 + (get_enqueued_local_size(0) == ${high}) + (get_enqueued_local_size(1) == ${wide});
    }`);
  cut.build(undefined, '-cl-std=CL2.0');
  const kernel = cut.createKernel('k');
  const a = context.createBuffer(CL.MEM_READ_ONLY, rows * columns * 4);
  const b = context.createBuffer(CL.MEM_READ_WRITE, rows * columns * 4);
  const found = new Int32Array(rows * columns);
  queue.enqueueWriteBuffer(a, CL.TRUE, 0, found.byteLength, found);
  kernel.setArg(0, Int32Array.of(columns));
  kernel.setArg(1, a);
  kernel.setArg(2, b);
  queue.enqueueNDRangeKernel(kernel, 2, null, [rows, columns], [high, wide]);
  queue.enqueueReadBuffer(b, CL.TRUE, 0, found.byteLength, found);
  const expected = Int32Array.from(found, (_, index) => {
    const [row, column] = [Math.floor(index / columns), index % columns];
    const height = Math.min(high, rows - Math.floor(row / high) * high);
    const width = Math.min(wide, columns - Math.floor(column / wide) * wide);
    return (column * rows + row) * 10_000 + height * 1000 + width * 10 + 2;
  });
  expect(found).toEqual(expected);
  for (const each of [kernel, b, a, cut]) each.release();
});
