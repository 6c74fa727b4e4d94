// Reading tests in piglit's format, their values, and the comparison of results.
import { describe, expect, it } from 'vitest';
import { readImage, readSampler } from '../../conformance/piglit/images.ts';
import { readTestFile } from '../../conformance/piglit/test-file.ts';
import { compareValues, encodeValues, readShape } from '../../conformance/piglit/values.ts';
import { halfToNumber, numberToHalf } from '../../conformance/support/half.ts';

const source = `/*!
[config]
name: An example   # with a comment
kernel_name: f
[test]
name: first
arg_in: 1 buffer int[3] 1 2 \\   # goes on
                        0X3
arg_out: 0 buffer float[2] 1.5 nan tolerance 2 ulp
!*/
kernel void f() {}
`;

describe('test files', () => {
  it('sections, comments, continued lines', () => {
    const file = readTestFile('a.cl', source);
    expect([...(file?.config.settings ?? [])]).toEqual([
      ['name', 'An example'],
      ['kernel_name', 'f'],
    ]);
    expect(file?.tests).toHaveLength(1);
    expect(file?.tests[0]?.inputs.map((line) => line.split(/\s+/))).toEqual([
      ['1', 'buffer', 'int[3]', '1', '2', '0X3'],
    ]);
    expect(file?.tests[0]?.outputs).toEqual(['0 buffer float[2] 1.5 nan tolerance 2 ulp']);
    expect(file?.source).toEqual({ text: source });
  });

  it('a program in a file of its own, or none', () => {
    const named = '[config]\nname: x\nprogram_source_file: other.inc\n';
    expect(readTestFile('a.program_test', named)?.source).toEqual({ file: 'other.inc' });
    expect(readTestFile('a.program_test', '[config]\nname: x\n')).toBeUndefined();
    expect(readTestFile('a.cl', '/* no test */ kernel void f() {}')).toBeUndefined();
  });
});

describe('images', () => {
  it('have values, sizes and a format', () => {
    const words = 'ushort2 1 2 3 4 image_type 1d_array image_width 1 image_height 9 image_array_size 2';
    const format = 'image_channel_order RG image_channel_data_type UNORM_INT16 tolerance 1';
    const { picture, shape, bytes, rest } = readImage(`${words} ${format}`.split(' '));
    const data = Uint8Array.of(1, 0, 2, 0, 3, 0, 4, 0);
    expect(picture).toEqual({ width: 1, arraySize: 2, order: 'RG', type: 'UNORM_INT16', data });
    expect(bytes).toEqual(data);
    expect(shape).toMatchObject({ element: 'ushort', lanes: 2, length: 2 });
    expect(rest).toEqual(['tolerance', '1']);
    expect(() => readImage(['float', '1', 'image_type', '4d'])).toThrow("an image of type '4d'");
  });

  it('have samplers', () => {
    const { bits } = readSampler(
      'normalized_coords 1 addressing_mode MIRRORED_REPEAT filter_mode LINEAR'.split(' '),
    );
    expect(bits).toBe(0x29);
  });
});

describe('values', () => {
  const encoded = (type: string, ...words: string[]) => encodeValues(readShape(type), words);

  it('are encoded by their type', () => {
    expect([...encoded('short[2]', '-1', '0x10')]).toEqual([255, 255, 16, 0]);
    expect([...new Float32Array(encoded('float3', '1', '-inf', '0x1.8p1').buffer)]).toEqual([
      1,
      -Infinity,
      3,
      0,
    ]);
    expect([...new BigUint64Array(encoded('ulong', '18446744073709551615').buffer)]).toEqual([
      2n ** 64n - 1n,
    ]);
    expect([...encoded('uchar[4]', 'repeat', '1', '2')]).toEqual([1, 2, 1, 2]);
    expect(() => encoded('int[2]', '1')).toThrow('1 values for 2 places');
  });

  it('are compared within a tolerance', () => {
    const shape = readShape('float[2]');
    const compare = (got: string[], want: string[], amount: number) =>
      compareValues(shape, encodeValues(shape, got), encodeValues(shape, want), { amount, inUlps: true });
    expect(compare(['1', '2'], ['1', '2'], 0)).toEqual({});
    expect(compare(['0x1.000004p0', '2'], ['1', '2'], 2)).toEqual({});
    expect(compare(['0x1.000004p0', '2'], ['1', '2'], 1).difference).toMatch(/^value 0 is 1.0000002/);
    expect(compare(['1', 'nan'], ['1', '2'], 9).difference).toBe('value 1 is NaN, not 2');
    expect(compare(['1', '2'], ['1', 'nan'], 0)).toEqual({ numberForNaN: 'value 1 is 2, not NaN' });
  });

  it('half: every number is its own nearest', () => {
    for (let bits = 0; bits < 0x10000; bits += 1) {
      const value = halfToNumber(bits);
      if (!Number.isNaN(value)) expect(numberToHalf(value)).toBe(bits);
    }
    expect(numberToHalf(65519.99)).toBe(0x7bff);
    expect(numberToHalf(1 + 2 ** -11)).toBe(0x3c00);
    expect(numberToHalf(2 ** -25)).toBe(0);
  });
});
