// Half as storage: loads, stores in each rounding mode, and the places of three lanes. Expected bits by the definition
// of the format (IEEE 754 binary16).
import { describe, expect, it } from 'vitest';
import { buffer, compileForTest, runOnInterpreter, wasmRunner } from '../support/run-kernel.ts';

/** Runs a kernel `k(global T* in, global ushort* out)` both ways, which must agree. */
function run(source: string, input: ArrayBufferView, length: number): number[] {
  const module = compileForTest(source);
  const range = { global: [1], local: [1] };
  const out = new Uint16Array(length).fill(0xabcd);
  runOnInterpreter(module, 'k', range, [buffer(input), buffer(out)]);
  const compiled = new Uint16Array(length).fill(0xabcd);
  wasmRunner(module)('k', range, [buffer(input), buffer(compiled)]);
  expect([...compiled]).toEqual([...out]);
  return [...out];
}

// 1 + 2^-11 lies half-way between 0x3c00 and 0x3c01; 65519 is the last below the middle between 65504 and infinity.
const values = [
  1,
  1 + 2 ** -11,
  1 + 3 * 2 ** -11,
  -1 - 2 ** -11,
  65519,
  65520,
  -65520,
  2 ** -25,
  2 ** -24,
  -(2 ** -26),
];

describe('vstore_half', () => {
  it.each([
    ['', [0x3c00, 0x3c00, 0x3c02, 0xbc00, 0x7bff, 0x7c00, 0xfc00, 0, 1, 0x8000]],
    ['_rte', [0x3c00, 0x3c00, 0x3c02, 0xbc00, 0x7bff, 0x7c00, 0xfc00, 0, 1, 0x8000]],
    ['_rtz', [0x3c00, 0x3c00, 0x3c01, 0xbc00, 0x7bff, 0x7bff, 0xfbff, 0, 1, 0x8000]],
    ['_rtp', [0x3c00, 0x3c01, 0x3c02, 0xbc00, 0x7c00, 0x7c00, 0xfbff, 1, 1, 0x8000]],
    ['_rtn', [0x3c00, 0x3c00, 0x3c01, 0xbc01, 0x7bff, 0x7bff, 0xfc00, 0, 1, 0x8001]],
  ] as const)('vstore_half%s', (mode, bits) => {
    for (const [type, input] of [
      ['float', Float32Array.from(values)],
      ['double', Float64Array.from(values)],
    ] as const) {
      const scalar = `kernel void k(global const ${type}* in, global ushort* out) {
        for (int i = 0; i < ${values.length}; i++) vstore_half${mode}(in[i], i, (global half*)out);
      }`;
      expect(run(scalar, input, values.length)).toEqual(bits);
      const vectors = `kernel void k(global const ${type}* in, global ushort* out) {
        for (int i = 0; i < ${values.length / 2}; i++) vstore_half2${mode}(vload2(i, in), i, (global half*)out);
      }`;
      expect(run(vectors, input, values.length)).toEqual(bits);
    }
  });

  it('rounds doubles once', () => {
    // To float first, this would become a tie and then round to even.
    const input = Float64Array.of(1 + 2 ** -11 + 2 ** -40);
    const source = `kernel void k(global const double* in, global ushort* out) { vstore_half(in[0], 0, (global half*)out); }`;
    expect(run(source, input, 1)).toEqual([0x3c01]);
  });

  it('three lanes lie three apart, or four where they are aligned', () => {
    const input = Float32Array.of(1, 2, 3);
    const source = (name: string) => `kernel void k(global const float* in, global ushort* out) {
      ${name}(vload3(0, in), 1, (global half*)out);
    }`;
    const skipped = 0xabcd;
    expect(run(source('vstore_half3'), input, 8)).toEqual([
      ...[skipped, skipped, skipped],
      ...[0x3c00, 0x4000, 0x4200],
      ...[skipped, skipped],
    ]);
    expect(run(source('vstorea_half3_rtz'), input, 8)).toEqual([
      ...[skipped, skipped, skipped, skipped],
      ...[0x3c00, 0x4000, 0x4200, skipped],
    ]);
  });
});

describe('vload_half', () => {
  const bits = Uint16Array.of(0x3c00, 0x8001, 0x7bff, 0xfc00, 0x0400, 0x3555, 0x8000, 0x7c00);
  const numbers = [1, -(2 ** -24), 65504, -Infinity, 2 ** -14, 0.333251953125, -0, Infinity];

  function loaded(statement: string, count: number): number[] {
    const source = `kernel void k(global const ushort* in, global ushort* out) {
      global const half* p = (global const half*)in; global float* f = (global float*)out; ${statement}
    }`;
    const words = Uint16Array.from(run(source, bits, 2 * count));
    return [...new Float32Array(words.buffer)];
  }

  it('every kind of number', () => {
    expect(loaded('for (int i = 0; i < 8; i++) f[i] = vload_half(i, p);', 8)).toEqual(numbers);
    expect(loaded('vstore8(vload_half8(0, p), 0, f);', 8)).toEqual(numbers);
    expect(loaded('vstore4(vloada_half4(1, p), 0, f);', 4)).toEqual(numbers.slice(4));
  });

  it('three lanes', () => {
    expect(loaded('vstore3(vload_half3(1, p), 0, f);', 3)).toEqual(numbers.slice(3, 6));
    expect(loaded('vstore3(vloada_half3(1, p), 0, f);', 3)).toEqual(numbers.slice(4, 7));
  });

  it('NaN stays NaN', () => {
    const source = `kernel void k(global const ushort* in, global ushort* out) {
      out[0] = isnan(vload_half(0, (global const half*)in));
    }`;
    expect(run(source, Uint16Array.of(0x7e01), 1)).toEqual([1]);
  });
});
