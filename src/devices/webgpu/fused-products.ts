/**
 * Whether a device's `fma` rounds once, as OpenCL C's does. WGSL allows it to round the product first, so that shaders have an exact one of
 * integers, thirty times as long. Most graphics cards have the real one: those that give the right bits for all products here, of
 * which everything but the last digits is taken away again, are taken to have it.
 */
import { type GpuDevice, mapRead, usage } from './gpu-api.ts';

/** The name of the constant that shaders ask (runtime-floats.ts). */
export const fusesProducts = 'fuses_products';

const groupSize = 64;

const shader = `@group(0) @binding(0) var<storage, read_write> numbers: array<f32>;
@compute @workgroup_size(${groupSize})
fn probe(@builtin(global_invocation_id) id: vec3<u32>) {
  let at = 4u * id.x;
  numbers[at + 3u] = fma(numbers[at], numbers[at + 1u], numbers[at + 2u]);
}
`;

/** Factors and an addend in threes, with a place for the result, and what it has to be. */
function cases(): { readonly numbers: Float32Array; readonly expected: Float32Array } {
  const numbers = new Float32Array(4 * groupSize);
  const expected = new Float32Array(groupSize);
  let state = 1;
  const random = (): number => {
    state = Math.imul(state, 0x2c9277b5) + 0xac564b05;
    return Math.fround((state >>> 8) / 2 ** 23 - 1);
  };
  for (let at = 0; at < groupSize; at += 1) {
    const [a, b] = [random(), random()];
    // Of two factors of 24 bits all 48 of the product are known, so that what rounding it leaves is exact.
    const rest = at === 0 ? 0 : -Math.fround(a * b);
    numbers.set([a, b, rest], 4 * at);
    expected[at] = a * b + rest;
  }
  // The product alone would be infinite.
  numbers.set([2 ** 127, 2, -(2 ** 127)], 4);
  expected[1] = 2 ** 127;
  return { numbers, expected };
}

/** Never rejects: of a device that does not answer it is not known, and what is gone says so to others. */
export async function findFusedProducts(device: GpuDevice): Promise<boolean> {
  try {
    const { numbers, expected } = cases();
    const size = numbers.byteLength;
    const module = device.createShaderModule({ code: shader, label: 'probe of fma' });
    const groupLayout = device.createBindGroupLayout({
      entries: [{ binding: 0, visibility: 4, buffer: { type: 'storage' } }],
    });
    const pipeline = await device.createComputePipelineAsync({
      layout: device.createPipelineLayout({ bindGroupLayouts: [groupLayout] }),
      compute: { module, entryPoint: 'probe' },
    });
    const buffer = device.createBuffer({
      size,
      usage: usage.storage | usage.copyTo | usage.copyFrom,
      label: 'probe',
    });
    const answer = device.createBuffer({ size, usage: usage.mapRead | usage.copyTo, label: 'probe read' });
    device.queue.writeBuffer(buffer, 0, new Uint8Array(numbers.buffer));
    const entries = [{ binding: 0, resource: { buffer } }];
    const group = device.createBindGroup({ layout: groupLayout, entries });
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass({});
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, group);
    pass.dispatchWorkgroups(1, 1, 1);
    pass.end();
    encoder.copyBufferToBuffer(buffer, 0, answer, 0, size);
    device.queue.submit([encoder.finish()]);
    await answer.mapAsync(mapRead);
    const results = new Float32Array(answer.getMappedRange().slice(0));
    buffer.destroy();
    answer.destroy();
    return expected.every((value, at) => results[4 * at + 3] === value);
  } catch {
    return false;
  }
}
