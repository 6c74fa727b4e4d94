// Work-group functions (OpenCL 2.0, 6.13.15) against the same in JavaScript, on every element type, in groups of sizes
// that do not fill vectors, in one to three dimensions.
import { describe, expect, it } from 'vitest';
import { expectEverywhere } from '../../support/opencl-2.ts';
import { buffer, compileForTest, runOnInterpreter, wasmRunner } from '../../support/run-kernel.ts';

const elements = {
  int: Int32Array,
  uint: Uint32Array,
  long: BigInt64Array,
  ulong: BigUint64Array,
  float: Float32Array,
  double: Float64Array,
} as const;
type Element = keyof typeof elements;
type Value = number | bigint;

function arrayOf(type: Element, list: readonly Value[]) {
  const array = new elements[type](list.length);
  list.forEach((value, index) => {
    array[index] = value;
  });
  return array;
}

/** Small numbers, whose sums are exact in every type; negative ones too, which the unsigned types read as large ones. */
function values(type: Element, count: number) {
  const wide = type === 'long' || type === 'ulong';
  const numbers = Array.from({ length: count }, (_, index) => ((index * 37 + 11) % 101) - 50);
  return arrayOf(
    type,
    numbers.map((x) => (wide ? BigInt(x) : x)),
  );
}

const least: Record<Element, Value> = {
  int: -(2 ** 31),
  uint: 0,
  long: -(2n ** 63n),
  ulong: 0n,
  float: Number.NEGATIVE_INFINITY,
  double: Number.NEGATIVE_INFINITY,
};
const greatest: Record<Element, Value> = {
  int: 2 ** 31 - 1,
  uint: 2 ** 32 - 1,
  long: 2n ** 63n - 1n,
  ulong: 2n ** 64n - 1n,
  float: Number.POSITIVE_INFINITY,
  double: Number.POSITIVE_INFINITY,
};

const ways = {
  add: { combine: (a: Value, b: Value) => (a as number) + (b as number), start: () => 0 as Value },
  min: { combine: (a: Value, b: Value) => (b < a ? b : a), start: (type: Element) => greatest[type] },
  max: { combine: (a: Value, b: Value) => (a < b ? b : a), start: (type: Element) => least[type] },
} as const;

const wayNames = ['add', 'min', 'max'] as const;

const functions = ['reduce', 'scan_inclusive', 'scan_exclusive'] as const;

/** What each work-item gets, group by group (or in parts of groups). */
function meaning(
  type: Element,
  fn: (typeof functions)[number],
  way: keyof typeof ways,
  input: ArrayLike<Value>,
  group: number,
  part = group,
) {
  const { combine, start } = ways[way];
  const zero = typeof input[0] === 'bigint' ? BigInt(start(type)) : start(type);
  const results: Value[] = [];
  for (let at = 0; at < input.length; at += 1) {
    const inGroup = at % group;
    const first = at - (inGroup % part);
    const end = Math.min(first + part, at - inGroup + group);
    const last = fn === 'reduce' ? end : fn === 'scan_inclusive' ? at + 1 : at;
    let result = zero;
    for (let each = first; each < last; each += 1) result = combine(result, input[each]!);
    results.push(result);
  }
  return arrayOf(type, results);
}

describe.each(Object.keys(elements) as Element[])('%s', (type) => {
  it.each([['work_group'], ['sub_group']])('%s functions', (prefix) => {
    const calls = functions.flatMap((fn) => wayNames.map((way) => [fn, way] as const));
    const source = `kernel void k(global ${type} *out, global const ${type} *in, int count) {
      size_t g = get_global_id(0);
      ${calls.map(([fn, way], index) => `out[count * ${index} + g] = ${prefix}_${fn}_${way}(in[g]);`).join('\n')}
    }`;
    const packed = wasmRunner(compileForTest(source, '-cl-std=CL2.0'), { lanes: 8, verify: false });
    for (const group of [1, 7, 37, 64]) {
      const count = group * 3;
      const input = values(type, count);
      const part = prefix === 'sub_group' ? 8 : group;
      const expected = new elements[type](count * calls.length);
      calls.forEach(([fn, way], index) => {
        expected.set(meaning(type, fn, way, input as ArrayLike<Value>, group, part) as never, count * index);
      });
      const args = [buffer(input), { bytes: new Uint8Array(Int32Array.of(count).buffer) }];
      const range = { global: [count], local: [group] };
      if (group === 37 && type === 'int') expectEverywhere(source, range, expected, () => args);
      const runs = [packed];
      if (group === 7)
        runs.push((kernel, of, given) =>
          runOnInterpreter(compileForTest(source, '-cl-std=CL2.0'), kernel, of, given),
        );
      for (const run of runs) {
        const out = new elements[type](expected.length);
        run('k', range, [buffer(out), ...args]);
        expect([...out]).toEqual([...expected]);
      }
    }
  });
});

