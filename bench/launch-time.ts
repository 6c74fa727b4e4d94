/** How long a launch of an empty kernel takes, alone and in a stream of launches that are not waited for. */
import { performance } from 'node:perf_hooks';
import { compile } from 'millrace';
import { createContext } from 'millrace/opencl';
import { median, type Row, timed } from './measure.ts';

const source = 'kernel void empty(void) {}';

/** Measures launches through the short form and through the OpenCL API. */
export async function measureLaunchTime(): Promise<Row[]> {
  const program = await compile(source);
  const empty = program.kernel('empty');
  const awaited: number[] = [];
  for (let round = 0; round < 4000; round++) {
    awaited.push(await timed(() => empty({ global: [1], local: [1] })));
  }
  const stream = 2000;
  const streamed = await timed(() =>
    Promise.all(Array.from({ length: stream }, () => empty({ global: [1], local: [1] }))),
  );
  program.release();
  return [
    { name: 'launch and wait, OpenCL API', value: blockingLaunch(), unit: 'us', goal: 100 },
    { name: 'launch and await, short form', value: median(awaited.slice(500)) * 1000, unit: 'us', goal: 100 },
    { name: 'one of 2000 launches in flight', value: (streamed / stream) * 1000, unit: 'us' },
  ];
}

/** Median microseconds of enqueueNDRangeKernel and finish. */
function blockingLaunch(): number {
  const context = createContext();
  const queue = context.createCommandQueue();
  const program = context.createProgram(source);
  program.build();
  const kernel = program.createKernel('empty');
  const times: number[] = [];
  for (let round = 0; round < 4000; round++) {
    const start = performance.now();
    queue.enqueueNDRangeKernel(kernel, 1, null, [1], [1]);
    queue.finish();
    times.push(performance.now() - start);
  }
  for (const object of [kernel, program, queue, context]) object.release();
  return median(times.slice(500)) * 1000;
}
