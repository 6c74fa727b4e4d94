/** Images and samplers of the OpenCL API on the host's side: what they say of themselves, transfers, errors. */
import {
  CL,
  type CLCommandQueue,
  type CLContext,
  CLEvent,
  type CLImage,
  type CLImageDescriptor,
  createContext,
} from 'millrace/opencl';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { errorName } from '../support/error-name.ts';

const rgba8 = { channelOrder: CL.RGBA, channelType: CL.UNORM_INT8 };
const r8 = { channelOrder: CL.R, channelType: CL.UNSIGNED_INT8 };
const flat = (width: number, height: number): CLImageDescriptor => ({
  type: CL.MEM_OBJECT_IMAGE2D,
  width,
  height,
});

let context: CLContext;
let queue: CLCommandQueue;
beforeEach(() => {
  context = createContext();
  queue = context.createCommandQueue();
});
afterEach(() => context.releaseAll());

/** 0, 1, 2, ... */
const counted = (length: number) => Uint8Array.from({ length }, (_, index) => index);

function pixelsOf(image: CLImage, region: readonly number[]): number[] {
  const { shape } = image;
  const out = new Uint8Array(region.reduce((product, size) => product * size, shape.pixelBytes));
  queue.enqueueReadImage(image, true, [0, 0, 0], region, 0, 0, out);
  return [...out];
}

