// Objects that are made with lists of properties (OpenCL 2.0, 5.1 and 5.7.1; OpenCL 3.0, 5.2.1 and 5.3.1).
import { CL, createContext, OpenCLError } from 'millrace/opencl';
import { afterAll, describe, expect, it } from 'vitest';

const context = createContext(null, { shared: false });
afterAll(() => context.releaseAll());

function errorOf(action: () => unknown): string | undefined {
  try {
    action();
  } catch (error) {
    if (error instanceof OpenCLError) return error.name;
    throw error;
  }
  return undefined;
}

describe('with properties', () => {
  it('a queue', () => {
    const bits = CL.QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL.QUEUE_PROFILING_ENABLE;
    const list = [CL.QUEUE_PROPERTIES, bits, 0];
    const queue = context.createCommandQueueWithProperties(null, list);
    expect(queue.getInfo(CL.QUEUE_PROPERTIES)).toBe(bits);
    expect(queue.getInfo(CL.QUEUE_PROPERTIES_ARRAY)).toEqual(list);
    const plain = context.createCommandQueueWithProperties(context.devices[0]!);
    expect(plain.getInfo(CL.QUEUE_PROPERTIES)).toBe(0);
    expect(plain.getInfo(CL.QUEUE_PROPERTIES_ARRAY)).toEqual([]);
    const make = (...properties: number[]) =>
      errorOf(() => context.createCommandQueueWithProperties(null, properties));
    expect(make(0)).toBe(undefined);
    expect(make(CL.QUEUE_PROPERTIES, 1 << 20, 0)).toBe('CL_INVALID_VALUE');
    expect(make(CL.QUEUE_CONTEXT, 1, 0)).toBe('CL_INVALID_VALUE');
    expect(make(CL.QUEUE_PROPERTIES, 0, CL.QUEUE_PROPERTIES, 0, 0)).toBe('CL_INVALID_VALUE');
    expect(make(CL.QUEUE_PROPERTIES, 0)).toBe('CL_INVALID_VALUE');
    expect(make(CL.QUEUE_SIZE, 1024, 0)).toBe('CL_INVALID_VALUE');
  });

  it('a sampler', () => {
    const plain = context.createSamplerWithProperties();
    expect(plain.getInfo(CL.SAMPLER_NORMALIZED_COORDS)).toBe(true);
    expect(plain.getInfo(CL.SAMPLER_ADDRESSING_MODE)).toBe(CL.ADDRESS_CLAMP);
    expect(plain.getInfo(CL.SAMPLER_FILTER_MODE)).toBe(CL.FILTER_NEAREST);
    expect(plain.getInfo(CL.SAMPLER_PROPERTIES)).toEqual([]);
    const list = [CL.SAMPLER_FILTER_MODE, CL.FILTER_LINEAR, CL.SAMPLER_NORMALIZED_COORDS, CL.FALSE, 0];
    const sampler = context.createSamplerWithProperties(list);
    expect(sampler.getInfo(CL.SAMPLER_NORMALIZED_COORDS)).toBe(false);
    expect(sampler.getInfo(CL.SAMPLER_FILTER_MODE)).toBe(CL.FILTER_LINEAR);
    expect(sampler.getInfo(CL.SAMPLER_PROPERTIES)).toEqual(list);
    const make = (...properties: number[]) => errorOf(() => context.createSamplerWithProperties(properties));
    // There are no mip maps (cl_khr_mipmap_image).
    expect(make(CL.SAMPLER_MIP_FILTER_MODE, CL.FILTER_LINEAR, 0)).toBe('CL_INVALID_VALUE');
    expect(make(CL.SAMPLER_FILTER_MODE, 7, 0)).toBe('CL_INVALID_VALUE');
  });

  it('memory objects', () => {
    const buffer = context.createBufferWithProperties([0], CL.MEM_READ_WRITE, 64);
    expect(buffer.getInfo(CL.MEM_PROPERTIES)).toEqual([0]);
    expect(context.createBufferWithProperties(null, 0, 64).getInfo(CL.MEM_PROPERTIES)).toEqual([]);
    const format = { channelOrder: CL.RGBA, channelType: CL.UNORM_INT8 };
    const size = { type: CL.MEM_OBJECT_IMAGE2D, width: 2, height: 2 };
    expect(context.createImageWithProperties([0], 0, format, size).getInfo(CL.MEM_PROPERTIES)).toEqual([0]);
    expect(errorOf(() => context.createBufferWithProperties([5, 6, 0], 0, 64))).toBe('CL_INVALID_PROPERTY');
    expect(errorOf(() => context.createImageWithProperties([5, 6, 0], 0, format, size))).toBe(
      'CL_INVALID_PROPERTY',
    );
  });
});
