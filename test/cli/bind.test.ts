// From what was typed to the arguments of a kernel: by name, by position, guessed; and every reason to refuse.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dump } from 'npyjs';
import { afterAll, describe, expect, test } from 'vitest';
import {
  type BindOptions,
  type BoundArgument,
  bindArguments,
  elementsOf,
} from '../../src/cli/arguments/bind.ts';
import { readNamedSpecification } from '../../src/cli/arguments/specification.ts';
import { argumentsOnDisk, writePicture } from '../../src/cli/picture.ts';
import type { KernelParameter } from '../../src/index.ts';
import {
  float,
  float3,
  float4,
  image,
  long,
  pointer,
  samplerParameter,
  uchar,
  uchar4,
  uint,
  value,
} from './parameters.ts';

const folder = mkdtempSync(join(tmpdir(), 'millrace-bind-'));
afterAll(() => rmSync(folder, { recursive: true }));

const file = (name: string, content: Uint8Array | string): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

function bind(
  parameters: readonly KernelParameter[],
  words: readonly string[],
  options: Partial<BindOptions> = {},
): BoundArgument[] {
  return bindArguments(parameters, words.map(readNamedSpecification), {
    workItems: undefined,
    largestBuffer: 2 ** 20,
    files: argumentsOnDisk,
    ...options,
  });
}

/** The content of a buffer, or the bytes of a value. */
function content(argument: BoundArgument | undefined): (number | bigint)[] {
  const elements = argument && elementsOf(argument);
  if (elements) return [...elements.entries()];
  if (argument?.value.kind === 'bytes') return [...argument.value.bytes];
  throw new Error('no content');
}

describe('what is given', () => {
  const parameters = [value('a', uint), pointer('x', float), pointer('y', float)];

  test('by name and by position together', () => {
    const [a, x, y] = bind(parameters, ['y=(3,4)', '258', 'range:2:5:-0.5']);
    expect(content(a)).toEqual([2, 1, 0, 0]);
    expect(content(x)).toEqual([5, 4.5]);
    expect(content(y)).toEqual([3, 4]);
  });

  test('one element for each work-item', () => {
    expect(content(bind([pointer('x', float3)], ['fill:2'], { workItems: 2 })[0])).toEqual([
      2, 2, 2, 0, 2, 2, 2, 0,
    ]);
  });

  test('64-bit ranges are exact', () => {
    expect(content(bind([pointer('x', long)], ['range:3:9007199254740993:2'])[0])).toEqual([
      9007199254740993n,
      9007199254740995n,
      9007199254740997n,
    ]);
  });

  test('random numbers lie in their range and repeat', () => {
    const [one, two] = bind(
      [pointer('x', float), pointer('y', float)],
      ['random:500:-2:3', 'random:500:-2:3'],
    );
    const numbers = content(one).map(Number);
    expect(numbers).toEqual(content(two));
    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(-2);
    expect(Math.max(...numbers)).toBeLessThan(3);
    expect(new Set(numbers).size).toBeGreaterThan(490);
    expect(content(bind([pointer('x', float)], ['random:500:-2:3:2'])[0])).not.toEqual(numbers);
  });

  test('sizes of other arguments, wherever they stand', () => {
    const [n, w, x] = bind(
      [value('n', uchar), value('w', uchar), pointer('x', uint)],
      ['count:x', 'width:x', 'zeros:5x3'],
    );
    expect([content(n), content(w), x!.picture]).toEqual([[15], [5], { width: 5, height: 3 }]);
  });

  test('null and local memory', () => {
    const local = pointer('t', float, { kind: 'local' });
    const [x, t] = bind([pointer('x', float), local], ['null', 'local:64']);
    expect(x!.value).toEqual({ kind: 'null' });
    expect(t!.value).toEqual({ kind: 'local', bytes: 64 });
  });
});

