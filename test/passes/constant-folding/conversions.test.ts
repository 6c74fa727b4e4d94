/** What conversions become that follow one another, on the numbers at which they might differ; against JavaScript. */
import { describe, expect, it } from 'vitest';
import { buffer, compileForTest, wasmRunner } from '../../support/run-kernel.ts';

const items = 32;
const range = { global: [items], local: [items] };

/** Runs `out[i] = expression(in[i])` one by one and in vectors; both must give the same. */
function computed(
  expression: string,
  from: string,
  to: string,
  input: Int32Array | Uint32Array | Float32Array,
): number[] {
  const source = `#pragma OPENCL EXTENSION cl_khr_fp16 : enable
  kernel void k(global const ${from} *in, global ${to} *out) {
    int i = get_global_id(0);
    ${from} v = in[i];
    out[i] = ${expression};
  }`;
  const [single, vectorised] = [undefined, 8 as const].map((lanes) => {
    const out = new Int32Array(items);
    const padded = input.slice(0, 0).constructor as Float32ArrayConstructor;
    const values = new padded(items);
    values.set(input);
    wasmRunner(compileForTest(source), lanes ? { lanes } : {})('k', range, [buffer(values), buffer(out)]);
    return [...out].slice(0, input.length);
  });
  expect(vectorised).toEqual(single);
  return single!;
}

const whole = [0, 1, -1, 2, 7, 255, 32766, 32767, 32768, 32769, 40000, 65535, 2 ** 24 + 1, 2 ** 31 - 1];
const negative = [-2, -3, -32767, -32768, -32769, -32770, -65536, -(2 ** 24) - 3, -(2 ** 31)];

describe('the floor of an integer and something', () => {
  const floor = (x: number, c: number): number =>
    Math.floor(Math.min(Math.max(Math.fround(Math.fround(x) + Math.fround(c)), -32768), 32767));

  it.each([0, 0.5, -0.5, 1, -1, 3.25, -7.75, 0.996, 0.9999, 0.99999994, 20000.5, -20000.5, 50000])(
    '%f',
    (c) => {
      const input = Int32Array.from([...whole, ...negative]);
      const text = `convert_int_rtn(clamp((float)v + ${c.toFixed(8)}f, -32768.0f, 32767.0f))`;
      expect(computed(text, 'int', 'int', input)).toEqual([...input].map((x) => floor(x, c)));
      const unsigned = Uint32Array.from(input);
      expect(computed(text, 'uint', 'int', unsigned)).toEqual([...unsigned].map((x) => floor(x, c)));
    },
  );
});

it('the floor of a half that was rounded', () => {
  // Of 11 bits: from 2048 on they are even, halfway the one whose last bit is 0.
  const input = Int32Array.of(3, 1024, 2047, 2048, 2049, 2050, 2051, 2053, 4097, 4098, 4102, -2051, -3);
  const expected = [3, 1024, 2048, 2048, 2048, 2050, 2052, 2052, 4096, 4096, 4104, -2052, -3];
  const text = 'convert_int_rtn(fmin(fmax((half)v + 0.5h, -32768.0h), 32767.0h))';
  expect(computed(text, 'int', 'int', input)).toEqual(expected);
});

it('floats that become bytes are rounded to even, and brought into range', () => {
  const input = Float32Array.of(
    ...[0, -0, 0.5, 1.5, 2.5, 254.5, 254.50002, 255, 255.5, 256, 1e10, -0.5, -1, -1e10],
    ...[Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e-40, 127.49999, 127.5],
  );
  const unsigned = [0, 0, 0, 2, 2, 254, 255, 255, 255, 255, 255, 0, 0, 0, 0, 255, 0, 0, 127, 128];
  const signed = [0, 0, 0, 2, 2, 127, 127, 127, 127, 127, 127, 0, -1, -128, 0, 127, -128, 0, 127, 127];
  expect(computed('convert_int(convert_uchar_sat_rte(v))', 'float', 'int', input)).toEqual(unsigned);
  expect(computed('convert_int(convert_char_sat_rte(v))', 'float', 'int', input)).toEqual(signed);
  expect(computed('(int)convert_float(convert_uchar_sat_rte(v))', 'float', 'int', input)).toEqual(unsigned);
  // The same eight bits, read as a number with a sign.
  const reread = unsigned.map((byte) => (byte > 127 ? byte - 256 : byte));
  expect(computed('as_char(convert_uchar_sat_rte(v))', 'float', 'int', input)).toEqual(reread);
});

it('integers that are cut and widened again keep their low bits', () => {
  const input = Int32Array.from([...whole, ...negative]);
  const cut = (text: string): number[] => computed(text, 'int', 'int', input);
  expect(cut('(int)(uchar)(v >> 3)')).toEqual([...input].map((x) => (x >> 3) & 255));
  expect(cut('(int)(char)v')).toEqual([...input].map((x) => (x << 24) >> 24));
  expect(cut('(int)(float)(ushort)v')).toEqual([...input].map((x) => x & 65535));
  expect(cut('(int)(float)(short)(v + 1)')).toEqual([...input].map((x) => ((x + 1) << 16) >> 16));
});
