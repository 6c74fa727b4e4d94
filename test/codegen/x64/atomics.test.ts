/** Atomic operations whose results nobody wants: one locked instruction each, and what is in memory afterwards. */
import { describe, expect, it } from 'vitest';
import { optimise } from '../../../src/passes/pipeline.ts';
import { x64 } from '../../../src/target/x64.ts';
import { buffer, compileForTest, wasmRunner } from '../../support/run-kernel.ts';
import { fault, nativeKernelEngine } from './engine.ts';

const operations = [
  ['add', (a: bigint, b: bigint) => a + b],
  ['sub', (a: bigint, b: bigint) => a - b],
  ['and', (a: bigint, b: bigint) => a & b],
  ['or', (a: bigint, b: bigint) => a | b],
  ['xor', (a: bigint, b: bigint) => a ^ b],
] as const;

/** By the bits of what they work on. */
const types = { 32: 'uint', 64: 'ulong' } as const;

const sourceOf = (fn: string, bits: 32 | 64): string => `
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
kernel void test(global ${types[bits]} *places, global const ${types[bits]} *by) {
  int i = get_global_id(0);
  atom_${fn}(places + i % 3, by[i]);
}`;

describe.each([32, 64] as const)('of %d bits', (bits) => {
  it.each(operations)('%s is one instruction', (fn) => {
    const module = compileForTest(sourceOf(fn, bits));
    optimise(module, { target: x64 });
    const text = x64.emit!(module) as string;
    const size = bits === 32 ? 'DWORD' : 'QWORD';
    expect(text).toMatch(new RegExp(`lock ${fn} ${size} PTR \\[.*\\],`));
    expect(text).not.toMatch(/cmpxchg|xadd/);
  });

  it.skipIf(fault).each(operations)(
    `%s leaves what it should${fault ? ` (skipped: ${fault})` : ''}`,
    (fn, of) => {
      const count = 48;
      const by = Array.from({ length: count }, (_, i) =>
        BigInt.asUintN(bits, 0x9e37_79b9_7f4a_7c15n * BigInt(i + 1)),
      );
      const before = [0xffff_0000_f0f0_1234n, 5n, 0x0123_4567_89ab_cdefn].map((one) =>
        BigInt.asUintN(bits, one),
      );
      const expected = before.map((start, place) =>
        by.reduce((sum, one, i) => (i % 3 === place ? BigInt.asUintN(bits, of(sum, one)) : sum), start),
      );
      const array = (values: readonly bigint[]) =>
        bits === 32 ? Uint32Array.from(values, Number) : BigUint64Array.from(values);
      const places = array(before);
      const run = wasmRunner(compileForTest(sourceOf(fn, bits)), { engine: nativeKernelEngine() });
      run('test', { global: [count], local: [16] }, [buffer(places), buffer(array(by))]);
      expect([...places].map(BigInt)).toEqual(expected);
    },
  );
});
