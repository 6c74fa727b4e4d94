/** Half precision in WebAssembly: conversions for every half and all its boundaries, and vectors of all lengths. */
import { expect, it } from 'vitest';
import { halfToNumber, numberToHalf } from '../../../../conformance/support/half.ts';
import { Random } from '../../../support/random.ts';
import { buffer, compileForTest, runOnInterpreter, wasmRunner } from '../../../support/run-kernel.ts';

const isNaNHalf = (bits: number): boolean => (bits & 0x7fff) > 0x7c00;

it('rounds floats to the nearest half, at every boundary', () => {
  const run = wasmRunner(
    compileForTest(`
kernel void one(global const float *in, global half *out) { size_t i = get_global_id(0); out[i] = in[i]; }
kernel void eight(global const float *in, global half *out) {
  size_t i = get_global_id(0);
  vstore8(convert_half8(vload8(i, in)), i, out);
}`),
  );
  const random = new Random(3);
  const numbers = new Float32Array(65536 * 5);
  const bits = new Uint32Array(numbers.buffer);
  for (let half = 0; half < 65536; half += 1) {
    const value = halfToNumber(half);
    const middle = (value + halfToNumber((half + 1) & 0xffff)) / 2;
    numbers.set([value, middle, middle, middle], half * 5);
    if (middle !== 0) {
      bits[half * 5 + 2]! += 1;
      bits[half * 5 + 3]! -= 1;
    }
    bits[half * 5 + 4] = random.below(2 ** 32);
  }
  const results = [new Uint16Array(numbers.length), new Uint16Array(numbers.length)] as const;
  run('one', { global: [numbers.length], local: [64] }, [buffer(numbers), buffer(results[0])]);
  run('eight', { global: [numbers.length / 8], local: [64] }, [buffer(numbers), buffer(results[1])]);
  const wrong: string[] = [];
  for (const result of results) {
    result.forEach((got, index) => {
      const want = numberToHalf(numbers[index]!);
      if (got !== want && !(isNaNHalf(got) && isNaNHalf(want)) && wrong.length < 10) {
        wrong.push(`${numbers[index]}: ${got.toString(16)}, not ${want.toString(16)}`);
      }
    });
  }
  expect(wrong).toEqual([]);
});

it('widens every half', () => {
  const run = wasmRunner(
    compileForTest(`
kernel void one(global const half *in, global float *out) { size_t i = get_global_id(0); out[i] = in[i]; }
kernel void sixteen(global const half *in, global double *out) {
  size_t i = get_global_id(0);
  vstore16(convert_double16(vload16(i, in)), i, out);
}`),
  );
  const halves = Uint16Array.from({ length: 65536 }, (_, bits) => bits);
  const [floats, doubles] = [new Float32Array(65536), new Float64Array(65536)];
  run('one', { global: [65536], local: [64] }, [buffer(halves), buffer(floats)]);
  run('sixteen', { global: [4096], local: [64] }, [buffer(halves), buffer(doubles)]);
  const wrong = [...halves].filter((bits) => {
    const want = halfToNumber(bits);
    return !Object.is(floats[bits], want) || !Object.is(doubles[bits], want);
  });
  expect(wrong).toEqual([]);
});

it.each([2, 3, 4, 8, 16])('computes with %i lanes as the interpreter does', (lanes) => {
  const kernels = [
    'a + b * (half)0.5f',
    '-a / fabs(b)',
    'sqrt(a) - floor(b)',
    'rint(a) * trunc(b) + ceil(a)',
    'copysign(a, b)',
    'select(a, b, a <= b)',
    'a == b ? a : -b',
    'fma(a, b, a)',
    `convert_halfN(convert_shortN_sat(a)) + convert_halfN(as_ushortN(b))`,
    `convert_halfN(convert_intN_sat_rtp(a)) - convert_halfN(convert_uintN_sat(b))`,
    `convert_halfN_rtz(convert_floatN(a) * 1.001f) + convert_halfN(convert_doubleN(b) / 3)`,
    'mix(a, b, (halfN)(0.25f)) + degrees(b)',
    'a.x > b.x ? a : b.yxN',
  ]
    .map((text) =>
      text
        .replace('b.yxN', lanes === 2 ? 'b.yx' : 'b')
        .replaceAll('halfN', `half${lanes}`)
        .replace(/(short|int|float|double)N/g, `$1${lanes}`),
    )
    .map(
      (
        text,
        index,
      ) => `kernel void k${index}(global const half *as, global const half *bs, global half *out) {
  size_t i = get_global_id(0);
  half${lanes} a = vload${lanes}(i, as), b = vload${lanes}(i, bs);
  vstore${lanes}(${text}, i, out);
}`,
    );
  const source = `#pragma OPENCL FP_CONTRACT OFF\n${kernels.join('\n')}`;
  const module = compileForTest(source);
  const run = wasmRunner(compileForTest(source));
  const random = new Random(lanes);
  const items = 64;
  // One NaN only: the interpreter keeps no signs of them.
  const plain = (bits: number) => (isNaNHalf(bits) ? 0x7e00 : bits);
  const any = () => Uint16Array.from({ length: items * lanes }, () => plain(random.below(65536)));
  const [a, b] = [any(), any()];
  for (let index = 0; index < items; index += 3) b[index] = a[index]!;
  kernels.forEach((_, index) => {
    const outputs = [runOnInterpreter.bind(undefined, module), run].map((launch) => {
      const out = new Uint16Array(items * lanes);
      launch(`k${index}`, { global: [items], local: [16] }, [buffer(a), buffer(b), buffer(out)]);
      return Array.from(out, (bits) => (isNaNHalf(bits) ? 'nan' : bits.toString(16)));
    });
    expect(outputs[1], kernels[index]).toEqual(outputs[0]);
  });
});
