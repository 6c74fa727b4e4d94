/**
 * An operand that its only user takes nothing of is not computed, and surely not later, when what it is computed from is gone. Found by
 * `npm run fuzz -- --kind large --seed 950016`: a load outside the branch that its address belongs to.
 */
import { afterAll, expect, it } from 'vitest';
import {
  buffer,
  compileForTest,
  useKernelEngine,
  wasmEngine,
  wasmRunner,
} from '../../../support/run-kernel.ts';

let bytes: Uint8Array | undefined;
useKernelEngine((module, options) => {
  const made = wasmEngine(module, options);
  bytes = (made.program as { bytes?: Uint8Array }).bytes;
  return made;
});
afterAll(() => useKernelEngine(wasmEngine));

/** The instruction v128.load32_zero, by which short vectors are loaded. */
const loadsOf = (code: Uint8Array): number =>
  code.filter((byte, at) => byte === 0xfd && code[at + 1] === 0x5c).length;

it('a vector of which a shuffle takes no lane', () => {
  const module = compileForTest(`
    constant short2 table[4] = {(short2)(1, 2), (short2)(3, 4), (short2)(5, 6), (short2)(7, 8)};
    kernel void test(global uint *out, global const uint *in) {
      uint i = get_global_id(0), x = in[i];
      if (x & 4) x |= as_uint(shuffle2(table[x & 3], table[in[i ^ 1] & 3], (ushort2)(1, 0)));
      out[i] = x;
    }`);
  const input = Uint32Array.of(4, 9, 6, 7, 0, 3, 5, 12);
  const out = new Uint32Array(8);
  wasmRunner(module, {})('test', { global: [8], local: [8] }, [buffer(out), buffer(input)]);
  const words = [0x10002, 0x30004, 0x50006, 0x70008];
  expect([...out]).toEqual([...input].map((x) => (x & 4 ? (x | words[x & 3]!) >>> 0 : x)));
  expect(loadsOf(bytes!)).toBe(1);
});
