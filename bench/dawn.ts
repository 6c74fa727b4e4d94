/**
 * What a dispatch costs on WebGPU without Millrace: Dawn for Node on the driver that `webgpu.ts` takes, with an empty shader. What Millrace adds is the
 * difference to the rows of that part. A process of its own, for Dawn ends one that has two of it.
 */
import { performance } from 'node:perf_hooks';
import { medianOfRounds, type Row } from './measure.ts';
import { batch, useSwiftShader } from './webgpu.ts';

/** Dawn ends the process when what is still used has been collected. */
const kept: unknown[] = [];

/** Rows, or why there is nothing to measure. */
export async function measureDawn(): Promise<Row[] | string> {
  useSwiftShader();
  let create: (flags: string[]) => GPU;
  try {
    ({ create } = await import('webgpu'));
  } catch (error) {
    return (error as Error).message;
  }
  // Dawn answers only while something keeps the event loop awake.
  const awake = setInterval(() => {}, 1000);
  try {
    const gpu = create([]);
    const adapter = await gpu.requestAdapter();
    if (!adapter) return 'there is no adapter';
    const device = await adapter.requestDevice();
    kept.push(gpu, device);
    const module = device.createShaderModule({ code: '@compute @workgroup_size(1) fn main() {}' });
    const pipeline = device.createComputePipeline({ layout: 'auto', compute: { module } });
    /** Microseconds of a dispatch, in a pass of so many. */
    const dispatched = async (count: number): Promise<number> => {
      const start = performance.now();
      const encoder = device.createCommandEncoder();
      const pass = encoder.beginComputePass();
      pass.setPipeline(pipeline);
      for (let index = 0; index < count; index++) pass.dispatchWorkgroups(1);
      pass.end();
      device.queue.submit([encoder.finish()]);
      await device.queue.onSubmittedWorkDone();
      return ((performance.now() - start) * 1000) / count;
    };
    return [
      {
        name: 'a pass of one dispatch, awaited',
        value: await medianOfRounds(400, () => dispatched(1)),
        unit: 'us',
      },
      {
        name: `one of ${batch} dispatches of a pass`,
        value: await medianOfRounds(12, () => dispatched(batch)),
        unit: 'us',
      },
    ];
  } finally {
    clearInterval(awake);
  }
}