describe('an image', () => {
  it('says what it is', () => {
    const image = context.createImage(CL.MEM_READ_ONLY, rgba8, {
      type: CL.MEM_OBJECT_IMAGE2D_ARRAY,
      width: 5,
      height: 3,
      depth: 99,
      arraySize: 4,
    });
    const queries = {
      IMAGE_ELEMENT_SIZE: 4,
      IMAGE_ROW_PITCH: 20,
      IMAGE_SLICE_PITCH: 60,
      IMAGE_WIDTH: 5,
      IMAGE_HEIGHT: 3,
      IMAGE_DEPTH: 0,
      IMAGE_ARRAY_SIZE: 4,
      IMAGE_BUFFER: null,
      IMAGE_NUM_MIP_LEVELS: 0,
      IMAGE_NUM_SAMPLES: 0,
    } as const;
    for (const [name, value] of Object.entries(queries)) {
      expect(image.getImageInfo(CL[name as keyof typeof queries]), name).toBe(value);
    }
    expect(image.getImageInfo(CL.IMAGE_FORMAT)).toEqual(rgba8);
    expect(image.getImageInfo()).toMatchObject({ ...rgba8, type: CL.MEM_OBJECT_IMAGE2D_ARRAY, arraySize: 4 });
    expect(image.getInfo(CL.MEM_TYPE)).toBe(CL.MEM_OBJECT_IMAGE2D_ARRAY);
    expect(image.getInfo(CL.MEM_SIZE)).toBe(240);
    expect(image.getInfo(CL.MEM_FLAGS)).toBe(CL.MEM_READ_ONLY);
    expect(errorName(() => image.getImageInfo(CL.MEM_SIZE))).toBe('CL_INVALID_VALUE');
    image.release();
    expect(errorName(() => image.getImageInfo(CL.IMAGE_WIDTH))).toBe('CL_INVALID_MEM_OBJECT');
  });

  it('has the sizes and pitches of its kind', () => {
    const size = { width: 5, height: 3, depth: 2, arraySize: 4 };
    const info = (type: number) => {
      const { width, height, depth, arraySize, rowPitch, slicePitch } = context
        .createImage(0, rgba8, { type, ...size })
        .getImageInfo();
      return [width, height, depth, arraySize, rowPitch, slicePitch];
    };
    expect(info(CL.MEM_OBJECT_IMAGE1D)).toEqual([5, 0, 0, 0, 20, 0]);
    expect(info(CL.MEM_OBJECT_IMAGE1D_ARRAY)).toEqual([5, 0, 0, 4, 20, 20]);
    expect(info(CL.MEM_OBJECT_IMAGE2D)).toEqual([5, 3, 0, 0, 20, 0]);
    expect(info(CL.MEM_OBJECT_IMAGE3D)).toEqual([5, 3, 2, 0, 20, 60]);
  });

  it('takes the pitches of the data that it copies', () => {
    // Two rows of three bytes in rows of four.
    const image = context.createImage(CL.MEM_COPY_HOST_PTR, r8, { ...flat(3, 2), rowPitch: 4 }, counted(8));
    expect(pixelsOf(image, [3, 2, 1])).toEqual([0, 1, 2, 4, 5, 6]);
    const deep = { type: CL.MEM_OBJECT_IMAGE3D, width: 1, height: 2, depth: 2, rowPitch: 2, slicePitch: 6 };
    expect(pixelsOf(context.createImage(0, r8, deep, counted(12)), [1, 2, 2])).toEqual([0, 2, 6, 8]);
    const lines = { type: CL.MEM_OBJECT_IMAGE1D_ARRAY, width: 2, arraySize: 3, rowPitch: 3, slicePitch: 6 };
    expect(pixelsOf(context.createImage(0, r8, lines, counted(18)), [2, 3, 1])).toEqual([0, 1, 6, 7, 12, 13]);
  });

  it('over a buffer is the buffer', () => {
    const buffer = context.createBuffer(CL.MEM_READ_WRITE, counted(16));
    const descriptor = { type: CL.MEM_OBJECT_IMAGE1D_BUFFER, width: 3, buffer };
    const image = context.createImage(0, rgba8, descriptor);
    expect(image.getInfo(CL.MEM_ASSOCIATED_MEMOBJECT)).toBe(buffer);
    expect(image.getImageInfo(CL.IMAGE_BUFFER)).toBe(buffer);
    expect(image.getInfo(CL.MEM_SIZE)).toBe(12);
    queue.enqueueFillImage(image, [1, 0, 0, 1], [1, 0, 0], [1, 1, 1]);
    const bytes = new Uint8Array(16);
    queue.enqueueReadBuffer(buffer, true, 0, 16, bytes);
    expect([...bytes]).toEqual([0, 1, 2, 3, 255, 0, 0, 255, 8, 9, 10, 11, 12, 13, 14, 15]);
    expect(buffer.references).toBe(2);
    image.release();
    expect(buffer.references).toBe(1);
  });

  it('of each kind of wrong description has its error', () => {
    const create =
      (descriptor: object, format: object = rgba8, flags = 0, data?: Uint8Array) =>
      () =>
        context.createImage(flags, format as never, descriptor as never, data);
    const good = flat(4, 4);
    expect(errorName(create(good, rgba8, CL.MEM_READ_ONLY | CL.MEM_WRITE_ONLY))).toBe('CL_INVALID_VALUE');
    const formats = 'CL_INVALID_IMAGE_FORMAT_DESCRIPTOR';
    expect(errorName(create(good, { channelOrder: CL.RGB, channelType: CL.FLOAT }))).toBe(formats);
    expect(errorName(create(good, { channelOrder: 1, channelType: CL.FLOAT }))).toBe(formats);
    expect(errorName(create(good, {}))).toBe(formats);
    // Before the descriptor is looked at.
    expect(errorName(create({}, {}))).toBe(formats);
    const wrong = 'CL_INVALID_IMAGE_DESCRIPTOR';
    for (const descriptor of [
      {},
      { ...good, type: CL.MEM_OBJECT_BUFFER },
      { ...good, width: 0 },
      { ...good, height: 1.5 },
      { ...good, type: CL.MEM_OBJECT_IMAGE3D },
      { ...good, type: CL.MEM_OBJECT_IMAGE2D_ARRAY },
      { ...good, numMipLevels: 1 },
      { ...good, numSamples: 2 },
      { ...good, rowPitch: 16 },
      { ...good, buffer: context.createBuffer(0, 16) },
      { ...good, type: CL.MEM_OBJECT_IMAGE1D_BUFFER },
      { type: CL.MEM_OBJECT_IMAGE1D_BUFFER, width: 5, buffer: context.createBuffer(0, 16) },
    ]) {
      expect(errorName(create(descriptor)), JSON.stringify(Object.keys(descriptor))).toBe(wrong);
    }
    const data = new Uint8Array(1000);
    for (const rowPitch of [12, 18]) {
      expect(errorName(create({ ...good, rowPitch }, rgba8, 0, data))).toBe(wrong);
    }
    const deep = { type: CL.MEM_OBJECT_IMAGE3D, width: 4, height: 4, depth: 2 };
    for (const slicePitch of [48, 72]) {
      expect(errorName(create({ ...deep, slicePitch }, rgba8, 0, data))).toBe(wrong);
    }
    expect(errorName(create(flat(16385, 1)))).toBe('CL_INVALID_IMAGE_SIZE');
    expect(errorName(create({ type: CL.MEM_OBJECT_IMAGE1D_ARRAY, width: 4, arraySize: 2049 }))).toBe(
      'CL_INVALID_IMAGE_SIZE',
    );
    const pointer = 'CL_INVALID_HOST_PTR';
    expect(errorName(create(good, rgba8, CL.MEM_COPY_HOST_PTR))).toBe(pointer);
    expect(errorName(create(good, rgba8, CL.MEM_USE_HOST_PTR, new Uint8Array(63)))).toBe(pointer);
    const buffer = context.createBuffer(CL.MEM_READ_ONLY, 16);
    const line = { type: CL.MEM_OBJECT_IMAGE1D_BUFFER, width: 4, buffer };
    expect(errorName(create(line, rgba8, CL.MEM_WRITE_ONLY))).toBe('CL_INVALID_VALUE');
  });

  it('by the functions of OpenCL 1.1', () => {
    expect(context.createImage2D(0, rgba8, 4, 3).getInfo(CL.MEM_TYPE)).toBe(CL.MEM_OBJECT_IMAGE2D);
    expect(context.createImage3D(0, rgba8, 4, 3, 2).getInfo(CL.MEM_SIZE)).toBe(96);
    for (const action of [
      () => context.createImage2D(0, rgba8, 0, 3),
      () => context.createImage2D(0, rgba8, 4, 3, 12, counted(100)),
      () => context.createImage3D(0, rgba8, 4, 3, 1),
    ]) {
      expect(errorName(action)).toBe('CL_INVALID_IMAGE_SIZE');
    }
  });

  it('can have any format that exists', () => {
    const formats = context.getSupportedImageFormats(CL.MEM_READ_WRITE, CL.MEM_OBJECT_IMAGE3D);
    expect(formats).toContainEqual(rgba8);
    expect(formats.length).toBe(114);
    expect(errorName(() => context.getSupportedImageFormats(0, 7))).toBe('CL_INVALID_VALUE');
  });
});

