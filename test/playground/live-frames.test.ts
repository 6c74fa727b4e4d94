/** Frames on the device, and what a source says of them: exchanged buffers, sliders, words that are new in each frame, edits. */
import { describe, expect, it } from 'vitest';
import type { Document } from '../../playground/src/document.ts';
import { livingKernels } from '../../playground/src/gallery/living.ts';
import { readDirectives } from '../../playground/src/live/directives.ts';
import { drawnPicture } from '../../playground/src/live/drawn-picture.ts';
import { Frames } from '../../playground/src/live/frames.ts';
import { sliderOf, sliderText } from '../../playground/src/live/slider-range.ts';
import { firstInputs, readLiveWord } from '../../playground/src/live/words.ts';

const documentOf = (source: string, global: string, args: Record<string, string> = {}): Document => ({
  name: 'test',
  language: 'opencl',
  source,
  options: '',
  launch: { kernel: '', global, local: '', args },
  study: '',
});

async function bytesAfter(frames: Frames): Promise<number[]> {
  return [...(await frames.drawn()!.memory.read(Uint8Array))];
}

describe('what a source says', () => {
  it('of sliders', () => {
    const { sliders } = readDirectives(`kernel void f(global float *x,
      const float strength, // @slider 0..2 step 0.5 = 1.5
      int n) { // @slider -3..3
      // @slider other 1e-3..1e3
    }`);
    expect([...sliders]).toEqual([
      ['strength', { low: 0, high: 2, step: 0.5, first: 1.5 }],
      ['n', { low: -3, high: 3, step: undefined, first: undefined }],
      ['other', { low: 0.001, high: 1000, step: undefined, first: undefined }],
    ]);
    expect(() => readDirectives('int a, // @slider 3..1')).toThrow("line 1: the range of 'a' is empty");
    expect(() => readDirectives('\n// @slider a')).toThrow('line 2: write @slider');
  });

  it('of frames', () => {
    const { start, frame } = readDirectives(
      '// @start init[64,2]\n/* @frame move a<->b b<->c *3, draw */\n// a frame is not @frame draw\n',
    );
    expect(start).toEqual([{ kernel: 'init', global: [64, 2], exchanges: [], count: 1 }]);
    expect(frame).toEqual([
      {
        kernel: 'move',
        global: [],
        exchanges: [
          ['a', 'b'],
          ['b', 'c'],
        ],
        count: 3,
      },
      { kernel: 'draw', global: [], exchanges: [], count: 1 },
    ]);
    expect(() => readDirectives('// @frame draw 3')).toThrow("line 1: 'draw 3' is no launch");
    expect(() => readDirectives('// @frame draw *5000')).toThrow('at most 1000 launches');
  });

  it('and what is guessed of a slider', () => {
    const range = (name: string, typeName: string, words: string) => {
      const slider = sliderOf({ name, typeName, kind: 'value' }, words, undefined);
      return slider && [slider.low, slider.high, slider.step, slider.value];
    };
    expect(range('scale', 'float', '2.4')).toEqual([0, 5, 0.025, 2.4]);
    expect(range('centre', 'float', '-0.7')).toEqual([-2, 2, 0.02, -0.7]);
    expect(range('steps', 'int', '500')).toEqual([0, 1000, 1, 500]);
    expect(range('mix', 'float', '0.5')).toEqual([0, 1, 0.005, 0.5]);
    // A kernel that believes a wrong size leaves its buffers.
    expect(range('width', 'int', '640')).toBeUndefined();
    expect(range('time', 'float', 'time')).toBeUndefined();
    expect(range('x', 'float4', '1')).toBeUndefined();
    expect(range('x', 'float', '')).toBeUndefined();
    expect(sliderText(0.1 + 0.2, 0.01)).toBe('0.3');
    expect(sliderText(499.99999, 1)).toBe('500');
  });

  it('and the words for what is new in each frame', () => {
    expect(readLiveWord(' camera:64x48 ')).toEqual({ kind: 'camera', width: 64, height: 48 });
    expect(readLiveWord('camera:0x48')).toBeUndefined();
    expect(readLiveWord('mouse:x')).toEqual({ kind: 'mouse:x' });
    expect(readLiveWord('times')).toBeUndefined();
  });
});

