// What may be written after --arg, --global and their like.
import { describe, expect, test } from 'vitest';
import {
  readCount,
  readNamedSpecification,
  readSizes,
  readSpecification,
} from '../../src/cli/arguments/specification.ts';
import { UsageError } from '../../src/cli/errors.ts';

describe('readSpecification', () => {
  test.each([
    ['2.5', { kind: 'number', text: '2.5' }],
    ['-7', { kind: 'number', text: '-7' }],
    ['0x1F', { kind: 'number', text: '0x1F' }],
    ['1e-3', { kind: 'number', text: '1e-3' }],
    ['-inf', { kind: 'number', text: '-inf' }],
    ['true', { kind: 'number', text: '1' }],
    ['false', { kind: 'number', text: '0' }],
    ['(1, 2,3)', { kind: 'list', items: ['1', '2', '3'] }],
    ['[1]', { kind: 'list', items: ['1'] }],
    ['zeros', { kind: 'fill', value: '0', count: undefined }],
    ['ones:3', { kind: 'fill', value: '1', count: { elements: 3, picture: undefined } }],
    [
      'fill:0.5:4x2',
      { kind: 'fill', value: '0.5', count: { elements: 8, picture: { width: 4, height: 2 } } },
    ],
    ['range', { kind: 'range', count: undefined, start: '0', step: '1' }],
    ['range::10:-2', { kind: 'range', count: undefined, start: '10', step: '-2' }],
    ['random', { kind: 'random', count: undefined, low: undefined, high: undefined, seed: 1 }],
    [
      'random:9:-1:1:7',
      { kind: 'random', count: { elements: 9, picture: undefined }, low: -1, high: 1, seed: 7 },
    ],
    ['like:x', { kind: 'like', argument: 'x' }],
    ['width:photo', { kind: 'dimension', which: 'width', argument: 'photo' }],
    ['local:256', { kind: 'local', bytes: 256 }],
    ['local:16x16', { kind: 'local', bytes: 256 }],
    ['null', { kind: 'null' }],
    ['data/x.npy', { kind: 'file', path: 'data/x.npy' }],
    ['C:\\x.bin', { kind: 'file', path: 'C:\\x.bin' }],
  ])('%s', (text, expected) => {
    expect(readSpecification(text)).toEqual(expected);
  });

  test.each([
    ['', 'an argument is empty; see --help for the forms it may take'],
    ['(1,x)', "'x' in '(1,x)' is not a number"],
    ['()', "'' in '()' is not a number"],
    ['zeros:1:2', "'zeros:1:2' has too many parts; see --help for 'zeros'"],
    ['zeros:0', "'0' is not a count; write a whole number such as 1024 or a product such as 640x480"],
    ['zeros:-1', "'-1' is not a count; write a whole number such as 1024 or a product such as 640x480"],
    ['fill', "'fill': fill needs a number, as in fill:0.5"],
    ['fill:x', "'fill:x': fill needs a number, as in fill:0.5"],
    ['range:4:x', "'x' is not a number"],
    ['random:4:1', "'random:4:1': give both LOW and HIGH, as in random:1000:0:255"],
    ['random:4:5:5', "'random:4:5:5': LOW must be less than HIGH, as in random:1000:0:255"],
    ['random:4:5:1', "'random:4:5:1': LOW must be less than HIGH, as in random:1000:0:255"],
    ['random:4:nan:1', "'random:4:nan:1': LOW must be less than HIGH, as in random:1000:0:255"],
    ['like:1x', "'like:1x': '1x' is not a parameter's name"],
    ['local', "'local': say how many bytes, as in local:1024"],
  ])('refuses %s', (text, message) => {
    expect(() => readSpecification(text)).toThrow(new UsageError(message));
  });
});

test('a name is what stands before the first =', () => {
  expect(readNamedSpecification('a=2')).toEqual({ name: 'a', specification: { kind: 'number', text: '2' } });
  expect(readNamedSpecification('2').name).toBeUndefined();
  expect(readNamedSpecification('dir/a=b.bin')).toEqual({
    name: undefined,
    specification: { kind: 'file', path: 'dir/a=b.bin' },
  });
});

test('counts', () => {
  expect(readCount(undefined)).toBeUndefined();
  expect(readCount('2x3x4')).toEqual({ elements: 24, picture: undefined });
  expect(() => readCount('99999999999999999999')).toThrow(UsageError);
});

test('sizes', () => {
  expect(readSizes('640, 480', '--global', 1)).toEqual([640, 480]);
  expect(readSizes('8x4x2', '--local', 1)).toEqual([8, 4, 2]);
  expect(readSizes('0', '--offset', 0)).toEqual([0]);
  expect(() => readSizes('1,2,3,4', '--global', 1)).toThrow(
    "--global '1,2,3,4': there are at most three dimensions",
  );
  for (const text of ['0', '', '1,', '-1', '1.5', 'a']) {
    expect(() => readSizes(text, '--global', 1)).toThrow(
      `--global '${text}': write one to three whole numbers from 1, such as 640,480`,
    );
  }
});
