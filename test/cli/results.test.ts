// How results are printed and saved.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'npyjs';
import { afterAll, describe, expect, test } from 'vitest';
import type { BoundArgument } from '../../src/cli/arguments/bind.ts';
import { describeBuffer } from '../../src/cli/arguments/describe.ts';
import { Elements, elementShape } from '../../src/cli/arguments/elements.ts';
import { readPicture } from '../../src/cli/picture.ts';
import { checkSave, saveBuffer } from '../../src/cli/results.ts';
import type { HostLayout } from '../../src/index.ts';
import { float, float3, long, pointer, uchar4, uint } from './parameters.ts';

const folder = mkdtempSync(join(tmpdir(), 'millrace-results-'));
afterAll(() => rmSync(folder, { recursive: true }));

function elements(layout: HostLayout, numbers: readonly (number | bigint)[]): Elements {
  const shape = elementShape(layout);
  const made = Elements.zeros(shape, numbers.length / shape.places.length);
  numbers.forEach((value, index) => {
    made.set(index, value);
  });
  return made;
}

describe('describeBuffer', () => {
  const count = (layout: HostLayout, length: number): Elements =>
    elements(
      layout,
      Array.from({ length }, (_, index) => index),
    );

  test('fills one line', () => {
    const text = describeBuffer('x', count(uint, 1000), 60, undefined);
    expect(text).toBe('x: uint[1000] = 0, 1, 2, 3, 4, 5, 6, ...   (min 0, max 999)');
    expect(text.length).toBeLessThanOrEqual(60);
  });

  test('prints as many as asked for, on lines of the terminal', () => {
    expect(describeBuffer('x', count(uint, 30), 40, 20)).toBe(
      [
        'x: uint[30] = 0, 1, 2, 3, 4, 5, 6, 7,',
        '  8, 9, 10, 11, 12, 13, 14, 15, 16, 17,',
        '  18, 19, ...   (min 0, max 29)',
      ].join('\n'),
    );
  });

  test('vectors, single elements, what is not finite', () => {
    expect(describeBuffer('v', elements(float3, [1, 2.5, -3]), 80, undefined)).toBe(
      'v: float3[1] = (1 2.5 -3)',
    );
    expect(describeBuffer('x', elements(float, [Number.NaN, 2, -0]), 80, undefined)).toBe(
      'x: float[3] = NaN, 2, -0   (min -0, max 2, 1 not finite)',
    );
    expect(describeBuffer('x', elements(float, [Number.NaN, Number.NaN]), 80, undefined)).toBe(
      'x: float[2] = NaN, NaN   (2 not finite)',
    );
  });

  test('floats are as short as they can be and still themselves', () => {
    expect(describeBuffer('x', elements(float, [0.1, 1 / 3, 16777216]), 80, 3)).toContain(
      '= 0.1, 0.33333334, 16777216 ',
    );
  });

  test('64-bit integers keep their digits', () => {
    expect(describeBuffer('x', elements(long, [-9223372036854775808n]), 80, undefined)).toBe(
      'x: long[1] = -9223372036854775808',
    );
  });
});

describe('saving', () => {
  const bound = (
    layout: HostLayout,
    numbers: readonly number[],
    picture?: BoundArgument['picture'],
  ): BoundArgument => ({
    parameter: pointer('x', layout),
    value: { kind: 'buffer', elements: elements(layout, numbers) },
    picture,
  });
  const save = (argument: BoundArgument, name: string, global: readonly number[] = [1]): string => {
    const path = join(folder, name);
    checkSave(argument, path, global);
    saveBuffer(argument, path, global);
    return path;
  };

  test('.txt: an element a line', () => {
    expect(readFileSync(save(bound(float3, [1, 2, 3, 4, 5, 6.5]), 'a.txt'), 'utf8')).toBe(
      '(1 2 3)\n(4 5 6.5)\n',
    );
  });

  test('.npy: with its shape, without the fourth lane of 3-vectors', () => {
    const read = (path: string): ReturnType<typeof parse> => parse(new Uint8Array(readFileSync(path)).buffer);
    const array = read(save(bound(float3, [1, 2, 3, 4, 5, 6]), 'a.npy'));
    expect([array.shape, [...(array.data as Float32Array)]]).toEqual([
      [2, 3],
      [1, 2, 3, 4, 5, 6],
    ]);
    expect(read(save(bound(uint, [1, 2, 3, 4, 5, 6], { width: 3, height: 2 }), 'b.npy')).shape).toEqual([
      2, 3,
    ]);
  });

  test('anything else: the bytes', () => {
    expect([...readFileSync(save(bound(uint, [1, 256]), 'a.bin'))]).toEqual([1, 0, 0, 0, 0, 1, 0, 0]);
  });

  test('.png: the shape from the argument or the launch; values outside are cut', () => {
    const colours = [1, 2, 3, 4, 5, 6, 7, 8];
    const picture = { width: 2, height: 1, data: new Uint8Array(colours) };
    expect(readPicture(save(bound(uchar4, colours, { width: 2, height: 1 }), 'a.png'))).toEqual(picture);
    expect(readPicture(save(bound(uchar4, colours), 'b.png', [2, 1]))).toEqual(picture);
    expect([...readPicture(save(bound(float, [-1, 0.2, 7]), 'c.png', [3, 1])).data]).toEqual([
      0, 0, 0, 255, 51, 51, 51, 255, 255, 255, 255, 255,
    ]);
  });

  test.each<[BoundArgument, string, readonly number[], string]>([
    [
      bound(long, [1]),
      'x.png',
      [1, 1],
      "parameter 'x' cannot be saved as a picture: long elements are not pixels",
    ],
    [
      bound(uint, [1]),
      'x.png',
      [1],
      "parameter 'x' cannot be saved as a picture: its width and height are not known",
    ],
    [
      bound(uint, [1]),
      'x.png',
      [2, 2],
      "parameter 'x' cannot be saved as a picture: 1 elements are fewer than 2 x 2",
    ],
    [
      bound(long, [1]),
      'x.jpg',
      [1, 1],
      "parameter 'x' cannot be saved as a picture: long elements are not pixels",
    ],
    [
      { parameter: pointer('x', uint), value: { kind: 'null' } },
      'x.bin',
      [1],
      "parameter 'x' is not a buffer",
    ],
  ])('refusal %#', (argument, path, global, message) => {
    expect(() => checkSave(argument, path, global)).toThrow(message);
  });

  test('a folder that is not there', () => {
    const path = join(folder, 'no', 'x.bin');
    expect(() => saveBuffer(bound(uint, [1]), path, [1])).toThrow(
      `cannot write ${path}: no such file or folder`,
    );
  });
});
