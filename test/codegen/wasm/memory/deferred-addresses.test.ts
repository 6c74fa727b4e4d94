/** Pointers whose constant offset is part of the accesses by them, and which are needed as such elsewhere, too. */
import { expect, it } from 'vitest';
import { buffer, compileForTest, wasmRunner } from '../../../support/run-kernel.ts';

/** The address of `own[1]` is computed for the context array that keeps it over the barrier, not where the loop loads two parts from there. */
const source = `
constant int odd[2] = {983045, 983042};
kernel void test(global float8 *p, global const uchar (*limits)[2], uchar limit) {
  const uint item = (((uint)get_global_id(2) - (uint)get_global_offset(2)) * (uint)get_global_size(1) + (uint)get_global_id(1)
    - (uint)get_global_offset(1)) * (uint)get_global_size(0) + (uint)get_global_id(0) - (uint)get_global_offset(0);
  global float8 *own = p + item * 2;
  local uint shared[16];
  for (uint i = 1; i < 60 && limit != limits[1][1]; i = i * 3 + 1) own[1u & 1] -= (float8)(0.0f);
  own[odd[0] & 1] += (float8)(-0x1p-13f);
  uint mine = limit / (mul_hi(limit, (uchar)(limits[limit & 1][1] < (uchar)254)) & 3 | 1);
  barrier(CLK_LOCAL_MEM_FENCE);
  shared[(get_local_id(0) + 6) % 14] = mine;
  barrier(CLK_LOCAL_MEM_FENCE);
  own[1] = own[64 & 1];
}`;

it.each([3, 5])('in a loop that is left before it loads, with a limit of %i', (limit) => {
  const items = 14;
  const data = Float32Array.from({ length: items * 16 }, (_, index) => index);
  const expected = data.map((_, index) => (index % 16 < 8 ? index : index - 8));
  const args = [buffer(data), buffer(Uint8Array.of(0, 1, 2, 3)), { bytes: Uint8Array.of(limit) }];
  wasmRunner(compileForTest(source))('test', { global: [items], local: [items] }, args);
  expect([...data]).toEqual([...expected]);
});