describe('others', () => {
  const range = { global: [74], local: [37] };

  it('half', () => {
    const source = `#pragma OPENCL EXTENSION cl_khr_fp16 : enable
      kernel void k(global float *out) {
        half x = (half)(get_local_id(0) % 5);
        out[get_global_id(0)] = work_group_reduce_add(x) * 1000.0f + work_group_scan_exclusive_max(x) + work_group_broadcast(x, 4)
          + 10 * sub_group_reduce_add(x);
      }`;
    const expected = Float32Array.from({ length: 74 }, (_, g) => {
      const at = g % 37;
      const x = Array.from({ length: 37 }, (_, each) => each % 5);
      const sum = x.reduce((a, b) => a + b);
      const first = at - (at % 8);
      const part = x.slice(first, first + 8).reduce((a, b) => a + b);
      const before = at === 0 ? Number.NEGATIVE_INFINITY : Math.max(...x.slice(0, at));
      return sum * 1000 + before + 4 + 10 * part;
    });
    expectEverywhere(source, range, expected);
  });

  it('all and any', () => {
    const source = `kernel void k(global int *out) {
      int x = get_local_id(0), g = get_group_id(0);
      int r = 0;
      if (work_group_all(x < 37)) r += 1;
      if (work_group_all(x != 5)) r += 2;
      if (work_group_any(x == 5 && g == 1)) r += 4;
      if (work_group_any(x > 40)) r += 8;
      if (sub_group_all(x < 16)) r += 16;
      if (sub_group_any(x == 20)) r += 32;
      out[get_global_id(0)] = r + 64 * work_group_any(2);
    }`;
    const expected = Int32Array.from({ length: 74 }, (_, g) => {
      const x = g % 37;
      return 1 + (g >= 37 ? 4 : 0) + (x < 16 ? 16 : 0) + (x >= 16 && x < 24 ? 32 : 0) + 64;
    });
    expectEverywhere(source, range, expected);
  });

  it('broadcast in one to three dimensions, of an index that is only known then', () => {
    const source = `kernel void k(global int *out, global int *where) {
      int id = get_local_linear_id();
      int r = work_group_broadcast(id, where[0], where[1], where[2]);
      r += 100 * (int)get_global_linear_id();
      out[get_global_linear_id()] = r + 10000 * sub_group_broadcast(id, 1);
    }`;
    const local = [4, 3, 2];
    const where = Int32Array.of(2, 1, 1);
    const expected = Int32Array.from({ length: 4 * 3 * 2 * 2 }, (_, at) => {
      const [x, y, z] = [at % 8, Math.floor(at / 8) % 3, Math.floor(at / 24)] as [number, number, number];
      const id = (z * 3 + y) * 4 + (x % 4);
      return 2 + 4 * (1 + 3 * 1) + 100 * at + 10000 * (id - (id % 8) + 1);
    });
    expectEverywhere(source, { global: [8, 3, 2], local }, expected, () => [buffer(where)]);
    const flat = `kernel void k(global int *out) {
      size_t at = get_global_linear_id();
      out[at] = work_group_broadcast((int)at, 1) + work_group_broadcast((int)at, 1, 2) * 100;
    }`;
    expectEverywhere(
      flat,
      { global: [4, 3], local: [4, 3] },
      Int32Array.from({ length: 12 }, () => 1 + 900),
    );
  });

  it('in loops, under conditions that are the same for all, and in functions', () => {
    const source = `
      int total(int x, int n) {
        for (int i = 0; i < n; i++) {
          if (work_group_any(x > 100)) break;
          x = work_group_scan_inclusive_add(x);
        }
        return x;
      }
      kernel void k(global int *out, int n) {
        int x = 1 + get_group_id(0) * 5;
        if (n > 2) x = total(x, n);
        int largest = work_group_reduce_max(x);
        if (largest > 50) x -= work_group_reduce_min(x);
        out[get_global_id(0)] = x * 1000 + largest;
      }`;
    const expected = new Int32Array(16);
    for (const group of [0, 1]) {
      let x = new Array<number>(8).fill(1 + group * 5);
      for (let turn = 0; turn < 4 && !x.some((each) => each > 100); turn += 1) {
        let sum = 0;
        x = x.map((each) => (sum += each));
      }
      const largest = Math.max(...x);
      const smallest = Math.min(...x);
      x.forEach((each, index) => {
        expected[group * 8 + index] = (largest > 50 ? each - smallest : each) * 1000 + largest;
      });
    }
    const args = () => [{ bytes: new Uint8Array(Int32Array.of(4).buffer) }];
    expectEverywhere(source, { global: [16], local: [8] }, expected, args);
  });

  it('sub-groups that go different ways', () => {
    const source = `kernel void k(global int *out) {
      int x = get_local_id(0), r = -1;
      if (get_sub_group_id() == 1) r = sub_group_reduce_add(x);
      else if (get_sub_group_id() == 2) r = sub_group_scan_exclusive_add(x);
      for (uint i = 0; i < get_sub_group_id(); i++) r += sub_group_broadcast(x, i);
      out[get_global_id(0)] = r;
    }`;
    const expected = Int32Array.from({ length: 74 }, (_, g) => {
      const x = g % 37;
      const subGroup = x >> 3;
      const first = subGroup * 8;
      let r = -1;
      if (subGroup === 1) r = 8 * 8 + 28;
      if (subGroup === 2) for (let each = first, sum = 0; each <= x; sum += each++) r = sum;
      for (let i = 0; i < subGroup; i += 1) r += first + i;
      return r;
    });
    expectEverywhere(source, range, expected);
  });

  it('who a work-item is in its sub-group', () => {
    const source = `kernel void k(global int *out) {
      size_t g = get_global_linear_id();
      out[g * 6] = get_sub_group_id(); out[g * 6 + 1] = get_sub_group_local_id(); out[g * 6 + 2] = get_sub_group_size();
      out[g * 6 + 3] = get_max_sub_group_size(); out[g * 6 + 4] = get_num_sub_groups();
      out[g * 6 + 5] = get_enqueued_num_sub_groups();
    }`;
    const expected = Int32Array.from({ length: 21 * 6 }, (_, at) => {
      const id = Math.floor(at / 6);
      const subGroup = id >> 3;
      return [subGroup, id & 7, subGroup === 2 ? 5 : 8, 8, 3, 3][at % 6]!;
    });
    expectEverywhere(source, { global: [7, 3], local: [7, 3] }, expected);
  });

  it('a work-group barrier with a scope orders local memory', () => {
    const source = `kernel void k(global int *out, local int *l) {
      int x = get_local_id(0);
      l[x] = x;
      work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group);
      int r = l[36 - x];
      work_group_barrier(CLK_LOCAL_MEM_FENCE);
      l[x] = 3 * x;
      sub_group_barrier(CLK_LOCAL_MEM_FENCE);
      out[get_global_id(0)] = r + 100 * l[x / 8 * 8];
    }`;
    const expected = Int32Array.from({ length: 74 }, (_, g) => {
      const x = g % 37;
      return 36 - x + 300 * (x - (x % 8));
    });
    expectEverywhere(source, range, expected, () => [{ local: 148 }]);
  });
});

describe('mistakes', () => {
  it.each([
    [
      'vectors',
      'kernel void k(int2 x) { work_group_reduce_add(x); }',
      /no matching function for call to 'work_group_reduce_add'/,
    ],
    [
      'four dimensions',
      'kernel void k(int x) { work_group_broadcast(x, 0, 0, 0, 0); }',
      /no matching function/,
    ],
  ])('%s', (_, source, message) => {
    expect(() => compileForTest(source, '-cl-std=CL2.0')).toThrow(message);
  });

  it('the names are free before version 2.0', () => {
    const source = `int work_group_reduce_add(int x) { return x + 1; }
      kernel void k(global int *out) { out[0] = work_group_reduce_add(4); }`;
    const out = new Int32Array(1);
    runOnInterpreter(compileForTest(source), 'k', { global: [1], local: [1] }, [buffer(out)]);
    expect(out[0]).toBe(5);
  });
});
