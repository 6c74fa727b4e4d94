/** Sums of many numbers in local memory: one of all, in two ways, and one of each beginning. */
import { type BenchKernel, count, floats, uint, wholes } from '../frame/bench-kernel.ts';
import { near } from '../frame/checks.ts';

const group = 256;

export const reduction: BenchKernel = {
  name: 'reduction',
  source: `
kernel void reduce(uint count, global const float *in, global float *sums) {
  local float part[${group}];
  uint l = get_local_id(0);
  float sum = 0.0f;
  for (size_t i = get_global_id(0); i < count; i += get_global_size(0)) sum += in[i];
  part[l] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint half_of = ${group} / 2; half_of > 0; half_of /= 2) {
    if (l < half_of) part[l] += part[l + half_of];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0) sums[get_group_id(0)] = part[0];
}`,
  prepare(size) {
    const n = size === 'full' ? 2 ** 24 : 2 ** 20;
    const groups = 256;
    const values = floats(n, 6);
    return {
      size: count(n),
      buffers: { values, sums: 4 * groups },
      launches: [
        {
          kernel: 'reduce',
          global: [groups * group],
          local: [group],
          arguments: [uint(n), 'values', 'sums'],
        },
      ],
      work: { unit: 'GB/s', amount: 4 * n },
      check(result) {
        const expected = values.reduce((sum, value) => sum + value, 0);
        const found = result('sums', Float32Array).reduce((sum, value) => sum + value, 0);
        return near([found], () => expected, { tolerance: 2 ** -16 });
      },
    };
  },
};

/** As tutorials have it: a work-item brings one element, and nothing is summed up before the tree. */
export const treeReduction: BenchKernel = {
  name: 'reduction, one element each',
  source: `
kernel void reduce(global const float *in, global float *sums) {
  local float part[${group}];
  uint l = get_local_id(0);
  part[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint s = get_local_size(0) / 2; s > 0; s >>= 1) {
    if (l < s) part[l] += part[l + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0) sums[get_group_id(0)] = part[0];
}`,
  prepare(size) {
    const n = size === 'full' ? 2 ** 24 : 2 ** 20;
    const values = floats(n, 6);
    return {
      size: count(n),
      buffers: { values, sums: (4 * n) / group },
      launches: [{ kernel: 'reduce', global: [n], local: [group], arguments: ['values', 'sums'] }],
      work: { unit: 'GB/s', amount: 4 * n },
      check(result) {
        return near(
          result('sums', Float32Array),
          (index) =>
            values.subarray(index * group, (index + 1) * group).reduce((sum, value) => sum + value, 0),
          { tolerance: 2 ** -16 },
        );
      },
    };
  },
};

export const scan: BenchKernel = {
  name: 'scan',
  source: `
// Each work-group scans its elements, two for a work-item, and notes their sum.
kernel void scan_groups(global const uint *in, global uint *out, global uint *sums) {
  local uint part[2 * ${group}];
  uint l = get_local_id(0), n = 2 * ${group};
  size_t first = get_group_id(0) * n;
  part[l] = in[first + l];
  part[l + ${group}] = in[first + l + ${group}];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint step = 1; step < n; step *= 2) {
    uint a = l >= step ? part[l - step] : 0;
    uint b = l + ${group} >= step ? part[l + ${group} - step] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    part[l] += a;
    part[l + ${group}] += b;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[first + l] = part[l];
  out[first + l + ${group}] = part[l + ${group}];
  if (l == 0) sums[get_group_id(0)] = part[n - 1];
}

kernel void add_sums(global uint *out, global const uint *sums) {
  if (get_group_id(0) == 0) return;
  uint before = sums[get_group_id(0) - 1];
  size_t first = get_group_id(0) * 2 * ${group};
  out[first + get_local_id(0)] += before;
  out[first + get_local_id(0) + ${group}] += before;
}`,
  prepare(size) {
    // Three levels: elements, groups, groups of groups.
    const n = size === 'full' ? 2 ** 24 : 2 ** 20;
    const values = wholes(n, 8, 100);
    const each = 2 * group;
    const groups = n / each;
    const upper = groups / each;
    const scanned = (from: string, to: string, sums: string, count: number) => ({
      kernel: 'scan_groups',
      global: [count * group],
      local: [group],
      arguments: [from, to, sums],
    });
    const added = (to: string, sums: string, count: number) => ({
      kernel: 'add_sums',
      global: [count * group],
      local: [group],
      arguments: [to, sums],
    });
    // What is left of the highest level is scanned by one group over room that is zero beyond it.
    return {
      size: count(n),
      buffers: {
        values,
        out: 4 * n,
        sums: 4 * groups,
        scanned: 4 * groups,
        upper: new Uint32Array(each),
        upperScanned: 4 * each,
        total: 4,
      },
      launches: [
        scanned('values', 'out', 'sums', groups),
        scanned('sums', 'scanned', 'upper', upper),
        scanned('upper', 'upperScanned', 'total', 1),
        added('scanned', 'upperScanned', upper),
        added('out', 'scanned', groups),
      ],
      work: { unit: 'GB/s', amount: 8 * n },
      check(result) {
        const out = result('out', Uint32Array);
        let sum = 0;
        return near(out, (index) => {
          sum += values[index]!;
          return sum;
        });
      },
    };
  },
};