describe('transfers of images', () => {
  it('move a part between pitches', () => {
    const image = context.createImage(0, r8, flat(4, 4), counted(16));
    // Columns 1 and 2 of rows 2 and 3 to rows of five.
    const out = new Uint8Array(10).fill(99);
    queue.enqueueReadImage(image, true, [1, 2, 0], [2, 2, 1], 5, 0, out);
    expect([...out]).toEqual([9, 10, 99, 99, 99, 13, 14, 99, 99, 99]);
    queue.enqueueWriteImage(image, false, [2, 0, 0], [2, 2, 1], 3, 0, Uint8Array.of(50, 51, 0, 52, 53));
    expect(pixelsOf(image, [4, 2, 1])).toEqual([0, 1, 50, 51, 4, 5, 52, 53]);
  });

  it('count the images of an array in the dimension after their own', () => {
    const lines = { type: CL.MEM_OBJECT_IMAGE1D_ARRAY, width: 3, arraySize: 3 };
    const image = context.createImage(0, r8, lines, counted(9));
    const out = new Uint8Array(10).fill(99);
    // A slice pitch says how far apart the two lines lie.
    queue.enqueueReadImage(image, true, [1, 1, 0], [2, 2, 1], 2, 6, out);
    expect([...out]).toEqual([4, 5, 99, 99, 99, 99, 7, 8, 99, 99]);
    const layers = { type: CL.MEM_OBJECT_IMAGE2D_ARRAY, width: 2, height: 2, arraySize: 2 };
    const array = context.createImage(0, r8, layers, counted(8));
    const part = new Uint8Array(2);
    queue.enqueueReadImage(array, true, [1, 0, 1], [1, 2, 1], 0, 0, part);
    expect([...part]).toEqual([5, 7]);
  });

  it('wait for their turn', async () => {
    const free = context.createCommandQueue(null, CL.QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    const image = context.createImage(0, r8, flat(2, 2), new Uint8Array(4));
    const gate = context.createUserEvent();
    const [filled, written, read] = [new CLEvent(), new CLEvent(), new CLEvent()];
    const out = new Uint8Array(4);
    free.enqueueFillImage(image, [7, 0, 0, 0], [0, 0, 0], [2, 2, 1], [gate], filled);
    const data = Uint8Array.of(1);
    free.enqueueWriteImage(image, false, [1, 1, 0], [1, 1, 1], 0, 0, data, [filled], written);
    data[0] = 2;
    free.enqueueReadImage(image, false, [0, 0, 0], [2, 2, 1], 0, 0, out, [written], read);
    // Released while commands use it.
    image.release();
    expect(read.getInfo(CL.EVENT_COMMAND_EXECUTION_STATUS)).toBeGreaterThan(CL.COMPLETE);
    expect(read.getInfo(CL.EVENT_COMMAND_TYPE)).toBe(CL.COMMAND_READ_IMAGE);
    gate.setStatus(CL.COMPLETE);
    await read.done;
    expect([...out]).toEqual([7, 7, 7, 1]);
  });

  it('copy between images and buffers of all kinds', () => {
    const image = context.createImage(0, r8, flat(4, 4), counted(16));
    const deep = { type: CL.MEM_OBJECT_IMAGE3D, width: 2, height: 2, depth: 2 };
    const target = context.createImage(0, r8, deep, new Uint8Array(8));
    queue.enqueueCopyImage(image, target, [1, 2, 0], [0, 0, 1], [2, 2, 1]);
    expect(pixelsOf(target, [2, 2, 2])).toEqual([0, 0, 0, 0, 9, 10, 13, 14]);
    const buffer = context.createBuffer(0, new Uint8Array(10));
    queue.enqueueCopyImageToBuffer(target, buffer, [0, 0, 0], [1, 2, 2], 3);
    const bytes = new Uint8Array(10);
    queue.enqueueReadBuffer(buffer, true, 0, 10, bytes);
    expect([...bytes]).toEqual([0, 0, 0, 0, 0, 9, 13, 0, 0, 0]);
    queue.enqueueCopyBufferToImage(buffer, image, 5, [3, 0, 0], [1, 2, 1]);
    expect(pixelsOf(image, [4, 2, 1])).toEqual([0, 1, 2, 9, 4, 5, 6, 13]);
    // Inside one image.
    queue.enqueueCopyImage(image, image, [0, 2, 0], [2, 0, 0], [2, 2, 1]);
    expect(pixelsOf(image, [4, 2, 1])).toEqual([0, 1, 8, 9, 4, 5, 12, 13]);
  });

  it('map the image itself', () => {
    const image = context.createImage(0, r8, flat(4, 4), counted(16));
    const [row, slice] = [[-1], [-1]];
    const mapped = queue.enqueueMapImage(image, true, CL.MAP_WRITE, [1, 1, 0], [2, 2, 1], row, slice);
    expect([row[0], slice[0]]).toEqual([4, 0]);
    expect([...mapped]).toEqual([5, 6, 7, 8, 9, 10]);
    expect(image.getInfo(CL.MEM_MAP_COUNT)).toBe(1);
    mapped[4] = 77;
    queue.enqueueUnmapMemObject(image, mapped);
    expect(image.getInfo(CL.MEM_MAP_COUNT)).toBe(0);
    expect(pixelsOf(image, [4, 3, 1])[9]).toBe(77);
    expect(errorName(() => queue.enqueueUnmapMemObject(image, mapped))).toBe('CL_INVALID_VALUE');
  });

  it("map into the host's own array with its pitches", () => {
    const data = counted(12);
    const image = context.createImage(CL.MEM_USE_HOST_PTR, r8, { ...flat(4, 2), rowPitch: 6 }, data);
    expect(image.getInfo(CL.MEM_HOST_PTR)).toEqual(data);
    queue.enqueueFillImage(image, [90, 0, 0, 0], [1, 1, 0], [2, 1, 1]);
    const row = new Uint32Array(1);
    const flags = CL.MAP_READ | CL.MAP_WRITE;
    const mapped = queue.enqueueMapImage(image, true, flags, [1, 0, 0], [3, 2, 1], row);
    expect(row[0]).toBe(6);
    expect(mapped.buffer).toBe(data.buffer);
    expect([...data]).toEqual([0, 1, 2, 3, 4, 5, 6, 90, 90, 9, 10, 11]);
    mapped[0] = 55;
    mapped[3] = 56;
    queue.enqueueUnmapMemObject(image, mapped);
    // Byte 4 belongs to no pixel.
    expect(pixelsOf(image, [4, 2, 1])).toEqual([0, 55, 2, 3, 6, 90, 90, 9]);
  });

  it('have the errors of each kind of wrong use', () => {
    const image = context.createImage(0, r8, flat(4, 4));
    const buffer = context.createBuffer(0, 16);
    const out = new Uint8Array(16);
    const read = (origin: number[], region: number[], row = 0, slice = 0, data: Uint8Array = out) =>
      errorName(() => queue.enqueueReadImage(image, true, origin, region, row, slice, data));
    for (const [origin, region, row, slice, data] of [
      [
        [1, 0, 0],
        [4, 4, 1],
      ],
      [
        [0, 0, 1],
        [4, 4, 1],
      ],
      [
        [0, 0, 0],
        [4, 4, 2],
      ],
      [
        [0, 0, 0],
        [0, 4, 1],
      ],
      [
        [0, 0, -1],
        [4, 4, 1],
      ],
      [[0, 0, 0], [4, 4, 1], 3],
      [[0, 0, 0], [4, 4, 1], 4, 16],
      [[0, 0, 0], [4, 4, 1], 0, 0, new Uint8Array(15)],
      [[0, 0, 0], [4, 4, 1], 0, 0, null as unknown as Uint8Array],
    ] as [number[], number[], number?, number?, Uint8Array?][]) {
      expect(read(origin, region, row, slice, data), `${origin} ${region} ${row} ${slice}`).toBe(
        'CL_INVALID_VALUE',
      );
    }
    const whole = [4, 4, 1];
    const none = [0, 0, 0];
    const wrongObject = buffer as unknown as CLImage;
    expect(errorName(() => queue.enqueueReadImage(wrongObject, true, none, whole, 0, 0, out))).toBe(
      'CL_INVALID_MEM_OBJECT',
    );
    const other = createContext();
    const stranger = other.createImage(0, r8, flat(4, 4));
    expect(errorName(() => queue.enqueueReadImage(stranger, true, none, whole, 0, 0, out))).toBe(
      'CL_INVALID_CONTEXT',
    );
    other.releaseAll();
    const readOnly = context.createImage(CL.MEM_HOST_READ_ONLY, r8, flat(4, 4));
    const noAccess = context.createImage(CL.MEM_HOST_NO_ACCESS, r8, flat(4, 4));
    for (const action of [
      () => queue.enqueueWriteImage(readOnly, true, none, whole, 0, 0, out),
      () => queue.enqueueReadImage(noAccess, true, none, whole, 0, 0, out),
      () => queue.enqueueMapImage(readOnly, true, CL.MAP_WRITE, none, whole, [0]),
    ]) {
      expect(errorName(action)).toBe('CL_INVALID_OPERATION');
    }
    const floats = context.createImage(0, { channelOrder: CL.R, channelType: CL.FLOAT }, flat(4, 4));
    expect(errorName(() => queue.enqueueCopyImage(image, floats, none, none, whole))).toBe(
      'CL_IMAGE_FORMAT_MISMATCH',
    );
    expect(errorName(() => queue.enqueueCopyImage(image, image, none, [1, 1, 0], [3, 3, 1]))).toBe(
      'CL_MEM_COPY_OVERLAP',
    );
    for (const action of [
      () => queue.enqueueCopyImageToBuffer(image, buffer, none, whole, 1),
      () => queue.enqueueCopyBufferToImage(buffer, image, 1, none, whole),
      () => queue.enqueueFillImage(image, [1, 2], none, whole),
      () => queue.enqueueMapImage(image, true, CL.MAP_READ, none, whole, null),
      () => queue.enqueueMapImage(image, true, 64, none, whole, [0]),
    ]) {
      expect(errorName(action)).toBe('CL_INVALID_VALUE');
    }
  });
});

describe('a sampler', () => {
  it('says what it is', () => {
    const sampler = context.createSampler(true, CL.ADDRESS_MIRRORED_REPEAT, CL.FILTER_LINEAR);
    expect(sampler.getInfo(CL.SAMPLER_NORMALIZED_COORDS)).toBe(true);
    expect(sampler.getInfo(CL.SAMPLER_ADDRESSING_MODE)).toBe(CL.ADDRESS_MIRRORED_REPEAT);
    expect(sampler.getInfo(CL.SAMPLER_FILTER_MODE)).toBe(CL.FILTER_LINEAR);
    expect(sampler.getInfo(CL.SAMPLER_REFERENCE_COUNT)).toBe(1);
    expect(sampler.getInfo(CL.SAMPLER_CONTEXT)).toBe(context);
    expect(sampler.bits).toBe(0x29);
    expect(context.createSampler(0, CL.ADDRESS_CLAMP, CL.FILTER_NEAREST).bits).toBe(0x14);
    sampler.release();
    expect(errorName(() => sampler.getInfo(CL.SAMPLER_CONTEXT))).toBe('CL_INVALID_SAMPLER');
  });

  it('of wrong modes is an error', () => {
    for (const [normalised, address, filter] of [
      [2, CL.ADDRESS_CLAMP, CL.FILTER_LINEAR],
      [true, CL.FILTER_LINEAR, CL.FILTER_LINEAR],
      [true, CL.ADDRESS_CLAMP, 0],
    ] as const) {
      expect(errorName(() => context.createSampler(normalised, address, filter))).toBe('CL_INVALID_VALUE');
    }
  });
});
