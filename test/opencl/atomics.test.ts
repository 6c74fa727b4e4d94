// The atomic functions of 64 bits (OpenCL 1.2, 9.4, 9.5) against plain arithmetic on BigInts.
import { describe, expect, it } from 'vitest';
import { buffer, compileForTest, runOnInterpreter, wasmRunner } from '../support/run-kernel.ts';

const operations = [
  ['atom_add(p, x)', (p: bigint, x: bigint) => p + x],
  ['atom_sub(p, x)', (p: bigint, x: bigint) => p - x],
  ['atom_xchg(p, x)', (_: bigint, x: bigint) => x],
  ['atom_inc(p)', (p: bigint) => p + 1n],
  ['atom_dec(p)', (p: bigint) => p - 1n],
  ['atom_cmpxchg(p, 5, x)', (p: bigint, x: bigint) => (p === 5n ? x : p)],
  ['atom_min(p, x)', (p: bigint, x: bigint) => (p < x ? p : x)],
  ['atom_max(p, x)', (p: bigint, x: bigint) => (p > x ? p : x)],
  ['atom_and(p, x)', (p: bigint, x: bigint) => p & x],
  ['atom_or(p, x)', (p: bigint, x: bigint) => p | x],
  ['atom_xor(p, x)', (p: bigint, x: bigint) => p ^ x],
] as const;

const pairs = [
  [5n, 7n],
  [-3n, 0x1_0000_0001n],
  [0x7fff_ffff_ffff_ffffn, 1n],
  [-0x8000_0000_0000_0000n, 0x1234_5678_9abc_def0n],
] as const;

describe.each(['long', 'ulong'] as const)('%s', (type) => {
  const wrap = (value: bigint) => (type === 'long' ? BigInt.asIntN(64, value) : BigInt.asUintN(64, value));
  const array = (values: readonly bigint[]) =>
    type === 'long' ? BigInt64Array.from(values) : BigUint64Array.from(values.map(wrap));

  it.each(operations)('%s', (call, meaning) => {
    const module = compileForTest(`#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
      kernel void k(global ${type}* places, global const ${type}* xs, global ${type}* old, local ${type}* l) {
        size_t i = get_global_id(0);
        ${type} x = xs[i];
        l[0] = places[i];
        { global ${type}* p = places + i; old[i] = ${call}; }
        { local ${type}* p = l; if (${call} != old[i] || l[0] != places[i]) old[i] = 77; }
      }`);
    const places = array(pairs.map(([place]) => place));
    const xs = array(pairs.map(([, x]) => x));
    const want = pairs.map(([place, x]) => wrap(meaning(wrap(place), wrap(x))));
    const range = { global: [pairs.length], local: [1] };
    const runs = [
      (args: Parameters<typeof runOnInterpreter>[3]) => runOnInterpreter(module, 'k', range, args),
      (args: Parameters<typeof runOnInterpreter>[3]) => wasmRunner(module)('k', range, args),
    ];
    for (const run of runs) {
      const changed = array([...places]);
      const old = array(pairs.map(() => 0n));
      run([buffer(changed), buffer(xs), buffer(old), { local: 8 }]);
      expect([...changed]).toEqual(want);
      expect([...old]).toEqual([...places]);
    }
  });
});
