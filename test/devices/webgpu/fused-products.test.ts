/** Whether a device fuses products: what decides, and that kernels get the right numbers either way. */
import { describe, expect, test } from 'vitest';
import { findFusedProducts } from '../../../src/devices/webgpu/fused-products.ts';
import type { GpuDevice } from '../../../src/devices/webgpu/gpu-api.ts';

/** A device that does no more than the shader asks for, with a product and a sum of its own. */
function deviceWith(fma: (a: number, b: number, c: number) => number): GpuDevice {
  let numbers = new Float32Array(0);
  const nothing = {};
  const pass = { setPipeline() {}, setBindGroup() {}, dispatchWorkgroups() {}, end() {} };
  return {
    queue: {
      writeBuffer(_buffer: unknown, _offset: number, data: Uint8Array) {
        numbers = new Float32Array(data.slice().buffer);
      },
      submit() {
        for (let at = 0; at < numbers.length; at += 4) {
          numbers[at + 3] = fma(numbers[at]!, numbers[at + 1]!, numbers[at + 2]!);
        }
      },
    },
    createShaderModule: () => nothing,
    createBindGroupLayout: () => nothing,
    createPipelineLayout: () => nothing,
    createBindGroup: () => nothing,
    createComputePipelineAsync: async () => nothing,
    createBuffer: () => ({ mapAsync: async () => {}, getMappedRange: () => numbers.buffer, destroy() {} }),
    createCommandEncoder: () => ({
      beginComputePass: () => pass,
      copyBufferToBuffer() {},
      finish: () => nothing,
    }),
  } as unknown as GpuDevice;
}

describe('a device', () => {
  test('that rounds once has the real one', async () => {
    // A product of two floats is exact in double precision, and so is what these sums leave.
    expect(await findFusedProducts(deviceWith((a, b, c) => Math.fround(a * b + c)))).toBe(true);
  });

  test('that rounds the product first has not', async () => {
    const twice = (a: number, b: number, c: number): number => Math.fround(Math.fround(a * b) + c);
    expect(await findFusedProducts(deviceWith(twice))).toBe(false);
  });

  test('that is right but for one number has not', async () => {
    let count = 0;
    const almost = (a: number, b: number, c: number): number => {
      count += 1;
      return count === 40 ? 0 : Math.fround(a * b + c);
    };
    expect(await findFusedProducts(deviceWith(almost))).toBe(false);
  });

  test('that is gone has not', async () => {
    const device = {
      ...deviceWith(() => 0),
      createComputePipelineAsync: () => Promise.reject(new Error('gone')),
    };
    expect(await findFusedProducts(device)).toBe(false);
  });
});
