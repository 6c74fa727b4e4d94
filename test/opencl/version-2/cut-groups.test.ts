// Ranges that work-groups do not divide (OpenCL 2.0, 5.8): the last groups are smaller, and know it.
import { describe, expect, it } from 'vitest';
import { expectEverywhere } from '../../support/opencl-2.ts';
import { compileForTest } from '../../support/run-kernel.ts';

type Three = readonly [number, number, number];

/** For each work-item of a range, in the order of its linear global id. */
function each(
  global: Three,
  local: Three,
  meaning: (id: Three, group: Three, size: Three) => readonly number[],
): Int32Array {
  const results: number[] = [];
  for (let z = 0; z < global[2]; z += 1) {
    for (let y = 0; y < global[1]; y += 1) {
      for (let x = 0; x < global[0]; x += 1) {
        const at: Three = [x, y, z];
        const group = at.map((id, axis) => Math.floor(id / local[axis]!)) as unknown as Three;
        const size = group.map((id, axis) =>
          Math.min(local[axis]!, global[axis]! - id * local[axis]!),
        ) as unknown as Three;
        results.push(
          ...meaning(at.map((id, axis) => id - group[axis]! * local[axis]!) as unknown as Three, group, size),
        );
      }
    }
  }
  return Int32Array.from(results);
}

const ranges: readonly (readonly [Three, Three])[] = [
  [
    [37, 1, 1],
    [16, 1, 1],
  ],
  [
    [19, 7, 1],
    [8, 4, 1],
  ],
  [
    [5, 4, 7],
    [4, 3, 2],
  ],
];

describe.each(ranges)('%j work-items in groups of %j', (global, local) => {
  const range = { global: [...global], local: [...local] };
  const which = global[1] === 7 ? 'every form' : 'some forms';
  // The required size is that of whole groups.
  const required = `__attribute__((reqd_work_group_size(${local.join()}))) `;

  it('sizes and ids', () => {
    const source = `kernel void k(global int *out) {
      global int *o = out + get_global_linear_id() * 6;
      o[0] = get_local_size(0) + 100 * get_local_size(1) + 10000 * get_local_size(2);
      o[1] = get_enqueued_local_size(0) + 100 * get_enqueued_local_size(1) + 10000 * get_enqueued_local_size(2);
      o[2] = get_local_linear_id();
      o[3] = get_num_groups(0) + 100 * get_num_groups(1) + 10000 * get_num_groups(2);
      o[4] = get_num_sub_groups() + 100 * get_enqueued_num_sub_groups();
      o[5] = get_global_id(0) - get_group_id(0) * get_enqueued_local_size(0) == get_local_id(0);
    }`;
    const hundreds = ([x, y, z]: Three) => x + 100 * y + 10000 * z;
    const counts = global.map((size, axis) => Math.ceil(size / local[axis]!)) as unknown as Three;
    const subGroups = ([x, y, z]: Three) => Math.ceil((x * y * z) / 8);
    const expected = each(global, local, (id, _, size) => [
      hundreds(size),
      hundreds(local),
      (id[2] * size[1] + id[1]) * size[0] + id[0],
      hundreds(counts),
      subGroups(size) + 100 * subGroups(local),
      1,
    ]);
    expectEverywhere(source, range, expected, undefined, which);
    expectEverywhere(required + source, range, expected, undefined, 'some forms');
  });

  it('barriers, private arrays across them, and work-group functions', () => {
    const source = `kernel void k(global int *out, local int *l) {
      int own[3];
      int id = get_local_linear_id(), n = get_local_size(0) * get_local_size(1) * get_local_size(2);
      for (int i = 0; i < 3; i++) own[i] = id * (i + 1);
      l[id] = id + 1;
      barrier(CLK_LOCAL_MEM_FENCE);
      int other = l[n - 1 - id];
      int sum = work_group_reduce_add(own[id % 3]);
      barrier(CLK_LOCAL_MEM_FENCE);
      l[id] = own[(id + 1) % 3];
      barrier(CLK_LOCAL_MEM_FENCE);
      out[get_global_linear_id()] = other + sum * 100 + work_group_scan_exclusive_add(1) * 1000000 + l[(id + 1) % n] * 7;
    }`;
    const expected = each(global, local, (id, _, size) => {
      const n = size[0] * size[1] * size[2];
      const own = (id[2] * size[1] + id[1]) * size[0] + id[0];
      let sum = 0;
      for (let one = 0; one < n; one += 1) sum += one * ((one % 3) + 1);
      const next = (own + 1) % n;
      return [n - own + sum * 100 + own * 1000000 + next * (((next + 1) % 3) + 1) * 7];
    });
    const args = () => [{ local: 4 * local[0] * local[1] * local[2] }];
    expectEverywhere(source, range, expected, args, which);
    expectEverywhere(required + source, range, expected, args, 'some forms');
  });

  it('kernels that ask for nothing of their group', () => {
    const source = `kernel void k(global int *out) {
      size_t at = (get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) + get_global_id(0);
      out[at] = (int)at * 3;
    }`;
    expectEverywhere(
      source,
      range,
      Int32Array.from({ length: global[0] * global[1] * global[2] }, (_, at) => at * 3),
    );
  });
});

it('the option -cl-uniform-work-group-size and older versions leave them out', () => {
  const attributes = (options: string) =>
    compileForTest('kernel void k(void) {}', options).functions[0]!.attributes?.mayCutGroups ?? false;
  expect(attributes('-cl-std=CL2.0')).toBe(true);
  expect(attributes('-cl-std=CL3.0')).toBe(true);
  expect(attributes('-cl-std=CL2.0 -cl-uniform-work-group-size')).toBe(false);
  expect(attributes('')).toBe(false);
});