describe('files', () => {
  test('raw bytes as they are', () => {
    const path = file('two.bin', new Uint8Array([0, 0, 128, 63, 0, 0, 0, 64]));
    expect(content(bind([pointer('x', float)], [path])[0])).toEqual([1, 2]);
  });

  test('NumPy arrays are converted', () => {
    const path = file('a.npy', new Uint8Array(dump(new Float64Array([1.9, -1, 2, 3, 4, 5]), [2, 3])));
    const [x] = bind([pointer('x', uint)], [path]);
    expect(content(x)).toEqual([1, 4294967295, 2, 3, 4, 5]);
    expect(x!.picture).toEqual({ width: 3, height: 2 });
    expect(content(bind([pointer('x', float3)], [path])[0])).toEqual([
      Math.fround(1.9),
      -1,
      2,
      0,
      3,
      4,
      5,
      0,
    ]);
  });

  test('pictures become what the elements ask for', () => {
    const path = join(folder, 'p.png');
    writePicture(path, { width: 2, height: 1, data: new Uint8Array([255, 0, 51, 255, 10, 10, 10, 0]) });
    const as = (layout: typeof uint): (number | bigint)[] => content(bind([pointer('x', layout)], [path])[0]);
    expect(as(uchar4)).toEqual([255, 0, 51, 255, 10, 10, 10, 0]);
    expect(as(uint)).toEqual([0xff3300ff, 0x000a0a0a]);
    // 0.299 * 255 + 0.114 * 51 = 82.06
    expect(as(uchar)).toEqual([82, 10]);
    expect(as(float4).slice(0, 4)).toEqual([1, 0, Math.fround(0.2), 1]);
    expect(() => as(long)).toThrow(
      "parameter 'x' has elements of type long, which cannot hold a picture; uchar4, uint, uchar, float4 or float can",
    );
  });

  test('refusals', () => {
    const x = [pointer('x', float)];
    const npy = new Uint8Array(dump(new Float32Array(3), [3]));
    const odd = file('odd.bin', new Uint8Array(5));
    const short = file('short.npy', npy.subarray(0, npy.length - 4));
    const noNpy = file('text.npy', 'hello');
    const noPicture = file('text.png', 'hello');
    const cases: [string[], string][] = [
      [['nowhere.bin'], "parameter 'x': there is no file 'nowhere.bin', and it is no other kind of argument"],
      [[odd], `${odd} has 5 bytes, which is not a whole number of float elements (4 bytes each)`],
      [[file('empty.bin', '')], 'is empty: a buffer has one float element or more'],
      [[short], `${short} is damaged: it has 2 numbers, its shape (3) says 3`],
      [[noNpy], `${noNpy} is not a NumPy array that can be read`],
      [[noPicture], `${noPicture} is not a picture that can be read: it is neither PNG nor JPEG nor BMP`],
      [[folder], `cannot read ${folder}: it is a folder`],
    ];
    for (const [words, message] of cases) expect(() => bind(x, words)).toThrow(message);
    expect(() => bind([pointer('x', float4)], [file('three.npy', npy)])).toThrow(
      'has 3 numbers, which is not a whole number of float4 elements',
    );
  });
});

describe('guesses', () => {
  test('an output like the input, sizes by their names', () => {
    const [n, x, y] = bind(
      [value('n', uint), pointer('x', float, { isConst: true }), pointer('y', uint)],
      ['x=ones:3'],
    );
    expect([n!.guess, x!.guess, y!.guess]).toEqual(['count:x', undefined, 'like:x']);
    expect([content(n), content(y)]).toEqual([
      [3, 0, 0, 0],
      [0, 0, 0],
    ]);
  });

  test('an output for the work-items', () => {
    const [y] = bind([pointer('y', uint)], [], { workItems: 2 });
    expect([y!.guess, content(y)]).toEqual(['zeros', [0, 0]]);
  });

  test('the picture goes to the input', () => {
    const path = join(folder, 'q.png');
    writePicture(path, { width: 1, height: 2, data: new Uint8Array(8) });
    const parameters = [
      pointer('out', uchar4),
      pointer('in', uchar4, { isConst: true }),
      value('width', uint),
      value('rows', uint),
    ];
    const bound = bind(parameters, [], { image: path });
    expect(bound.map(({ guess }) => guess)).toEqual(['like:in', undefined, 'width:in', 'height:in']);
    expect(bound[0]!.picture).toEqual({ width: 1, height: 2 });
  });
});

describe('images', () => {
  const path = () => {
    const file = join(folder, 'i.png');
    writePicture(file, { width: 2, height: 1, data: Uint8Array.of(0, 51, 102, 255, 255, 204, 153, 0) });
    return file;
  };

  test('take the picture, and the others are like it', () => {
    const parameters = [image('out', 'write_only'), image('in'), samplerParameter('s'), value('w', uint)];
    const bound = bind(parameters, [], { image: path() });
    expect(bound.map(({ guess }) => guess)).toEqual(['like:in', undefined, 'sampler', 'width:in']);
    expect(bound[0]!.picture).toEqual({ width: 2, height: 1 });
    expect(bound[1]!.value).toMatchObject({ kind: 'image', type: 'unorm8' });
    expect(content(bound[1])).toEqual([0, 51, 102, 255, 255, 204, 153, 0]);
    expect(content(bound[0])).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
    expect(bound[2]!.value).toEqual({ kind: 'sampler', settings: {} });
  });

  test('have the pixels asked for', () => {
    const [bound] = bind([image('in')], [`in=${path()}`], { pixels: 'float' });
    const elements = elementsOf(bound!)!;
    expect([elements.shape.name, elements.count]).toEqual(['float4', 2]);
    expect([0, 1, 2, 3].map((index) => elements.get(index))).toEqual([0, 0.2, 0.4, 1].map(Math.fround));
  });

  test('have a size of their own or that of the launch', () => {
    const [given] = bind([image('out', 'write_only')], ['fill:7:3x2']);
    expect(given!.picture).toEqual({ width: 3, height: 2 });
    expect(content(given)).toEqual(new Array(24).fill(7));
    const [guessed] = bind([image('out', 'write_only')], [], { launchSize: { width: 1, height: 2 } });
    expect([guessed!.guess, guessed!.picture]).toEqual(['zeros', { width: 1, height: 2 }]);
  });

  test('are read by samplers in words', () => {
    const [bound] = bind([samplerParameter('s')], ['sampler:linear,mirrored-repeat']);
    const settings = { filter: 'linear', addressing: 'mirrored-repeat', normalized: true };
    expect(bound!.value).toEqual({ kind: 'sampler', settings });
  });
});

