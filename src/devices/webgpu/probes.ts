/** Asks a device's compiler what it does, by a shader whose results tell. */
import { type GpuDevice, mapRead, usage } from './gpu-api.ts';

/** Work-items of a probe, in one group. */
export const probeItems = 64;

/**
 * Runs a shader over numbers, `numbers` at binding 0 of group 0, and gives what it has made of them; undefined for a device that does not answer: what
 * is gone says so to others.
 */
export async function probe(
  device: GpuDevice,
  label: string,
  code: string,
  numbers: Float32Array,
): Promise<Float32Array | undefined> {
  try {
    const size = numbers.byteLength;
    const module = device.createShaderModule({ code, label });
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
    return results;
  } catch {
    return undefined;
  }
}

/** The same numbers each time, in [-1, 1) with 24 bits. */
export function randomNumbers(): () => number {
  let state = 1;
  return () => {
    state = Math.imul(state, 0x2c9277b5) + 0xac564b05;
    return Math.fround((state >>> 8) / 2 ** 23 - 1);
  };
}
