/** Pictures that programs in C leave; the bytes are written out by hand after the description of the formats. */
import { expect, it } from 'vitest';
import { readNetpbm } from '../../playground/src/results/netpbm.ts';

const bytes = (text: string, ...more: number[]) =>
  Uint8Array.from([...new TextEncoder().encode(text), ...more]);

it('reads samples as bytes, and what stands before them with comments', () => {
  expect(readNetpbm(bytes('P6\n# by hand\n2 1 # wide, high\n255\n', 1, 2, 3, 255, 0, 10))).toEqual({
    width: 2,
    height: 1,
    data: Uint8Array.of(1, 2, 3, 255, 255, 0, 10, 255),
  });
  // A sample that looks like white space or a comment is a sample.
  expect(readNetpbm(bytes('P5 1 2 255\n', 35, 10))?.data).toEqual(
    Uint8Array.of(35, 35, 35, 255, 10, 10, 10, 255),
  );
});

it('reads samples as text, of any depth', () => {
  expect(readNetpbm(bytes('P2\n3 1\n4\n0 2\n4\n'))?.data).toEqual(
    Uint8Array.of(0, 0, 0, 255, 128, 128, 128, 255, 255, 255, 255, 255),
  );
  expect(readNetpbm(bytes('P3 1 1 255 9 8 7'))?.data).toEqual(Uint8Array.of(9, 8, 7, 255));
  // Two bytes a sample, the higher one first.
  expect(readNetpbm(bytes('P5 1 1 65535\n', 255, 255))?.data).toEqual(Uint8Array.of(255, 255, 255, 255));
});

it('leaves what is none alone', () => {
  for (const text of [
    '',
    'P6',
    'P4 1 1\n',
    'P5 1 1 255\n',
    'P6 2 2 255\n123',
    'P2 2 1 255 1',
    'P5 0 1 255\n',
    'P5 99999 99999 255\n',
  ])
    expect(readNetpbm(bytes(text))).toBeUndefined();
});

it('shows samples above the most that the file speaks of as white', () => {
  const picture = readNetpbm(new TextEncoder().encode('P2 3 1 100 100 101 1000'));
  expect(picture?.data).toEqual(new Uint8Array(12).fill(255));
});
