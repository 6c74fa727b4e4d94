// Images of known formats, whose pixels are buffers of WebGPU of their own, and all that happens to them between kernels: hosts that write and
// read them, copies, buffers that share their bytes, kernels that see them in the arena. The other device is WebAssembly, which has images in
// the context's memory and nowhere else. Needs the built dist/ and a WebGPU; see device.test.ts.
import '../../support/webgpu.ts';
import { type Device, requestDevice } from 'millrace';
import { CL, type CLMemory, createContext, getPlatforms } from 'millrace/opencl';
import { describe, expect, test } from 'vitest';
import { Random } from '../../support/random.ts';

const found: Device | string = await requestDevice('webgpu').catch(({ message }: Error) => message);
const skipped = typeof found === 'string' ? ` (SKIPPED: ${found})` : '';

/** `other` compares a pointer with null, so that it has its buffers in the arena. */
function sourceFor(letter: string, colour: string, linear: string): string {
  return `
constant sampler_t border = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
constant sampler_t edge = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | ${linear};
kernel void moved(read_only image2d_t from, write_only image2d_t to, int2 by) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  write_image${letter}(to, at, read_image${letter}(from, border, at + by));
}
kernel void turned(read_only image2d_t from, write_only image2d_t to) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  int2 size = get_image_dim(from);
  float2 place = (float2)(at.y + 0.25f, size.x - 1 - at.x + 0.6f) / convert_float2(size);
  ${colour} p = read_image${letter}(from, edge, place);
  write_image${letter}(to, at - 1, p + read_image${letter}(from, at));
}
kernel void changed(global uchar *bytes, uint n) {
  uint i = get_global_id(0);
  if (i < n) bytes[i] = bytes[i] ^ (uchar)(i * 3);
}
kernel void other(global uchar *bytes, uint n, uint where) {
  uint i = get_global_id(0);
  global uchar *p = where < n ? bytes + where : 0;
  if (p && i == 0) *p ^= 1;
}`;
}

/** Order, type, and bytes of a pixel. */
const formats = [
  [CL.R, CL.UNORM_INT8, 1],
  [CL.RG, CL.UNSIGNED_INT8, 2],
  [CL.RGB, CL.UNORM_SHORT_565, 2],
  [CL.RGBA, CL.UNORM_INT8, 4],
  [CL.BGRA, CL.UNORM_INT8, 4],
  [CL.R, CL.SIGNED_INT32, 4],
  [CL.RG, CL.HALF_FLOAT, 4],
  [CL.RGBA, CL.UNSIGNED_INT16, 8],
  [CL.RG, CL.FLOAT, 8],
  [CL.RGBA, CL.FLOAT, 16],
  [CL.RGBA, CL.SIGNED_INT32, 16],
] as const;
const names = Object.fromEntries(Object.entries(CL).map(([name, value]) => [value, name]));

const [width, height] = [13, 7];

function bytesFor(type: number, size: number, seed: number): Uint8Array {
  const random = new Random(seed);
  if (type === CL.FLOAT)
    return new Uint8Array(Float32Array.from({ length: size / 4 }, () => random.below(4096) / 64).buffer);
  // Halves between 1 and 2.
  if (type === CL.HALF_FLOAT)
    return new Uint8Array(Uint16Array.from({ length: size / 2 }, () => 0x3c00 + random.below(1024)).buffer);
  return Uint8Array.from({ length: size }, () => random.below(256));
}