describe('refusals', () => {
  const local = pointer('t', float, { kind: 'local', typeName: 'float*' });
  test.each<[readonly KernelParameter[], readonly string[], string]>([
    [[], ['1'], '1 argument was given; the kernel takes none'],
    [[value('a', uint)], ['1', '2'], '2 arguments were given; the kernel takes 1'],
    [[value('a', uint)], ['b=1'], "the kernel has no parameter 'b'; it has a"],
    [[value('a', uint)], ['a=1', 'a=2'], "parameter 'a' is given twice"],
    [[value('a', uint)], [], "parameter 'a' (T) has no argument: add --arg a=NUMBER"],
    [[value('a', uchar4)], [], "parameter 'a' (T) has no argument: add --arg a='(1,2,3,4)'"],
    [[local], [], "parameter 't' (float*) has no argument: add --arg t=local:BYTES"],
    [[local], ['4'], "parameter 't' points to local memory: write t=local:BYTES"],
    [[image('i')], [], "parameter 'i' (image2d_t) has no argument: add --arg i=FILE or zeros:WIDTHxHEIGHT"],
    [[image('i')], ['zeros:12'], "say how large the image 'i' is, as in zeros:640x480"],
    [[image('i')], ['5'], "parameter 'i' (image2d_t) takes a picture, or zeros:640x480"],
    [[image('i', 'read_only', 'image3d_t')], ['zeros:2x2'], 'the command line can give 2D images only'],
    [[samplerParameter('s')], ['5'], "parameter 's' is a sampler: write s=sampler or sampler:linear"],
    [
      [samplerParameter('s')],
      ['sampler:soft'],
      "'soft' is not one of linear, nearest, normalized, clamp-to-edge",
    ],
    [[pointer('x', float)], [], "parameter 'x' (T*) has no argument: add --arg x=FILE or zeros:N"],
    [
      [pointer('x', float)],
      ['zeros'],
      "say how many elements parameter 'x' has, as in zeros:1024, or give --global",
    ],
    [[pointer('x', float)], ['local:4'], "parameter 'x' (T*) takes a buffer, such as x=zeros:1024 or a file"],
    [[pointer('x', float)], ['like:x'], "parameter 'x' is defined through itself"],
    [[pointer('x', float)], ['like:z'], "there is no parameter 'z' to take a size from"],
    [
      [pointer('x', float)],
      ['zeros:262145'],
      "parameter 'x' would take 1048580 bytes; the device's buffers have at most 1048576",
    ],
    [[pointer('x', uint)], ['(1,1.5)'], "parameter 'x': 1.5 does not fit: uint takes whole numbers"],
    [[value('a', uint)], ['x.bin'], "parameter 'a' (T) is passed by value: 'x.bin' is not a number"],
    [[value('a', uint)], ['zeros'], "parameter 'a' (T) is passed by value: write a number"],
    [
      [value('a', uint), value('b', uint)],
      ['count:b', '1'],
      "parameter 'b' is not a buffer: it has no count",
    ],
    [
      [value('a', uint), pointer('x', uint)],
      ['width:x', 'zeros:4'],
      "parameter 'x' is not a picture: it has no width",
    ],
  ])('%#', (parameters, words, message) => {
    expect(() => bind(parameters, words)).toThrow(message);
  });

  test('--image', () => {
    expect(() => bind([value('a', uint)], [], { image: 'p.png' })).toThrow(
      'no parameter of the kernel can take the picture given by --image',
    );
    expect(() => bind([pointer('x', uchar4)], [], { image: 'p.gif' })).toThrow(
      '--image p.gif: write a .png, .jpg, .bmp, .pgm or .ppm file',
    );
  });
});
