/** Shifts of small integers by constants of their width and more, which count modulo the width: in vectors, where computations are made narrower. */
import { describe, expect, it } from 'vitest';
import { buffer, compileForTest, wasmRunner } from '../support/run-kernel.ts';

const lanes = 4;
const items = 128;
const p = Uint8Array.from({ length: lanes * items }, (_, at) => at * 37 + 200);
const q = Uint8Array.from({ length: lanes * items }, (_, at) => at * 91 + 130);

function ran(type: 'uchar' | 'short', body: string): number[] {
  const source = `kernel void k(global ${type}4 *restrict out, global const uchar4 *restrict p, global const uchar4 *restrict q) {
    int i = get_global_id(0);
    ${body}
  }`;
  const out = type === 'short' ? new Int16Array(lanes * items) : new Uint8Array(lanes * items);
  const run = wasmRunner(compileForTest(source), { lanes: 'chosen' });
  run('k', { global: [items], local: [16] }, [buffer(out), buffer(p), buffer(q)]);
  return [...out];
}

describe.each([9, 10, 12, 17, 23, 33])('by %d', (count) => {
  it('bytes to the right', () => {
    const sums = [...p].map((a) => ((a + 3) & 255) >> (count % 8));
    expect(ran('uchar', `out[i] = (p[i] + (uchar)3) >> (uchar4)(${count});`)).toEqual(sums);
    const low = [...p].map((a) => (a & 127) >> (count % 8));
    expect(ran('uchar', `out[i] = (p[i] & (uchar)127) >> (uchar4)(${count});`)).toEqual(low);
  });

  it('sums of widened bytes to the left', () => {
    const expected = [...p].map((a, at) => {
      const b = q[at]!;
      return (((a + b + (a ^ 3 ^ ((b + 5) & 255))) << (count % 16)) << 16) >> 16;
    });
    const body = `
      short4 x = convert_short4(p[i]), y = convert_short4(q[i]);
      short4 z = convert_short4(p[i] ^ (uchar4)(3)), w = convert_short4(q[i] + (uchar4)(5));
      out[i] = ((x + y) + (z ^ w)) << (short4)(${count});`;
    expect(ran('short', body)).toEqual(expected);
  });
});
