/** Numbers of bits of vectors of every width. */
import { expect, it } from 'vitest';
import { cloneModule } from '../../../../src/ir/clone.ts';
import { Random } from '../../../support/random.ts';
import { buffer, compileForTest, wasmRunner } from '../../../support/run-kernel.ts';

const bitsOf = (bytes: Uint8Array): number =>
  bytes.reduce((sum, byte) => sum + byte.toString(2).replaceAll('0', '').length, 0);

it.each([
  ['uchar', 1, (buffer: ArrayBuffer) => new Uint8Array(buffer)],
  ['short', 2, (buffer: ArrayBuffer) => new Int16Array(buffer)],
  ['uint', 4, (buffer: ArrayBuffer) => new Uint32Array(buffer)],
  ['long', 8, (buffer: ArrayBuffer) => new BigInt64Array(buffer)],
] as const)('%s', (type, size, view) => {
  const module = compileForTest(`
kernel void test(global const ${type} *in, global ${type} *out) {
  int i = get_global_id(0);
  out[i] = popcount(in[i]);
}`);
  const random = new Random(size);
  const bytes = new Uint8Array(64 * size).map((_, at) =>
    at < 2 * size ? (at < size ? 255 : 0) : random.next() * 256,
  );
  const expected = Array.from({ length: 64 }, (_, at) => bitsOf(bytes.subarray(at * size, (at + 1) * size)));
  for (const lanes of [2, 4, 8, 16] as const) {
    const out = new Uint8Array(64 * size);
    wasmRunner(cloneModule(module), { lanes, verify: false })('test', { global: [64], local: [64] }, [
      buffer(bytes),
      buffer(out),
    ]);
    expect(Array.from(view(out.buffer), Number)).toEqual(expected);
  }
});