/** What a context of the device has at the end of the same story. */
function story(device: string, [order, type, pixelBytes]: (typeof formats)[number]): Uint8Array[] {
  const isFloat = !/^(UN)?SIGNED/.test(names[type]!);
  const letter = isFloat ? 'f' : type === CL.SIGNED_INT32 ? 'i' : 'ui';
  const colour = { f: 'float4', i: 'int4', ui: 'uint4' }[letter];
  const all = getPlatforms().flatMap((platform) => platform.getDevices(CL.DEVICE_TYPE_ALL));
  const context = createContext(all.find((each) => each.getInfo(CL.DEVICE_NAME) === device)!);
  // Filters in halves and 5 bits round differently where the last place of the float does.
  const isFiltered = isFloat && type === CL.FLOAT;
  const program = context.createProgram(
    sourceFor(letter, colour, isFiltered ? 'CLK_FILTER_LINEAR' : 'CLK_FILTER_NEAREST'),
  );
  program.build();
  const queue = context.createCommandQueue();
  const bytes = width * height * pixelBytes;
  const format = { channelOrder: order, channelType: type };
  const size = { type: CL.MEM_OBJECT_IMAGE2D, width, height };
  const picture = (): CLMemory => context.createImage(CL.MEM_READ_WRITE, format, size);
  const [a, b] = [picture(), picture()];
  const shared = context.createBuffer(CL.MEM_READ_WRITE, bytes);
  const over = context.createImage(CL.MEM_READ_WRITE, format, { ...size, buffer: shared });
  const seen: Uint8Array[] = [];
  const launch = (name: string, ...args: (CLMemory | number | Int32Array)[]): void => {
    const kernel = program.createKernel(name);
    for (const [index, arg] of args.entries())
      kernel.setArg(index, typeof arg === 'number' ? Uint32Array.of(arg) : (arg as never));
    const ofBytes = name === 'changed' || name === 'other';
    queue.enqueueNDRangeKernel(kernel, ofBytes ? 1 : 2, null, ofBytes ? [bytes + 3] : [width, height], null);
  };
  const write = (image: CLMemory, data: Uint8Array): void =>
    void queue.enqueueWriteImage(image as never, true, [0, 0, 0], [width, height, 1], 0, 0, data);
  const look = (image: CLMemory): void => {
    const out = new Uint8Array(bytes);
    queue.enqueueReadImage(image as never, true, [0, 0, 0], [width, height, 1], 0, 0, out);
    seen.push(out);
  };
  const by = (x: number, y: number): Int32Array => Int32Array.of(x, y);

  write(a, bytesFor(type, bytes, 1));
  launch('moved', a, b, by(-3, 2));
  look(b);
  // To and fro, without the host.
  for (let round = 0; round < 3; round += 1) {
    launch('moved', b, a, by(1, 0));
    launch('turned', a, b);
  }
  look(a);
  look(b);
  // The host writes a part; the rest is the device's.
  queue.enqueueWriteImage(b as never, true, [2, 3, 0], [4, 2, 1], 0, 0, bytesFor(type, 8 * pixelBytes, 2));
  launch('moved', b, a, by(0, 0));
  look(a);
  // Copies on the device, to a buffer whose bytes are an image, too.
  queue.enqueueCopyImageToBuffer(a as never, shared, [0, 0, 0], [width, height, 1], 0);
  launch('moved', over, b, by(0, 1));
  look(b);
  queue.enqueueCopyImage(b as never, a as never, [1, 1, 0], [0, 2, 0], [5, 4, 1]);
  queue.enqueueCopyBufferToImage(shared, b as never, 0, [0, 0, 0], [width, height, 1]);
  launch('turned', a, over);
  // What one image is over, two kernels change, one of them in the arena: numbers only, as bits of floats may be anything.
  if (type !== CL.FLOAT && type !== CL.HALF_FLOAT) {
    for (const where of [0, bytes - 1, 5]) {
      launch('changed', shared, bytes);
      launch('other', shared, bytes, where);
      launch('moved', over, a, by(0, -1));
      launch('moved', a, over, by(0, 0));
    }
  }
  for (const image of [a, b, over]) look(image);
  context.releaseAll();
  return seen;
}

describe.skipIf(skipped !== '')(`images on WebGPU${skipped}`, () => {
  const wasm = getPlatforms()
    .flatMap((platform) => platform.getDevices(CL.DEVICE_TYPE_ALL))
    .find(({ runtime }) => runtime.id === 'wasm')!
    .getInfo(CL.DEVICE_NAME) as string;

  test.each(formats.map((format) => [`${names[format[0]]} ${names[format[1]]}`, format] as const))(
    '%s',
    (_, format) => {
      const [got, want] = [story((found as Device).name, format), story(wasm, format)];
      expect(got).toHaveLength(want.length);
      for (const [at, bytes] of got.entries()) {
        if (format[1] !== CL.FLOAT) {
          expect([...bytes], `picture ${at}`).toEqual([...want[at]!]);
          continue;
        }
        const expected = new Float32Array(want[at]!.buffer);
        for (const [index, value] of new Float32Array(bytes.buffer).entries()) {
          const error = Math.abs(value - expected[index]!) / Math.max(1, Math.abs(expected[index]!));
          expect(error, `number ${index} of picture ${at}: ${value}, not ${expected[index]}`).toBeLessThan(
            1e-5,
          );
        }
      }
    },
  );
});
