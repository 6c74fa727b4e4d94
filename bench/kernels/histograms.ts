/** How often each of 256 values occurs: a histogram for each work-group in local memory, then their sums. */
import { type BenchKernel, count, uint, wholes } from '../frame/bench-kernel.ts';
import { near } from '../frame/checks.ts';

const groups = 64;

function bytes(length: number): Uint8Array {
  return new Uint8Array(wholes(length / 4, 7, 2 ** 32).buffer);
}

export const histogram: BenchKernel = {
  name: 'histogram 256',
  source: `
kernel void histogram(uint count, global const uchar *values, global uint *bins) {
  local uint own[256];
  own[get_local_id(0)] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (size_t i = get_global_id(0); i < count; i += get_global_size(0)) atomic_inc(&own[values[i]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&bins[get_local_id(0)], own[get_local_id(0)]);
}`,
  prepare(size) {
    const n = size === 'full' ? 2 ** 24 : 2 ** 20;
    const values = bytes(n);
    return {
      size: count(n),
      buffers: { values, bins: new Uint32Array(256) },
      restored: ['bins'],
      launches: [
        { kernel: 'histogram', global: [groups * 256], local: [256], arguments: [uint(n), 'values', 'bins'] },
      ],
      work: { unit: 'GB/s', amount: n },
      check(result) {
        const expected = new Uint32Array(256);
        for (const value of values) expected[value]! += 1;
        return near(result('bins', Uint32Array), (bin) => expected[bin]!);
      },
    };
  },
};

export const colourHistogram: BenchKernel = {
  name: 'histogram RGB',
  source: `
kernel void histogram(uint count, global const uchar4 *pixels, global uint *bins) {
  local uint own[3 * 256];
  for (uint bin = get_local_id(0); bin < 3 * 256; bin += get_local_size(0)) own[bin] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (size_t i = get_global_id(0); i < count; i += get_global_size(0)) {
    uchar4 pixel = pixels[i];
    atomic_inc(&own[pixel.x]);
    atomic_inc(&own[256 + pixel.y]);
    atomic_inc(&own[512 + pixel.z]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint bin = get_local_id(0); bin < 3 * 256; bin += get_local_size(0)) atomic_add(&bins[bin], own[bin]);
}`,
  prepare(size) {
    const n = size === 'full' ? 2 ** 24 : 2 ** 20;
    const pixels = bytes(4 * n);
    return {
      size: `${count(n)} pixels`,
      buffers: { pixels, bins: new Uint32Array(768) },
      restored: ['bins'],
      launches: [
        { kernel: 'histogram', global: [groups * 256], local: [256], arguments: [uint(n), 'pixels', 'bins'] },
      ],
      work: { unit: 'GB/s', amount: 4 * n },
      check(result) {
        const expected = new Uint32Array(768);
        for (let at = 0; at < pixels.length; at += 4) {
          for (let channel = 0; channel < 3; channel += 1)
            expected[256 * channel + pixels[at + channel]!]! += 1;
        }
        return near(result('bins', Uint32Array), (bin) => expected[bin]!);
      },
    };
  },
};
