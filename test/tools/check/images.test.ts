/** Pixels that an image does not have, where OpenCL leaves open what becomes of them; the reports are written by hand. */
import { beforeAll, expect, it } from 'vitest';
import { compile } from '../../../src/api/javascript/compile.ts';
import { type SamplerSettings, sampler } from '../../../src/api/javascript/device-image.ts';
import { type FoundReport, startChecking } from '../../../src/tools/check/index.ts';

let found: FoundReport[] = [];

beforeAll(() => {
  startChecking({ report: (report) => found.push(report), timeout: 2000 });
});

const source = `
constant sampler_t none = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;
constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
kernel void copy(read_only image2d_t from, write_only image2d_t to, int step) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  float4 pixel = read_imagef(from, edge, at - step);
  pixel += read_imagef(from, none, at + step);
  write_imagef(to, at + (int2)(0, step), pixel);
}`;

it('writes outside, and reads with a sampler that allows none', async () => {
  const program = await compile(source, { name: 'k.cl' });
  const [from, to] = [program.image({ width: 4, height: 2 }), program.image({ width: 4, height: 2 })];
  const run = async (step: number, global: readonly number[]): Promise<string[]> => {
    found = [];
    await program.kernel('copy')({ global, local: [1, 1] }, from, to, step);
    return found.map(({ message, place, count }) => `${place?.line}: ${message}, ${count} times`);
  };
  expect(await run(0, [4, 2])).toEqual([]);
  // Of columns 1 to 4 the last, of rows 1 and 2 the second: five of eight pixels. The rows alone: four.
  expect(await run(1, [4, 2])).toEqual([
    "7: read of pixel (4, 1) of 'from', which has 4 x 2, 5 times",
    "8: write of pixel (0, 2) of 'to', which has 4 x 2, 4 times",
  ]);
  expect(found[1]).toMatchObject({ kind: 'out-of-bounds', workItem: { global: [0, 1, 0] } });
  expect(await run(-1, [1, 1])).toEqual([
    "7: read of pixel (-1, -1) of 'from', which has 4 x 2, 1 times",
    "8: write of pixel (0, -1) of 'to', which has 4 x 2, 1 times",
  ]);
  program.release();
});

it('reads with a sampler argument that allows none, by integers and by floats', async () => {
  const program = await compile(
    `kernel void get(read_only image2d_t from, sampler_t s, float scale, int step, global float *out) {
      int2 at = (int2)(get_global_id(0) + step, 0);
      out[0] = read_imagef(from, s, at).x;
      out[1] = read_imagef(from, s, convert_float2(at) * scale + 0.5f * scale).x;
    }`,
    { name: 'k.cl' },
  );
  const from = program.image({ width: 4, height: 2 });
  const run = async (settings: SamplerSettings, scale: number, step: number): Promise<string[]> => {
    found = [];
    const one = { global: [1], local: [1] };
    await program.kernel('get')(one, from, sampler(settings), scale, step, new Float32Array(2));
    return found.map(({ message, place }) => `${place?.line}: ${message}`);
  };
  const outside = (line: number, x: number): string =>
    `${line}: read of pixel (${x}, 0) of 'from', which has 4 x 2`;
  const pixels = { addressing: 'none' } as const;
  expect(await run(pixels, 1, 3)).toEqual([]);
  expect(await run(pixels, 1, 4)).toEqual([outside(3, 4), outside(4, 4)]);
  expect(await run(pixels, 1, -1)).toEqual([outside(3, -1), outside(4, -1)]);
  expect(await run({ addressing: 'clamp' }, 1, 4)).toEqual([]);
  // Coordinates from 0 to 1: a quarter is a pixel, and those by integers are of no use.
  expect(await run({ ...pixels, normalized: true }, 0.125, 3)).toEqual([]);
  expect(await run({ ...pixels, normalized: true }, 0.25, 3)).toEqual([]);
  expect((await run({ ...pixels, normalized: true }, 0.25, 4)).at(-1)).toBe(outside(4, 4));
});