describe('frames', () => {
  it('go on with what the frame before has left', async () => {
    // Conway's game of life against the rule in JavaScript.
    const size = 32;
    const frames = await Frames.create(
      documentOf(
        `// @start sow
         // @frame live from<->to *2, draw
         kernel void sow(global uchar *from) {
           size_t i = get_global_id(1) * get_global_size(0) + get_global_id(0);
           from[i] = i * i % 7 < 3;
         }
         kernel void live(global const uchar *from, global uchar *to) {
           int x = get_global_id(0), y = get_global_id(1), n = 0;
           for (int dy = -1; dy <= 1; dy++)
             for (int dx = -1; dx <= 1; dx++)
               if (dx || dy) n += from[(y + dy & 31) * 32 + (x + dx & 31)];
           to[y * 32 + x] = n == 3 || (n == 2 && from[y * 32 + x]);
         }
         kernel void draw(global const uchar *from, global uchar4 *image) {
           size_t i = get_global_id(1) * get_global_size(0) + get_global_id(0);
           image[i] = (uchar4)(from[i]);
         }`,
        `${size},${size}`,
      ),
    );
    let cells = Array.from({ length: size * size }, (_, i) => Number((i * i) % 7 < 3));
    const step = () => {
      cells = cells.map((own, at) => {
        const [x, y] = [at % size, Math.floor(at / size)];
        let around = -own;
        for (let dy = size - 1; dy <= size + 1; dy++)
          for (let dx = size - 1; dx <= size + 1; dx++)
            around += cells[((y + dy) % size) * size + ((x + dx) % size)]!;
        return Number(around === 3 || (around === 2 && own === 1));
      });
    };
    for (let frame = 0; frame < 5; frame++) {
      await frames.run();
      step();
      step();
      expect((await bytesAfter(frames)).filter((_, at) => at % 4 === 0)).toEqual(cells);
    }
    expect(frames.moves).toBe(true);
    frames.release();
  });

  const shown = `kernel void k(global uchar4 *image, float time, int frame, float4 mouse, int by) {
    image[get_global_id(0)] = (uchar4)((uchar)(10 * time), (uchar)frame, (uchar)(mouse.x + mouse.z + 1), (uchar)by);
  }`;

  it('get time, frame and mouse by name or by word, and other numbers without being built again', async () => {
    const document = documentOf(shown, '2', { image: 'zeros:2x1', by: '3' });
    const frames = await Frames.create(document);
    await frames.run({ time: 1.5, frame: 7, mouse: { x: 20, y: 4, pressed: true } });
    expect((await bytesAfter(frames)).slice(0, 4)).toEqual([15, 7, 22, 3]);
    const change = (args: Record<string, string>) =>
      frames.changeArguments({ ...document, launch: { ...document.launch, args } });
    expect(change({ image: 'zeros:2x1', by: '4' })).toBe(true);
    // Another buffer is another matter, and so is a word in place of a number.
    expect(change({ image: 'zeros:4x1', by: '4' })).toBe(false);
    expect(change({ image: 'zeros:2x1', by: 'frame' })).toBe(false);
    await frames.run({ ...firstInputs, frame: 8 });
    expect((await bytesAfter(frames)).slice(1, 4)).toEqual([8, 0, 4]);
    frames.release();
  });

  it('see the camera, or the scene that is drawn in its place', async () => {
    const source =
      'kernel void k(global const uchar4 *camera, global uchar4 *image) { int i = get_global_id(1) * get_global_size(0) + get_global_id(0); image[i] = camera[i]; }';
    const frames = await Frames.create(
      documentOf(source, '16,8', { camera: 'camera:16x8', image: 'zeros:16x8' }),
    );
    for (const time of [0, 1.25]) {
      await frames.run({ ...firstInputs, time });
      expect(await bytesAfter(frames)).toEqual([...drawnPicture(16, 8, time).data]);
    }
    const picture = { width: 16, height: 8, data: new Uint8Array(512).map((_, at) => at) };
    await frames.run(firstInputs, picture);
    expect(await bytesAfter(frames)).toEqual([...picture.data]);
    frames.release();
  });

  it('go on after an edit with the buffers that are the same', async () => {
    const source = (by: number) => `// @frame add, draw
      kernel void add(global int *sums) { sums[get_global_id(0)] += ${by}; }
      kernel void draw(global const int *sums, global uchar4 *image) { image[get_global_id(0)] = (uchar4)(sums[get_global_id(0)]); }`;
    const args = { sums: 'zeros:4', image: 'zeros:4x1' };
    const before = await Frames.create(documentOf(source(1), '4', args));
    for (let frame = 0; frame < 3; frame++) await before.run();
    const after = await Frames.create(documentOf(source(10), '4', args), { before });
    before.release();
    await after.run();
    expect((await bytesAfter(after))[0]).toBe(13);
    after.release();
  });

  it.each([
    ['// @frame gone\nkernel void k(global int *a) {}', "There is no kernel 'gone'"],
    ['// @frame k a<->c\nkernel void k(global int *a, global int *b) {}', 'a <-> c are no two buffers'],
    ['// @frame k a<->b\nkernel void k(global int *a, global float *b) {}', 'not of one type and size'],
    [
      '// @frame k, l\nkernel void k(int a) {} kernel void l(float a) {}',
      "'a' of l is float, and int in another",
    ],
  ])('of %s are refused', async (source, message) => {
    await expect(Frames.create(documentOf(source, '4', { a: '1' }))).rejects.toThrow(message);
  });

  it.each(livingKernels)('of the gallery: $id begins alike each time', async ({ load }) => {
    const document = await load();
    const pictures: number[][] = [];
    for (let time = 0; time < 2; time++) {
      const frames = await Frames.create(document);
      await frames.run();
      pictures.push(await bytesAfter(frames));
      frames.release();
    }
    expect(pictures[0]).toEqual(pictures[1]);
    expect(pictures[0]!.filter((_, at) => at % 4 === 3).every((alpha) => alpha === 255)).toBe(true);
  });
});
