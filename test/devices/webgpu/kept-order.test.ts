/** Whether a device's compiler leaves sums and products in their order: what decides, and that shaders of both kinds give the right numbers. */
import '../../support/webgpu.ts';
import { describe, expect, test } from 'vitest';
import type { GpuDevice } from '../../../src/devices/webgpu/gpu-api.ts';
import { keepsOrder } from '../../../src/devices/webgpu/kept-order.ts';
import { openGpu } from '../../codegen/wgsl/setup.ts';

const opened = await openGpu();
const skipped = typeof opened === 'string' ? ` (SKIPPED: ${opened})` : '';

describe.skipIf(skipped !== '')(`the order of sums${skipped}`, () => {
  const device = opened as GpuDevice;
  /** The device with a compiler that takes one text for another. */
  const rewriting = (from: string, to: string): GpuDevice => {
    const changed: GpuDevice = Object.create(device);
    return Object.assign(changed, {
      createShaderModule: ({ code }: { code: string }) => {
        expect(code).toContain(from);
        return device.createShaderModule({ code: code.replace(from, to) });
      },
      createBindGroupLayout: (each: object) => device.createBindGroupLayout(each),
      createPipelineLayout: (each: object) => device.createPipelineLayout(each),
      createBindGroup: (each: object) => device.createBindGroup(each),
      createComputePipelineAsync: (each: object) => device.createComputePipelineAsync(each),
      createBuffer: (each: { size: number; usage: number }) => device.createBuffer(each),
      createCommandEncoder: () => device.createCommandEncoder(),
      queue: device.queue,
    });
  };

  test('is kept by a compiler that changes nothing', async () => {
    expect(await keepsOrder(rewriting('probe', 'probe'))).toBe(true);
  });

  test.each([
    [
      'adds from the end',
      '(((((((a + b) + c) + d) + e) + g) + h) + i)',
      '(a + (b + (c + (d + (e + (g + (h + i)))))))',
    ],
    [
      'adds in pairs',
      '(((((((a + b) + c) + d) + e) + g) + h) + i)',
      '(((a + b) + (c + d)) + ((e + g) + (h + i)))',
    ],
    [
      'multiplies in pairs',
      '(((((((a * b) * c) * d) * e) * g) * h) * i)',
      '(((a * b) * (c * d)) * ((e * g) * (h * i)))',
    ],
    ['takes what does not change out of loops', '(sum + numbers[at + k]) + i', 'sum + (numbers[at + k] + i)'],
    ['takes what it has computed', '((a + b) + c) * 3.0', '(a + (c + b)) * 3.0'],
    ['distributes factors', '((a + b) * c)', 'fma(a, c, b * c)'],
    ['joins factors', '((a * b + c) + a * d)', '(a * (b + d) + c)'],
    ['adds constants last', '((a + 1.7) + b)', '((a + b) + 1.7)'],
  ])('is not kept by one that %s', async (_what, from, to) => {
    expect(await keepsOrder(rewriting(from, to))).toBe(false);
  });

  test('is not known of a device that is gone', async () => {
    const gone = Object.create(device) as GpuDevice;
    gone.createShaderModule = () => {
      throw new Error('gone');
    };
    expect(await keepsOrder(gone)).toBe(false);
  });
});
